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
    """The other encodings without those that nearly equal ``meant`` or an earlier one."""
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
    turned = encoding.rotation
    if turned is None or turned.pairing != "half_split" or encoding.cells is not None:
        return
    is_whole = turned.n_columns == turned.head_dim and turned.scaling is None and turned.distance_rule is None
    if is_whole and turned.direction == 1:
        yield Pope(turned.head_dim // 2, turned.rope_theta)
