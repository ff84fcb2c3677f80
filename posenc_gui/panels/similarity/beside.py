"""Lines of similarity by distance and of the cursor's row, computed in a thread for wide tables."""

from abc import abstractmethod
from collections.abc import Callable, Hashable

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple
from typing_extensions import override

from posenc_core import Document, Encoding, similarity
from posenc_core.analysis import MEASURES, is_toeplitz, row_cost
from posenc_core.encodings import Computed
from posenc_core.numerics import FloatArray
from posenc_core.progressive import Arrays, Flags, PartialWork
from posenc_core.tables import Cancelled, ProgressCallback, UnreadableError
from posenc_gui.panels.similarity.distances import distances_of, n_meant, row_line, step_of
from posenc_gui.panels.similarity.spec import SIMILARITY_MEASURE

_HELD = 1 << 20
"""Entries of the rows that are read at a time."""

_COMPARED = 256
"""Products of two rows' entries, by all measures, with the cost of an entry of a file."""

_AT_EVERY_MOVE = 8
"""The cursor's row counts as that many: the cursor moves often."""


class LinesRequest(Struct, frozen=True):
    """Slow lines, one per encoding; ``listed`` are the encodings."""

    listed: tuple[Encoding, ...]

    @property
    @abstractmethod
    def costs(self) -> list[int]:
        """The cost of each line, in entries of a file's table."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """The shape of each line's numbers."""

    @property
    def shared(self) -> Hashable:
        """The key of a line: requests with equal keys have the same line of an encoding."""
        return astuple(self)[1:]

    @abstractmethod
    def line(self, encoding: Encoding) -> FloatArray:
        """The numbers of an encoding's line; nan for two rows without a similarity."""

    @property
    def work(self) -> int:
        """The cost of all lines."""
        return sum(self.costs)

    def compute(self) -> FloatArray:
        """The numbers of all lines, float64 ``(n_lines, *shape)``."""
        return np.array([self.line(each) for each in self.listed])

    def begin(self) -> "PartialLines":
        """The lines, to be computed one by one."""
        return PartialLines(self)

    def assemble(self, arrays: Arrays, known: Flags) -> FloatArray:
        """The lines that are known, and nan for the others."""
        numbers: FloatArray = np.full_like(arrays[0], np.nan)
        numbers[known] = arrays[0][known]
        return numbers


class DistanceLines(LinesRequest, frozen=True):
    """The similarity at the distances 0..reach in steps, a row for each measure, of each encoding of a document."""

    reach: int
    step: int

    @classmethod
    def of(cls, document: Document) -> "DistanceLines":
        """The request for a document."""
        encodings = tuple(each.encoding for each in document.encodings)
        return cls(encodings, int(distances_of(document)[-1]), step_of(document))

    @property
    @override
    def shape(self) -> tuple[int, ...]:
        return len(MEASURES), self.reach // self.step + 1

    @property
    @override
    def costs(self) -> list[int]:
        return [self._cost(each) for each in self.listed]

    def _cost(self, encoding: Encoding) -> int:
        width = encoding.n_columns
        if is_toeplitz(encoding):
            return self.shape[1] * width * len(MEASURES) // 4
        count = n_meant(encoding)
        blocks = -(-count // max(1, min(count, _HELD // width)))
        return count * (blocks + 1) // 2 * row_cost(encoding) + count * count * width // _COMPARED

    @override
    def line(self, encoding: Encoding) -> FloatArray:
        half = np.arange(0, self.reach + 1, self.step, dtype=np.int64)
        count = None if is_toeplitz(encoding) else n_meant(encoding)
        with np.errstate(over="ignore", invalid="ignore"):
            found = np.array([similarity(encoding, half, measure, count) for measure in MEASURES])
        found[~np.isfinite(found)] = np.nan
        return found


class RowRequest(LinesRequest, frozen=True):
    """The line of a position's row: the similarity by ``measure`` at the distances -reach..reach in steps."""

    position: int
    shown: range
    reach: int
    step: int
    measure: str

    @classmethod
    def of(cls, document: Document, position: int, shown: range) -> "RowRequest":
        """The request for a position of a document."""
        reach, step = int(distances_of(document)[-1]), step_of(document)
        return cls((document.encoding,), position, shown, reach, step, document.option(SIMILARITY_MEASURE))

    @property
    @override
    def shape(self) -> tuple[int, ...]:
        return (2 * (self.reach // self.step) + 1,)

    @property
    @override
    def costs(self) -> list[int]:
        return [self.shape[0] * row_cost(each) * _AT_EVERY_MOVE for each in self.listed]

    @override
    def line(self, encoding: Encoding) -> FloatArray:
        return row_line(encoding, self.position, self.shown, self.reach, self.step, self.measure)


class PartialLines(PartialWork):
    """The lines of a request, computed one by one; each is a part."""

    def __init__(self, request: LinesRequest) -> None:
        costs = np.array(request.costs, np.int64)
        super().__init__((np.empty((len(costs), *request.shape)),), costs)
        self._request = request

    @override
    def grow(self, progress: ProgressCallback) -> None:
        self.refused[:], self.problem = False, ""
        for index in np.flatnonzero(~self.known).tolist():
            if not progress(self.percent / 100):
                raise Cancelled
            encoding = _cancellable(self._request.listed[index], lambda: progress(self.percent / 100))
            try:
                self.arrays[0][index] = self._request.line(encoding)
            except UnreadableError as error:
                self.refused[index], self.problem = True, self.problem or str(error)
            else:
                self.known[index] = True  # last: another thread reads the known parts

    @override
    def adopt(self, other: PartialWork) -> None:
        """Copy the lines of encodings that have the same distances."""
        if not isinstance(other, PartialLines) or self._request.shared != other._request.shared:
            return
        known = {other._request.listed[place]: place for place in np.flatnonzero(other.known).tolist()}
        for index, encoding in enumerate(self._request.listed):
            if encoding in known:
                self.arrays[0][index], self.known[index] = other.arrays[0][known[encoding]], True


def _cancellable(encoding: Encoding, goes_on: Callable[[], bool]) -> Encoding:
    """An equal encoding that stops reading its rows once ``goes_on`` returns False."""
    return encoding if is_toeplitz(encoding) else (encoding.reading or Computed(encoding)).cancellable(goes_on)
