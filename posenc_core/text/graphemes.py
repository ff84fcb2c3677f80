"""The characters of a text as people see them: the extended grapheme clusters of Unicode Standard Annex 29."""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core.numerics import IntArray

_CLUSTER = r"[\U0001F1E6-\U0001F1FF]{2}(?![\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}])|\X"
"""One cluster. ``\\X`` alone counts the flag letters before each one: 200,000 of them would need minutes."""

_JOINING = r"[^\p{GCB=Other}\p{GCB=Control}\p{GCB=LF}\p{GCB=LV}\p{GCB=LVT}]"
"""A character that can be in one cluster with a neighbour. Two neighbours of other kinds never are (rules GB3-GB13)."""

SAFE_PAIR = (
    r"(?:[^\p{GCB=CR}\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=Prepend}\p{GCB=RI}]"
    r"(?:[\p{GCB=Other}\p{GCB=Control}\p{GCB=CR}\p{GCB=Prepend}\p{GCB=RI}]|(?<!\p{GCB=L})[\p{GCB=L}\p{GCB=LV}\p{GCB=LVT}])"
    r"|\p{GCB=Extend}(?!\p{InCB=Consonant})\p{GCB=Other})"
)
"""Two characters between which a cluster ends for any text before and after them (rules GB3 to GB13)."""


@cache
def _compiled(pattern: str) -> Any:
    """The pattern, compiled. ``regex`` is imported at its first use: the program starts without it."""
    import regex

    return regex.compile(pattern)


def code_points(text: str) -> npt.NDArray[np.uint32]:
    """The code points of the text, uint32 ``(len(text),)``."""
    return np.frombuffer(text.encode("utf-32-le"), "<u4")


def cluster_stops(text: str) -> IntArray:
    """The index after the last character of each cluster, int64 ``(n_clusters,)``.

    Only characters that can join and their neighbours are passed to ``regex``, at 0.3 µs per character.
    """
    is_last = np.ones(len(text), bool)
    if joining := _compiled(_JOINING).findall("".join(set(text))):
        codes = code_points(text)
        joins = np.isin(codes, code_points("".join(joining)))
        looked_at = joins.copy()
        looked_at[1:] |= joins[:-1]
        looked_at[:-1] |= joins[1:]
        clusters = _compiled(_CLUSTER).findall(codes[looked_at].tobytes().decode("utf-32-le"))
        is_last[looked_at] = False
        is_last[np.flatnonzero(looked_at)[np.cumsum(np.fromiter(map(len, clusters), np.int64)) - 1]] = True
    return np.flatnonzero(is_last) + 1


def first_safe_place(text: str, start: int, stop: int) -> int | None:
    """The first index inside ``text[start:stop]`` at which a cluster ends for any rest of the text, or None.

    The clusters of the text are then those of its two parts, before and after the index.
    """
    found = _compiled(SAFE_PAIR).search(text, start, stop)
    return None if found is None else int(found.start()) + 1


def last_safe_place(text: str, start: int, stop: int) -> int | None:
    """The last index inside ``text[start:stop]`` at which a cluster ends for any rest of the text, or None."""
    found = _compiled(f"(?r){SAFE_PAIR}").search(text, start, stop)
    return None if found is None else int(found.start()) + 1
