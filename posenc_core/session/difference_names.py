"""Names of encodings by their differences: ``base 500,000``, ``YaRN × 4``."""

from collections.abc import Sequence
from typing import Any

from posenc_core.encodings import Encoding
from posenc_core.fields import Field, one_line
from posenc_core.rope_scaling import FACTOR, SCALING, RopeScaling

_MOST_PARTS = 3
"""Parts of a name; further differences are omitted."""

_LONGEST_PART = 24
"""Characters of a part; a longer one is cut."""

_FAMILY = "family"
_FIRST = ("base", "rope_theta", SCALING.name)
_WORDS = {"rope_theta": "base"}
_BARE = ("pairing", "layout", "spacing", "order", "weights")
"""Parameters with self-explanatory values."""

Parts = dict[str, str]


def names_of_difference(encodings: Sequence[Encoding]) -> tuple[str, ...]:
    """A name for each encoding by the parameters that differ among the encodings: ``base 500,000, YaRN × 4``.

    The family comes first if families differ, then base and scaling. Parameters are compared among the encodings
    that have them, those of a scaling among the encodings with that scaling. A name is empty if nothing differs,
    and lists three differences at most.
    """
    told = [_parts(each) for each in encodings]
    values: dict[str, set[str]] = {}
    for parts in told:
        for name, words in parts.items():
            values.setdefault(name, set()).add(words)
    return tuple(
        ", ".join([words for name, words in parts.items() if len(values[name]) > 1][:_MOST_PARTS]) for parts in told
    )


def _parts(encoding: Encoding) -> Parts:
    """The words for the family and for each parameter, the telling ones first."""
    values, rotation = encoding.parameters(), encoding.rotation
    scaling = rotation.scaling if rotation is not None and SCALING.name in values else None
    of_scaling = () if scaling is None else tuple(each.name for each in scaling.FIELDS)
    parts = {_FAMILY: encoding.title}
    for field in sorted(encoding.fields, key=lambda each: each.name not in _FIRST):
        if field.name == SCALING.name:
            parts[field.name] = _scaling_words(scaling)
        elif scaling is None or field.name not in of_scaling:
            parts[field.name] = _words(field, values[field.name])
        elif field.name != FACTOR.name:
            parts[f"{scaling.rope_type} {field.name}"] = _words(field, values[field.name])
    return parts


def _scaling_words(scaling: RopeScaling | None) -> str:
    """``YaRN × 4``, the title alone for a scaling without a factor."""
    if scaling is None:
        return "no scaling"
    factor = scaling.parameters().get(FACTOR.name)
    return scaling.title if factor is None else f"{scaling.title} ×{factor:.4g}"


def _words(field: Field, value: Any) -> str:
    """A parameter with its value, ``base 500,000``; only the value if that is clear."""
    text = f"{value:,.10g}" if type(value) in (int, float) else one_line(field.format(value))
    named = text if field.name in _BARE else f"{_WORDS.get(field.name, field.name)} {text}"
    return named if len(named) <= _LONGEST_PART else f"{named[: _LONGEST_PART - 1]}…"
