"""Every family can be chosen from every other, edited field by field, saved and opened again."""

import json
from typing import Any

import pytest
from amounts import draws
from families import MADE, each_family
from hypothesis import given
from hypothesis import strategies as st
from strategies import documents, encodings, values_of

from posenc_core import ENCODINGS, Document, DynamicNtk, Encoding, LongRope, NormalizedIndex, Rotary, Sinusoidal, T5Bias
from posenc_core.fields import PartField
from posenc_core.rope_scaling import SCALINGS
from posenc_core.session.document import FAMILY


def test_the_tests_have_a_small_table_of_every_family() -> None:
    assert {name: make().family for name, make in MADE.items()} == {name: name for name in ENCODINGS}


def comes_back(document: Document) -> None:
    text = document.to_json()
    again = Document.from_json(text)
    assert again == document
    assert again.to_json() == text
    assert hash(again) == hash(document)


@pytest.mark.one_of(4)
@each_family
@draws(2, 25)
@given(data=st.data())
def test_documents_of_a_family_come_back_from_their_sessions(kind: type[Encoding], data: st.DataObject) -> None:
    comes_back(data.draw(documents((kind,))))


@pytest.mark.one_of(4)
@each_family
@draws(2, 25)
@given(data=st.data())
def test_a_document_comes_back_after_any_edits(kind: type[Encoding], data: st.DataObject) -> None:
    """Edits that do not go together are refused in a sentence, and leave the document as it was."""
    document = data.draw(documents((kind,)))
    for _ in range(4):
        field = data.draw(st.sampled_from(document.fields))
        if field.name == FAMILY.name:
            continue
        value = data.draw(values_of(field))
        before, said = document.to_json(), ""
        try:
            edited = document.edited(field.name, value)
        except ValueError as error:
            said = str(error)
        assert document.to_json() == before
        if said:
            assert said.isprintable()
            assert len(said) < 300
        else:
            document = edited
            assert document.value(field.name) == value
    comes_back(document)


@each_family
def test_a_session_with_only_a_family_has_its_defaults(kind: type[Encoding]) -> None:
    text = json.dumps({"format": "posenc session", "version": 1, "encoding": {"family": kind.family}})
    assert Document.from_json(text) == Document(encoding=kind.from_parameters({}))


@each_family
def test_any_family_can_be_chosen_from_any_other(kind: type[Encoding]) -> None:
    """From the defaults; what both have stays, and comes back with the first."""
    first = Document().edited("family", kind.family)
    for other in ENCODINGS.keys() - {kind.family}:
        second = first.edited("family", other)
        assert second.encoding.family == other
        shared = first.encoding.parameters().keys() & {field.name for field in second.encoding.fields}
        for name in shared - {"d_model", "d", "scaling"}:
            assert second.value(name) == first.value(name), other
        assert second.edited("family", kind.family).encoding.family == kind.family
        comes_back(second)


@draws(6, 120)
@given(document=documents(), family=st.sampled_from(list(ENCODINGS)))
def test_a_family_can_be_chosen_whatever_the_parameters_are(document: Document, family: str) -> None:
    """Only values that the new family refuses get their defaults."""
    chosen = document.edited("family", family)
    assert chosen.encoding.family == family
    for name in ("sentence", "tokens", "seq_len"):
        assert chosen.value(name) == document.value(name)
    assert (chosen.embedding, chosen.view) == (document.embedding, document.view)
    before, after = document.encoding.parameters(), chosen.encoding.parameters()
    for field in chosen.encoding.fields:
        if field.name in before and after[field.name] != before[field.name]:
            said = ""
            try:
                kept = chosen.encoding.edited(field.name, before[field.name])
            except (TypeError, ValueError) as error:
                said = str(error)
            assert said, f"{field.name} could have been kept: {kept}"
    comes_back(chosen)


def test_an_odd_width_is_left_behind_and_the_base_is_not() -> None:
    document = Document(encoding=Sinusoidal(7, base=500.0, offset=-3))
    kept = document.edited("family", "integer").encoding
    assert (kept.parameters()["d_model"], kept.parameters()["offset"]) == (7, -3)
    assert document.edited("family", "transformer_xl").value("base") == 500.0
    odd = Document(encoding=T5Bias(31, 200, False, n_heads=12))
    assert odd.edited("family", "alibi").value("n_heads") == 12
    assert odd.edited("family", "alibi").edited("family", "t5").value("n_heads") == 12
    spaced = Document(encoding=Sinusoidal(3))
    assert spaced.edited("family", "integer").edited("family", "sinusoidal").value("d_model") == 3


@draws(5, 60)
@given(rotary=encodings((Rotary,), small=True), name=st.sampled_from(list(SCALINGS)), data=st.data())
def test_every_scaling_can_be_chosen_and_each_of_its_fields_edited(
    rotary: Rotary, name: str, data: st.DataObject
) -> None:
    """Beside the encoding's own fields, by their names; LongRoPE begins with factors that change nothing."""
    document = Document(
        encoding=Rotary(rotary.head_dim, max(rotary.rope_theta, 1.5), rotary.pairing, rotary.rotary_dim)
    )
    if name in ("ntk", "dynamic") and rotary.pairs.n_pairs < 2:
        with pytest.raises(ValueError, match=r"^NTK scaling needs a rotary dimension >= 4"):
            document.edited("scaling", name)
        return
    chosen = document.edited("scaling", name)
    own = SCALINGS[name].FIELDS
    names = [field.name for field in chosen.fields]
    assert all(names.count(field.name) == 1 for field in own)
    field = data.draw(st.sampled_from([field for field in own if field.name != "seq_len"]))
    value, said = data.draw(values_of(field)), ""
    try:
        edited = chosen.edited(field.name, value)
    except ValueError as error:
        said = str(error)
    if not said:
        assert edited.value(field.name) == value
        assert edited.edited(field.name, chosen.value(field.name)) == chosen
        comes_back(edited)
    comes_back(chosen)
    assert chosen.edited("scaling", "none") == document


@each_family
def test_every_part_of_a_family_can_be_chosen(kind: type[Encoding]) -> None:
    for part in kind.FIELDS:
        if isinstance(part, PartField):
            for name in part.choice.values:
                if name != "file":
                    comes_back(Document(encoding=kind.from_parameters({})).edited(part.name, name))


def test_there_is_one_length() -> None:
    """An encoding that has a length has the document's, however the document is made."""
    for encoding, name in (
        (NormalizedIndex(60, 4), "seq_len"),
        (Rotary(4, scaling=DynamicNtk(2, 64, 32)), "seq_len"),
        (Rotary(4, scaling=LongRope((1, 1), (2, 2), 64, 128)), "seq_len"),
    ):
        document = Document(seq_len=99, encoding=encoding)
        assert document.encoding.parameters()[name] == 99
        longer = document.edited("seq_len", 100)
        assert longer.encoding.parameters()[name] == 100
        assert longer.with_encoding(encoding) == longer
        assert [field.name for field in longer.fields].count(name) == 1
        comes_back(longer)
    session = Document(encoding=NormalizedIndex(60, 4)).to_dict()
    session["encoding"]["seq_len"] = 12
    assert Document.from_json(json.dumps(session)).encoding == NormalizedIndex(60, 4)


@pytest.mark.parametrize(
    ("encoding", "sentence"),
    [
        ({"family": "binary", "n_bits": 0}, "n_bits must be an integer >= 1, got 0"),
        ({"family": "t5", "num_buckets": 3}, "bidirectional T5 buckets need num_buckets >= 4 and even, got 3"),
        ({"family": "alibi", "n_heads": "8"}, "n_heads must be an integer, got '8' (str)"),
        ({"family": "transformer_xl", "d": 7}, "d must be even to form sin/cos pairs, got 7"),
        ({"family": "rotary", "head_dim": 127}, "RoPE rotates pairs: rotary dimension must be even, got 127"),
        ({"family": "rotary", "scaling": "ntk2"}, "scaling must be none, freq_scale, linear, "),
        ({"family": "rotary", "scaling": {"rope_type": "yarn"}}, "scaling must be none, freq_scale, linear, "),
        ({"family": "rotary", "scaling": "linear", "factor": 0.5}, "factor must be a finite number >= 1, got 0.5"),
        (
            {"family": "rotary", "scaling": "longrope", "short_factor": [1], "long_factor": [1]},
            "short_factor must list rotary_dim/2 = 64 numbers, got 1",
        ),
        (
            {"family": "rotary", "scaling": "longrope", "short_factor": 3},
            "short_factor must be a list of finite numbers",
        ),
        (
            {"family": "rotary", "scaling": "yarn", "beta_fast": 1, "beta_slow": 2},
            "beta_fast (1) must be greater than beta_slow (2)",
        ),
    ],
    ids=lambda part: "" if isinstance(part, str) else "-".join(str(value) for value in part.values())[:30],
)
def test_a_damaged_session_of_a_family_says_what_is_wrong(encoding: dict[str, Any], sentence: str) -> None:
    text = json.dumps({**Document().to_dict(), "encoding": encoding})
    with pytest.raises(ValueError, match=r"^this session is damaged: ") as caught:
        Document.from_json(text)
    said = str(caught.value).removeprefix("this session is damaged: ")
    assert said.startswith(sentence)
    assert said.isprintable()
    assert len(said) < 300


@pytest.mark.parametrize(("family", "width"), [("rotary", "head_dim"), ("shaw", "d"), ("transformer_xl", "d")])
def test_another_family_keeps_the_width_under_its_own_name(family: str, width: str) -> None:
    chosen = Document(encoding=Sinusoidal(8)).edited("family", family)
    assert chosen.encoding.n_columns == chosen.value(width) == 8
    assert chosen.edited(width, 64).edited("family", "sinusoidal").value("d_model") == 64
    assert Document(encoding=Sinusoidal(7)).edited("family", "rotary").value("head_dim") == 128
