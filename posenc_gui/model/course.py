"""Variables of a timeline: a number of the document or the cursor's position, and the stops on its way."""

from bisect import bisect_right
from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct

from posenc_core import Document
from posenc_core.session import TARGET_LENGTH
from posenc_gui.look import counted
from posenc_gui.model.cursor import Cursor, PositionAxis
from posenc_gui.model.wording import position_words

_MOST_STOPS = 1000
_TARGET_FACTOR, _STOPS_A_DOUBLING = 64, 12
_LONGEST = 10**9


class Course(Struct, frozen=True):
    """A value that a timeline moves: its short name, its description, and the milliseconds between two stops.

    ``stops`` are integers in ascending order, empty without a value to move; ``value`` is the present value.
    ``field`` is the document's field for the value, "" for the cursor's position.
    """

    symbol: str
    title: str
    unit: str
    milliseconds: int
    stops: Callable[[Document, Cursor], Sequence[int]]
    value: Callable[[Document, Cursor], int]
    field: str = ""

    def index(self, document: Document, cursor: Cursor) -> int:
        """The index of the last stop up to the present value, 0 for a value before all stops."""
        return max(0, bisect_right(self.stops(document, cursor), self.value(document, cursor)) - 1)

    def words(self, document: Document, cursor: Cursor, value: int) -> str:
        """A value with its name and its unit, ``k = −12 tokens``."""
        if not self.field:
            return position_words(PositionAxis.of(document, cursor), value)
        return f"{self.symbol} = {counted(value)} {self.unit}"


def even_stops(first: int, last: int, most: int = _MOST_STOPS) -> Sequence[int]:
    """All whole numbers from the first to the last, or if these are more than ``most`` > 1, as many evenly spread."""
    if last - first < most:
        return range(first, last + 1)
    stops: list[int] = np.linspace(first, last, most).round().astype(np.int64).tolist()
    return stops


def _target_stops(document: Document, cursor: Cursor) -> Sequence[int]:
    """Target lengths at equal ratios, from the trained length on."""
    trained = document.lengths.trained
    last = min(_TARGET_FACTOR * trained, max(trained, _LONGEST))
    count = round(np.log2(last / trained) * _STOPS_A_DOUBLING) + 1
    return sorted({round(each) for each in np.geomspace(trained, last, count).tolist()})


def _token_stops(document: Document, cursor: Cursor) -> Sequence[int]:
    return PositionAxis.of(document, cursor).tokens


def _position_stops(document: Document, cursor: Cursor) -> Sequence[int]:
    shown = PositionAxis.of(document, cursor).shown
    return even_stops(shown[0], shown[-1]) if shown else ()


def _position(document: Document, cursor: Cursor) -> int:
    return cursor.position


TOKENS = Course("token", "tokens of the sentence", "", 700, _token_stops, _position)
"""From token to token."""

POSITIONS = Course("position", "positions of the table", "", 250, _position_stops, _position)
"""Along the positions that are shown."""


def field_course(
    field: str,
    names: tuple[str, str, str],
    milliseconds: int,
    stops: Callable[[Document, Cursor], Sequence[int]],
    value: Callable[[Document], int],
) -> Course:
    """The course of a field of the document; ``names`` are its symbol, its title and its unit."""
    return Course(*names, milliseconds, stops, lambda document, cursor: value(document), field)


TARGET_LENGTHS = field_course(
    TARGET_LENGTH.name,
    ("L′", "target length L′", "tokens"),
    100,
    _target_stops,
    lambda document: document.lengths.target,
)
"""The target length of a longer context."""
