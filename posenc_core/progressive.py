"""Pictures that take long, exact wherever they are there already: their parts are computed one after the other."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import starmap
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from posenc_core.numerics import Bands, Float32Array, FloatArray, IntArray, Lines, Spans, Steps, Traces, n_processors
from posenc_core.tables import ProgressCallback, UnreadableError

if TYPE_CHECKING:
    from posenc_core.encodings import Encoding

Flags = npt.NDArray[np.bool_]

_WORK_AT_A_TIME = 1 << 20
"""Work of the parts that are computed together, in entries that are read: some hundredths of a second at most."""


class PartialPicture(ABC):
    """A picture in parts along the positions: those that are ``known`` are exact, others are still to come.

    Those that are ``refused`` hold something else than numbers, and never come.

    ``places`` are the positions that each part is of, ``row_cost`` what one of them costs.
    """

    def __init__(self, encoding: "Encoding", places: Spans, row_cost: int) -> None:
        self.known: Flags = np.zeros(len(places.start), bool)
        self.refused: Flags = np.zeros(len(places.start), bool)
        self._encoding, self._places, self._row_cost = encoding, places, row_cost

    @property
    def is_whole(self) -> bool:
        """Whether all of it is there."""
        return bool(self.known.all())

    @property
    def work(self) -> int:
        """What all of it costs, in entries that are read."""
        return int(self._places.count.sum()) * self._row_cost

    @property
    def work_left(self) -> int:
        """What the parts cost that are not there yet."""
        return int(self._places.count[~(self.known | self.refused)].sum()) * self._row_cost

    def grow(self, watch: ProgressCallback) -> None:
        """Compute what is missing, from the first position on; Cancelled once it is not wanted any more.

        What is there by then stays, and the next call goes on from it. UnreadableError with the first of the sentences
        on parts that hold something else than numbers, once all others are there.
        """
        encoding = self._encoding.with_progress(watch)
        problems: list[UnreadableError] = []
        self.refused[:] = False
        for first, stop in self._missing():
            self._fill(encoding, first, stop, problems)
        if problems:
            raise problems[0]

    def adopt(self, other: "PartialPicture") -> None:
        """Take over the parts that another picture has of the same cells: it was moved, and not all of it is new."""
        if type(self) is not type(other) or self._across() != other._across():
            return
        wanted, there = self._places, other._places
        place = np.minimum(np.searchsorted(there.start, wanted.start), len(there.start) - 1)
        mine = (there.start[place] == wanted.start) & (there.count[place] == wanted.count) & other.known[place]
        mine &= ~self.known
        self._copy(mine, other, place[mine])
        self.known |= mine

    @abstractmethod
    def picture(self) -> Any:
        """The picture so far."""

    @abstractmethod
    def _across(self) -> Any:
        """What must be the same of pictures whose parts are the same, besides the positions."""

    @abstractmethod
    def _compute(self, encoding: "Encoding", first: int, stop: int) -> None:
        """Fill in the parts first..stop-1."""

    @abstractmethod
    def _copy(self, mine: Flags, other: Self, theirs: IntArray) -> None:
        """Fill in those parts with some of another picture's."""

    def _fill(self, encoding: "Encoding", first: int, stop: int, problems: list[UnreadableError]) -> None:
        """Compute some parts, or those of them that can be."""
        try:
            self._compute(encoding, first, stop)
        except UnreadableError as error:
            if stop - first == 1:
                problems.append(error)
                self.refused[first] = True
                return
            middle = (first + stop) // 2
            self._fill(encoding, first, middle, problems)
            self._fill(encoding, middle, stop, problems)
        else:
            self.known[first:stop] = True

    def _missing(self) -> Iterator[tuple[int, int]]:
        """Neighbouring parts that are not there, as many together as are some work, but one for each processor."""
        together = max(n_processors(), _WORK_AT_A_TIME * len(self.known) // max(1, self.work))
        for first, stop in runs_of(~self.known):
            yield from ((some, min(some + together, stop)) for some in range(first, stop, together))


def runs_of(flags: Flags) -> list[tuple[int, int]]:
    """Where runs of true flags begin, and where they end."""
    changes = np.flatnonzero(np.diff(flags, prepend=False, append=False)).tolist()
    return list(zip(changes[0::2], changes[1::2], strict=True))


class PartialTile(PartialPicture):
    """The exact means of a tile, row by row."""

    def __init__(
        self,
        encoding: "Encoding",
        positions: tuple[float, float],
        columns: tuple[float, float],
        shape: tuple[int, int],
    ) -> None:
        self._rows, self._columns = encoding.pixels(positions, columns, shape)
        wide = int(self._columns.start[-1] + self._columns.count[-1] - self._columns.start[0])
        super().__init__(encoding, self._rows, encoding.row_cost(wide))
        self._values = np.zeros(shape, np.float32)

    def picture(self) -> Float32Array:
        """The means so far, float32 ``(rows, columns)``: whoever asks for the rows that are known asks before."""
        return self._values

    def _across(self) -> Any:
        return self._encoding, self._columns.start.tobytes(), self._columns.count.tobytes()

    def _compute(self, encoding: "Encoding", first: int, stop: int) -> None:
        self._values[first:stop] = encoding.means(self._rows[first:stop], self._columns)

    def _copy(self, mine: Flags, other: Self, theirs: IntArray) -> None:
        self._values[mine] = other._values[theirs]


class PartialCurves(PartialPicture):
    """Waves, whose parts lie between ``_edges`` of the positions."""

    _edges: FloatArray

    def between(self, parts: Flags) -> list[tuple[float, float]]:
        """Between which positions some of the parts are."""
        return [(float(self._edges[first]), float(self._edges[stop])) for first, stop in runs_of(parts)]


class PartialBands(PartialCurves):
    """The exact bands of steps that are too narrow for the pixels, from the first position to the last."""

    def __init__(self, encoding: "Encoding", columns: IntArray, steps: Steps) -> None:
        self._columns, self._edges, self._whole = columns, steps.edges(), steps.whole_edges()
        places = Spans(self._whole[:-1], np.diff(self._whole))
        super().__init__(encoding, places, encoding.row_cost(len(columns)))
        self._low, self._high = np.zeros((2, len(columns), len(places.start)))

    def picture(self) -> Traces:
        """The bands so far, a piece for each part of the positions that is known."""
        return Traces((), tuple(starmap(self._bands, runs_of(self.known))))

    def _bands(self, first: int, stop: int) -> Bands:
        return Bands(self._columns, self._edges[first : stop + 1], self._low[:, first:stop], self._high[:, first:stop])

    def _across(self) -> Any:
        return self._encoding, self._columns.tobytes()

    def _compute(self, encoding: "Encoding", first: int, stop: int) -> None:
        piece = slice(first, stop)
        self._low[:, piece], self._high[:, piece] = encoding.ends(self._columns, self._whole[first : stop + 1])

    def _copy(self, mine: Flags, other: Self, theirs: IntArray) -> None:
        self._low[:, mine], self._high[:, mine] = other._low[:, theirs], other._high[:, theirs]


class PartialStairs(PartialCurves):
    """The exact steps of a window so narrow that each can be told apart."""

    def __init__(self, encoding: "Encoding", columns: IntArray, steps: Steps) -> None:
        self._columns = columns
        positions = np.arange(steps.start, steps.stop)
        self._edges = np.r_[steps.first, positions[1:] - 0.5, steps.last]
        super().__init__(encoding, Spans(positions, np.ones_like(positions)), encoding.row_cost(len(columns)))
        self._values = np.zeros((len(positions), len(columns)))

    def picture(self) -> Traces:
        """The stairs so far, a piece for each part of the positions that is known."""
        return Traces(tuple(starmap(self._lines, runs_of(self.known))), ())

    def _lines(self, first: int, stop: int) -> Lines:
        stairs = np.repeat(self._values[first:stop].T, 2, axis=1)
        x = np.repeat(self._edges[first : stop + 1], 2)[1:-1]
        return Lines(self._columns, np.broadcast_to(x, stairs.shape), stairs)

    def _across(self) -> Any:
        return self._encoding, self._columns.tobytes()

    def _compute(self, encoding: "Encoding", first: int, stop: int) -> None:
        self._values[first:stop] = encoding.values(self._places.start[first:stop], self._columns)

    def _copy(self, mine: Flags, other: Self, theirs: IntArray) -> None:
        self._values[mine] = other._values[theirs]
