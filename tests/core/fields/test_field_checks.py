"""Every parameter refuses a wrong value in one plain sentence, and reads each value that it wrote."""

import math
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st
from strategies import DRAWN, documents, values_of

from posenc_core import ENCODINGS, Document, Embedding, Sinusoidal, View
from posenc_core.encodings import GRID
from posenc_core.encodings.axes.fields import AXES
from posenc_core.encodings.sinusoidal import LAYOUT
from posenc_core.fields import (
    BASE,
    D_MODEL,
    OFFSET,
    ChoiceField,
    ChoicesField,
    FactorsField,
    Field,
    FlagField,
    NumbersField,
    OptionalField,
    PartField,
    TextField,
    shortened,
)
from posenc_core.session.document import FAMILY

DOCUMENTS_FIELDS: tuple[Field, ...] = (*Document.OWN_FIELDS, FAMILY, *Embedding.FIELDS, *View.FIELDS)
FAMILIES_FIELDS = (field for kind in ENCODINGS.values() for part in kind.FIELDS for field in part.every())
ALL_FIELDS: list[Field] = list(dict.fromkeys((*DOCUMENTS_FIELDS, *FAMILIES_FIELDS)))
"""Each once: families share fields that are alike in every attribute."""

each_part = pytest.mark.parametrize(
    "part", [part for kind in ENCODINGS.values() for part in kind.FIELDS if isinstance(part, PartField)]
)

each_field = pytest.mark.parametrize("field", ALL_FIELDS, ids=[field.name for field in ALL_FIELDS])

of_every_field = each_case("field", ALL_FIELDS, lambda field: field.name)

HALF = "\ud83d"
"""The first half of an emoji: Python can hold it, no file and no screen can."""


def one_sentence(error: BaseException) -> str:
    text = str(error)
    assert text
    assert text.isprintable(), "a message box shows it as it is"
    assert len(text) < 300
    return text


@of_every_field
def test_a_default_is_allowed(field: Field) -> None:
    assert field.check(field.default) == field.default
    assert field.label
    assert field.help.endswith(".")
    bounds = field.tool_tip.removeprefix(f"{field.help}\nAllowed: ")
    assert bounds.replace(",", "").replace("−", "-").startswith(field.allowed.replace(",", ""))


@of_every_field
def test_a_tool_tip_groups_the_digits_of_its_numbers(field: Field) -> None:
    told = re.sub("[Aa]lso called: .*", "", field.tool_tip)
    assert not re.search(r"(?<![\w.,])\d{4,}(?![\w.])", told), told


@each_field
@given(data=st.data())
def test_a_written_value_is_read_again(field: Field, data: st.DataObject) -> None:
    value = data.draw(values_of(field))
    again = field.parse(field.format(value))
    assert again == value
    assert type(again) is type(value)
    assert field.check(value) == value


@each_field
@given(text=st.text() | st.text(alphabet="0123456789+-.eE_ infa"))
def test_any_typed_text_is_a_value_or_a_sentence(field: Field, text: str) -> None:
    value, said = None, ""
    try:
        value = field.parse(text)
    except ValueError as error:
        said = one_sentence(error)
    if said:
        assert said.startswith(field.display_name)
    else:
        assert field.check(value) == value


def _lists(value: Any) -> bool:
    """Whether the value is a list of numbers > 0, perhaps empty."""
    return (isinstance(value, list) and value == []) or (isinstance(value, np.ndarray) and value.ndim == 1)


OTHER_KINDS = (None, [], {}, object(), b"8", 1j, np.array([1, 2]), np.array(8), np.bool_(True), [10**5000], math, HALF)


@of_every_field
def test_a_value_of_another_kind_is_refused(field: Field) -> None:
    for wrong in OTHER_KINDS:
        is_empty_list = isinstance(wrong, list) and wrong == []
        if (
            (isinstance(field, OptionalField) and wrong is None)
            or (isinstance(field, FactorsField) and _lists(wrong))
            or (isinstance(field, ChoicesField) and is_empty_list)
            or (isinstance(field, NumbersField) and field.least == 0 and is_empty_list)
        ):
            assert field.check(wrong) == (None if wrong is None else tuple(wrong))
            continue
        with pytest.raises((TypeError, ValueError)) as caught:
            field.check(wrong)
        assert one_sentence(caught.value).startswith(field.display_name), f"{wrong!r}"


@each_part
def test_a_part_is_what_its_choices_make(part: PartField) -> None:
    """And nothing else; each choice shows its own fields, and no name twice."""
    for wrong in (object(), 1j, b"8", 2):
        with pytest.raises((TypeError, ValueError)) as caught:
            part.check(wrong)
        one_sentence(caught.value)
    for name in part.choice.values:
        names = [field.name for field in part.visible_fields({part.name: name})]
        assert names[0] == part.name
        assert len(set(names)) == len(names)
    with pytest.raises(ValueError, match=rf"^{part.name} must be "):
        part.from_parameters({part.name: "magic"})


@pytest.mark.parametrize(
    ("value", "error", "sentence"),
    [
        (0, ValueError, "d_model must be an integer >= 1, got 0"),
        (-3, ValueError, "d_model must be an integer >= 1, got -3"),
        (2.5, TypeError, "d_model must be an integer, got 2.5 (float)"),
        (8.0, TypeError, "d_model must be an integer, got 8.0 (float)"),
        (10**12, ValueError, "d_model must be an integer <= 65536, got 1000000000000"),
        (10**5000, ValueError, "d_model must be an integer <= 65536, got a number of over 4000 digits"),
        (-(10**40), ValueError, "d_model must be an integer >= 1, got a number of 41 digits"),
        ("abc", TypeError, "d_model must be an integer, got 'abc' (str)"),
        ("x" * 10**6, TypeError, "d_model must be an integer, got 'xxxxxxxxxxxxxxxxxxxxxxxxxxxx... (str)"),
        (math.inf, TypeError, "d_model must be an integer, got inf (float)"),
        (True, TypeError, "d_model must be an integer, got True (bool)"),
    ],
    ids=shortened,
)
def test_widths_that_are_none(value: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        Sinusoidal(value)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0", "d_model must be an integer >= 1, got 0"),
        ("-3", "d_model must be an integer >= 1, got -3"),
        ("2.5", "d_model must be a whole number from 1 to 65536, got '2.5'"),
        ("1000000000000", "d_model must be an integer <= 65536, got 1000000000000"),
        ("9" * 40, "d_model must be an integer <= 65536, got 99999999999999999999999999999..."),
        ("9" * 6000, "d_model must be an integer <= 65536, got 99999999999999999999999999999..."),
        ("abc", "d_model must be a whole number from 1 to 65536, got 'abc'"),
        ("1e400", "d_model must be an integer <= 65536, got 1e400"),
        ("", "d_model must be a whole number from 1 to 65536, got nothing"),
        (" \t ", "d_model must be a whole number from 1 to 65536, got nothing"),
        ("8\0", r"d_model must be a whole number from 1 to 65536, got '8\x00'"),
        (HALF, r"d_model must be a whole number from 1 to 65536, got '\ud83d'"),
    ],
    ids=shortened,
)
def test_typed_widths_that_are_none(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"^d_model must be") as caught:
        D_MODEL.parse(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("value", "error", "sentence"),
    [
        (0, ValueError, "base (rope_theta) must be a finite number > 0, got 0"),
        (-0.0, ValueError, "base (rope_theta) must be a finite number > 0, got -0.0"),
        (-1, ValueError, "base (rope_theta) must be a finite number > 0, got -1"),
        (math.nan, ValueError, "base (rope_theta) must be a finite number > 0, got nan"),
        (math.inf, ValueError, "base (rope_theta) must be a finite number > 0, got inf"),
        (10**400, ValueError, "base (rope_theta) must be a finite number > 0, got a number of 401 digits"),
        ("10000", TypeError, "base (rope_theta) must be a number, got '10000' (str)"),
        (True, TypeError, "base (rope_theta) must be a number, got True (bool)"),
    ],
    ids=shortened,
)
def test_bases_that_are_none(value: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        Sinusoidal(8, value)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0", "base (rope_theta) must be a finite number > 0, got 0"),
        ("-1", "base (rope_theta) must be a finite number > 0, got -1"),
        ("nan", "base (rope_theta) must be a finite number > 0, got nan"),
        ("inf", "base (rope_theta) must be a finite number > 0, got inf"),
        ("1e400", "base (rope_theta) must be a finite number > 0, got 1e400"),
        ("1e-400", "base (rope_theta) must be a finite number > 0, got 1e-400"),
        ("1,5", "base (rope_theta) must be a finite number > 0, got '1,5'"),
        ("1,0000", "base (rope_theta) must be a finite number > 0, got '1,0000'"),
        ("1,000,00", "base (rope_theta) must be a finite number > 0, got '1,000,00'"),
    ],
)
def test_typed_bases_that_are_none(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"^base") as caught:
        BASE.parse(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("value", "canonical"),
    [
        (D_MODEL.check(np.int32(8)), 8),
        (BASE.check(100), 100.0),
        (BASE.check(np.float32(0.5)), 0.5),
        (BASE.check(Fraction(1, 4)), 0.25),
        (D_MODEL.parse(" 512 "), 512),
        (D_MODEL.parse("+12"), 12),
        (D_MODEL.parse("٥١٢"), 512),
        (BASE.parse("1e4"), 10000.0),
        (OFFSET.parse("-7"), -7),
        (OFFSET.parse("−7"), -7),
        (OFFSET.parse("-10,000,000"), -10_000_000),
        (BASE.parse("10,000,000"), 1e7),
        (BASE.parse("1,234.5"), 1234.5),
        (BASE.parse("1e−16"), 1e-16),
    ],
)
def test_numbers_become_pythons_own(value: Any, canonical: Any) -> None:
    assert value == canonical
    assert type(value) is type(canonical)


@pytest.mark.parametrize(
    ("base", "text"), [(10000.0, "10000"), (0.1, "0.1"), (5e-324, "5e-324"), (1e22, "1e+22"), (1.5, "1.5")]
)
def test_numbers_are_written_as_one_types_them(base: float, text: str) -> None:
    assert BASE.format(base) == text


FLAG = FlagField(name="flag", label="flag", help="A flag.", default=False)


@pytest.mark.parametrize(("text", "value"), [("Yes", True), (" on ", True), ("1", True), ("NO", False), ("off", False)])
def test_flags_are_read_in_many_words(text: str, value: bool) -> None:
    assert FLAG.parse(text) is value


def test_flags_and_choices_say_what_they_want() -> None:
    with pytest.raises(ValueError, match=r"^flag must be true or false, got 'maybe'$"):
        FLAG.parse("maybe")
    with pytest.raises(TypeError, match=r"^flag must be true or false, got 1$"):
        FLAG.check(1)
    with pytest.raises(ValueError, match=r"^spacing must be paper, tensor2tensor or one_based, got 'vaswani'$"):
        Sinusoidal(8, spacing="vaswani")
    only = ChoiceField(name="only", label="only", help="No choice.", default="this", choices=(("this", ""),))
    with pytest.raises(ValueError, match=r"^only must be this, got 'that'$"):
        only.parse("that")
    assert only.parse(" THIS ") == "this"


def test_texts_say_what_is_wrong_with_them() -> None:
    field = TextField(name="text", label="text", help="A text.", default="", maximum=5)
    with pytest.raises(ValueError, match=r"^text must be at most 5 characters long, got 6$"):
        field.parse("123456")
    with pytest.raises(
        ValueError, match=r"^text contains half of a character \(the lone surrogate U\+D83D at character 2\)"
    ):
        field.check(f"ab{HALF}")
    with pytest.raises(ValueError, match=r"^text contains a NUL \(U\+0000\) at character 1, which cannot be shown"):
        field.check("a\0b")
    assert field.check("a\tb\n🙂") == "a\tb\n🙂"


@pytest.mark.parametrize("kind", DRAWN)
def test_every_kind_of_field_is_drawn_by_the_property_tests(kind: type[Field]) -> None:
    """The command line and the docks tell fields apart by ``kind``."""
    inner = [field.of for field in ALL_FIELDS if isinstance(field, OptionalField)]
    examples = [field for field in (*ALL_FIELDS, *inner) if type(field) is kind]
    assert examples
    assert all(field.kind == kind.kind for field in examples)


_FOLLOWING = {"grid": "seq_len", "rule": "axes"}
"""A picture is as long as its cells; a rule may need more columns than two axes leave."""


@given(documents(), st.data())
def test_every_field_can_be_edited_by_its_name(document: Document, data: st.DataObject) -> None:
    """And nothing else changes; what does not go together is refused, and the document stays."""
    names = [field.name for field in document.fields]
    assert len(set(names)) == len(names)
    field = data.draw(st.sampled_from(document.fields))
    value = data.draw(values_of(field))
    before = {name: document.value(name) for name in names}
    said = ""
    try:
        edited = document.edited(field.name, value)
    except ValueError as error:
        said = one_sentence(error)
    if not said:
        assert edited.value(field.name) == value
        follows = {field.name, _FOLLOWING.get(field.name)}
        kept = [each.name for each in edited.fields if each.name in names and each.name not in follows]
        if field.name != FAMILY.name:  # another family may refuse what this one has
            assert {name: edited.value(name) for name in kept} == {name: before[name] for name in kept}
        if {*kept, field.name} == {*names} == {each.name for each in edited.fields}:
            assert edited.edited(field.name, before[field.name]) == document
    assert {name: document.value(name) for name in names} == before


def test_a_name_that_no_field_has() -> None:
    for name in ("d_modle", "", "encoding", "FIELDS", "n_pairs"):
        with pytest.raises(KeyError):
            Document().edited(name, 1)
        with pytest.raises(KeyError):
            Document().value(name)


@given(documents())
def test_values_are_frozen(document: Document) -> None:
    encoding = document.encoding
    for value, name in (
        (document, "sentence"),
        (encoding, encoding.FIELDS[0].name),
        (document.embedding, "seed"),
        (document.view, "transpose"),
        (D_MODEL, "maximum"),
        (Document().token_list[0], "text"),
    ):
        with pytest.raises(AttributeError, match=r"assign|set|immutable"):
            setattr(value, name, 1)
    again = replace(document, encoding=type(encoding).from_parameters(encoding.parameters()))
    assert hash(document) == hash(again)
    assert document == again


@pytest.mark.parametrize(
    ("base", "sentence"),
    [
        (1.0, "base = 1 gives every pair the same frequency (1 rad/token)"),
        (0.5, "base = 0.5 is below 1: the frequency grows with the pair"),
    ],
)
def test_surprising_bases_are_said(base: float, sentence: str) -> None:
    assert Sinusoidal(8, base).warnings == (sentence,)


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        (Sinusoidal(8), ()),
        (Sinusoidal(7), ("d_model = 7 is odd: column 6 is a sine without its cosine, so no shift matrix exists",)),
        (
            Sinusoidal(7, layout="concatenated"),
            ("d_model = 7 is odd: column 3 is a sine without its cosine, so no shift matrix exists",),
        ),
        (
            Sinusoidal(7, spacing="tensor2tensor"),
            ("d_model = 7 is odd: the last column is padding, zero everywhere",),
        ),
    ],
)
def test_odd_widths_are_said(encoding: Sinusoidal, said: tuple[str, ...]) -> None:
    assert encoding.warnings == said
    lone = [column for column in range(encoding.d_model) if f"column {column} is a sine" in "".join(said)]
    for column in lone:
        pair = encoding.column_info(column).pair
        assert [
            encoding.column_info(j).part for j in range(encoding.d_model) if encoding.column_info(j).pair == pair
        ] == ["sin"]


@pytest.mark.parametrize("d_model", [1, 2, 3])
def test_too_narrow_for_tensor2tensor(d_model: int) -> None:
    with pytest.raises(ValueError, match=rf"needs d_model >= 4 \(denominator .* is -?\d for d_model = {d_model}\)$"):
        Sinusoidal(d_model, spacing="tensor2tensor")


def test_values_with_commas_are_listed_with_semicolons() -> None:
    assert AXES.allowed == "h,w; w,h; t,h,w; h,w,t; t,h,w,l or t"
    assert "h,w; w,h" in AXES.tool_tip
    assert "interleaved or concatenated" in LAYOUT.tool_tip


def test_the_tool_tip_of_a_grid_names_its_unit_once() -> None:
    assert GRID.tool_tip.count("cells") == 1
