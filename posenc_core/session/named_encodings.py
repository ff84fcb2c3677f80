"""The encodings of a document that are compared: up to four, lettered A to D, one of them chosen."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from posenc_core import text
from posenc_core.encodings import Encoding
from posenc_core.fields import one_line, shortened
from posenc_core.session.stored_parts import Tables, encoding_of_plain, plain_encoding

ENCODINGS_PART = "encodings"
"""The name of the part of a session."""

LETTERS = "ABCD"
LONGEST_NAME = 60
"""Characters of a name that a person gives."""

_BASES = ("base", "rope_theta")
_OTHER_BASES = (500_000.0, 10_000.0)
"""That of Llama 3, whose effect is asked about most, and that of the papers."""


class NamedEncoding(Struct, frozen=True):
    """An encoding of a document: ``name`` is given by a person, ``source`` is the preset or model that it comes from.

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
    """The encodings with another chosen one, all with the document's ``own`` parameters where they have such."""
    if not encodings:
        return (NamedEncoding(encoding),)
    listed = [_with_own(each, own) for each in checked_count(encodings, current)]
    if listed[current].encoding != encoding:
        listed[current] = NamedEncoding(encoding, listed[current].name)
    return tuple(listed)


def seen_encodings(encodings: Encodings, query: int | None, content: "text.TokenVectors | None") -> Encodings:
    """The encodings with the tables of a query, or with none; each itself where all queries have one table."""
    seen = [(each, each.encoding.seen_from(query, content)) for each in encodings]
    return tuple(each if each.encoding is found else replace(each, encoding=found) for each, found in seen)


def with_copy(encodings: Encodings, index: int) -> Encodings:
    """The encodings and after them a copy of the one at ``index`` with its source and without its name."""
    return (*encodings, replace(encodings[index], name=""))


def variant(encoding: Encoding) -> NamedEncoding | None:
    """The encoding with another base, named after that; None for an encoding without a base."""
    values = encoding.parameters()
    name = next((each for each in _BASES if each in values), None)
    if name is None:
        return None
    base = next(each for each in _OTHER_BASES if each != values[name])
    return NamedEncoding(encoding.edited(name, base), source=f"base {base:,.0f}")


def with_variant(encodings: Encodings, index: int) -> Encodings:
    """The encodings and after them a variant of the one at ``index``, which differs from it; a copy where none does."""
    other = variant(encodings[index].encoding)
    return with_copy(encodings, index) if other is None else (*encodings, other)


def _with_own(each: NamedEncoding, own: Mapping[str, Any]) -> NamedEncoding:
    """The encoding with the document's length, if it has one of its own."""
    encoding, parameters = each.encoding, each.encoding.parameters()
    for name in own.keys() & parameters.keys():
        if own[name] != parameters[name]:
            encoding = encoding.edited(name, own[name])
    return each if encoding is each.encoding else replace(each, encoding=encoding)


def plain_encodings(encodings: Encodings, current: int) -> dict[str, Any]:
    """The names and the encodings beside the chosen one, which a session holds as its ``encoding``.

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
