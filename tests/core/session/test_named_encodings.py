"""Up to four encodings of a document: one chosen, all of the document's length, stored and named."""

import json
from typing import Any

import numpy as np
import pytest

from posenc_core import Alibi, Document, Encoding, Rotary, Sinusoidal, TransformerXLRelative
from posenc_core.encodings import Fope
from posenc_core.rope_scaling import DynamicNtk
from posenc_core.session import LETTERS, LONGEST_NAME, NamedEncoding, variant

ROPE, DYNAMIC, BIASES = Rotary(32), Rotary(32, scaling=DynamicNtk(2.0, 64, 60)), Alibi(4)


def compared(*encodings: Any, current: int = 0, seq_len: int = 60) -> Document:
    return Document(seq_len=seq_len).with_encodings([NamedEncoding(each) for each in encodings], current)


def refusal(changes: dict[str, Any]) -> str:
    with pytest.raises(ValueError, match=r"\S") as caught:
        Document.from_json(json.dumps({**Document().to_dict(), **changes}))
    assert str(caught.value).isprintable()
    return str(caught.value)


def test_a_document_has_one_encoding_at_first_and_no_letter() -> None:
    document = Document()
    assert (document.encodings, document.current, document.letter) == ((NamedEncoding(document.encoding),), 0, "")
    assert "encodings" not in document.to_dict()


def test_edits_change_the_chosen_encoding_alone() -> None:
    document = compared(ROPE, BIASES, current=1)
    assert (document.encoding, document.letter) == (BIASES, "B")
    edited = document.edited("n_heads", 8)
    assert [each.encoding for each in edited.encodings] == [ROPE, Alibi(8)]
    other = edited.edited("family", "sinusoidal")
    assert [each.encoding.family for each in other.encodings] == ["rotary", "sinusoidal"]


def test_all_encodings_have_the_documents_length() -> None:
    document = compared(BIASES, DYNAMIC, seq_len=5000)
    assert document.encodings[1].encoding == DYNAMIC.edited("seq_len", 5000)
    longer = document.edited("seq_len", 9000)
    assert longer.encodings[1].encoding == DYNAMIC.edited("seq_len", 9000)
    assert longer.with_encodings(longer.encodings, 1).encoding == longer.encodings[1].encoding


def test_an_encoding_is_named_after_its_source_until_it_is_edited_and_by_a_person_for_good() -> None:
    document = compared(ROPE, BIASES).named(source="Some model")
    assert document.encodings[0].title == "Some model"
    assert document.edited("rope_theta", 500.0).encodings[0].title == ROPE.title
    named = document.named(name="  mine ")
    assert named.encodings[0] == NamedEncoding(ROPE, "mine", "Some model")
    assert named.edited("rope_theta", 500.0).encodings[0].title == "mine"
    assert named.named(name="").encodings[0].title == "Some model"


@pytest.mark.parametrize("name", ["x" * (LONGEST_NAME + 1), "two\nlines", "a\ud800"])
def test_a_name_is_one_short_line(name: str) -> None:
    with pytest.raises(ValueError, match=f"one line of at most {LONGEST_NAME} characters") as caught:
        Document().named(name=name)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("current", range(3))
def test_a_session_keeps_them_all(current: int) -> None:
    document = compared(ROPE, DYNAMIC, BIASES, current=current, seq_len=700).named(name="é", source="from here")
    again = Document.from_json(document.to_json())
    assert again == document
    assert (again.current, again.encodings) == (current, document.encodings)


def test_a_single_name_is_kept() -> None:
    document = Document().named(name="mine")
    assert Document.from_json(document.to_json()) == document


def test_a_session_of_a_single_encoding_opens_as_a() -> None:
    values = Document(encoding=ROPE).to_dict()
    assert Document.from_json(json.dumps(values)).encodings == (NamedEncoding(ROPE),)


@pytest.mark.parametrize(
    ("encodings", "said"),
    [
        (5, "encodings must be an object"),
        ({"others": 5}, "the other encodings must be a list of objects, got 5"),
        ({"others": [5]}, "must be a list of objects"),
        ({"others": [{"encoding": 5}]}, "encoding must be an object, got 5"),
        ({"others": [{"encoding": {"family": "unheard"}}]}, "shows the encoding 'unheard', which is not installed"),
        ({"others": [{}, {}, {}, {}]}, "there must be 1 to 4 encodings, got 5"),
        ({"others": [{}], "current": 2}, "the chosen encoding must be from 0 to 1, got 2"),
        ({"others": [{}], "current": 2**63}, "the chosen encoding must be from 0 to 1, got 9223372036854775808"),
        ({"others": [{}], "current": -1}, "the chosen encoding must be from 0 to 1, got -1"),
        ({"others": [{}], "current": True}, "the chosen encoding must be a whole number"),
        ({"others": [{}], "name": 5}, "an encoding's name must be a text"),
        ({"others": [{"name": "x" * 90}]}, "one line of at most"),
    ],
)
def test_damaged_encodings_are_one_sentence(encodings: Any, said: str) -> None:
    assert said in refusal({"encodings": encodings})


def test_there_are_one_to_four() -> None:
    four = [NamedEncoding(Sinusoidal(each)) for each in (2, 4, 6, 8)]
    assert len(Document().with_encodings(four, 3).encodings) == len(LETTERS) == 4
    for wrong in ([], [*four, four[0]]):
        with pytest.raises(ValueError, match="there must be 1 to 4 encodings"):
            Document().with_encodings(wrong, 0)
    with pytest.raises(ValueError, match="the chosen encoding must be from 0 to 3, got 4"):
        Document().with_encodings(four, 4)


SMALL = (
    Rotary(2),
    Sinusoidal(2),
    TransformerXLRelative(2),
    Fope(2),
    Fope(2, num_inv_freq=0),
    Fope(8, fope_length=100, cos_coefficients=tuple(np.eye(2).ravel().tolist())),
)


@pytest.mark.parametrize("encoding", [*SMALL, ROPE, BIASES, DYNAMIC], ids=repr)
def test_the_suggested_encoding_has_other_numbers_in_a_table_of_the_same_kind(encoding: Encoding) -> None:
    """Also where a base changes no number, as for a single pair, or does not fit given coefficients."""
    other = variant(encoding).encoding
    assert other.relative == encoding.relative
    columns = np.arange(min(encoding.n_columns, other.n_columns))
    tables = [each.values(np.arange(8), columns) for each in (encoding, other)]
    assert np.abs(tables[0] - tables[1]).max() > 0
