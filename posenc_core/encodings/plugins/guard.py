"""A guard around the numbers of a family from elsewhere: entries that fail after the trial are left out."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any

import numpy as np

from posenc_core.encodings.base import Encoding
from posenc_core.encodings.plugins.trial import FAILURES, told
from posenc_core.numerics import FloatArray
from posenc_core.tables import Cancelled, UnreadableError

LARGEST = 1e30
"""Larger entries are left out too, as pictures are float32."""

_ONE_BY_ONE, _COLUMNS = 256, 64
_PASSED = (Cancelled, UnreadableError, MemoryError)
"""Errors of the program's own, which their callers expect."""

Method = Callable[..., Any]


def guard(kind: type[Encoding]) -> type[Encoding]:
    """The class, whose own methods return 0 in place of an error or of a number that is not finite.

    An exception during painting would end the program. ``warnings`` names the first replaced entry.
    """
    for name, guarded in (("values", _entries), ("row", _entries), ("explain", _explained), ("range_over", _range)):
        own = getattr(kind, name, None)
        if own is not None and not own.__module__.startswith("posenc_core."):
            setattr(kind, name, guarded(own))
    before: Any = kind.warnings
    setattr(kind, "warnings", property(lambda self: (*before.fget(self), *left_out(self))))  # noqa: B010 - of a class
    return kind


@lru_cache(maxsize=64)
def left_out(encoding: Encoding) -> tuple[str, ...]:
    """A sentence on the first entry left out, among positions (or distances) 0 to 15 and powers of two."""
    own: Method | None = getattr(type(encoding).values, "__wrapped__", None)
    if own is None:
        return ()
    first, last = encoding.domain
    columns = np.arange(min(encoding.n_columns, _COLUMNS))
    for apart in (*range(16), *(1 << power for power in range(5, 21))):
        position = -apart if encoding.relative else apart
        if not first <= position <= last:
            continue
        try:
            with np.errstate(all="ignore"):
                is_kept = _kept(own(encoding, np.array([position]), columns), 1, len(columns)).all()
        except FAILURES as error:
            return (f"entries are left out, and are 0: at position {position}, values raises {told(error)}",)
        if not is_kept:
            what = f"a number is not finite or beyond {LARGEST:g}"
            return (f"entries are left out, and are 0: at position {position}, {what}",)
    return ()


def _entries(own: Method) -> Method:
    """``values`` or ``row``, with 0 for entries that are not finite, and for rows that raise an error."""

    @wraps(own)
    def found(self: Encoding, *asked: Any) -> FloatArray:
        *query, places, columns = asked
        if not query:
            self.check_domain(places)
        shape = len(places), len(columns)
        try:
            with np.errstate(all="ignore"):
                entries = own(self, *asked)
            return np.where(_kept(entries, *shape), entries, 0.0)
        except _PASSED:
            raise
        except FAILURES:  # ``left_out`` says so
            if not 1 < len(places) <= _ONE_BY_ONE:
                return np.zeros(shape)
        return np.concatenate([found(self, *query, places[row : row + 1], columns) for row in range(len(places))])

    return found


def _kept(entries: Any, n_rows: int, n_columns: int) -> Any:
    """Mask of the entries that are finite numbers; TypeError for an array of another shape."""
    if np.shape(entries) != (n_rows, n_columns):
        raise TypeError(f"an array of shape {np.shape(entries)} in place of {(n_rows, n_columns)}")
    return np.abs(entries) <= LARGEST


def _explained(own: Method) -> Method:
    """``explain``, or only the value if that raises an error."""

    @wraps(own)
    def explained(self: Encoding, position: int, column: int) -> Any:
        self.check_domain(np.array([position]))
        try:
            return own(self, position, column)
        except FAILURES:
            return Encoding.explain(self, position, column)

    return explained


def _range(own: Method) -> Method:
    """``range_over``, or the range of some entries if that raises an error or returns no range."""

    @wraps(own)
    def ranged(self: Encoding, first: int, stop: int) -> tuple[float, float]:
        try:
            low, high = map(float, own(self, first, stop))
        except FAILURES:
            low = high = 0.0
        return (low, high) if -LARGEST <= low < high <= LARGEST else Encoding.range_over(self, first, stop)

    return ranged
