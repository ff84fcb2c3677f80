"""Encodings of every family, and a clean process that runs scripts for their tables."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from families import formula
from hypothesis import HealthCheck, Phase, given, settings
from strategies import TEXT, encodings, seen

from posenc_core import (
    ENCODINGS,
    Alibi,
    BinaryCode,
    Document,
    Encoding,
    IntegerIndex,
    LearnedTable,
    NoPosition,
    NormalizedIndex,
    Rotary,
    ShawRelative,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
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
    SimulatedMlp,
    XPos,
)
from posenc_core.explain import NUMPY, TORCH
from posenc_core.rope_scaling import (
    DynamicNtk,
    FrequencyDivisors,
    FrequencyScale,
    LeRope,
    Linear,
    Llama3,
    LongRope,
    NtkAware,
    NtkByParts,
    Proportional,
    ServedNtk,
    ThetaScale,
    Yarn,
    YarnLog,
)
from posenc_core.scripts.snippets import source_of

_FACTORS = tuple(1 + 0.1 * pair for pair in range(16))
_SCALINGS = (
    Linear(4.0),
    FrequencyScale(0.25),
    FrequencyScale(5.0),
    NtkAware(8.0),
    DynamicNtk(2.0, 100, 1000),
    DynamicNtk(2.0, 100, 10),
    NtkByParts(4.0, 2048),
    NtkByParts(1.0, 30, 0.5, 3.0),
    NtkByParts(4.0, 2048, 2.0, 2.0),
    Yarn(16.0, 4096),
    Yarn(16.0, 4096, truncate=False),
    Yarn(40.0, 4096, mscale=1.0, mscale_all_dim=0.7),
    Yarn(40.0, 4096, attention_factor=1.5),
    Yarn(1.0, 64),
    Yarn(4.0, 7, 40.0, 30.0),
    Yarn(32.0, 4096, 1.0, 1.0),
    Yarn(32.0, 4096, 1.0, 1.0, truncate=False),
    Llama3(8.0, 8192),
    Llama3(16.0, 8192, 1.0, 1.0),
    LongRope(_FACTORS, _FACTORS[::-1], 4096, 131072),
    LongRope(_FACTORS, _FACTORS[::-1], 4096, 131072, seq_len=5000),
    LongRope(_FACTORS, _FACTORS, 64, 64),
    LongRope(_FACTORS, _FACTORS, 64, 128, attention_factor=0.75),
    LongRope(tuple(0.01 for _ in _FACTORS), _FACTORS, 64, 128),
    FrequencyDivisors(_FACTORS),
    FrequencyDivisors(_FACTORS[::-1], 1.25),
    FrequencyDivisors(tuple(0.01 for _ in _FACTORS)),
    Proportional(0.25, 8.0),
    Proportional(0.01),
    ServedNtk(4.0),
    ServedNtk(8.0, 0.625),
    YarnLog(16.0, 4096),
    YarnLog(8.0, 64, 4.0, 1.0, truncate=False),
    ThetaScale(4.0, 4096),
    LeRope(1.0, 512),
    LeRope(4.0, 512, attention_factor=1.0, lerope_alpha=tuple(0.1 * each for each in range(-8, 8))),
)

FORMULAS = (
    formula("sin(p / b^(2*i/d))", "cos(p / b^(2*i/d))", d_model=7),
    formula("1/(1 + p^2)", d_model=3),
    formula("tau*tanh(p/L) - exp(-abs(p)/tau)", d_model=4, tau=3.5),
    formula("(p if p % 3 > 1 else -c) + 2*(0 <= c < 2) - round(p/4)", d_model=5),
    formula("min(p, c, 3) + max(sin(p), cos(2), c//2) + mod(p, 5) - floor(p/3) + ceil(c/2)", d_model=6),
    formula(
        "triangle(p) + square(p/2) + sigmoid(p - c) + sign(p) - sqrt(abs(p)) + log(2 + abs(p)) + tan(1)", d_model=2
    ),
    formula("pi*e", d_model=2),
    formula("min(pi, c, e) + max(e, p) + (p if pi != e else c) + (c if e == e else pi)", d_model=4),
    formula("square(alpha)", kind="rotation", d_model=4, alpha=1.0),
    formula("1/p", d_model=2),
    formula("p*omega/(i + 1)", kind="angle", d_model=5, omega=0.3),
    formula("log(1 + abs(p))", kind="angle", d_model=4),
    formula("p / b^(2*i/d)", kind="rotation", d_model=6),
    formula("-n * 2^(-8*(h + 1)/H) + delta/L", kind="bias", n_heads=3),
    formula("sin(p / b^(2*i/d)) + p/L", d_model=4, base=30.0, seq_len=17),
)

LISTED: tuple[Encoding, ...] = (
    *FORMULAS,
    NoPosition(),
    NoPosition(1),
    IntegerIndex(4),
    IntegerIndex(1, -7),
    NormalizedIndex(60, 3),
    NormalizedIndex(1, 2),
    BinaryCode(6),
    BinaryCode(53, "lsb"),
    BinaryCode(1),
    *(
        Sinusoidal(d_model, base, layout, spacing, offset)
        for d_model in (4, 7, 64)
        for layout in ("interleaved", "concatenated")
        for spacing in ("paper", "tensor2tensor", "one_based")
        for base, offset in ((10000.0, 0), (100.5, 3), (0.3, -2))
        if spacing != "one_based" or d_model % 2 == 0
    ),
    Sinusoidal(1),
    Sinusoidal(2, layout="concatenated"),
    Sinusoidal(3, 1.0),
    Sinusoidal(8, 5e-324),
    LearnedTable(),
    LearnedTable.untrained(70, 5, 3),
    LearnedTable.untrained(400, 600, 2**32 - 1, 2),
    LearnedTable.from_array(np.arange(24.0).reshape(8, 3) / 7, "a table\nimport sys; sys.exit(1)\u202e", -1),
    ShawRelative(8, 4),
    ShawRelative(3, 0, 9),
    ShawRelative(700, 50, 1),
    TransformerXLRelative(6),
    TransformerXLRelative(8, 0.5, 10),
    TransformerXLRelative(2, clamp_len=1),
    T5Bias(),
    T5Bias(bidirectional=False),
    T5Bias(2, 2, False, 3, 5),
    T5Bias(1024, 10_000_000, True, 40),
    T5Bias(5, 1000, False, 1, 7),
    *(Alibi(n_heads) for n_heads in (1, 2, 6, 8, 12, 71)),
    Kerple(),
    Kerple("power", 0.3, 1.7, 3, 5),
    Kerple("log", 0.3, 1.7, 3, r1_heads=(1.5, 0.2), r2_heads=(0.1, 2.5)),
    Sandwich(),
    Sandwich(6, 30.0, 3),
    RelativeBank(),
    RelativeBank(3, 5, n_heads=2, table_seed=4),
    RelativeBank(2, 3, (0.5, -1.0, 2.0, 0.1, 0.0, -0.3), (1.0, -2.0, 0.25, 0.5)),
    Fire(0.5, 12, True, GivenMlp.of([1.0, -2.0], [0.1, 0.3], [[-1.5, 0.7]], [0.05])).seen_from(9, TEXT),
    Cope(3, table_seed=5).seen_from(9, TEXT),
    Cope(3, (0.5, -1.0, 2.0), (0.1, -0.2, 0.3)).seen_from(9, TEXT),
    ForgetGate((0.5, 0.9, 1.0)).seen_from(9, TEXT),
    *(each.seen_from(9, TEXT) for each in (Fire(), Fire(mlp=SimulatedMlp()), Cope(), ForgetGate())),
    *(
        DistanceRemap(rule).seen_from(11)
        for rule in (DualChunk(5, 2), SelfExtend(4, 2), ReRope(3), LeakyReRope(2, 4.0))
    ),
    DistanceRemap(ChunkedAttention(4)).seen_from(11),
    DistanceRemap(ReRope(3), 6, 50.0, "interleaved", Linear(4.0)).seen_from(11),
    XPos(8),
    XPos(6, 100.0, 1.5, 20, "interleaved"),
    Fope(16),
    Fope(8, 30.0, num_inv_freq=2, table_seed=4),
    Fope(8, 30.0, 20, None, (1.0, 0.1, 0.2, 0.9), (0.8, 0.0, 0.3, 1.1)),
    Fope(8, 30.0, 40, deviation=0.5),
    Pope(5),
    Pope(4, 0.3, (-1.0, -0.5, -6.0, 0.0)),
    GrapeM(),
    GrapeM((1.0, 0.0), (0.0, 2.0), 1.5, (3.0, 4.0)),
    Rotary(32),
    Rotary(32, 500000.0, "interleaved", 8),
    Rotary(8, 0.1),
    Rotary(8, 1e-300, "interleaved"),
    Rotary(2),
    Rotary(32, 500000.0, "interleaved", 8, direction=-1, rotary_part="trailing"),
    Rotary(32, direction=-1, scaling=Yarn(4.0, 2048)),
    Rotary(32, 0.01, direction=-1, scaling=Linear(4.0)),
    Rotary(8, 0.1, direction=-1),
    *(Rotary(32, 500.0, pairing, None, each) for each in _SCALINGS for pairing in ("half_split", "interleaved")),
    Rotary(32, 0.01, "half_split", None, Linear(4.0)),
    RopeAxes(12),
    *(
        RopeAxes(24, 500.0, rule, axes, pairing, grid=grid)
        for rule, axes in (("blocks", "t,h,w,l"), ("normalised", "w,h"), ("ernie_3d", "h,w,t"), ("mixed", "h,w"))
        for pairing, grid in (("half_split", "5+4x3"), ("interleaved", "2x3x4"))
    ),
    RopeAxes(24, axes="t,h,w", coordinate="centred", grid="3+5x4"),
    RopeAxes(24, rule="mixed", direction_rad=1.2, rotary_dim=16, grid="3x4"),
    RopeAxes(24, rule="sections", axes="t,h,w", sections=(2, 4, 6), scaling=Yarn(4.0, 64), grid="2+3x4"),
    RopeAxes(24, coordinate="scaled", base_height=20, base_width=17, grid="5x4"),
    RopeAxes(24, axes="t,h,w", coordinate="scaled", grid="2x5x4", bases=(10.0, 100.0, 5.0), axis_widths=(4, 8, 12)),
)


def drawn(count: int, kinds: Iterable[type[Encoding]] = tuple(ENCODINGS.values())) -> list[Encoding]:
    """So many encodings of the families as the property tests draw them, the same in every run."""
    found: list[Encoding] = []

    @settings(max_examples=count, derandomize=True, database=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(seen(encodings(kinds, small=True)))
    def collect(encoding: Encoding) -> None:
        found.append(encoding)

    collect()
    return found


EVERY: tuple[Encoding, ...] = (
    *LISTED,
    *(
        each
        for kind in ENCODINGS.values()
        if not kind.__module__.startswith("posenc_core.")
        for each in drawn(20, (kind,))
    ),
)
"""The listed encodings, and drawn ones of families that were registered by anything but the program itself."""


def same_as_by_default(cases: Iterable[Encoding], kinds: Iterable[type[Encoding]]) -> list[str]:
    """The parameters that equal their default in every case of the family, such as ``pope: delta``."""
    listed = list(cases)
    return [
        f"{kind.family}: {field.name}"
        for kind in kinds
        for field in kind.FIELDS
        if all(getattr(each, field.name) == field.default for each in listed if each.family == kind.family)
    ]


def ranges(encoding: Encoding) -> list[range]:
    """Positions near 0 and far off, as far as they have values."""
    first, last = encoding.domain
    wanted = (range(-20 if encoding.relative else 0, 40), range(-3, 4), range(100_000, 100_004))
    cut = (range(int(max(each.start, first)), int(min(each.stop - 1, last)) + 1) for each in wanted)
    return [each for each in cut if each]


def expected(encoding: Encoding, positions: range) -> Any:
    """The window's numbers, float64."""
    return encoding.values(np.arange(positions.start, positions.stop), np.arange(encoding.n_columns))


_RUN_ALL = """
import contextlib, io, json, sys
import numpy as np
with open(sys.argv[1], encoding="utf-8") as stream:
    scripts = json.load(stream)
tables = {}
for number, script in enumerate(scripts):
    names, said = {"__name__": "script"}, io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        exec(compile(script, f"script {number}", "exec"), names)
    assert not said.getvalue(), (script, said.getvalue())
    table = names["table"]
    assert str(table.dtype).endswith("float64"), (script, table.dtype)
    assert len(names["positions"]) == len(table), script
    tables[str(number)] = np.asarray(table)
assert not [name for name in sys.modules if name.startswith("posenc")]
np.savez(sys.argv[2], **tables)
"""


def run_together(scripts: list[str], folder: Path) -> list[Any]:
    """The tables that the scripts define, each in a namespace of its own, all in one process that knows no PosEnc."""
    (folder / "scripts.json").write_text(json.dumps(scripts), encoding="utf-8")
    command = [sys.executable, "-I", "-W", "error", "-c", _RUN_ALL, "scripts.json", "tables.npz"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with np.load(folder / "tables.npz") as tables:
        return [tables[str(number)] for number in range(len(scripts))]


def run_alone(script: str, folder: Path) -> Any:
    """The table that the script defines in a process of its own."""
    saved = f"{script}\nimport numpy\nnumpy.save('table.npy', numpy.asarray(table))\n"
    command = [sys.executable, "-I", "-W", "error", "-c", saved]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{script}\n{done.stderr}"
    assert not done.stdout + done.stderr
    return np.load(folder / "table.npy")


def numpy_source(shown: Document | Encoding, positions: Any = None) -> str:
    """A script for NumPy that defines ``table``, float64 ``(n_positions, n_columns)``; see ``source_of``."""
    return source_of(shown, positions, NUMPY)


def torch_source(shown: Document | Encoding, positions: Any = None) -> str:
    """A script for PyTorch that defines ``table``, float64 ``(n_positions, n_columns)``; see ``source_of``."""
    return source_of(shown, positions, TORCH)
