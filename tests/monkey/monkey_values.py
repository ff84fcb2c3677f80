"""Any value for any field, drawn from a generator of one's own: mostly usual ones, some at the ends, some wrong."""

import math
from random import Random
from typing import Any

from posenc_core.fields import (
    ChoiceField,
    ChoicesField,
    Field,
    FlagField,
    IntegerField,
    NumbersField,
    OptionalField,
    RealField,
    TextField,
)

LONG = "x" * 90
WORDS = (
    "Dan",
    "loves",
    "icecream",
    "größer",
    "日本語",
    "שלום",
    "🎂🎂",
    "a\u0301b",
    "<b>&amp;",
    "\t",
    "\n",
    " ",
    "x" * 90,
)
WRONG = (None, True, -1, 0, 10**9, 1e300, math.inf, math.nan, "", "none", "x", (), (1.0, -2.0), [None], {}, b"1")
USUAL_MOST = 48
"""Widths and numbers of heads are seldom larger: tables of thousands of columns are drawn, but not all the time."""


def any_value(field: Field, rng: Random) -> Any:
    """A value for the field; one in twelve is most likely wrong."""
    if rng.random() < 1 / 12:
        return rng.choice(WRONG)
    return _allowed(field, rng)


def sentence(rng: Random) -> str:
    """Some words, seldom very many."""
    count = rng.choice((0, 1, 2, 3, 5, 8, 13)) if rng.random() < 0.97 else 400
    return " ".join(rng.choice(WORDS) for _ in range(count))


def _allowed(field: Field, rng: Random) -> Any:
    if isinstance(field, OptionalField):
        return None if rng.random() < 0.3 else _allowed(field.of, rng)
    if isinstance(field, IntegerField):
        return _integer(field, rng)
    if isinstance(field, RealField):
        low, high = field.slider
        return rng.choice((low, high, rng.uniform(low, high), float(max(1, round(rng.uniform(low, high))))))
    if isinstance(field, ChoiceField):
        return rng.choice(field.values)
    if isinstance(field, ChoicesField):
        return tuple(value for value in field.values if rng.random() < 0.5)
    if isinstance(field, FlagField):
        return rng.random() < 0.5
    if isinstance(field, NumbersField):
        return tuple(rng.uniform(-2, 4) for _ in range(rng.randint(0, 6)))
    assert isinstance(field, TextField)
    return sentence(rng)


def _integer(field: IntegerField, rng: Random) -> int:
    chance = rng.random()
    if chance < 0.01:
        return rng.choice((field.minimum, field.maximum))
    if chance < 0.03:
        return rng.randint(field.minimum, min(field.maximum, max(field.minimum, 4096)))
    low = max(field.minimum, -20)
    whole = rng.randint(low, max(low, min(field.maximum, USUAL_MOST)))
    return whole + whole % 2 if rng.random() < 0.7 and whole < field.maximum else whole
