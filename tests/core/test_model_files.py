"""Models' config.json files set the encoding that the model's own code computes, or are refused in one sentence."""

import json
import math

import pytest

from posenc_core import Document, Sinusoidal, encode
from posenc_core.model_files import document_from_config

KEPT = Document(sentence="kept", tokens="characters", seq_len=33)


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


@pytest.mark.parametrize(
    ("config", "used"),
    [
        ({"model_type": "llama", "hidden_size": 4096}, "rotary positions"),
        ({"model_type": "unheard-of", "rope_theta": 500000.0}, "rotary positions"),
        ({"model_type": "unheard-of", "text_config": {"rope_scaling": {"factor": 2.0}}}, "rotary positions"),
        ({"model_type": "marian", "d_model": 8, "rope_parameters": {"rope_theta": 1e4}}, "rotary positions"),
        ({"model_type": "gptj", "rotary_dim": 64}, "rotary positions"),
        ({"model_type": "gpt2", "n_embd": 768}, "a learned table of positions"),
        ({"model_type": "bloom"}, "ALiBi biases"),
        ({"model_type": "t5", "d_model": 512}, "biases by buckets of distance"),
        ({"model_type": "musicgen"}, "sinusoids with the cosines first"),
    ],
)
def test_other_models_are_told_what_they_use(config: dict[str, object], used: str) -> None:
    message = refusal(json.dumps(config))
    assert f"model_type '{config['model_type']}' uses {used}, which this version does not show yet" in message
    assert "the models that can be read are fsmt, m2m_100, marian, pegasus" in message


def test_an_xlm_with_a_learned_table_is_refused() -> None:
    assert "learned table" in refusal('{"model_type": "xlm", "emb_dim": 2048}')
    assert "learned table" in refusal('{"model_type": "xlm", "emb_dim": 2048, "sinusoidal_embeddings": "true"}')


def test_an_unknown_model_is_not_guessed() -> None:
    message = refusal('{"model_type": "pegasus_x", "d_model": 512}')
    assert message.startswith("how model_type 'pegasus_x' encodes positions is unknown to this version")
    assert len(refusal(json.dumps({"model_type": "x" * 100_000}))) < 300
    assert "names no model_type" in refusal('{"d_model": 512}')
    assert "names no model_type" in refusal('{"model_type": ["marian"], "d_model": 512}')


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "this config.json has no d_model"),
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
        (b"", "it is no JSON (expecting value in line 1)"),
        (b'{"model_type": "marian",\n', "it is no JSON (expecting property name enclosed in double quotes in line 2)"),
        (b'{"model_type": "\xff"}', "it is no JSON that can be read"),
        (b"[" * 100_000, "it is no JSON that can be read"),
        (b'{"d_model": ' + b"9" * 5000 + b"}", "it is no JSON that can be read"),
        (b"[1, 2]", "it holds no object with names and values"),
        (b'"marian"', "it holds no object with names and values"),
        (b"null", "it holds no object with names and values"),
        (b" " * (4 * 2**20 + 1), "it is larger than 4 MB"),
    ],
)
def test_a_file_that_is_no_config_is_refused(text: bytes, problem: str) -> None:
    assert refusal(text) == f"this is no model's config.json: {problem}"
