"""Pointing at three tables: one cell of all three, through the figure of the chosen encoding."""

from collections.abc import Iterator

from msgspec.structs import replace
from PySide6.QtCore import Qt
from typing_extensions import override

from posenc_core import Document, Encoding
from posenc_core.encodings import n_whole_pairs
from posenc_gui.figures import Figure, Pointing, Shown
from posenc_gui.model import Cursor
from posenc_gui.panels.difference.compared import Compared
from posenc_gui.plotting import Extents


class DifferenceView(Shown, frozen=True, eq=False):
    """The comparison, None without one, and its figures: a single figure, or one for each table."""

    compared: Compared | None
    figures: tuple[Figure, ...]

    @property
    @override
    def scales(self) -> Extents:
        return {} if self.compared is None else self.figures[0].view().scales

    @property
    def chosen(self) -> Figure:
        """The figure of the chosen encoding."""
        return self.figures[min(1, self.document.current, len(self.figures) - 1)]


class DifferencePointing(Pointing[DifferenceView]):
    """The cursor as a place in all tables."""

    @override
    def note(self, scale: float = 1.0) -> str:
        view = self._view(scale)
        return "" if view.compared is None else " · ".join(filter(None, _notes(view, view.compared, scale)))

    @override
    def subtitle(self) -> str:
        compared = self.view.compared
        return super().subtitle() if compared is None else f"A, {compared.letter} and {compared.names[2]}"

    @override
    def spoken(self) -> str:
        view = self.view
        return "" if view.compared is None else _words(view, view.compared)

    @override
    def number(self) -> float | None:
        """The difference under the cursor."""
        view = self.view
        if view.compared is None or view.cursor is None:
            return None
        numbers = view.compared.numbers_at(view.at.position, view.compared.place_of(view.document, view.cursor))
        return None if numbers is None else numbers[2]

    @override
    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        view = self.view
        return None if view.compared is None else self.of_figure(view.chosen, view.chosen.pointing.moved(key, times))

    def of_figure(self, figure: Figure, cursor: Cursor | None) -> Cursor | None:
        """The cursor in the chosen encoding for one in the table of a figure; None outside the common columns."""
        found = self._moved_to(self.view.document.encoding, figure.document, cursor)
        compared = self.view.compared
        if found is None or compared is None:
            return None
        return replace(found, position=compared.position_of(found.position))

    def in_figure(self, figure: Figure, cursor: Cursor | None) -> Cursor | None:
        """The cursor in the table of a figure; None for no cursor, and for a place that not all tables have."""
        compared = self.view.compared
        row = None if cursor is None or compared is None else compared.row_of(cursor.position)
        if cursor is None or row is None:
            return None
        return self._moved_to(figure.document.encoding, self.view.document, replace(cursor, position=row))

    def _moved_to(self, encoding: Encoding, document: Document, cursor: Cursor | None) -> Cursor | None:
        """The cursor of a document in the table of an encoding; None for a place that not all tables have."""
        compared = self.view.compared
        if cursor is None or compared is None:
            return None
        place = compared.place_of(document, cursor)
        if place is None or place >= min(compared.widths):
            return None
        return replace(cursor, column=compared.column_at(encoding, place))


def _words(view: DifferenceView, compared: Compared) -> str:
    """The three numbers at the cursor."""
    if view.cursor is None:
        return ""
    return compared.words_at(view.axis, view.at.position, compared.place_of(view.document, view.cursor))


def _notes(view: DifferenceView, compared: Compared, scale: float) -> Iterator[str]:
    """The compared encodings, the note of the difference's own figure, and the numbers at the cursor."""
    drawn = view.figures[-1].pointing.note(scale)
    if len(view.figures) == 1:
        yield ", ".join(compared.names[:2])
    has_pairs = n_whole_pairs(compared.one) and n_whole_pairs(compared.other)
    if view.document.view.angles and has_pairs and not compared.angles:
        yield "sines and cosines, not angles"
    yield drawn
    yield "" if compared.rows is None else compared.rows[0].fixed_words
    if compared.angles:
        yield "angles in (−π, π]"
        yield f"{compared.names[2]}: difference of the mean directions" if "1 pixel" in drawn else ""
    yield compared.widths_words
    yield from compared.difference.warnings
    yield compared.distances_words
    yield _words(view, compared)
