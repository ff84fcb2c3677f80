"""Documents of any family with parameters at the ends of what their fields allow."""

import math
import random
import sys
from typing import Any

from posenc_core import Document, Embedding, Encoding, View
from posenc_core.encodings import FormulaField, GridField
from posenc_core.encodings.formula.fields import STARTS, ParametersField
from posenc_core.fields import (
    ChoiceField,
    ChoicesField,
    FactorsField,
    Field,
    FlagField,
    FloorField,
    IntegerField,
    NumbersField,
    OptionalField,
    PartField,
    RealField,
    SignField,
    TextField,
)
from posenc_core.formula.parsing import MOST_PARAMETERS
from posenc_core.formula.scanning import LONGEST
from posenc_core.session import Options, offered_options

LARGEST_TEXT = 1e15
GRIDS = ["text", "1x1", "3162x3162", "10x1000x1000", "9999999+1x1"]
"""The shortest grids, and some with as many cells as are allowed."""

_TRIES = 400


def ends(field: Field) -> list[Any]:
    """The smallest and the largest value of a field, and the ends of its slider."""
    if isinstance(field, OptionalField):
        return [None, *ends(field.of)]
    if isinstance(field, IntegerField):
        return [field.maximum, field.minimum]
    if isinstance(field, RealField):
        least = field.floor if isinstance(field, FloorField) else math.nextafter(field.above, math.inf)
        return [min(field.most, sys.float_info.max), least, *field.slider]
    if isinstance(field, SignField):
        return [1, -1]
    if isinstance(field, ChoiceField):
        return list(field.values)
    if isinstance(field, ChoicesField):
        return [(), field.values]
    if isinstance(field, TextField):
        return ["", ("word " * field.maximum)[: field.maximum]]
    if isinstance(field, NumbersField):
        return [(1e100,), (-1e100, 0.0), field.default]
    if isinstance(field, GridField):
        return GRIDS
    if isinstance(field, FormulaField):
        return [*([""] if field.may_be_empty else []), "x0", *(text for start in STARTS for text in formulas(start))]
    if isinstance(field, ParametersField):
        return [()]  # those that the formulas name
    assert isinstance(field, FlagField), f"what are the ends of {field.kind}?"
    return [False, True]


def formulas(kind: str) -> list[str]:
    """The formula that a kind starts with, and sums of many such, as long as they may be, with as many parameters."""
    start = STARTS[kind][0]
    weighted = [f"x{number % MOST_PARAMETERS}*({start})" for number in range(LONGEST)]
    return [start, _longest([start] * LONGEST), _longest(weighted)]


def _longest(terms: list[str]) -> str:
    """The sum of as many of the terms as a formula has room for."""
    text = terms[0]
    for term in terms[1:]:
        if len(text) + len(term) + 3 > LONGEST:
            break
        text = f"{text} + {term}"
    return text


def factors(field: NumbersField, count: int, chance: random.Random) -> tuple[float, ...]:
    """As many numbers, of many digits."""
    most = min(field._number(0).slider[1], LARGEST_TEXT)
    return tuple(chance.uniform(1.0, most) for _ in range(max(field.least, count)))


def encoding_at_the_ends(kind: type[Encoding], chance: random.Random, **fixed: Any) -> Encoding:
    """An encoding whose parameters are each at an end, or the default: what they need of each other is found by chance.

    Where a family refuses one combination after the other, more and more parameters have their defaults.
    """
    for attempt in range(_TRIES):
        given: dict[str, Any] = {}
        for part in kind.FIELDS:
            if isinstance(part, PartField):
                names = [name for name in part.choice.values if name != "file"]
                given[part.name] = fixed.get(part.name, chance.choice(names))
            for field in part.fields_of(given[part.name]) if isinstance(part, PartField) else [part]:
                if isinstance(field, FactorsField):
                    if "n_heads" in given:  # a number for each head but the first, or simulated ones
                        count = chance.choice([0, given["n_heads"] - 1])
                        given[field.name] = factors(field, count, chance) if count else ()
                        continue
                    pairs = (given.get("rotary_dim") or given["head_dim"]) // 2
                    given[field.name] = factors(field, pairs, chance)
                    continue
                values = [field.default, *ends(field)] if chance.random() < attempt / _TRIES else ends(field)
                given[field.name] = fixed.get(field.name, chance.choice(values))
        try:
            for field in (
                each for part in kind.FIELDS if isinstance(part, ParametersField) for each in part.visible_fields(given)
            ):
                given[field.name] = chance.choice(ends(field))
            return kind.from_parameters(given)
        except ValueError:
            continue
    raise AssertionError(f"no allowed {kind.family} in {_TRIES} tries")


def document_at_the_ends(encoding: Encoding, seq_len: int, chance: random.Random) -> Document:
    """A document of that length with any embedding and view at the ends of theirs."""
    embedding = {
        field.name: chance.choice([each for each in ends(field) if each != "model"])  # that needs a file
        for field in Embedding.FIELDS
        if field.name != "vector"
    }
    (vector,) = (field for field in Embedding.FIELDS if field.name == "vector")
    if embedding["embedding"] == "typed":
        embedding["vector"] = factors(vector, chance.choice([vector.least, vector.most]), chance)
    view = View(**{field.name: chance.choice(ends(field)) for field in View.FIELDS})
    options = Options()
    for field in (each for fields in offered_options().values() for each in fields):
        options = options.edited(field, chance.choice(ends(field)))
    return Document(seq_len=seq_len, encoding=encoding, embedding=Embedding(**embedding), view=view, options=options)
