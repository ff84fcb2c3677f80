"""DIFFERENCE: any panel of vectors for A, for another encoding, and for A minus the other."""

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import Qt
from typing_extensions import override

from posenc_core import Document
from posenc_core.numerics import FloatArray
from posenc_core.session import COMPARED_PANEL
from posenc_gui.figures import Choice, Figure, Need, Switch, Window
from posenc_gui.layers import Compared
from posenc_gui.look import Style
from posenc_gui.model import Cursor, position_noun
from posenc_gui.panels import comparing_class, panel_title
from posenc_gui.panels.difference.needs import ALONE, missing_to_compare

_PANEL = COMPARED_PANEL.name


class DifferenceFigure(Figure):
    """Holds a figure that compares for each panel of vectors, and shows the one that the document's view names."""

    name = "difference"
    title = "Difference"
    hint = "A, another encoding, and A minus it"
    explanation = (
        "The table of A, that of the chosen encoding (of B where A is chosen), and A minus the other: as waves, as a "
        "heatmap, or as the tokens’ vectors. All have one scale, one window and one cursor. Columns are compared by "
        "their place in the table, over those that both have, biases by their heads."
    )
    more = (
        "Where a pixel of the heatmap covers many cells, its colour is their exact mean; where one of the waves does, "
        "a band holds all differences and may be wider than they are. With angles of pairs, the difference of two "
        "angles in the heatmap is at most half a turn either way, in cyclic colours; there a pixel of many cells has "
        "the difference of the mean directions. Waves and tokens show sines and cosines."
    )
    handling = "The wheel, dragging and a double click do what they do in Waves, Heatmap and Tokens."
    least_size = (360, 180)
    export_size = (960, 420)
    has_numbers = True
    needs = ALONE

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._made: dict[str, Figure] = {}
        self.shown = self._figure_for(self.document.view.compared_panel)

    @classmethod
    @override
    def missing(cls, document: Document) -> Need | None:
        return missing_to_compare(document)

    @classmethod
    @override
    def numbers(cls, document: Document) -> Mapping[str, FloatArray]:
        compared, count = Compared.of(document), len(document.token_list)
        places = np.arange(min(compared.widths))
        positions = np.arange(1 - count, 1) if compared.one.relative else np.arange(count)
        held = [each.has_value(int(position)) for position in positions for each in (compared.one, compared.other)]
        positions = positions[np.array(held, bool).reshape(-1, 2).all(axis=1)]
        noun = compared.noun
        columns = {position_noun(compared.one): positions.astype(np.float64)}
        for name, table in zip(compared.names, compared.numbers(positions, places), strict=True):
            columns |= {f"{name}: {noun} {place}": table[:, place] for place in places.tolist()}
        return columns

    @property
    def _is_drawn(self) -> bool:
        """Whether there is something to compare."""
        return self.missing(self.document) is None

    def _figure_for(self, panel: str) -> Figure:
        """The figure that compares as this panel does, made when it is first needed, in the place of the others."""
        figure = self._made.get(panel)
        if figure is None:
            figure = self._made[panel] = comparing_class(panel)(self.style)
            figure.setParentItem(self)
            figure.setEnabled(False)  # until it has a document; a disabled figure takes no clicks
            figure.cursorMoved.connect(self.cursorMoved)
            figure.noteChanged.connect(self.noteChanged)
        for other in self._made.values():
            other.setVisible(other is figure)
        while self.layout.count():
            self.layout.removeAt(0)
        self.layout.addItem(figure, 0, 0)
        background = None if self.pictures is None else self.pictures.background
        if self.pictures is not None:
            self.pictures.clear()
        self.pictures = figure.pictures
        if self.pictures is not None:
            self.pictures.background = background
        return figure

    @override
    def show_document(self, document: Document) -> None:
        panel = document.view.compared_panel
        if self._made.get(panel) is not self.shown:
            self.shown = self._figure_for(panel)
            self.shown.show_style(self.style)
        super().show_document(document)

    @override
    def _document_shown(self, before: Document) -> None:
        self.shown.setEnabled(self._is_drawn)
        if self._is_drawn:
            self.shown.show_document(self.document)
            self.shown.show_cursor(self.seen_from, marked=self.cursor is not None)

    @override
    def show_cursor(self, cursor: Cursor | None, marked: bool = True) -> None:
        super().show_cursor(cursor, marked)
        if self._is_drawn:
            self.shown.show_cursor(cursor, marked)

    @override
    def _style_shown(self) -> None:
        self.shown.show_style(self.style)

    @override
    def update_all(self) -> None:
        self.shown.update_all()

    @override
    def switches(self) -> tuple[Switch, ...]:
        choices = tuple(
            Choice(panel, panel_title(panel), f"Compare {words}") for panel, words in COMPARED_PANEL.choices
        )
        own = Switch(_PANEL, choices, self.document.view.compared_panel)
        return (own, *self.shown.switches()) if self._is_drawn else ()

    @override
    def choose(self, switch: str, value: str | int) -> None:
        if switch == _PANEL:
            self.fieldEdited.emit(_PANEL, value, None)
        else:
            self.shown.choose(switch, value)

    @override
    def note(self, scale: float = 1.0) -> str:
        return self.shown.note(scale) if self._is_drawn else ""

    @override
    def spoken(self) -> str:
        return self.shown.spoken() if self._is_drawn else ""

    @override
    def number(self) -> float | None:
        return self.shown.number() if self._is_drawn else None

    @override
    def window(self) -> Window | None:
        return self.shown.window()

    @override
    def show_window(self, window: Window | None) -> None:
        self.shown.show_window(window)

    @override
    def reset_window(self) -> None:
        self.shown.reset_window()

    @override
    def show_columns(self, first: int, stop: int) -> None:
        self.shown.show_columns(first, stop)

    @override
    def show_cell(self, cursor: Cursor) -> None:
        if self._is_drawn:
            self.shown.show_cell(cursor)

    @override
    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        return self.shown.moved(key, times) if self._is_drawn else None

    @override
    def export_height(self, width: float) -> int:
        return max(super().export_height(width), self.shown.export_height(width))

    @override
    def whole_height(self, height: float) -> float:
        return self.shown.whole_height(height)

    @override
    def script(self) -> str:
        return self.shown.script()
