"""`main.py export` has flags for every family and every scaling, and writes the numbers that the core computes."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from families import formula

from posenc_core import (
    ENCODINGS,
    Alibi,
    BinaryCode,
    Document,
    DynamicNtk,
    Embedding,
    Encoding,
    FrequencyDivisors,
    FrequencyScale,
    IntegerIndex,
    Linear,
    Llama3,
    LongRope,
    NoPosition,
    NormalizedIndex,
    NtkAware,
    NtkByParts,
    Proportional,
    Rotary,
    ShawRelative,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
    Yarn,
    encode,
)
from posenc_core.encodings import (
    ChunkedAttention,
    Cope,
    DistanceRemap,
    DualChunk,
    Fire,
    Fope,
    ForgetGate,
    GivenMlp,
    GrapeM,
    Kerple,
    LeakyReRope,
    Pope,
    RelativeBank,
    ReRope,
    RopeAxes,
    Sandwich,
    SelfExtend,
    XPos,
)
from posenc_core.rope_scaling import SCALINGS, LeRope, ServedNtk, ThetaScale, YarnLog
from posenc_core.session.seen import seen_document
from posenc_gui.cli.export_command import export
from posenc_gui.cli.field_flags import add_field_flags, flag
from posenc_gui.cli.parser import CommandParser
from posenc_gui.files.presets import preset, preset_names

ROTARY = "--family rotary --head-dim 8 --rope-theta 5e5 --scaling"
WRITTEN: list[tuple[str, Encoding]] = [
    (
        "--family rope_axes --head-dim 16 --rope-theta 100 --grid 2x3 --axis-widths 6,10 --bases 100,50",
        RopeAxes(16, 100.0, axis_widths=(6, 10), bases=(100.0, 50.0), grid="2x3"),
    ),
    (
        "--family rope_axes --head-dim 16 --rule sections --axes t,h,w --sections 2,3,3 --grid 2x2x2",
        RopeAxes(16, rule="sections", axes="t,h,w", sections=(2, 3, 3), grid="2x2x2"),
    ),
    (
        "--family rope_axes --head-dim 8 --coordinate scaled --base-height 4 --base-width 5 --grid 3x3",
        RopeAxes(8, coordinate="scaled", base_height=4, base_width=5, grid="3x3"),
    ),
    (
        "--family rope_axes --head-dim 8 --rule mixed --direction-rad 0.25 --pairing interleaved --grid 3x2",
        RopeAxes(8, rule="mixed", pairing="interleaved", direction_rad=0.25, grid="3x2"),
    ),
    ("--family none --d-model 3", NoPosition(3)),
    ("--family integer --d-model 3 --offset -1", IntegerIndex(3, -1)),
    ("--family normalized --d-model 2 --seq-len 7", NormalizedIndex(7, 2)),
    ("--family binary --n-bits 3 --order lsb", BinaryCode(3, "lsb")),
    ("--family sinusoidal --d-model 6 --base 100 --layout concatenated", Sinusoidal(6, 100, "concatenated")),
    ("--family shaw --d 6 --clip 2 --table-seed 5", ShawRelative(6, 2, 5)),
    ("--family transformer_xl --d 6 --base 50 --clamp-len 2", TransformerXLRelative(6, 50, 2)),
    ("--family transformer_xl --d 6 --clamp-len none", TransformerXLRelative(6)),
    (
        "--family t5 --num-buckets 8 --max-distance 20 --no-bidirectional --n-heads 3 --table-seed 9",
        T5Bias(8, 20, False, 3, 9),
    ),
    ("--family t5 --bidirectional", T5Bias()),
    ("--family alibi --n-heads 12", Alibi(12)),
    (
        "--family kerple --kernel power --r1 0.5 --r2 1.5 --n-heads 2 --r1-heads 0.25 --r2-heads 1",
        Kerple("power", 0.5, 1.5, 2, r1_heads=(0.25,), r2_heads=(1.0,)),
    ),
    ("--family sandwich --d-bar 8 --base 50 --n-heads 3", Sandwich(8, 50.0, 3)),
    (
        "--family relative_bank --d-rel 1 --rel-extent 3 --bank 3,2,1 --states 2",
        RelativeBank(1, 3, (3.0, 2.0, 1.0), (2.0,)),
    ),
    (
        "--family fire --c 0.2 --threshold 3 --epsilon --mlp given --w1 1 --b1 0 --w2 2 --b2 1",
        Fire(0.2, 3, True, GivenMlp((1.0,), (0.0,), (2.0,), (1.0,))),
    ),
    (
        "--family cope --p-max 2 --gate-logits 4,0 --position-logits 1,2",
        Cope(2, (4.0, 0.0), (1.0, 2.0)),
    ),
    ("--family forget_gate --gates 0.5,1", ForgetGate((0.5, 1.0))),
    ("--family xpos --head-dim 4 --gamma 0.5 --scale-base 9", XPos(4, gamma=0.5, scale_base=9)),
    (
        "--family fope --head-dim 4 --fope-length 9 --num-inv-freq 1 --cos-coefficients 2 --sin-coefficients 3",
        Fope(4, 1e4, 9, 1, (2.0,), (3.0,)),
    ),
    ("--family fope --head-dim 4 --deviation 0.5", Fope(4, deviation=0.5)),
    ("--family pope --head-dim 2 --delta -1,0", Pope(2, 1e4, (-1.0, 0.0))),
    (
        "--family grape_m --a 1,0 --b 0,2 --omega 0.5 --vector-turned 1,1",
        GrapeM((1.0, 0.0), (0.0, 2.0), 0.5, (1.0, 1.0)),
    ),
    (
        "--family distance_remap --distance-rule dual_chunk --chunk-size 3 --local-size 1",
        DistanceRemap(DualChunk(3, 1)),
    ),
    (
        "--family distance_remap --distance-rule self_extend --neighbor-window 2 --group-size 2",
        DistanceRemap(SelfExtend(2, 2)),
    ),
    ("--family distance_remap --distance-rule rerope --window 2", DistanceRemap(ReRope(2))),
    (
        "--family distance_remap --distance-rule leaky_rerope --window 2 --slope-denominator 4",
        DistanceRemap(LeakyReRope(2, 4.0)),
    ),
    (
        "--family distance_remap --distance-rule chunked_attention --attention-chunk-size 9",
        DistanceRemap(ChunkedAttention(9)),
    ),
    (f"{ROTARY} vllm_ntk --factor 8 --mixed-b 0.5", Rotary(8, 5e5, scaling=ServedNtk(8.0, 0.5))),
    (f"{ROTARY} yarn_log --factor 8 --original-max-position-embeddings 64", Rotary(8, 5e5, scaling=YarnLog(8.0, 64))),
    (
        f"{ROTARY} theta_scale --factor 8 --original-max-position-embeddings 64",
        Rotary(8, 5e5, scaling=ThetaScale(8.0, 64)),
    ),
    (
        f"{ROTARY} lerope --factor 1 --original-max-position-embeddings 64 --lerope-alpha 0,0.1,0,-0.1",
        Rotary(8, 5e5, scaling=LeRope(1.0, 64, lerope_alpha=(0.0, 0.1, 0.0, -0.1))),
    ),
    (
        "--family formula --formula 'sin(alpha*p + b)' --formula-cos 'cos(beta*p)' --parameter alpha=0.5 "
        "--parameter 'beta = 2' --d-model 4 --base 3",
        formula("sin(alpha*p + b)", "cos(beta*p)", d_model=4, base=3.0, alpha=0.5, beta=2.0),
    ),
    ("--family formula --formula-kind bias --n-heads 2", formula("-n * 2^(-8*(h + 1)/H)", kind="bias", n_heads=2)),
    ("--family rotary --head-dim 12 --pairing interleaved --rotary-dim 8", Rotary(12, 1e4, "interleaved", 8)),
    (
        "--family rotary --head-dim 12 --rotary-dim 8 --rotary-part trailing --direction -1",
        Rotary(12, rotary_dim=8, rotary_part="trailing", direction=-1),
    ),
    (f"{ROTARY} none", Rotary(8, 5e5)),
    (f"{ROTARY} freq_scale --freq-scale 0.25", Rotary(8, 5e5, scaling=FrequencyScale(0.25))),
    (f"{ROTARY} linear --factor 8", Rotary(8, 5e5, scaling=Linear(8))),
    (f"{ROTARY} ntk --factor 8", Rotary(8, 5e5, scaling=NtkAware(8))),
    (
        f"{ROTARY} dynamic --factor 2 --original-max-position-embeddings 100 --seq-len 1e3",
        Rotary(8, 5e5, scaling=DynamicNtk(2, 100, 1000)),
    ),
    (
        f"{ROTARY} ntk_by_parts --factor 8 --original-max-position-embeddings 2048 --alpha 2 --beta 16",
        Rotary(8, 5e5, scaling=NtkByParts(8, 2048, 2, 16)),
    ),
    (f"{ROTARY} yarn --factor 16 --original-max-position-embeddings 4096", Rotary(8, 5e5, scaling=Yarn(16, 4096))),
    (
        f"{ROTARY} yarn --factor 40 --original-max-position-embeddings 4e3 --beta-fast 16 --beta-slow 2 "
        "--attention-factor none --mscale 0.7 --mscale-all-dim 0.8 --no-truncate",
        Rotary(8, 5e5, scaling=Yarn(40, 4000, 16, 2, None, 0.7, 0.8, False)),
    ),
    (
        f"{ROTARY} llama3 --factor 8 --original-max-position-embeddings 8192 --low-freq-factor 2 --high-freq-factor 3",
        Rotary(8, 5e5, scaling=Llama3(8, 8192, 2, 3)),
    ),
    (
        f"{ROTARY} longrope --short-factor 1,1.5,2,3 --long-factor '1 4 8 16' --seq-len 2000 "
        "--original-max-position-embeddings 1024 --max-position-embeddings 8192 --factor none --attention-factor 1.25",
        Rotary(8, 5e5, scaling=LongRope((1, 1.5, 2, 3), (1, 4, 8, 16), 1024, 8192, None, 1.25, 2000)),
    ),
    (
        f"{ROTARY} listed --divisors '1 1 2.5 8' --attention-factor 1.25",
        Rotary(8, 5e5, scaling=FrequencyDivisors((1, 1, 2.5, 8), 1.25)),
    ),
    (
        f"{ROTARY} proportional --partial-rotary-factor 0.5 --factor 2",
        Rotary(8, 5e5, scaling=Proportional(0.5, 2)),
    ),
]


def written(folder: Path, *arguments: str) -> dict[str, Any]:
    """Arrays of the NPZ by name, after comparing the NPY with it; the command runs in this process."""
    status = export([*arguments, "--format", "npy", "--format", "npz", "--out", str(folder)])
    assert status == 0
    with np.load(folder / "vectors.npz", allow_pickle=False) as file:
        members = {name: file[name] for name in file.files}
    np.testing.assert_array_equal(members["encoding"], np.load(folder / "vectors.npy", allow_pickle=False))
    return members


def refused(capsys: pytest.CaptureFixture[str], folder: Path, arguments: str) -> str:
    """The one sentence with which the command refuses, having written nothing."""
    assert export([*shlex.split(arguments), "--out", str(folder / "new")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert list(folder.iterdir()) == []
    (line,) = said.err.splitlines()
    return line


@pytest.mark.parametrize(("arguments", "encoding"), WRITTEN, ids=[arguments for arguments, _ in WRITTEN])
def test_flags_give_the_numbers_that_the_core_computes(tmp_path: Path, arguments: str, encoding: Encoding) -> None:
    members = written(tmp_path, "--sentence", "one two three four five", *shlex.split(arguments))
    document = Document.from_json(members["parameters"].item())
    assert document.encoding == encoding
    positions = range(-4, 1) if encoding.relative else range(5)  # distances from the last token
    assert members["positions"].tolist() == list(positions)
    np.testing.assert_array_equal(members["encoding"], encode(seen_document(document, 4).encoding, positions))


def test_every_family_and_every_scaling_is_written_above_and_every_flag_used() -> None:
    from_files = {"learned"}
    words = {word for arguments, _ in WRITTEN for word in shlex.split(arguments)}
    assert words >= ENCODINGS.keys() - from_files
    assert words >= SCALINGS.keys()
    shared = {field.name for field in Document().fields} - Document().encoding.parameters().keys()
    own = {field.name for name in from_files for part in ENCODINGS[name].FIELDS for field in part.every()}
    unused = {name for name in add_field_flags(CommandParser()) if not {flag(name), flag(f"no_{name}")} & words}
    assert unused - own - shared == {"spacing"}


@pytest.mark.parametrize("family", ENCODINGS)
def test_every_family_has_defaults_that_can_be_written(tmp_path: Path, family: str) -> None:
    members = written(tmp_path, "--family", family)
    encoding = seen_document(Document.from_json(members["parameters"].item()), 2).encoding
    assert encoding.family == family
    np.testing.assert_array_equal(members["encoding"], encode(encoding, members["positions"]))


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_can_be_written(tmp_path: Path, name: str) -> None:
    members = written(tmp_path, "--preset", name, "--sentence", "one two")
    document = preset(name).edited("sentence", "one two")
    encoding = seen_document(document, 1).encoding
    np.testing.assert_array_equal(members["encoding"], encode(encoding, members["positions"]))


def test_parameters_of_a_formula_are_names_with_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = "--family formula --formula 'sin(alpha*p)' --parameter"
    assert "--parameter must be a name and a number, such as alpha=0.5, got 'alpha'" in refused(
        capsys, tmp_path, f"{given} alpha"
    )
    assert "alpha must be a number from -1e+100 to 1e+100, got 'x'" in refused(capsys, tmp_path, f"{given} alpha=x")
    assert "has no parameter --parameter beta; it has" in refused(capsys, tmp_path, f"{given} beta=1")
    assert "formula: a bracket is not closed" in refused(capsys, tmp_path, "--family formula --formula 'sin(p'")


def test_untrained_tables_are_written(tmp_path: Path) -> None:
    arguments = "--family learned --weights untrained --n-rows 9 --d-model 4 --table-seed 3 --offset 2"
    members = written(tmp_path, *shlex.split(arguments))
    document = Document.from_json(members["parameters"].item())
    wanted = {"weights": "untrained", "n_rows": 9, "d_model": 4, "table_seed": 3, "offset": 2}
    assert document.encoding.parameters().items() >= wanted.items()
    np.testing.assert_array_equal(members["encoding"], encode(document.encoding, range(3)))


def test_a_table_of_a_file_is_written(tmp_path: Path) -> None:
    table = np.arange(12, dtype=np.float32).reshape(4, 3)
    np.save(tmp_path / "table.npy", table)
    assert export(["--family", "learned", "--weights", str(tmp_path / "table.npy"), "--format", "npy", "--out",
                   str(tmp_path)]) == 0  # fmt: skip
    np.testing.assert_array_equal(np.load(tmp_path / "vectors.npy"), table[:3])


def test_a_rotated_vector_is_written_in_the_place_of_a_sum(tmp_path: Path) -> None:
    arguments = "--family rotary --head-dim 8 --rotary-dim 4 --embedding simulated --sentence 'one two'"
    members = written(tmp_path, *shlex.split(arguments))
    assert "sum" not in members
    assert members["encoding"].shape == (2, 4)
    vectors = Embedding("simulated").vectors(("one", "two"), 8)
    np.testing.assert_array_equal(members["embedding"], np.asarray(vectors, np.float32))
    np.testing.assert_allclose(
        members["rotated"], Rotary(8, rotary_dim=4).rotate(vectors, range(2)), rtol=1e-6, atol=1e-7
    )
    lengths = [np.linalg.norm(members[name], axis=1) for name in ("embedding", "rotated")]
    np.testing.assert_allclose(*lengths, rtol=1e-6)


@pytest.mark.parametrize("family", [name for name, kind in ENCODINGS.items() if kind.relative])
def test_families_of_distances_add_nothing_to_tokens(tmp_path: Path, family: str) -> None:
    members = written(tmp_path, "--family", family, "--embedding", "simulated")
    assert members.keys() == {"tokens", "positions", "encoding", "query", "parameters"}


NINE = "--sentence '1 2 3 4 5 6 7 8 9'"


@pytest.mark.parametrize("formats", ["--format csv", "--format npy", "--format npz", "--format png --format csv"])
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--family binary --n-bits 3", "position 8 needs 4 bits, but n_bits = 3"),
        (
            "--family normalized --seq-len 5",
            "position 5 is outside 0..T-1 = 0..4; a normalised index is defined only inside the sequence",
        ),
        (
            "--family learned --weights untrained --n-rows 6",
            "position 6 is out of range for a learned table of 6 rows (positions 0..5); "
            "it cannot be extrapolated - shorten the sequence or resize the table",
        ),
        (
            "--family rope_axes --grid 1x1",
            "position 1 has no cell in the grid 1x1, whose cells are 0..0; "
            "choose a larger grid or shorten the sentence",
        ),
    ],
)
def test_a_token_without_a_value_is_refused_before_anything_is_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, formats: str, arguments: str, sentence: str
) -> None:
    assert refused(capsys, tmp_path, f"{arguments} {NINE} {formats}") == sentence


@pytest.mark.parametrize("panel", ["similarity", "lens", "patches"])
def test_a_panel_with_numbers_of_its_own_needs_no_cell_for_each_token(tmp_path: Path, panel: str) -> None:
    flags = f"--family rope_axes --grid 1x1 --panel {panel} --format csv --out".split()
    assert export([*flags, str(tmp_path)]) == 0
    assert [path.name for path in tmp_path.iterdir()] == [f"{panel}.csv"]


REFUSED = [
    (
        "--family yarn",
        "family must be none, integer, normalized, binary, sinusoidal, learned, shaw, transformer_xl, t5, ",
    ),
    ("--family rotary --scaling ntk-by-parts", "scaling must be none, freq_scale, linear, ntk, dynamic, "),
    ("--family rotary --d-model 8", "the family rotary has no parameter --d-model; it has --head-dim, --rope-theta, "),
    ("--family rotary --factor 8", "the family rotary has no parameter --factor; it has --head-dim, --rope-theta, "),
    ("--family sinusoidal --scaling yarn", "the family sinusoidal has no parameter --scaling; it has --d-model, "),
    (f"{ROTARY} yarn --factor 0.5", "factor must be a finite number >= 1, got 0.5"),
    (f"{ROTARY} yarn --beta-fast 0.5", "beta_fast (0.5) must be greater than beta_slow (1)"),
    (f"{ROTARY} yarn --attention-factor no", "attention_factor must be a finite number > 0, got 'no'"),
    (f"{ROTARY} ntk --head-dim 2", "NTK scaling needs a rotary dimension >= 4"),
    (f"{ROTARY} longrope", "short_factor must list rotary_dim/2 = 4 numbers, got 0"),
    (f"{ROTARY} longrope --short-factor 1,2,3", "short_factor must list rotary_dim/2 = 4 numbers, got 3"),
    (f"{ROTARY} longrope --short-factor 1,2,x,4", "short_factor[2] must be a finite number > 0, got 'x'"),
    (f"{ROTARY} none --rotary-dim 3", "RoPE rotates pairs: rotary dimension must be even, got 3"),
    (f"{ROTARY} freq_scale --freq-scale 0", "rope_freq_scale must be > 0, got 0"),
    ("--family t5 --num-buckets 7", "bidirectional T5 buckets need num_buckets >= 4 and even, got 7"),
    ("--family t5 --max-distance 8", "max_distance"),
    ("--family alibi --n-heads 0", "n_heads must be an integer >= 1, got 0"),
    ("--family transformer_xl --d 7", "d must be even to form sin/cos pairs, got 7"),
    ("--family binary --n-bits 54", "n_bits must be an integer <= 53, got 54"),
    ("--family learned --weights missing.npy", "the table 'missing.npy' cannot be opened: there is no such file"),
    ("--d-model 4_096", "d_model must be a whole number from 1 to 65536, got '4_096'"),
    ("--d-model 1e-3", "d_model must be a whole number from 1 to 65536, got '1e-3'"),
    ("--d-model 1e5", "d_model must be an integer <= 65536, got 1e5"),
    ("--d-model -1e999999999", "d_model must be an integer >= 1, got -1e999999999"),
    ("--base 10_000", "base (rope_theta) must be a finite number > 0, got '10_000'"),
]


@pytest.mark.parametrize(("arguments", "sentence"), REFUSED, ids=[arguments for arguments, _ in REFUSED])
def test_wrong_values_are_refused_in_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: str, sentence: str
) -> None:
    assert refused(capsys, tmp_path, f"{arguments} --format npy").startswith(sentence)


@pytest.mark.parametrize("text", ["16", "1.6e1", "16.0", "160e-1", "+16", " 16 ", "016"])
def test_whole_numbers_are_read_in_any_notation_that_is_exact(tmp_path: Path, text: str) -> None:
    assert written(tmp_path, "--d-model", text)["encoding"].shape == (3, 16)


@pytest.mark.parametrize(("layer", "base"), [("full", 1e6), ("sliding", 1e4)])
def test_a_models_config_gives_its_rotation(tmp_path: Path, layer: str, base: float) -> None:
    config = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 8, "rope_theta": base}
    (tmp_path / f"{layer}.json").write_text(json.dumps(config))
    members = written(tmp_path, "--config", str(tmp_path / f"{layer}.json"), "--scaling", "linear", "--factor", "2")
    assert Document.from_json(members["parameters"].item()).encoding == Rotary(8, base, scaling=Linear(2))


def test_a_typical_command_is_accepted(command: Callable[..., Any], tmp_path: Path) -> None:
    process = command("export", *shlex.split(f"{ROTARY} yarn --factor 16 --format npy --out pictures"))
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.splitlines() == [str(Path("pictures") / "vectors.npy")]
    wanted = encode(Rotary(8, 5e5, scaling=Yarn(16, 4096)), range(3))
    np.testing.assert_array_equal(np.load(tmp_path / "pictures" / "vectors.npy"), wanted)
