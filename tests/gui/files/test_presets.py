"""Presets are valid parts of a session, with a source, and change nothing that they do not name."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from cases import each_case
from documents import with_values

from posenc_core import ENCODINGS, Document, Embedding, Sinusoidal, encode, frequencies, rope_from_config
from posenc_gui.files.presets import preset, preset_groups, preset_names, preset_title
from posenc_gui.look.resources import resource

ROPE = json.loads((Path(__file__).parents[2] / "data" / "rope.json").read_text(encoding="utf-8"))

OTHER = with_values(
    Document(
        sentence="something else",
        tokens="bytes",
        seq_len=7,
        encoding=Sinusoidal(6, base=2, layout="concatenated", spacing="tensor2tensor", offset=9),
        embedding=Embedding("simulated", seed=5),
    ),
    color_map="viridis",
    transpose=True,
)


def test_the_presets_that_the_manual_names_are_there() -> None:
    named = {"paper", "annotated-transformer", "d2l", "tensor2tensor", "four-columns", "one-based"}
    assert named <= set(preset_names())


@each_case("name", preset_names())
def test_every_preset_is_a_titled_part_of_a_session_and_nothing_else(name: str) -> None:
    values = json.loads(resource("presets", f"{name}.json").read_text(encoding="utf-8"))
    assert preset_title(name) == values.pop("title")
    source = values.pop("source")
    assert name in preset_groups()[values.pop("group", "")]
    assert len(preset_title(name)) > 10
    assert len(source) > 10
    of_a_model = {key: values.pop(key) for key in ("model", "config", "layer", "lengths") if key in values}
    session = json.loads(preset(name).to_json())
    assert values.keys() <= session.keys() - {"format", "version", "model"}
    if of_a_model:
        assert "encoding" not in values, "the encoding follows from the config"
        assert (session["model"]["name"], session["model"]["source"]) == (of_a_model["model"], source)
        assert session["model"]["target_length"] > 0
    else:
        # Each names its whole encoding, so that it means the same whatever the defaults become.
        shared = {key: session[key] for key in session.keys() & session["encoding"].keys()}
        assert values.pop("encoding") | shared == session["encoding"]
        assert "model" not in session
    assert values.items() <= session.items()


@each_case("name", preset_names())
def test_a_preset_shows_as_many_positions_as_its_title_promises(name: str) -> None:
    promised = [int(each.replace(",", "")) for each in re.findall(r"([\d,]+) positions", preset_title(name))]
    assert promised in ([], [preset(name).seq_len]), preset_title(name)


def test_a_preset_takes_the_place_of_the_model_before() -> None:
    model = preset("llama-3.1-8b")
    assert preset("gemma-3-global", model).model.name == "Gemma 3 12B"
    assert preset("paper", model).model is None


def test_a_preset_takes_the_window_of_the_model_before_with_it() -> None:
    model = preset("gpt-oss")
    assert model.view.longest_distance == 127
    assert preset("llama-4-chunks", model).view.longest_distance is None
    typed = Document().edited("longest_distance", 9)
    assert preset("paper", typed).view.longest_distance == 9


@each_case("name", preset_names())
def test_a_preset_keeps_what_it_does_not_name(name: str) -> None:
    named = json.loads(resource("presets", f"{name}.json").read_text(encoding="utf-8"))
    before, after = OTHER.to_dict(), preset(name, OTHER).to_dict()
    changed = {key for key in before if before[key] != after[key]}
    assert changed - {"encoding", "view"} <= named.keys()
    reach = {"longest_distance": after["view"]["longest_distance"]} if "model" in named else {}
    assert after["view"] == {**before["view"], **reach}
    assert after["embedding"] == before["embedding"]
    assert after["encoding"] != before["encoding"]


def test_the_four_columns_bring_their_sentence_and_their_table() -> None:
    document = preset("four-columns", OTHER)
    assert [token.text for token in document.token_list] == ["Dan", "loves", "icecream"]
    assert encode(document.encoding, [1])[0].tolist() == pytest.approx(
        [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)], abs=1e-7
    )


def test_the_values_are_those_of_their_sources() -> None:
    assert preset("paper").encoding == Sinusoidal(512)
    assert preset("tensor2tensor").encoding == Sinusoidal(512, layout="concatenated", spacing="tensor2tensor")
    assert preset("one-based").encoding == Sinusoidal(32, spacing="one_based")
    annotated, d2l = preset("annotated-transformer"), preset("d2l")
    assert (annotated.encoding, annotated.seq_len) == (Sinusoidal(20), 100)
    assert (d2l.encoding, d2l.seq_len) == (Sinusoidal(32), 60)
    # Section 6 of the reference: the two numberings differ already in the first component.
    assert encode(d2l.encoding, [10], [0])[0, 0] == pytest.approx(-0.5440211109, abs=1e-7)
    assert encode(preset("one-based").encoding, [10], [0])[0, 0] == pytest.approx(-0.6129367615, abs=1e-7)


def test_the_menu_is_short_books_first_then_models_by_their_makers():
    groups = preset_groups()
    assert next(iter(groups)) == ""
    assert all(0 < len(names) <= 9 for names in groups.values())
    assert len(groups) <= 11
    assert sorted(name for names in groups.values() for name in names) == list(preset_names())
    for names in groups.values():
        titles = [preset_title(name) for name in names]
        assert len(set(titles)) == len(titles)
        assert max(map(len, titles)) < 110


def test_presets_of_new_families_are_theirs() -> None:
    groups = preset_groups()
    listed = [
        name for each in ("Biases and gates", "Rotations since 2022", "Pictures and videos") for name in groups[each]
    ]
    families = {preset(name).encoding.family for name in listed} | {preset("qwen2.5-7b-1m").encoding.family}
    assert families == {name for name, kind in ENCODINGS.items() if not kind.in_story}
    chunks = preset("qwen2.5-7b-1m").encoding
    assert chunks.pair_values(range(300_000, 300_001), range(253_951, 253_952)).item() == 8193
    assert preset("forget-gate").encoding.pair_values(range(3, 4), range(4))[0].tolist() == pytest.approx(
        [math.log(0.99 * 0.5 * 0.8), math.log(0.5 * 0.8), math.log(0.8), 0.0]
    )


MODELS = {
    "llama-2-7b": "llama2_7b",
    "chinese-alpaca-2-16k": "llama2_7b_linear4",
    "yarn-llama-2-64k": "yarn_llama2_7b_64k",
    "code-llama-7b": "codellama_7b",
    "llama-3.1-8b": "llama3.1_8b",
    "mistral-7b-v0.1": "mistral_7b_v0.1",
    "mistral-7b-v0.3": "mistral_7b_v0.3",
    "qwen2.5-7b": "qwen2.5_7b_instruct",
    "qwen2.5-7b-1m": "qwen2.5_7b_1m",
    "phi-3-mini-128k": "phi3_mini_128k_short",
    "deepseek-v3": "deepseek_v3_r1",
    "gemma-2-9b": "gemma2_9b",
    "gemma-3-global": "gemma3_12b_global",
    "pythia-6.9b": "pythia_6.9b",
    "gpt-j-6b": "gpt_j_6b",
}
"""Presets whose exact frequencies are known from elsewhere: rows of tests/data/rope.json."""

LLAMA3 = {"rope_type": "llama3", "low_freq_factor": 1.0, "high_freq_factor": 4.0}
YARN = {"type": "yarn", "original_max_position_embeddings": 4096}
DEEPSEEK = {"qk_rope_head_dim": 64, "rope_theta": 10000, "max_position_embeddings": 163840}
CONFIGURED = {
    "yarn-llama-2-128k": {"head_dim": 128, "rope_theta": 1e4, "rope_scaling": {**YARN, "factor": 32.0}},
    "llama-3.2-1b": {"head_dim": 64, "rope_theta": 5e5,
                     "rope_scaling": {**LLAMA3, "factor": 32.0, "original_max_position_embeddings": 8192}},
    "yi-34b": {"hidden_size": 7168, "num_attention_heads": 56, "rope_theta": 5e6},
    "qwen2.5-yarn-128k": {"hidden_size": 3584, "num_attention_heads": 28, "rope_theta": 1e6,
                          "rope_scaling": {**YARN, "factor": 4.0, "original_max_position_embeddings": 32768}},
    "deepseek-coder-v2-lite": {**DEEPSEEK, "rope_scaling": {**YARN, "factor": 40, "beta_fast": 32, "beta_slow": 1,
                                                            "mscale": 0.707, "mscale_all_dim": 0.707}},
    "gemma-3-local": {"head_dim": 256, "rope_theta": 1e4},
    "gpt-neox-20b": {"hidden_size": 6144, "num_attention_heads": 64, "rotary_pct": 0.25, "rotary_emb_base": 10000},
    "gpt-oss": {"head_dim": 64, "rope_theta": 150000, "rope_scaling": {**YARN, "factor": 32.0, "beta_fast": 32.0,
                                                                      "beta_slow": 1.0, "truncate": False}},
}  # fmt: skip
"""The configurations of the other models, as section 12l of the reference quotes them."""


@pytest.mark.parametrize(("name", "row"), MODELS.items())
def test_a_models_preset_has_its_exact_frequencies(name, row):
    (wanted,) = [each for each in ROPE["rope_configs"] if each["name"] == row]
    document = preset(name).edited("seq_len", 4096) if row.endswith("_short") else preset(name)
    encoding = document.encoding
    np.testing.assert_allclose(frequencies(encoding), wanted["inv_freq_exact"], rtol=1e-12, atol=0)
    assert encoding.rotation is not None
    assert encoding.rotation.attention_factor == pytest.approx(wanted["attention_factor_exact"], rel=1e-14)
    layer = "full_attention" if "gemma-3" in name else None
    rotary = encoding.rotary if name == "qwen2.5-7b-1m" else encoding  # distances of that model are changed
    assert rotary == rope_from_config(wanted["config_old"], document.seq_len, layer)


@pytest.mark.parametrize("name", CONFIGURED)
def test_a_models_preset_is_what_its_config_says(name):
    assert preset(name).encoding == rope_from_config(CONFIGURED[name])


PICTURES = {
    "flux-1": "FLUX.1",
    "flux-2": "FLUX.2",
    "wan-2.1": "Wan 2.1 (head 128)",
    "pixtral": "Pixtral",
    "dinov3": "DINOv3 ViT",
    "ernie-4.5-vl": "ERNIE 4.5 VL",
    "rope-vit-mixed": "RoPE-Mixed, initial frequencies",
}
"""The presets of several axes, and the examples among the rows of 40 digits."""

PICTURE_ANGLES = {
    "qwen2-vl": ((3, 5, 7), {15: 3 * 1e6 ** (-15 / 64), 16: 5 * 1e6 ** (-16 / 64), 40: 7 * 1e6 ** (-40 / 64)}),
    "qwen3-vl": ((3, 5, 7), {1: 5 * 5e6 ** (-1 / 64), 2: 7 * 5e6 ** (-2 / 64), 60: 3 * 5e6 ** (-60 / 64)}),
    "hunyuan-video": ((3, 5, 7), {1: 3 * 256 ** (-1 / 8), 9: 5 * 256 ** (-1 / 28), 63: 7 * 256 ** (-27 / 28)}),
    "cogvideox-5b": ((3, 5, 7), {1: 3 * 1e4 ** (-1 / 8), 9: 5 * 1e4 ** (-1 / 12), 31: 7 * 1e4 ** (-11 / 12)}),
}
"""Angles of pairs at a place (time, height, width), by the formulas of the models."""


@pytest.mark.parametrize("name", PICTURES)
def test_a_preset_of_several_axes_has_the_angles_of_its_model(name):
    rows = json.loads((Path(__file__).parents[2] / "data" / "rope_axes.json").read_text())
    encoding = preset(name).encoding
    checked = 0
    for row in rows:
        place = next((each for key, each in row["inputs"].items() if key.startswith("position")), None)
        if row["params"]["example"] == PICTURES[name] and row["inputs"]["what"] == "angle_rad":
            if place is None:  # of a patch of 14 x 14
                cells = encoding.cells
                place = cells.place(cells.grid.position(dict(zip("hw", row["inputs"]["patch"], strict=True))))
            assert encoding.angles_at(place)[row["inputs"]["pair"]] == pytest.approx(row["value"], rel=1e-12)
            checked += 1
    assert checked >= 6


@pytest.mark.parametrize("name", PICTURE_ANGLES)
def test_a_preset_of_several_axes_has_the_angles_of_its_formula(name):
    place, angles = PICTURE_ANGLES[name]
    found = preset(name).encoding.angles_at(place)
    for pair, angle in angles.items():
        assert found[pair] == pytest.approx(angle, rel=1e-12)


def test_every_models_preset_is_checked_above():
    typed = preset_groups()["Formulas"]  # which tests/core/formula compares with numpy
    pictures = PICTURES.keys() | PICTURE_ANGLES.keys()
    new = {*preset_groups()["Biases and gates"], *preset_groups()["Rotations since 2022"]}
    assert set(preset_names()) == {*preset_groups()[""], *new, *typed, *MODELS, *CONFIGURED, *pictures}
    assert not set(MODELS) & set(CONFIGURED)


def test_a_preset_whose_frequencies_depend_on_the_length_takes_the_length_shown():
    document = preset("phi-3-mini-128k")
    assert document.encoding.scaling.is_long
    assert not document.edited("seq_len", 4096).encoding.scaling.is_long


@pytest.mark.parametrize("name", ["", "Paper", "../presets/paper", "paper.json", "x" * 1000])
def test_an_unknown_preset_is_told_the_known_ones(name: str) -> None:
    with pytest.raises(ValueError, match=r"^there is no preset '.*; the presets are annotated-transformer, chinese-"):
        preset(name)
