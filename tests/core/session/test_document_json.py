"""A session brings back the very document, and anything else is refused in one sentence, whatever it is."""

import json
from typing import Any

import pytest
from documents import with_values
from hypothesis import given
from hypothesis import strategies as st
from strategies import documents

from posenc_core import Document, Embedding, Sinusoidal
from posenc_core.session.document import FAMILY, SENTENCE
from posenc_core.session.session_schema import FORMAT, MAXIMUM_BYTES, VERSION

NO_SESSION = "this is no PosEnc session: "
DAMAGED = "this session is damaged: "
NO_OBJECT = "it contains no object with names and values"
NO_FORMAT = "its 'format' is not 'posenc session'"


def refusal(data: str | bytes) -> str:
    with pytest.raises(ValueError, match=r"\S") as caught:
        Document.from_json(data)
    assert not isinstance(caught.value, UnicodeError), "a UnicodeError's message is not for the reader"
    text = str(caught.value)
    assert text.isprintable()
    assert len(text) < 300
    return text


def session(**changes: Any) -> str:
    return json.dumps({**Document().to_dict(), **changes})


@given(documents())
def test_a_document_comes_back_from_its_session(document: Document) -> None:
    text = document.to_json()
    assert text.isascii()
    assert text.endswith("}\n")
    for form in (text, text.encode()):
        again = Document.from_json(form)
        assert again == document
        assert hash(again) == hash(document)
        assert again.to_json() == text
    assert json.loads(text) == json.loads(json.dumps(document.to_dict()))


def test_the_session_file_is_one_that_people_can_read() -> None:
    """And that the next version can: these are the names of version 4."""
    assert json.loads(Document().to_json()) == {
        "format": "posenc session",
        "version": 4,
        "sentence": "Dan loves icecream",
        "tokens": "words",
        "special_tokens": True,
        "grid": "text",
        "seq_len": 60,
        "encoding": {
            "family": "sinusoidal",
            "d_model": 8,
            "base": 10000.0,
            "layout": "interleaved",
            "spacing": "paper",
            "offset": 0,
        },
        "embedding": {"embedding": "none", "seed": 0, "scale_by_sqrt_d": False, "vector": [1.0]},
        "view": {
            "color_map": "diverging",
            "angles": False,
            "logarithmic": False,
            "trained_length": None,
            "target_length": None,
            "longest_distance": None,
            "compared_scalings": ["linear", "ntk", "yarn", "llama3"],
            "pair_vectors": "ones",
            "pair_seed": 0,
            "query_vector": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0],
            "key_vector": [8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0],
            "per_row": False,
        },
        "panels": {
            "heatmap": {
                "transpose": False,
                "halves": False,
                "heatmap_rows": "cells",
                "heatmap_frame": 0,
                "heatmap_row": 0,
                "heatmap_column": 0,
            },
            "tokens": {"concatenation": False, "order_before": ""},
            "similarity": {"similarity_measure": "cosine"},
            "shift": {"shift_k": 1, "shift_without_cosines": False},
            "scores": {"score_mode": "ones", "score_distances": None, "score_head": 0, "score_weights": False},
            "seen": {"seen_query": None},
            "lens": {"angle_unit": "turns", "n_clocks": 8},
            "ways": {"query_position": 5, "key_position": 2, "both_shift": 0, "query_alone": False},
            "patches": {"patch_axis": "all"},
            "precision": {"arithmetic": "float32", "precision_bits": False},
            "engines": {"engines_shown": "table"},
            "difference": {"compared_panel": "heatmap"},
            "drift": {"drift_degrees": 45},
            "cache": {"cache_length": None},
            "gallery": {"gallery_page": "story"},
            "scorecard": {"scorecard_page": "story"},
        },
    }


def test_a_part_that_a_session_omits_has_its_default() -> None:
    assert Document.from_json('{"format": "posenc session", "version": 1}') == Document()
    some = '{"format": "posenc session", "version": 1, "encoding": {"d_model": 4}, "sentence": ""}'
    assert Document.from_json(some) == Document(sentence="", encoding=Sinusoidal(4))


@given(document=documents(), data=st.data())
def test_a_session_that_was_cut_off_is_refused(document: Document, data: st.DataObject) -> None:
    whole = document.to_json().encode()
    cut = data.draw(st.integers(0, len(whole) - 3))
    assert refusal(whole[:cut]).startswith(NO_SESSION)


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_any_other_file_is_refused(data: bytes | str) -> None:
    assert refusal(data).startswith(NO_SESSION)


_PLAIN = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5)
)
_JSON = st.recursive(_PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3))


@given(name=st.sampled_from(sorted(Document().to_dict())), value=_JSON)
def test_a_session_with_one_part_replaced_is_read_or_refused(name: str, value: Any) -> None:
    """By anything that JSON can hold: a document, or a sentence, and never another error."""
    said = ""
    try:
        document = Document.from_json(session(**{name: value}))
    except ValueError as error:
        said = str(error)
    if said:
        assert said.startswith((NO_SESSION, DAMAGED, "this session was saved by a newer PosEnc"))
        assert said.isprintable()
    else:
        assert Document.from_json(document.to_json()) == document


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "it ends too early, or is empty"),
        (b'{"format": "posenc session", "version": 1, "sent', "it ends too early, or is empty"),
        (b"[]", NO_OBJECT),
        (b"[1, 2]", NO_OBJECT),
        (b'"posenc session"', NO_OBJECT),
        (b"3", NO_OBJECT),
        (b"null", NO_OBJECT),
        (b"{}", NO_FORMAT),
        (b'{"format": "another"}', NO_FORMAT),
        (b'{"format": ["posenc session"]}', NO_FORMAT),
        (b'{"model_type": "llama", "hidden_size": 4096}', NO_FORMAT),
        (b"hello", "it is not valid JSON ("),
        (b"\x89PNG\r\n\x1a\n", "it is not UTF-8 text"),
        (b"{'format': 'posenc session'}", "it is not valid JSON ("),
        (b'{"format": "posenc session"} {}', "it is not valid JSON ("),
        (b'{"format": NaN}', "it contains NaN, which is not a number"),
        (b'{"format": "\xff"}', "it is not UTF-8 text"),
        ('{"format": "\ud83d"}', NO_FORMAT),
        ('{"format": "posenc session"}'.encode("utf-16"), "it is not UTF-8 text"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b'{"a":' * 100_000, "it is nested too deeply"),
    ],
    ids=range(21),
)
def test_data_that_is_no_session_is_refused(data: str | bytes, sentence: str) -> None:
    said = refusal(data)
    assert said.startswith(NO_SESSION + sentence)
    assert said == NO_SESSION + sentence or said.endswith(" in line 1)"), "where to look, and nothing else"


@pytest.mark.parametrize("space", [b" ", " "])
def test_no_session_is_larger_than_its_bound(space: str | bytes) -> None:
    assert refusal(space * (MAXIMUM_BYTES + 1)) == f"{NO_SESSION}it is larger than 32 MB"


@pytest.mark.parametrize("version", [5, 99, 10**6, 10**30])
def test_a_newer_session_says_to_update(version: int) -> None:
    said = refusal(session(version=version, encoding={"family": "rotary", "head_dim": 64}))
    assert said.startswith("this session was saved by a newer PosEnc (session version ")
    assert said.endswith("this program reads up to 4); update PosEnc to open it")


@pytest.mark.parametrize("version", [0, -1, 1.0, "1", None, True, [1]])
def test_a_version_that_is_none(version: Any) -> None:
    assert refusal(session(version=version)) == DAMAGED + "its version is no whole number from 1"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seq_len": 0}, "seq_len must be an integer >= 1, got 0"),
        ({"seq_len": 60.5}, "seq_len must be an integer, got 60.5 (float)"),
        ({"seq_len": 10**12}, "seq_len must be an integer <= 10000000, got 1000000000000"),
        ({"sentence": 5}, "sentence must be a text, got 5"),
        ({"sentence": "x" * 200_001}, "sentence must be at most 200000 characters long, got 200001"),
        ({"tokens": "letters"}, "tokens must be words, characters, bytes or model, got 'letters'"),
        ({"encoding": []}, "encoding must be an object, got []"),
        ({"view": "dark"}, "view must be an object, got 'dark'"),
        ({"encoding": {"family": ["magic"]}}, f"family must be {FAMILY.allowed}, got ['magic']"),
        ({"encoding": {"family": None}}, f"family must be {FAMILY.allowed}, got None"),
        ({"encoding": {"d_model": "8"}}, "d_model must be an integer, got '8' (str)"),
        ({"encoding": {"base": -1}}, "base (rope_theta) must be a finite number > 0, got -1"),
        (
            {"encoding": {"d_model": 5, "spacing": "one_based"}},
            "the 1-based form W_p[2i-1,t], W_p[2i,t] with 0 < i <= d/2 needs an even d_model, got 5",
        ),
        ({"embedding": {"seed": -1}}, "seed must be an integer >= 0, got -1"),
        ({"view": {"angles": 1}}, "angles must be true or false, got 1"),
        ({"panels": {"heatmap": {"transpose": 1}}}, "transpose must be true or false, got 1"),
    ],
    ids=range(16),
)
def test_a_damaged_session_says_what_is_wrong(changes: dict[str, Any], sentence: str) -> None:
    assert refusal(session(**changes)) == DAMAGED + sentence


@pytest.mark.parametrize("number", ["1e400", "-1e400", "9" * 401, "-" + "9" * 401, "9" * 5000])
def test_a_number_out_of_range_is_refused(number: str) -> None:
    text = session(encoding={"base": 12345}).replace("12345", number)
    assert refusal(text) == NO_SESSION + "it contains a number that is out of range"


def test_a_nul_cannot_get_in() -> None:
    escaped = session().replace("Dan loves", r"Dan\u0000loves")
    assert (
        refusal(escaped)
        == DAMAGED + "sentence contains a NUL (U+0000) at character 3, which cannot be shown; delete it"
    )


def test_half_a_character_cannot_get_in_or_out() -> None:
    escaped = session().replace("Dan loves icecream", r"Dan \ud83d loves icecream, and has had enough of it")
    half = r"sentence contains half of a character (the lone surrogate U+D83D at character 4); delete it"
    assert refusal(escaped) == f"{DAMAGED}{half}, or type the character again"
    lone = session(sentence="").replace('"sentence": ""', r'"sentence": "\ud800"')
    assert refusal(lone).startswith(f"{DAMAGED}sentence contains half of a character (the lone surrogate U+D800")
    with pytest.raises(ValueError, match=r"lone surrogate U\+D83D at character 4\); delete it, or type"):
        Document(sentence="Dan \ud83d")
    with pytest.raises(ValueError, match=r"lone surrogate"):
        Document().edited("sentence", "\udc00")


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        " ",
        "\t\n",
        "a\x01b",
        "x" * 100_000,
        "e\u0301 🇩🇰 👩‍👩‍👧‍👦 שלום नमस्ते 한국어",
        "\u202eabc",
        "\U0010ffff",
        "\\ud83d",
    ],
    ids=range(9),
)
def test_odd_sentences_come_back(sentence: str) -> None:
    document = Document(sentence=sentence)
    assert Document.from_json(document.to_json()).sentence == sentence


def test_the_longest_sentence_still_fits_into_a_session() -> None:
    """Each of its emoji takes twelve bytes."""
    document = Document(sentence="🙂" * SENTENCE.maximum)
    text = document.to_json()
    assert len(text) < MAXIMUM_BYTES
    assert Document.from_json(text) == document


def test_equal_documents_are_one_key() -> None:
    """So that a picture computed for one is the picture of the other."""
    one = with_values(Document(encoding=Sinusoidal(8, base=10000), embedding=Embedding(seed=3)), transpose=True)
    other = with_values(Document(encoding=Sinusoidal(8, base=1e4), embedding=Embedding(seed=3)), transpose=True)
    assert {one: "picture"}[other] == "picture"
    assert one != one.edited("seed", 4)
    assert (FORMAT, VERSION) == ("posenc session", 4)
