"""What hypothesis draws: one strategy for each kind of field, and from these any encoding and any document.

Whoever adds a field of a known kind is covered without touching a test.
"""

from collections.abc import Callable
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from posenc_core import ENCODINGS, Document, Embedding, Encoding, View
from posenc_core.fields import ChoiceField, Field, FlagField, IntegerField, RealField, TextField

CHARACTERS = st.characters(codec="utf-8", exclude_characters="\0")
"""All that a text may hold: everything but lone surrogates and NUL."""


def _integers(field: IntegerField) -> st.SearchStrategy[int]:
    near = st.integers(max(field.minimum, -100), min(field.maximum, 100))
    return st.one_of(near, st.integers(field.minimum, field.maximum))


def _reals(field: RealField) -> st.SearchStrategy[float]:
    usual = st.floats(*field.slider)
    anything = st.floats(min_value=field.above, exclude_min=True, allow_infinity=False, allow_nan=False)
    whole = st.integers(max(1, round(field.slider[0])), round(field.slider[1])).map(float)
    return st.one_of(whole, usual, anything)


def _choices(field: ChoiceField) -> st.SearchStrategy[str]:
    return st.sampled_from(field.values)


def _flags(field: FlagField) -> st.SearchStrategy[bool]:
    return st.booleans()


def _texts(field: TextField) -> st.SearchStrategy[str]:
    return st.text(CHARACTERS, max_size=min(60, field.maximum))


_KINDS: dict[type[Field], Callable[[Any], st.SearchStrategy[Any]]] = {
    IntegerField: _integers,
    RealField: _reals,
    ChoiceField: _choices,
    FlagField: _flags,
    TextField: _texts,
}


def values_of(field: Field) -> st.SearchStrategy[Any]:
    """Anything that the field allows."""
    return _KINDS[type(field)](field)


@st.composite
def encodings(draw: st.DrawFn, **narrower: st.SearchStrategy[Any]) -> Encoding:
    """An encoding of any family; ``narrower`` replaces the strategies of the fields of those names."""
    kind = draw(st.sampled_from(list(ENCODINGS.values())))
    parameters = {each.name: draw(narrower.get(each.name, values_of(each))) for each in kind.FIELDS}
    try:
        return kind(**parameters)
    except ValueError:  # such as an odd d_model with the one-based spacing
        reject()


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Any document."""
    own = {each.name: draw(values_of(each)) for each in Document.OWN_FIELDS}
    embedding = Embedding(**{each.name: draw(values_of(each)) for each in Embedding.FIELDS})
    view = View(**{each.name: draw(values_of(each)) for each in View.FIELDS})
    return Document(**own, encoding=draw(encodings()), embedding=embedding, view=view)


SMALL = {"d_model": st.integers(1, 40)}
"""Tables that a test can compute in many ways."""

USUAL = {**SMALL, "base": st.floats(1.0, 1e9)}
"""Small tables whose frequencies are below one radian a position."""

POSITIONS = st.integers(-(10**7), 10**7)
"""The positions for which the core promises its precision."""
