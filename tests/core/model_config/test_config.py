"""Models' config.json files set the encoding that the model's own code computes, or are refused in one sentence."""

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st
from rope_data import CONFIGS

from posenc_core import (
    Alibi,
    Document,
    DynamicNtk,
    Linear,
    Rotary,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
    Yarn,
    encode,
    frequencies,
    rope_from_config,
)
from posenc_core.model_config import ModelConfig, open_model
from posenc_core.model_config.layers import ROPE_KEYS

OLD_KEYS = {"rope_theta", "rope_scaling", "rope_local_base_freq", "rotary_pct", "rotary_emb_base", "rope_parameters"}
ROTARY = [(row, form) for row in CONFIGS for form in ("old", "new") if form == "old" or row["rope_parameters_new"]]
KEPT = Document(sentence="kept", tokens="characters", seq_len=33)


def document_from_config(text: bytes | str, document: Document, layer_type: str | None = None) -> Document:
    return ModelConfig.parse(text).shown_in(document, layer_type)


def layer_types(text: bytes | str) -> tuple[str, ...]:
    return ModelConfig.parse(text).layer_types


def opened(**config: object) -> Document:
    return document_from_config(json.dumps(config), KEPT)


def refusal(text: bytes | str) -> str:
    with pytest.raises(ValueError, match=r"\S") as caught:
        document_from_config(text, KEPT)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 300
    return message


@pytest.mark.parametrize("model", ["marian", "pegasus"])
def test_marian_and_pegasus_have_halves_in_the_papers_spacing(model: str) -> None:
    document = opened(model_type=model, d_model=512, max_position_embeddings=1024)
    assert document.encoding == Sinusoidal(512, layout="concatenated")
    assert document.seq_len == 1024
    assert (document.sentence, document.tokens) == ("kept", "characters")


def test_xlm_is_the_paper_itself() -> None:
    document = opened(model_type="xlm", emb_dim=2048, sinusoidal_embeddings=True, max_position_embeddings=512)
    assert document.encoding == Sinusoidal(2048)
    assert document.seq_len == 512


@pytest.mark.parametrize("model", ["m2m_100", "fsmt", "speech_to_text"])
def test_fairseqs_heirs_begin_behind_the_padding(model: str) -> None:
    spaced = Sinusoidal(1024, layout="concatenated", spacing="tensor2tensor", offset=2)
    assert opened(model_type=model, d_model=1024).encoding == spaced
    assert opened(model_type=model, d_model=1024, pad_token_id=1).encoding == spaced
    first = encode(opened(model_type=model, d_model=1024, pad_token_id=0).encoding, [0], [0, 511, 1023])
    assert first[0].tolist() == pytest.approx([math.sin(1), math.sin(1e-4), math.cos(1e-4)], abs=1e-7)


def test_xglm_adds_two_whatever_its_padding() -> None:
    encoding = opened(model_type="xglm", d_model=1024, pad_token_id=7).encoding
    assert encoding == Sinusoidal(1024, layout="concatenated", spacing="tensor2tensor", offset=2)


def test_whispers_encoder_has_its_own_length() -> None:
    document = opened(model_type="whisper", d_model=384, max_source_positions=1500, max_target_positions=448)
    assert document.encoding == Sinusoidal(384, layout="concatenated", spacing="tensor2tensor")
    assert document.seq_len == 1500


def test_a_length_that_is_not_given_is_kept() -> None:
    assert opened(model_type="marian", d_model=512).seq_len == 33
    assert opened(model_type="marian", d_model=512, max_position_embeddings=None).seq_len == 33


def test_bytes_are_read_like_text() -> None:
    assert document_from_config(b'\xef\xbb\xbf{"model_type": "marian", "d_model": 6}', KEPT).encoding.n_columns == 6


@each_case("row, form", ROTARY)
def test_every_public_rotary_model_is_read_with_its_exact_frequencies(row: dict[str, Any], form: str) -> None:
    config = row["config_old"]
    if form == "new":
        config = {key: value for key, value in config.items() if key not in OLD_KEYS}
        config["rope_parameters"] = row["rope_parameters_new"]
    layer = {"gemma4_default_sliding": "sliding_attention"}.get(row["name"])
    start = replace(KEPT, seq_len=row.get("seq_len") or 33)
    document = document_from_config(json.dumps(config), start, layer_type=layer)
    assert isinstance(document.encoding, Rotary)
    np.testing.assert_allclose(frequencies(document.encoding), row["inv_freq_exact"], rtol=1e-12, atol=0)
    assert document.encoding.attention_factor == pytest.approx(row["attention_factor_exact"], rel=1e-14)
    assert replace(document, encoding=start.encoding) == start  # the number of positions stays, and all else
    assert Document.from_json(document.to_json()) == document


LLAMA = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "rope_theta": 1e4}


HEADS_OF_CLASS = {"qwen3": 128, "gemma": 256, "gemma2": 256, "gemma3_text": 256}
"""The width of a head by the code of these models, whatever the quotient of two other keys is."""


@pytest.mark.parametrize(
    "model", ["llama", "mistral", "qwen2", "qwen3", "phi3", "gemma", "gemma2", "gemma3_text", "new-model"]
)
def test_any_model_with_rotary_keys_is_read(model: str) -> None:
    expected = Rotary(HEADS_OF_CLASS.get(model, 32))
    assert opened(**{**LLAMA, "model_type": model}).encoding == expected
    inside = {"model_type": "an image model", "text_config": {**LLAMA, "model_type": model}}
    document = document_from_config(json.dumps(inside), KEPT)
    assert document.encoding == expected
    assert "the parameters are those of 'text_config'" in document.encoding.warnings


def test_a_scaling_of_the_class_is_taken_where_the_file_names_none() -> None:
    encoding = opened(**{**LLAMA, "model_type": "gpt_oss"}).encoding
    assert encoding == Rotary(64, 1e4, scaling=Yarn(32, 4096, truncate=False))
    said = "the config gives no rope_parameters: the scaling 'yarn' is the default of model_type 'gpt_oss'"
    assert said in encoding.warnings


def test_models_that_are_rotary_by_name_need_no_key() -> None:
    document = opened(model_type="llama", hidden_size=64, num_attention_heads=2)
    assert document.encoding == Rotary(32)
    assert document.encoding.warnings == (
        "the config gives no rope_theta: 10,000 is taken, the default of model_type 'llama'",
    )
    assert opened(hidden_size=64, num_attention_heads=2, rope_scaling=None).encoding == Rotary(32)


def test_the_length_shown_is_the_length_of_the_sequence() -> None:
    config = {**LLAMA, "max_position_embeddings": 20, "rope_scaling": {"type": "dynamic", "factor": 2.0}}
    document = opened(**config)
    assert document.seq_len == 33
    assert document.encoding == Rotary(32, scaling=DynamicNtk(2, 20, 33))
    assert document.encoding.warnings == ()


def test_layer_types_are_those_that_can_be_chosen() -> None:
    layers = {"sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
              "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6}}  # fmt: skip
    config = {"model_type": "gemma3_text", "head_dim": 32, "rope_parameters": layers}
    text = json.dumps(config)
    assert layer_types(text) == ("sliding_attention", "full_attention")
    assert document_from_config(text, KEPT, layer_type="sliding_attention").encoding == Rotary(32)
    full = document_from_config(text, KEPT, layer_type="full_attention").encoding
    assert full == document_from_config(text, KEPT).encoding == Rotary(32, 1e6, scaling=Linear(8))
    assert layer_types(json.dumps({"model_type": "gemma3", "text_config": config})) == layer_types(text)
    old = json.dumps({"model_type": "gemma3_text", "head_dim": 32, "rope_theta": 1e6, "rope_local_base_freq": 1e4})
    assert layer_types(old) == ("full_attention", "sliding_attention")
    for layer in layer_types(old):
        assert document_from_config(old, KEPT, layer_type=layer).encoding.warnings == ()
    for other in (LLAMA, {"model_type": "bert"}, {**LLAMA, "rope_parameters": {"full_attention": {"rope_theta": 1e4}}}):
        assert layer_types(json.dumps(other)) == ()
    with pytest.raises(ValueError, match="it ends too early"):
        layer_types("{")
    with pytest.raises(ValueError, match="layer_type must be sliding_attention or full_attention, got 'global'"):
        document_from_config(text, KEPT, layer_type="global")


@pytest.mark.parametrize("model", ["t5", "mt5", "umt5", "longt5", "switch_transformers"])
def test_t5s_buckets(model: str) -> None:
    config = {"model_type": model, "relative_attention_num_buckets": 16, "num_heads": 6, "is_encoder_decoder": True}
    document = opened(**config, relative_attention_max_distance=64)
    assert document.encoding == T5Bias(16, 64, bidirectional=True, n_heads=6)
    assert document.seq_len == 33
    # Files from before the key have its default in transformers.
    assert opened(**config).encoding == T5Bias(16, 128, bidirectional=True, n_heads=6)
    alone = {**config, "is_encoder_decoder": False, "is_decoder": True}
    assert opened(**alone).encoding == T5Bias(16, 128, bidirectional=False, n_heads=6)
    assert refusal(json.dumps({**config, "num_heads": 0})) == "num_heads must be an integer >= 1, got 0"


@pytest.mark.parametrize(
    ("config", "n_heads"),
    [
        ({"model_type": "bloom", "n_head": 16}, 16),
        ({"model_type": "bloom", "num_attention_heads": 112, "hidden_size": 14336}, 112),
        ({"model_type": "mpt", "n_heads": 32, "attn_config": {"alibi": True, "alibi_bias_max": 8}}, 32),
        ({"model_type": "mpt", "n_heads": 40}, 40),
        ({"model_type": "falcon", "num_attention_heads": 71, "alibi": True, "rope_theta": 10000.0}, 71),
    ],
)
def test_alibis_slopes(config: dict[str, object], n_heads: int) -> None:
    assert opened(**config).encoding == Alibi(n_heads)


def test_mpt_and_falcon_say_which_they_use() -> None:
    rotary = opened(model_type="falcon", hidden_size=4544, num_attention_heads=71, alibi=False).encoding
    assert rotary == Rotary(64)
    mpt = {"model_type": "mpt", "n_heads": 32}
    assert "learned table" in refusal(json.dumps({**mpt, "attn_config": {"alibi": False}}))
    assert "rotary" in refusal(json.dumps({**mpt, "attn_config": {"alibi": False, "rope": True}}))


def test_mpts_largest_slope_is_told_and_not_read_as_in_transformers() -> None:
    """``MptModel.forward`` of transformers 5.23.0 leaves ``alibi_bias_max`` of ``build_mpt_alibi_tensor`` at 8."""
    told = {}
    for largest in (8, 16):
        config = {"model_type": "mpt", "n_heads": 32, "n_layers": 2, "attn_config": {"alibi_bias_max": largest}}
        assert opened(**config).encoding == Alibi(32)
        told[largest] = [note for note in open_model(config).notes if note.startswith("alibi_bias_max")]
    assert told[8] == []
    assert "not read by transformers 5.23.0, whose slopes are shown" in told[16][0]


def test_transformer_xl() -> None:
    config = {"model_type": "transfo-xl", "d_model": 1024}
    assert opened(**config, clamp_len=1000).encoding == TransformerXLRelative(1024, clamp_len=1000)
    for none in (-1, 0, None):
        assert opened(**config, clamp_len=none).encoding == TransformerXLRelative(1024)
    assert refusal(json.dumps({**config, "d_model": 7})) == "d must be even to form sin/cos pairs, got 7"
    assert "clamp_len must be an integer" in refusal(json.dumps({**config, "clamp_len": 2.5}))


@pytest.mark.parametrize(
    ("model", "tensor"),
    [
        ("gpt2", "wpe.weight"),
        ("bert", "position_embeddings.weight"),
        ("roberta", "position_embeddings.weight"),
        ("opt", "embed_positions.weight"),
        ("bart", "embed_positions.weight"),
    ],
)
def test_a_learned_table_is_in_another_file(model: str, tensor: str) -> None:
    assert refusal(json.dumps({"model_type": model, "max_position_embeddings": 512})) == (
        f"model_type {model!r} uses a learned table of positions; a config.json has no table: File > Open table "
        f"opens the model's .safetensors; the tensor's name ends in {tensor}"
    )


def test_other_models_are_told_what_they_use() -> None:
    for model, used in (
        ("musicgen_decoder", "fixed sinusoids, the cosines first"),
        ("xlnet", "sinusoids of relative positions, as in Transformer-XL"),
        ("parakeet_encoder", "sinusoids of relative positions, as in Transformer-XL"),
    ):
        message = refusal(json.dumps({"model_type": model, "d_model": 8}))
        assert message == f"model_type {model!r} uses {used}, which this version does not show"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"rope_theta": 0}, "base (rope_theta) must be a finite number > 0, got 0"),
        ({"rope_theta": "10000"}, "base (rope_theta) must be a number, got '10000' (str)"),
        ({"rope_theta": math.nan}, "base (rope_theta) must be a finite number > 0, got nan"),
        ({"num_attention_heads": None}, "the width of a head is unknown: this config has neither head_dim nor "),
        ({"head_dim": 1e3}, "head_dim must be an integer, got 1000.0 (float)"),
        ({"rope_scaling": 4}, "rope_scaling must be an object with names and values, or null, got 4"),
        ({"rope_scaling": {"type": "ntk-by-parts"}}, "unknown rope_type 'ntk-by-parts'; known: default, linear, "),
        ({"rope_scaling": {"type": "yarn"}}, "rope_type 'yarn' needs 'factor'"),
        ({"rope_scaling": {"type": "linear", "factor": None}}, "rope_type 'linear' needs 'factor'"),
    ],
)
def test_a_wrong_rotation_is_refused_in_a_sentence(values: dict[str, object], sentence: str) -> None:
    assert refusal(json.dumps({**LLAMA, **values})).startswith(sentence)


MORE = ("model_type", "alibi", "text_config", "full_attention", "factor", "type", "d_model", "rope_type", "n_head",
        "hidden_size", "num_attention_heads", "max_position_embeddings", "short_factor", "long_factor",
        "original_max_position_embeddings")  # fmt: skip
WORDS = st.sampled_from([*ROPE_KEYS, *MORE])
NAMES = st.sampled_from(["llama", "t5", "bloom", "mpt", "falcon", "gpt2", "transfo-xl", "whisper", "xlm", "gemma3"])
TYPES = st.sampled_from(["yarn", "dynamic", "longrope", "llama3", "linear", "default", "proportional", "mrope"])
SCALARS = st.none() | st.booleans() | st.integers(-9, 10**20) | st.floats() | st.text(max_size=3) | NAMES | TYPES
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=5), max_leaves=9
)


@given(st.dictionaries(WORDS, VALUES, max_size=9))
def test_any_object_is_read_or_refused_in_one_sentence(config: dict[str, Any]) -> None:
    text = json.dumps(config)
    try:
        sentences = document_from_config(text, KEPT).encoding.warnings
    except ValueError as error:
        sentences = (str(error),)
    assert all(sentences)
    assert not any("\n" in each for each in sentences)
    layer_types(text)


def test_an_xlm_with_a_learned_table_is_refused() -> None:
    assert "learned table" in refusal('{"model_type": "xlm", "emb_dim": 2048}')
    assert "learned table" in refusal('{"model_type": "xlm", "emb_dim": 2048, "sinusoidal_embeddings": "true"}')


@pytest.mark.parametrize("model", ["fsmt", "t5", "transfo-xl", "deberta", "gpt2"])
def test_a_known_model_is_not_rotary_by_an_empty_key(model: str) -> None:
    """Nor by the width of its heads."""
    for key in ({"rope_scaling": None}, {"head_dim": 8}):
        with pytest.raises(ValueError, match=rf"^model_type '{model}' uses .*, not rotary positions$"):
            rope_from_config({"model_type": model, "hidden_size": 64, "num_attention_heads": 2, **key})
    assert isinstance(opened(model_type="fsmt", d_model=64, rope_scaling=None).encoding, Sinusoidal)


def test_an_unknown_model_is_not_guessed() -> None:
    message = refusal('{"model_type": "newest", "d_model": 512}')
    assert message.startswith("how model_type 'newest' encodes positions is unknown to this version")
    assert len(refusal(json.dumps({"model_type": "x" * 100_000}))) < 300
    assert "names no model_type" in refusal('{"d_model": 512}')
    assert "names no model_type" in refusal('{"model_type": ["marian"], "d_model": 512}')


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"d_model": 0}, "d_model must be an integer >= 1, got 0"),
        ({"d_model": -3}, "d_model must be an integer >= 1, got -3"),
        ({"d_model": 2.5}, "d_model must be an integer, got 2.5 (float)"),
        ({"d_model": "512"}, "d_model must be an integer, got '512' (str)"),
        ({"d_model": True}, "d_model must be an integer, got True (bool)"),
        ({"d_model": None}, "d_model must be an integer, got None (NoneType)"),
        ({"d_model": 10**12}, "d_model must be an integer <= 65536, got 1000000000000"),
        ({"d_model": math.inf}, "d_model must be an integer, got inf (float)"),
        (
            {"d_model": 8, "max_position_embeddings": 10**9},
            "max_position_embeddings must be an integer <= 10000000, got 1000000000",
        ),
        (
            {"d_model": 8, "max_position_embeddings": 0},
            "max_position_embeddings must be an integer >= 1, got 0",
        ),
    ],
)
def test_a_wrong_value_is_named_by_its_key(values: dict[str, object], sentence: str) -> None:
    assert refusal(json.dumps({"model_type": "marian", **values})) == sentence


def test_a_wrong_padding_is_named() -> None:
    for padding in (-1, None, "1", 10_000_000):
        config = {"model_type": "m2m_100", "d_model": 8, "pad_token_id": padding}
        assert refusal(json.dumps(config)).startswith("pad_token_id must be an integer")


def test_a_width_too_small_for_the_spacing_is_refused() -> None:
    assert "needs d_model >= 4" in refusal('{"model_type": "m2m_100", "d_model": 2}')


def test_a_value_as_long_as_a_book_does_not_fill_the_window() -> None:
    refusal(json.dumps({"model_type": "marian", "d_model": list(range(10_000))}))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"", "it ends too early, or is empty"),
        (b'{"model_type": "marian",\n', "it ends too early, or is empty"),
        (b'{"model_type":\n marian}', "it is not valid JSON (expecting value in line 2)"),
        (b'{"model_type": "\xff"}', "it is not UTF-8 text"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b'{"d_model": ' + b"9" * 401 + b"}", "it contains a number that is out of range"),
        (b'{"d_model": ' + b"9" * 5000 + b"}", "it contains a number that is out of range"),
        (b"[1, 2]", "it contains no object with names and values"),
        (b'"marian"', "it contains no object with names and values"),
        (b"null", "it contains no object with names and values"),
        (b'{"rope_scaling": ' + b"[" * 500 + b"]" * 500 + b"}", "its parts are nested more than 100 deep"),
        (b'{"rope_scaling": ' + b'{"a": ' * 500 + b"1" + b"}" * 501, "its parts are nested more than 100 deep"),
    ],
)
def test_a_file_that_is_no_config_is_refused(text: bytes, problem: str) -> None:
    assert refusal(text) == f"this is not a model's config.json: {problem}"


@pytest.mark.parametrize(("text", "length"), [(b"{", 4 * 2**20 + 1), (b'{"rope_theta": 1e4, "x": "', 10 * 2**20)])
def test_a_large_file_is_refused(text: bytes, length: int) -> None:
    assert refusal(text.ljust(length, b"x")) == "this is not a model's config.json: it is larger than 4 MB"
