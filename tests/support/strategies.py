"""Strategies of hypothesis: one per kind of field, combined into any encoding and any document.

Whoever adds a field of a known kind is covered without touching a test.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from posenc_core import ENCODINGS, Document, Embedding, Encoding, Rotary, Sinusoidal, View
from posenc_core.encodings import BasesField, FormulaField, GatesField, GridField, WeightsField, WholeNumbersField
from posenc_core.fields import (
    ChoiceField,
    ChoicesField,
    FactorsField,
    Field,
    FlagField,
    FloorField,
    FreqScaleField,
    IntegerField,
    NumbersField,
    OptionalField,
    PartField,
    RealField,
    ShareField,
    SignField,
    TextField,
)
from posenc_core.session import Options, offered_options
from posenc_core.text import TokenVectors, tokenize

CHARACTERS = st.characters(codec="utf-8", exclude_characters="\0")
"""Characters of a text: all except lone surrogates and NUL."""

WIDTHS = ("d_model", "d", "head_dim", "rotary_dim", "n_heads", "num_buckets", "n_columns", "d_bar", "d_rel")
"""The fields that say how many columns or buckets there are, which tests that compute a table keep small."""

WIDEST = 40

ON_DISK = ("file",)
"""Kinds of parts that need a file: no strategy can draw one."""

LARGER = {"beta_slow": "beta_fast", "low_freq_factor": "high_freq_factor", "alpha": "beta"}
"""The ends of a ramp: which must not be larger than which."""

Given = dict[str, Any]

TEXT = TokenVectors(tokenize("Dan loves icecream, and so do all of his friends who came to the lake"), 3)
"""The tokens from whose queries families with a table for each query are seen."""


def _integers(field: IntegerField) -> st.SearchStrategy[int]:
    near = st.integers(max(field.minimum, -100), max(field.minimum, min(field.maximum, 100)))
    return st.one_of(near, st.integers(field.minimum, field.maximum))


def _reals(field: RealField) -> st.SearchStrategy[float]:
    most = None if math.isinf(field.most) else field.most
    usual = st.floats(*field.slider)
    anything = st.floats(field.above, most, exclude_min=True, allow_infinity=False, allow_nan=False)
    whole = st.integers(max(1, round(field.slider[0])), round(field.slider[1])).map(float)
    return st.one_of(whole, usual, anything)


OPENED = {("tokens", "model"), ("embedding", "model")}
"""Choices that need a file to be open."""


def _choices(field: ChoiceField) -> st.SearchStrategy[str]:
    return st.sampled_from([value for value in field.values if (field.name, value) not in OPENED])


def _any_choices(field: ChoicesField) -> st.SearchStrategy[tuple[str, ...]]:
    return st.sets(st.sampled_from(field.values)).map(lambda chosen: field.check(list(chosen)))


def _flags(field: FlagField) -> st.SearchStrategy[bool]:
    return st.booleans()


def _texts(field: TextField) -> st.SearchStrategy[str]:
    return st.text(CHARACTERS, max_size=min(60, field.maximum))


def _grids(field: GridField) -> st.SearchStrategy[str]:
    sizes = st.lists(st.integers(1, 40), min_size=2, max_size=3).map(lambda sizes: "x".join(map(str, sizes)))
    text = st.integers(0, 50).map(lambda count: f"{count}+" if count else "")
    return st.just("text") | st.builds("".join, st.tuples(text, sizes))


def _numbers(field: NumbersField) -> st.SearchStrategy[tuple[float, ...]]:
    each = st.floats(-100.0, 13.0) if field.name == "lerope_alpha" else st.floats(-1e100, 1e100)
    return st.lists(each, min_size=field.least, max_size=max(field.least, 6)).map(tuple)


def _weights(field: WeightsField) -> st.SearchStrategy[tuple[float, ...]]:
    low, high = {"delta": (-6.28, 0.0)}.get(field.name, (-50.0, 50.0))
    each = st.floats(low, high)
    return st.lists(each, min_size=field.least, max_size=6).map(tuple)


def _gates(field: GatesField) -> st.SearchStrategy[tuple[float, ...]]:
    return st.lists(st.floats(0.01, 1.0), max_size=6).map(tuple)


def _factors(field: FactorsField) -> st.SearchStrategy[tuple[float, ...]]:
    return st.lists(st.floats(0.0, exclude_min=True, allow_infinity=False), max_size=6).map(tuple)


FORMULAS = {
    "entry": [
        "sin(p / b^(2*i/d))",
        "cos(p*tau) if c > 2 else triangle(p / 7)",
        "1 / (1 + abs(p - c))",
        "p % 7 - c",
        "e",
    ],
    "angle": ["p / b^(2*i/d)", "tau*sqrt(abs(p))", "-p*tau"],
    "rotation": ["p / b^(2*i/d)", "tau*log(1 + abs(p)) / (i + 1)"],
    "bias": ["-n * 2^(-8*(h + 1)/H)", "-tau*log(1 + n)", "sigmoid(delta / L) - h"],
}
"""Formulas of each kind that are finite everywhere."""


def _formulas(field: FormulaField) -> st.SearchStrategy[str]:
    of_kinds = [FORMULAS["entry"]] if field.may_be_empty else FORMULAS.values()
    return st.sampled_from([*([""] if field.may_be_empty else []), *(text for some in of_kinds for text in some)])


def _few(field: NumbersField, numbers: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(numbers, min_size=field.least, max_size=field.most).map(tuple)


_KINDS: dict[type[Field], Callable[[Any], st.SearchStrategy[Any]]] = {
    IntegerField: _integers,
    RealField: _reals,
    FloorField: _reals,
    FreqScaleField: _reals,
    ShareField: _reals,
    ChoiceField: _choices,
    ChoicesField: _any_choices,
    SignField: lambda field: st.sampled_from((1, -1)),
    FlagField: _flags,
    GridField: _grids,
    TextField: _texts,
    NumbersField: _numbers,
    WholeNumbersField: lambda field: _few(field, st.integers(0, 1 << 15)),
    BasesField: lambda field: _few(field, st.floats(1e-3, 1e12)),
    WeightsField: _weights,
    GatesField: _gates,
    FactorsField: _factors,
    FormulaField: _formulas,
    OptionalField: lambda field: st.none() | values_of(field.of),
}


DRAWN = tuple(_KINDS)
"""The kinds of fields that the property tests draw."""


def values_of(field: Field) -> st.SearchStrategy[Any]:
    """Anything that the field allows, whatever the others are."""
    return next(_KINDS[kind] for kind in type(field).__mro__ if kind in _KINDS)(field)


def moderate(field: Field) -> st.SearchStrategy[Any]:
    """Strategy for tests that compute tables: small widths, and numbers within the slider's range."""
    if isinstance(field, OptionalField):
        return st.none() | moderate(field.of)
    if isinstance(field, IntegerField) and field.name in WIDTHS:
        return st.integers(field.minimum, max(field.minimum, WIDEST))
    if isinstance(field, RealField):
        low, high = field.slider
        return st.integers(max(1, round(low)), round(high)).map(float) | st.floats(low, high)
    return values_of(field)


def _even(field: Field, most: int | None = None) -> st.SearchStrategy[int]:
    integers = field.of if isinstance(field, OptionalField) else field
    assert isinstance(integers, IntegerField)
    least = -(-integers.minimum // 2)
    return st.integers(least, max(least, (most or integers.maximum) // 2)).map(lambda half: 2 * half)


COUNTS: dict[str, Callable[[Given], int]] = {
    "b1": lambda given: len(given["w1"]),
    "w2": lambda given: 2 * len(given["w1"]),
    "b2": lambda given: 2,
    "bank": lambda given: given["d_rel"] * given["rel_extent"],
    "states": lambda given: 2 * given["d_rel"],
    "position_logits": lambda given: given["p_max"],
    "b": lambda given: len(given["a"]),
    "vector_turned": lambda given: len(given["a"]),
    "cos_coefficients": lambda given: (given["num_inv_freq"] or 99) ** 2,
    "sin_coefficients": lambda given: (given["num_inv_freq"] or 99) ** 2,
    "delta": lambda given: given["head_dim"],
    "r1_heads": lambda given: given["n_heads"] - 1,
    "r2_heads": lambda given: given["n_heads"] - 1,
    "lerope_alpha": lambda given: (given.get("rotary_dim") or given["head_dim"]) // 2,
}
"""How many numbers a list must have beside the parameters that are drawn before it."""


def _counted(field: NumbersField, count: int) -> st.SearchStrategy[tuple[float, ...]]:
    """As many numbers, the first few again and again; none where that is allowed."""
    ends = {
        "delta": (-6.28, 0.0),
        "lerope_alpha": (-3.0, 0.0),
        "r1_heads": (0.01, 2.0),
        "r2_heads": (0.01, 2.0),
    }.get(field.name, (-50.0, 50.0))
    few = st.lists(st.floats(*ends), min_size=1, max_size=6)
    listed = few.map(lambda some: tuple((some * count)[:count]))
    return listed if field.least else st.just(()) | listed if count <= 200 else st.just(())


def _fitting(field: Field, given: Given, small: bool) -> st.SearchStrategy[Any]:
    """Strategy that fits the parameters drawn before, so that few encodings are rejected."""
    most = WIDEST if small else None
    if field.name == "head_dim" or (field.name == "d" and "d_model" not in given):
        return st.one_of(_even(field, most), _even(field, WIDEST))
    if field.name == "parameter":  # those that the formula names
        return st.just(())
    if field.name == "formula_kind":
        return st.sampled_from([kind for kind, texts in FORMULAS.items() if given["formula"] in texts])
    if field.name == "d_model" and given.get("formula_kind") == "rotation":
        return _even(field, WIDEST).map(lambda width: width or 2)
    if field.name == "base" and "formula" in given:  # so that powers are finite
        return st.floats(0.1, 1e9)
    if field.name == "rotary_dim":
        return st.none() | _even(field, given["head_dim"])
    if isinstance(field, NumbersField) and field.name in COUNTS:
        return _counted(field, COUNTS[field.name](given))
    if isinstance(field, FactorsField):  # a number for each pair, the first few again and again
        n_pairs = (given.get("rotary_dim") or given["head_dim"]) // 2
        few = st.lists(st.floats(1.0, 64.0), min_size=1, max_size=6)
        return few.map(lambda some: tuple((some * n_pairs)[:n_pairs]))
    if field.name == "num_inv_freq":
        return st.none() | st.integers(0, given["head_dim"] // 2)
    if field.name == "local_size":
        return st.integers(0, given["chunk_size"] - 1)
    if field.name == "group_size":
        return st.integers(1, given["neighbor_window"] or 20)
    if field.name == "d_bar":
        return _even(field, most)
    if field.name == "r2" and given["kernel"] == "power":
        return st.floats(0.01, 2.0)
    if field.name in ("axis_widths", "bases", "sections"):
        return st.none()  # a number for each axis: tests of their own
    if field.name in LARGER:
        larger = given[LARGER[field.name]]
        return (st.just(1.0) | st.floats(0.01, 0.99)).map(lambda share: share * larger)
    if field.name == "max_distance":
        return st.integers(given["num_buckets"], 2 * given["num_buckets"]) | values_of(field)
    if field.name == "offset" and "weights" in given:  # that leaves a row of the table
        return st.integers(-1000, min(given.get("n_rows", 8), 10_000_000) - 1)
    return moderate(field) if small else values_of(field)


@st.composite
def encodings(
    draw: st.DrawFn,
    kinds: Iterable[type[Encoding]] = tuple(ENCODINGS.values()),
    small: bool = False,
    **narrower: st.SearchStrategy[Any],
) -> Any:
    """An encoding of any of the families, with any scaling; ``narrower`` replaces the strategies of fields by name.

    ``small`` ones have few columns, and no number that is beyond the ends of its slider.
    """
    kind = draw(st.sampled_from(list(kinds)))
    given: Given = {}

    def of(field: Field) -> st.SearchStrategy[Any]:
        return narrower.get(field.name, _fitting(field, given, small))

    for part in kind.FIELDS:
        if isinstance(part, PartField):
            names = [name for name in part.choice.values if name not in ON_DISK]
            given[part.name] = draw(narrower.get(part.name, st.sampled_from(names)))
            own = sorted(part.fields_of(given[part.name]), key=lambda each: each.name in LARGER)
        else:
            own = [part]
        for field in own:
            given[field.name] = draw(of(field))
    try:
        return kind.from_parameters(given)
    except ValueError:  # such as an odd d_model with the one-based spacing
        reject()


@st.composite
def seen(draw: st.DrawFn, drawn: st.SearchStrategy[Encoding]) -> Encoding:
    """The encodings that are drawn, as a query of the text sees those with a table for each query."""
    made = draw(drawn)
    return made.seen_from(draw(st.integers(0, len(TEXT.tokens) - 1)), TEXT)


def sinusoids(**narrower: st.SearchStrategy[Any]) -> st.SearchStrategy[Sinusoidal]:
    """Any sinusoidal encoding, with any base unless it is narrowed."""
    return encodings((Sinusoidal,), **narrower)


def rotaries(**narrower: st.SearchStrategy[Any]) -> st.SearchStrategy[Rotary]:
    """Small rotary encodings with any scaling."""
    return encodings((Rotary,), small=True, **narrower)


@st.composite
def documents(draw: st.DrawFn, kinds: Iterable[type[Encoding]] = tuple(ENCODINGS.values())) -> Document:
    """Any document."""
    own = {each.name: draw(values_of(each)) for each in Document.OWN_FIELDS}
    embedding = Embedding(**{each.name: draw(values_of(each)) for each in Embedding.FIELDS})
    view = View(**{each.name: draw(values_of(each)) for each in View.FIELDS})
    options = Options()
    for field in (each for fields in offered_options().values() for each in fields):
        options = options.edited(field, draw(values_of(field)))
    try:
        return Document(**own, encoding=draw(encodings(kinds)), embedding=embedding, view=view, options=options)
    except ValueError:  # such as a length that stretches a rotary encoding beyond all numbers
        reject()


SMALL = {"d_model": st.integers(1, WIDEST)}
"""Tables that a test can compute in many ways."""

USUAL = {**SMALL, "base": st.floats(1.0, 1e9)}
"""Small tables whose frequencies are below one radian a position."""

POSITIONS = st.integers(-(10**7), 10**7)
"""The positions for which the core promises its precision."""


@st.composite
def places(draw: st.DrawFn, encoding: Encoding, reach: int = 10**7) -> int:
    """A position that has a value, at most so far from 0 and often near an end of the domain or near 0."""
    first, last = (int(max(-reach, min(reach, end))) for end in encoding.domain)
    near = st.integers(max(first, min(last, 0) - 50), min(last, max(first, 0) + 50))
    ends = st.sampled_from([first, last])
    return draw(st.one_of(near, ends, st.integers(first, last)))
