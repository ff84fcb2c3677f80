"""Encodings that are nearly equal, and encodings of several families with the same numbers."""

import math
from collections.abc import Iterable, Iterator

from posenc_core.encodings import Encoding, Pope

_NEARLY = 0.01
"""Share of its real parameters below which two encodings are one reading of numbers."""


def is_nearly(one: Encoding, other: Encoding) -> bool:
    """Whether two encodings of a family differ by a small share of their real numbers, or not at all."""
    some, others = one.parameters(), other.parameters()
    return (one.family, some.keys()) == (other.family, others.keys()) and all(
        value == others[name]
        or (isinstance(value, float) and math.isclose(value, others[name] or 0.0, rel_tol=_NEARLY))
        for name, value in some.items()
    )


def distinct(meant: Encoding, others: Iterable[Encoding]) -> list[Encoding]:
    """Those of the others that are nearly equal neither to the one that is meant nor to one before them."""
    found = list[Encoding]()
    for each in others:
        if not any(is_nearly(each, other) for other in (meant, *found)):
            found.append(each)
    return found


def coarse(encoding: Encoding) -> tuple[object, ...]:
    """The parameters, numbers with four digits only: equal for encodings that are nearly so."""
    parameters = encoding.parameters().values()
    return (encoding.family, *(f"{each:.3e}" if isinstance(each, float) else each for each in parameters))


def same_numbers(encoding: Encoding) -> Iterator[Encoding]:
    """Encodings of other families whose tables have the same numbers: PoPE for a rotation of twice its width."""
    own = encoding.parameters()
    is_plain = own.get("scaling") == "none" and own.get("rotary_dim") is None and own.get("direction") == 1
    if encoding.family == "rotary" and is_plain and own["pairing"] == "half_split":
        yield Pope(own["head_dim"] // 2, own["rope_theta"])
