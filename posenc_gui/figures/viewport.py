"""Viewport of a figure: the part of the table in view, choices in the header, and the size in a file."""

from collections.abc import Collection
from typing import Any, ClassVar, Generic, Protocol

from msgspec import Struct
from PySide6.QtCore import SignalInstance

from posenc_gui.figures.pointing import View
from posenc_gui.figures.shown import Shown
from posenc_gui.model import Cursor, PanelSpec, PositionAxis
from posenc_gui.plotting import ALL, SENTENCE, PlotArea, PositionFit, Range, Window

_LEAST_EXPORT_HEIGHT = 260


class Choice(Struct, frozen=True):
    """A value of a switch, its word, and its tool tip."""

    value: str
    text: str
    tip: str


class Switch(Struct, frozen=True):
    """A choice that a figure offers. ``chosen`` is the value of the checked one, empty for none.

    ``number``, from 0 to ``largest``, belongs to the last choice; None for no number. ``followed``
    is the value that the figure adopts from one document to the next; it may be none of the choices.
    """

    name: str
    choices: tuple[Choice, ...]
    chosen: str
    number: int | None = None
    largest: int = 0
    followed: str = ""


_POSITIONS = (
    Choice(SENTENCE, "Sentence", "Fit the positions to the sentence, also while it is typed"),
    Choice(ALL, "All", "Show all positions (Ctrl+0)"),
)


def position_switch(fit: PositionFit, axis: PositionAxis, window: Range) -> Switch:
    """The switch of a figure that shows this window of positions, and follows the fit."""
    return Switch("positions", _POSITIONS, fit.chosen(axis, window), followed=fit.wanted)


class Host(Protocol):
    """The parts of a figure that its viewport reads; subclasses of Viewport need further ones."""

    spec: ClassVar[PanelSpec]

    @property
    def fieldEdited(self) -> SignalInstance:
        """Carries a field's name, a value and a gesture."""

    def view(self, scale: float = 1.0) -> Shown:
        """Present content of the figure."""


class AreaHost(Host, Protocol):
    """A figure with a plot area."""

    @property
    def area(self) -> PlotArea:
        """The plot area whose ranges are the viewport's."""


class Viewport(Generic[View]):
    """The viewport of a figure that always shows everything.

    The parts of the ``figure``, whose class has the viewport's, are read when they are needed.
    """

    def __init__(self, figure: Host) -> None:
        self._figure = figure

    @property
    def view(self) -> View:
        """The figure's view, at one device pixel per logical pixel."""
        view: Any = self._figure.view(1.0)  # of the viewport's own class
        found: View = view
        return found

    def window(self) -> Window | None:
        """The part in view; None if the figure always shows everything."""
        return None

    def positions(self) -> Range | None:
        """The ends of the positions in view; None if the figure has no axis of them."""
        return None

    def drawn(self) -> Collection[int]:
        """The indices of the document's encodings that have a part in view."""
        view = self._figure.view()
        return self._figure.spec.drawn(view.document)

    def show_window(self, window: Window | None) -> None:
        """Show that part."""

    def show_columns(self, first: int, stop: int) -> None:
        """Show the columns first..stop-1 of the table and no others."""

    def reset(self) -> None:
        """Show the part that is shown at the start."""

    def show_cell(self, cursor: Cursor) -> None:
        """Scroll until the cell is in view."""

    def switches(self) -> tuple[Switch, ...]:
        """Choices of the panel's header."""
        return ()

    def choose(self, switch: str, value: str | int) -> None:
        """Show the figure by the value of the switch with this name."""

    def export_height(self, width: float) -> int:
        """The height of the figure in a file of this width, in logical pixels."""
        across, down = self._figure.spec.export_size
        return max(round(down * width / across), min(down, _LEAST_EXPORT_HEIGHT))

    def whole_height(self, height: float) -> float:
        """The greatest height up to this one, in logical pixels, at which nothing is cut off at the bottom."""
        return height


class AreaViewport(Viewport[View]):
    """The viewport of a plot area."""

    _figure: AreaHost

    @property
    def _area(self) -> PlotArea:
        return self._figure.area

    def window(self) -> Window:
        """The ranges in view."""
        return Window(self._area.across, self._area.upright)

    def show_window(self, window: Window | None) -> None:
        """Show these ranges."""
        if window is not None:
            self._area.show_window(window.x, window.y)

    def wheeled(self, event: Any) -> None:
        """Zoom at the pointer."""
        self._area.zoom_by_wheel(event)

    def reset(self) -> None:
        """Show the whole extent."""
        self._area.show_all()
