"""Public models' configurations, old and new, give exact frequencies; each trap of the format gets its sentence."""

import json
from typing import Any

import numpy as np
import pytest
from cases import each_case
from rope_data import CONFIGS, errors

from posenc_core import (
    DynamicNtk,
    Linear,
    Llama3,
    LongRope,
    NtkAware,
    Proportional,
    Rotary,
    Yarn,
    frequencies,
    rope_from_config,
)

ROPE_KEYS = ("rope_theta", "rope_scaling", "rope_local_base_freq", "rotary_pct", "rotary_emb_base", "rope_parameters")


def layer_of(row: dict[str, Any]) -> str | None:
    kinds = {"gemma3_12b_global": "full", "gemma4_default_full": "full", "gemma4_default_sliding": "sliding"}
    return f"{kinds[row['name']]}_attention" if row["name"] in kinds else None


def config_of(row: dict[str, Any], form: str) -> dict[str, Any]:
    """The row's config.json as older files have it, or with rope_parameters."""
    if form == "old":
        return dict(row["config_old"])
    kept = {key: value for key, value in row["config_old"].items() if key not in ROPE_KEYS}
    return {**kept, "rope_parameters": row["rope_parameters_new"]}


def llama(**keys: Any) -> dict[str, Any]:
    return {"hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 4096, "rope_theta": 1e4, **keys}


def scaled(**keys: Any) -> Rotary:
    return rope_from_config(llama(rope_scaling=keys))


YARN = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}
FORMS = [(row, form) for row in CONFIGS for form in ("old", "new") if form == "old" or row["rope_parameters_new"]]


@each_case("row, form", FORMS)
def test_public_models_have_their_exact_frequencies(row: dict[str, Any], form: str) -> None:
    rotary = rope_from_config(config_of(row, form), row.get("seq_len"), layer_of(row))
    np.testing.assert_allclose(frequencies(rotary), row["inv_freq_exact"], rtol=1e-12, atol=0)
    assert rotary.attention_factor == pytest.approx(row["attention_factor_exact"], rel=1e-14)
    assert rotary.softmax_scale_factor == pytest.approx(row.get("softmax_scale_multiplier", 1), rel=1e-14)
    if "yarn_low" in row:
        assert isinstance(rotary.scaling, Yarn)
        assert rotary.scaling.correction_range(rotary.n_columns, rotary.rope_theta) == (
            row["yarn_low"],
            row["yarn_high"],
        )
    json.dumps(rotary.warnings)


def model(wanted: str, form: str = "old", **arguments: Any) -> Rotary:
    (row,) = [each for each in CONFIGS if each["name"] == wanted]
    return rope_from_config(config_of(row, form), **arguments)


def test_well_known_models_have_their_published_rotations() -> None:
    assert model("llama2_7b") == Rotary(128)
    assert model("llama2_7b").warnings == ()
    assert model("llama3.1_8b") == Rotary(128, 5e5, scaling=Llama3(8, 8192, 1, 4))
    assert model("llama3.1_8b").warnings == (
        "factor 8 x original_max_position_embeddings 8,192 = 65,536, but max_position_embeddings is 131,072",
    )
    assert model("qwen2.5_7b_1m").warnings == ()
    assert model("gpt_j_6b") == Rotary(256, pairing="interleaved", rotary_dim=64)
    assert model("pythia_6.9b") == Rotary(128, rotary_dim=32)
    assert model("gemma2_9b") == Rotary(256)
    assert model("deepseek_v3_r1") == Rotary(
        64, pairing="interleaved", scaling=Yarn(40, 4096, mscale=1, mscale_all_dim=1)
    )
    assert model("hunyuan_v1_ntk_alpha").scaling == NtkAware(1000)
    assert model("llama2_7b_dynamic2_seqNone", seq_len=9000).scaling == DynamicNtk(2, 4096, 9000)


def test_longrope_switches_lists_behind_the_original_length() -> None:
    short, edge, long = (model("phi3_mini_128k_short", seq_len=length) for length in (None, 4096, 4097))
    assert isinstance(long.scaling, LongRope)
    np.testing.assert_array_equal(short.frequencies(), edge.frequencies())
    assert frequencies(long)[0] == pytest.approx(0.9345793934386541, rel=1e-12)
    assert long.attention_factor == short.attention_factor == pytest.approx(1.1902380714238083, rel=1e-14)
    assert "short_factor is shown: sequences longer than 4,096 use long_factor in every position" in short.warnings
    assert edge.warnings == ()


@pytest.mark.parametrize("form", ["old", "new"])
def test_layers_that_differ_are_chosen_by_name(form: str) -> None:
    full, sliding, unasked = (
        model("gemma3_12b_global", form, layer_type=layer) for layer in ("full_attention", "sliding_attention", None)
    )
    assert full == unasked == Rotary(256, 1e6, scaling=Linear(8))
    assert sliding == Rotary(256, 1e4)
    assert full.warnings == sliding.warnings == ()
    (sentence,) = unasked.warnings
    assert sentence.endswith("those of full_attention are shown")
    with pytest.raises(ValueError, match="layer_type must be full_attention or sliding_attention, got 'global'") as it:
        model("gemma3_12b_global", "old", layer_type="global")
    assert "\n" not in str(it.value)
    (needless,) = model("llama2_7b", layer_type="full_attention").warnings
    assert "do not depend on the layer type" in needless


def test_gemma_4_is_wider_where_its_attention_is_full() -> None:
    (row,) = [each for each in CONFIGS if each["name"] == "gemma4_default_full"]
    config = {**row["config_old"], "head_dim": 256, "global_head_dim": 512}
    full, sliding = (rope_from_config(config, layer_type=f"{layer}_attention") for layer in ("full", "sliding"))
    assert full == Rotary(512, 1e6, scaling=Proportional(0.25))
    assert sliding == Rotary(256, 1e4)
    assert full.warnings == sliding.warnings == ()
    assert "the default of Gemma 4" in model("gemma4_default_full", layer_type="full_attention").warnings[0]


def test_modern_bert_and_models_of_images_and_text() -> None:
    config = {"hidden_size": 768, "num_attention_heads": 12, "global_rope_theta": 160000, "local_rope_theta": 1e4}
    assert rope_from_config(config, layer_type="full_attention") == Rotary(64, 160000)
    assert rope_from_config(config, layer_type="sliding_attention") == Rotary(64, 1e4)
    inside = rope_from_config({"text_config": llama(), "vision_config": {}})
    assert inside == Rotary(128)
    assert inside.warnings == ("the parameters are those of 'text_config'",)


@pytest.mark.parametrize(
    ("row", "config"),
    [
        (errors("rope")[0], {"head_dim": 127}),
        (errors("rope")[1], {"head_dim": 128, "partial_rotary_factor": 0.2421875}),
        (errors("rope")[2], {"partial_rotary_factor": 0}),
        *[(row, llama(**row["input"])) for row in errors("rope")[3:]],
        *[(row, llama(rope_scaling={"rope_type": "linear", **row["input"]})) for row in errors("rope_linear")],
        (
            errors("rope_ntk/dynamic")[0],
            {**llama(rope_scaling={"rope_type": "dynamic", "factor": 2}), "head_dim": 2},
        ),
        *[
            (row, llama(rope_scaling={**YARN, **row["input"]}))
            for row in errors("rope_yarn")[:2]
        ],
        (
            errors("rope_llama3")[0],
            llama(
                rope_scaling={"rope_type": "llama3", "factor": 8, "original_max_position_embeddings": 8192}
                | errors("rope_llama3")[0]["input"]
            ),
        ),
        (
            errors("rope_longrope")[0],
            llama(rope_scaling={"type": "longrope", "short_factor": [1.0] * 64, "long_factor": [1.0] * 10}),
        ),
        (errors("mrope")[0], llama(head_dim=128, rope_scaling={"type": "mrope", "mrope_section": [16, 24, 23]})),
        (errors("any")[2], llama(rope_theta=0)),
        (errors("any")[3], llama(rope_theta=-10000)),
    ],
    ids=lambda part: "" if "scope" not in part else str(part["input"]),
)  # fmt: skip
def test_wrong_configurations_are_refused_with_the_sentence_agreed(row: dict[str, Any], config: dict[str, Any]) -> None:
    assert row["expected"].startswith("ValueError")
    with pytest.raises(ValueError, match=r"\S") as caught:
        rope_from_config(config)
    assert str(caught.value) == row["message"]


def test_wrong_lengths_are_refused_with_the_sentence_agreed() -> None:
    for row, kind in zip(errors("any")[:2], (ValueError, TypeError), strict=True):
        with pytest.raises(kind) as caught:
            rope_from_config(llama(), seq_len=row["input"]["seq_len"])
        assert (kind.__name__, str(caught.value)) == (row["expected"], row["message"])


def test_su_is_an_old_name_of_longrope() -> None:
    (row,) = [each for each in CONFIGS if each["name"] == "phi3_mini_128k_short"]
    config = json.loads(json.dumps(row["config_old"]).replace('"longrope"', '"su"'))
    assert rope_from_config(config) == model("phi3_mini_128k_short")
    both = {**config["rope_scaling"], "rope_type": "longrope"}
    assert rope_from_config({**config, "rope_scaling": both}) == model("phi3_mini_128k_short")


SECTIONS = (
    "mrope_section [16, 24, 24] divides the pairs among time, height and width: "
    "text is shown, whose three positions are equal"
)
SAID = [
    ({**YARN, **errors("rope_yarn")[2]["input"]}, errors("rope_yarn")[2]["message"]),
    ({**YARN, "finetuned": True}, "key 'finetuned' ignored: rope_type 'yarn' has no such key"),
    (
        {**YARN, "factor": 8},
        "factor 8 x original_max_position_embeddings 1,024 = 8,192, but max_position_embeddings is 4,096",
    ),
    ({**YARN, "factor": None}, "factor is null: max_position_embeddings/original_max_position_embeddings = 4"),
    (
        {"type": "yarn", "factor": 4},
        "original_max_position_embeddings is not given: max_position_embeddings is taken, "
        "as transformers does, so the context does not become longer",
    ),
    (
        {**YARN, "mscale": 1},
        "mscale is given without mscale_all_dim: the attention factor ignores it and is 0.1 ln(factor) + 1",
    ),
    ({"type": "linear", "factor": 2, "beta_fast": 32}, "key 'beta_fast' ignored: rope_type 'linear' has no such key"),
    (
        {"type": "dynamic", "factor": 2},
        "the frequencies depend on the length of the sequence: up to 4,096 they are unscaled",
    ),
    ({"type": "mrope", "mrope_section": [16, 24, 24]}, SECTIONS),
    ({"type": "mrope", "rope_type": "default", "mrope_section": [16, 24, 24]}, SECTIONS),
]


@pytest.mark.parametrize(("scaling", "sentence"), SAID, ids=lambda part: part[:40] if isinstance(part, str) else "")
def test_surprising_configurations_are_read_and_said(scaling: dict[str, Any], sentence: str) -> None:
    assert sentence in scaled(**scaling).warnings


def test_a_base_of_one_a_missing_base_and_bases_that_differ_are_said() -> None:
    assert errors("any")[4]["message"] in rope_from_config(llama(rope_theta=1)).warnings
    (null, missing) = rope_from_config(llama(rope_theta=None, model_type="llama")).warnings
    assert null == "rope_theta is null, with which transformers 5.23.0 fails: remove the key"
    assert missing == "the config gives no rope_theta: 10,000 is taken, the default of model_type 'llama'"
    twice = rope_from_config(llama(rope_parameters={"rope_type": "default", "rope_theta": 5e5}))
    assert twice == Rotary(128, 5e5)
    assert twice.warnings == ("rope_theta is 500000.0 in rope_parameters and 10000.0 beside it; the first counts",)


def test_rope_scaling_beside_rope_parameters_wins_and_loses_the_base() -> None:
    """Qwen 3 with the recipe of its page for longer contexts, as transformers 5 reads that."""
    given = {"rope_parameters": {"rope_type": "default", "rope_theta": 1e6}, "rope_scaling": YARN}
    rotary = rope_from_config({"head_dim": 128, "model_type": "qwen3", "max_position_embeddings": 4096, **given})
    assert rotary == Rotary(128, 10000.0, scaling=Yarn(4, 1024))
    assert rotary.warnings[0] == (
        "the config has both rope_parameters and rope_scaling: transformers 5.23.0 takes rope_scaling, and the base "
        "1000000.0 goes with the other; this is surely not what was meant"
    )
    assert "the config gives no rope_theta: 10,000 is taken, the default of model_type 'qwen3'" in rotary.warnings


def test_partial_rotation() -> None:
    assert rope_from_config(llama(partial_rotary_factor=0.5)) == Rotary(128, rotary_dim=64)
    assert (
        rope_from_config(llama(rope_parameters={"rope_theta": 1e4, "partial_rotary_factor": 0.25})).pairs.n_pairs == 16
    )
    assert rope_from_config(llama(partial_rotary_factor=1.0)) == Rotary(128)
    whole = rope_from_config(llama(partial_rotary_factor=0.5, model_type="llama"))
    assert whole == Rotary(128)
    (trap,) = whole.warnings
    assert "ignores partial_rotary_factor" in trap
    assert rope_from_config({"n_embd": 64, "n_head": 2, "rotary": True, "rotary_dim": 32}).rotary_dim is None


def test_an_odd_number_of_columns_rotates_one_more_with_its_own_exponents() -> None:
    """25 of 100 columns are 13 pairs, whose exponents are over 25; unknown code is not taken to round up."""
    rotary = rope_from_config({"model_type": "stablelm", "head_dim": 100, "partial_rotary_factor": 0.25})
    assert (rotary.pairs.n_pairs, rotary.n_columns) == (13, 26)
    np.testing.assert_allclose(rotary.frequencies(), 1e4 ** (-2 * np.arange(13) / 25), rtol=1e-14)
    assert any("25 columns are an odd number: 26 rotate, with exponents over 25" in each for each in rotary.warnings)


def test_pairs_are_columns_as_the_models_code_has_them() -> None:
    assert rope_from_config(llama(model_type="cohere")).pairing == "interleaved"
    assert rope_from_config(llama(model_type="qwen2")).pairing == "half_split"
    assert rope_from_config(llama(model_type=["no name"])).pairing == "half_split"
    assert rope_from_config(llama(qk_rope_head_dim=64, rope_interleave=False)) == Rotary(64)


def test_truncation_that_transformers_ignores_is_said() -> None:
    nested = {"full_attention": {**YARN, "rope_type": "yarn", "rope_theta": 1e4, "truncate": False}}
    rotary = rope_from_config(llama(rope_parameters=nested))
    assert rotary.scaling == Yarn(4, 1024)
    assert "transformers 5.23.0 ignores truncate where the parameters are nested by layer type" in rotary.warnings


REFUSED = [
    ({"model_type": "bert", "hidden_size": 768}, "model_type 'bert' uses a learned table of positions, not rotary"),
    ({"hidden_size": 64, "num_attention_heads": 2}, "this config has none of the keys of rotary positions"),
    ({}, "this config has none of the keys of rotary positions"),
    ({"rope_theta": 1e4}, "the width of a head is unknown: this config has neither head_dim nor hidden_size"),
    (llama(num_attention_heads=3), "hidden_size (4096) must be a multiple of num_attention_heads (3)"),
    (llama(num_attention_heads=0), "num_attention_heads must be an integer >= 1, got 0"),
    (llama(head_dim=0), "head_dim must be an integer >= 1, got 0"),
    (llama(rope_scaling=4.0), "rope_scaling must be an object with names and values, or null, got 4.0"),
    (llama(rope_parameters=[1]), "rope_parameters must be an object with names and values, or null, got [1]"),
    (llama(rope_parameters={"factor": 2}), "rope_parameters has no 'rope_type' (or legacy 'type') key"),
    (llama(rope_scaling={"type": 5}), "unknown rope_type 5; known: default, linear, "),
    (llama(rope_scaling={"type": ["x"] * 99}), "unknown rope_type ['x', "),
    (
        llama(rope_scaling={"rope_type": "axial"}),
        "rope_type 'axial' gives the columns of a head to two axes, height and width: their rotation is not shown",
    ),
    (llama(rope_scaling={"rope_type": "mllama4"}), "rope_type 'mllama4' is not read: the name is vLLM's, for the two"),
    (llama(rope_scaling={"rope_type": "yarn_log"}), "rope_type 'yarn_log' is not read: the name is Grok's, and "),
    (llama(rope_scaling={"type": "yarn"}), "rope_type 'yarn' needs 'factor'"),
    (llama(rope_scaling={"type": "mrope"}), "rope_type 'mrope' needs 'mrope_section'"),
    (llama(rope_scaling={"type": "llama3", "factor": 8}), "rope_type 'llama3' needs 'low_freq_factor'"),
    (llama(rope_scaling={"type": "longrope"}), "rope_type 'longrope' needs 'short_factor'"),
    (
        {"head_dim": 64, "rope_scaling": {"type": "dynamic", "factor": 2}},
        "rope_type 'dynamic' needs 'max_position_embeddings'",
    ),
    (llama(mrope_section=7), "mrope_section must be a list of integers >= 0, got 7"),
    (llama(rotary_dim=31), "RoPE rotates pairs: rotary dimension must be even, got 31"),
    (llama(partial_rotary_factor=0.001), "rotary dimension must be at least 2, got 0 = int(128 x 0.001)"),
    (llama(partial_rotary_factor=1.5), "partial_rotary_factor must be in (0, 1], got 1.5"),
]  # fmt: skip


@pytest.mark.parametrize(("config", "sentence"), REFUSED, ids=lambda part: part[:40] if isinstance(part, str) else "")
def test_an_unreadable_configuration_is_refused_in_a_sentence(config: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=r"\S") as caught:
        rope_from_config(config)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        ([], "config must be a mapping of names to values, got []"),
        (llama(rope_scaling={"type": "linear", "factor": "4"}), "factor must be a number, got '4' (str)"),
        (llama(rope_theta="1e4"), "base (rope_theta) must be a number, got '1e4' (str)"),
        (llama(hidden_size=4096.0), "hidden_size must be an integer, got 4096.0 (float)"),
        (llama(rotary_dim="64"), "rotary_dim must be an integer, got '64' (str)"),
    ],
)
def test_other_kinds_of_values_are_refused(config: Any, sentence: str) -> None:
    with pytest.raises(TypeError) as caught:
        rope_from_config(config)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(("seq_len", "stretch"), [(None, 1.0), (1024, 1.0), (4096, 5.0)])
def test_dynamic_scaling_of_an_odd_number_of_columns(seq_len: int | None, stretch: float) -> None:
    config = {"model_type": "ministral3", "head_dim": 100, "max_position_embeddings": 2048, "num_hidden_layers": 1,
              "rope_parameters": {"rope_type": "dynamic", "rope_theta": 1e6, "factor": 4.0,
                                  "partial_rotary_factor": 0.25}}  # fmt: skip
    base = 1e6 * stretch ** (25 / 23)
    assert frequencies(rope_from_config(config, seq_len)) == pytest.approx(base ** -(np.arange(0, 25, 2) / 25))


def test_a_length_beside_the_scaling_overrules_the_length_inside() -> None:
    llama3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
    beside = llama(rope_scaling=llama3 | {"original_max_position_embeddings": 1024}, model_type="llama")
    found = rope_from_config({**beside, "original_max_position_embeddings": 2048})
    assert found.scaling == Llama3(8.0, 2048)
    assert found.warnings[0] == (
        "original_max_position_embeddings is 1024 in rope_scaling and 2048 beside it: "
        "transformers 5.23.0 takes the second"
    )
    assert rope_from_config(llama(rope_scaling=llama3, model_type="llama")).scaling == Llama3(8.0, 4096)
