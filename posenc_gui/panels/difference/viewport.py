"""Viewport of linked figures: all show the range of the first."""

from typing import Any, Protocol

from PySide6.QtCore import QSizeF
from typing_extensions import override

from posenc_gui.figures import Choice, Figure, Host, Switch, Viewport
from posenc_gui.model import Cursor
from posenc_gui.panels import PANELS
from posenc_gui.panels.difference.pointing import DifferencePointing, DifferenceView
from posenc_gui.panels.difference.spec import COMPARED_PANEL, SPEC
from posenc_gui.plotting import Window

_STACKED_SHARE = 0.55
"""Height over width of each of several figures below each other in a file."""


class _Host(Host, Protocol):
    pointing: DifferencePointing


class DifferenceViewport(Viewport[DifferenceView]):
    """The viewports of all figures."""

    _figure: _Host

    @property
    def _first(self) -> Viewport[Any]:
        return self.view.figures[0].viewport

    def link(self, figure: Figure) -> None:
        """Show the window of one figure in the others."""
        window = figure.viewport.window()
        for other in self.view.figures:
            if other.viewport.window() != window:
                other.viewport.show_window(window)

    @override
    def window(self) -> Window | None:
        return self._first.window()

    @override
    def show_window(self, window: Window | None) -> None:
        self._first.show_window(window)

    @override
    def show_columns(self, first: int, stop: int) -> None:
        for figure in self.view.figures:
            figure.viewport.show_columns(first, stop)

    @override
    def reset(self) -> None:
        for figure in self.view.figures:
            figure.viewport.reset()

    @override
    def show_cell(self, cursor: Cursor) -> None:
        chosen = self.view.chosen
        shown = self._figure.pointing.in_figure(chosen, cursor)
        if shown is not None:
            chosen.viewport.show_cell(shown)

    @override
    def switches(self) -> tuple[Switch, ...]:
        view = self.view
        if view.compared is None:
            return ()
        choices = tuple(
            Choice(panel, PANELS[panel].title, f"Compare {words}") for panel, words in COMPARED_PANEL.choices
        )
        return (Switch(COMPARED_PANEL.name, choices, view.document.option(COMPARED_PANEL)), *self._first.switches())

    @override
    def choose(self, switch: str, value: str | int) -> None:
        if switch == COMPARED_PANEL.name:
            self._figure.fieldEdited.emit(switch, value, None)
        else:
            for figure in self.view.figures:
                if any(each.name == switch for each in figure.viewport.switches()):  # panels may lack the switch
                    figure.viewport.choose(switch, value)

    @override
    def export_height(self, width: float) -> int:
        own, count = super().export_height(width), len(self.view.figures)
        if count == 1:
            return max(own, self._first.export_height(width))
        stacked = round(count * _STACKED_SHARE * width)
        return stacked if self.stacks(QSizeF(width, stacked)) else own

    def stacks(self, size: QSizeF) -> bool:
        """Whether several figures in this room are below each other, since they would be slivers side by side."""
        slim = SPEC.least_size[0] * max(1.0, self.view.style.text_scale)
        return len(self.view.figures) > 1 and size.width() < slim and size.height() > size.width()

    @override
    def whole_height(self, height: float) -> float:
        return self._first.whole_height(height)
