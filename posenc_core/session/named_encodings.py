"""The encodings of a document that are compared: up to four, lettered A to D, one of them chosen."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from posenc_core import text
from posenc_core.encodings import ENCODINGS, Effect, Encoding
from posenc_core.fields import one_line, shortened
from posenc_core.session.stored_parts import Tables, encoding_of_plain, plain_encoding, wanted_parameters

ENCODINGS_PART = "encodings"
"""The name of the part of a session."""

LETTERS = "ABCD"
LONGEST_NAME = 60
"""Maximum length of a name, in characters."""

_BASES = ("base", "rope_theta")
_OTHER_BASES = (500_000.0, 10_000.0)
"""Llama 3's base, the most frequent subject of questions, and the papers'."""


_OTHER_FACTORS = {"fire": ("c", (1.0, 0.1))}
"""By family without a base: a parameter to vary, and two values of it, unless the family has biases of heads."""

_OTHER_BIASES = {True: ("alibi", "t5"), False: ("forget_gate", "cope")}
"""Families to compare a bias with, by whether each head has a separate bias."""

_OTHER_TABLES = {True: ("transformer_xl", "shaw"), False: ("sinusoidal", "rotary")}
"""Families to compare a table without a base with, by whether its positions are distances."""


_COMPARED_ROWS = 4


class NamedEncoding(Struct, frozen=True):
    """An encoding of a document: ``name`` is given by the user, ``source`` is its preset or model.

    Both are empty by default; an edit of the encoding clears the source, which no longer describes it.
    """

    encoding: Encoding
    name: str = ""
    source: str = ""

    @property
    def title(self) -> str:
        """The name, or else the source, or else the encoding's title."""
        return self.name or self.source or self.encoding.title


Encodings = tuple[NamedEncoding, ...]


def checked_name(name: str) -> str:
    """The name without spaces at its ends; ValueError with one sentence for one that is too long or not a line."""
    name = name.strip()
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise ValueError(
            f"an encoding's name must be one line of at most {LONGEST_NAME} characters, got {shortened(name)}"
        )
    return name


def checked_count(encodings: Encodings, current: int) -> Encodings:
    """The encodings; ValueError with one sentence unless there are one to four, and the chosen one is among them."""
    if not 1 <= len(encodings) <= len(LETTERS):
        raise ValueError(f"there must be 1 to {len(LETTERS)} encodings, got {len(encodings)}")
    if current not in range(len(encodings)):
        raise ValueError(f"the chosen encoding must be from 0 to {len(encodings) - 1}, got {shortened(current)}")
    return encodings


def with_chosen(encodings: Encodings, current: int, encoding: Encoding, own: Mapping[str, Any]) -> Encodings:
    """The encodings with another chosen one, all with those of the document's ``own`` parameters that they have."""
    if not encodings:
        return (NamedEncoding(encoding),)
    listed = [_with_own(each, own) for each in checked_count(encodings, current)]
    if listed[current].encoding != encoding:
        listed[current] = NamedEncoding(encoding, listed[current].name)
    return tuple(listed)


def seen_encodings(encodings: Encodings, query: int | None, content: "text.TokenVectors | None") -> Encodings:
    """The encodings with the tables of a query, or with none; each itself if all queries have one table."""
    seen = [(each, each.encoding.seen_from(query, content)) for each in encodings]
    return tuple(each if each.encoding is found else replace(each, encoding=found) for each, found in seen)


def with_copy(encodings: Encodings, index: int) -> Encodings:
    """The encodings and after them a copy of the one at ``index`` with its source and without its name."""
    return (*encodings, replace(encodings[index], name=""))


def variant(encoding: Encoding) -> NamedEncoding:
    """The most useful encoding to compare with this one, named after the difference.

    It is the encoding without its scaling if that changes numbers, else with another base, or another family for an
    encoding without a base or with a single pair, which no base changes. The other family has one number per head if
    the encoding has.
    """
    rotation, values = encoding.rotation, encoding.parameters()
    if rotation is not None and rotation.scaling is not None:
        unscaled = rotation.scaled_by(None)
        if _differs(encoding, unscaled):  # a dynamic scaling begins beyond the trained length
            return NamedEncoding(unscaled, source="no scaling")
    edited = {field.name for field in encoding.fields}  # without the base of a formula that does not use one
    name = next((each for each in _BASES if each in edited), "")
    for base in _OTHER_BASES if name else ():
        with suppress(ValueError):  # given coefficients are for as many pairs as this base keeps
            other = encoding.edited(name, base)
            if _differs(encoding, other):
                return NamedEncoding(other, source=f"base {base:,.0f}")
    has_heads = encoding.column_info(0).part == "head 0"
    if encoding.family in _OTHER_FACTORS and not has_heads:
        name, factors = _OTHER_FACTORS[encoding.family]
        factor = next(each for each in factors if each != values[name])
        return NamedEncoding(encoding.edited(name, factor), source=f"{name} {factor:g}")
    offered = _OTHER_BIASES[has_heads] if encoding.effect is Effect.BIASES else _OTHER_TABLES[encoding.relative]
    kind = ENCODINGS[next(each for each in offered if each != encoding.family)]
    other = kind.suited(wanted_parameters(encoding, {}))
    return NamedEncoding(other, source=other.title)


def _differs(one: Encoding, other: Encoding) -> bool:
    """Whether the first rows differ: a single pair turns by 1 rad per position with every base.

    Tables that belong to a query count as different.
    """
    if one.depends_on_query:
        return True
    positions, columns = np.arange(_COMPARED_ROWS), np.arange(one.n_columns)
    return not np.array_equal(one.values(positions, columns), other.values(positions, columns))


def with_variant(encodings: Encodings, index: int) -> Encodings:
    """The encodings and after them a variant of the one at ``index``, which differs from it."""
    return (*encodings, variant(encodings[index].encoding))


@lru_cache(maxsize=8)
def compared_titles(encodings: Encodings) -> tuple[str, ...]:
    """The title of each encoding: its name or source, else its differences from the others."""
    told = _differences(encodings)
    return tuple(
        each.name or each.source or words or each.encoding.title for each, words in zip(encodings, told, strict=True)
    )


def _with_own(each: NamedEncoding, own: Mapping[str, Any]) -> NamedEncoding:
    """The encoding with the document's length, if it has a length parameter."""
    encoding, parameters = each.encoding, each.encoding.parameters()
    for name in own.keys() & parameters.keys():
        if own[name] != parameters[name]:
            encoding = encoding.edited(name, own[name])
    return each if encoding is each.encoding else replace(each, encoding=encoding)


def plain_encodings(encodings: Encodings, current: int) -> dict[str, Any]:
    """The names and the encodings beside the chosen one, which is the session's ``encoding``.

    Empty for a single encoding without a name.
    """
    chosen = encodings[current]
    if len(encodings) == 1 and not (chosen.name or chosen.source):
        return {}
    others = [
        {**_names(each), "encoding": plain_encoding(each.encoding)}
        for index, each in enumerate(encodings)
        if index != current
    ]
    return {"current": current, **_names(chosen), "others": others}


def _names(each: NamedEncoding) -> dict[str, str]:
    return {key: text for key, text in (("name", each.name), ("source", each.source)) if text}


def encodings_of_plain(record: Mapping[str, Any], encoding: Encoding, tables: Tables) -> tuple[Encodings, int]:
    """All encodings of a session around its chosen one, and the index of that; errors as the encodings'."""
    others, current = record.get("others", []), record.get("current", 0)
    if not isinstance(others, list) or not all(isinstance(each, dict) for each in others):
        raise ValueError(f"the other encodings must be a list of objects, got {shortened(others)}")
    if type(current) is not int:
        raise ValueError(f"the chosen encoding must be a whole number, got {shortened(current)}")
    if len(others) >= len(LETTERS):  # before each is built
        raise ValueError(f"there must be 1 to {len(LETTERS)} encodings, got {len(others) + 1}")
    listed = [_named(each, encoding_of_plain(_object(each.get("encoding", {})), tables)) for each in others]
    listed.append(_named(record, encoding))
    checked_count(tuple(listed), current)
    listed.insert(current, listed.pop())
    return tuple(listed), current


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"encoding must be an object, got {shortened(value)}")
    return value


def _named(record: Mapping[str, Any], encoding: Encoding) -> NamedEncoding:
    texts = [record.get(key, "") for key in ("name", "source")]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"an encoding's name must be a text, got {shortened(texts)}")
    name, source = texts
    return NamedEncoding(encoding, checked_name(name), checked_source(source))


def checked_source(source: str) -> str:
    """The source, cut to the length of a name, with an escape for each character that cannot be printed."""
    return one_line(source)[:LONGEST_NAME]


def name_beside(name: str, encodings: Sequence[NamedEncoding], index: int) -> str:
    """The name of a model, and the difference of its encoding at ``index``: ``Llama 3, base 500,000``."""
    differing = _differences(encodings)[index]
    return f"{name}, {differing}" if differing else name


def _differences(encodings: Sequence[NamedEncoding]) -> tuple[str, ...]:
    from posenc_core.session.difference_names import names_of_difference  # imported on first use

    return names_of_difference([each.encoding for each in encodings])
