"""A strip per token with its word on the left; with an embedding three rows: W_e + PE = sum."""

from PySide6.QtCore import QPointF
from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures import UnitFigure, Viewport
from posenc_gui.look import Style, plain_tip
from posenc_gui.model import Cursor, token_details
from posenc_gui.panels.tokens.canvas import Canvas, Ruler
from posenc_gui.panels.tokens.layout import StripLayout
from posenc_gui.panels.tokens.pointing import TokensPointing
from posenc_gui.panels.tokens.spec import SPEC
from posenc_gui.panels.tokens.view import TokensView
from posenc_gui.plotting import ColorKey, Window

_TALLEST_EXPORT = 4000


class TokensViewport(Viewport[TokensView]):
    """The strips in view, and the columns that a file is limited to."""

    _figure: "TokensFigure"

    only: tuple[int, int] | None = None

    @override
    def window(self) -> Window:
        """The columns shown, and the range of the strips in pixels."""
        view = self.view
        return Window(view.columns, (view.offset, view.offset + view.room.height()))

    @override
    def show_window(self, window: Window | None) -> None:
        if window is not None:
            self._figure.canvas.scroll_to(window.y[0])

    @override
    def show_columns(self, first: int, stop: int) -> None:
        self.only = (first, stop)

    @override
    def reset(self) -> None:
        self._figure.canvas.scroll_to(0.0)

    @override
    def show_cell(self, cursor: Cursor) -> None:
        view = self.view
        token = view.axis.token_at(cursor.position)
        if token is not None:
            height, room = view.layout.line_height, view.room.height()
            top, bottom = token * height, (token + 1) * height  # with the gaps, in which the cursor's frame is
            if top < view.offset:
                self._figure.canvas.scroll_to(top)
            elif bottom > view.offset + room:
                self._figure.canvas.scroll_to(bottom - room)

    @override
    def export_height(self, width: float) -> int:
        layout = StripLayout.of(self.view.document, self.view.columns, width, 0.0)
        return int(min(layout.height + self._around, _TALLEST_EXPORT))

    @override
    def whole_height(self, height: float) -> float:
        view, room = self.view, height - self._around
        layout = StripLayout.of(view.document, view.columns, view.room.width(), room, view.unit)
        n_whole = max(1, room // layout.line_height)
        return n_whole * layout.line_height + self._around if layout.height > room else height

    @property
    def _around(self) -> float:
        """Height of the figure beside its strips."""
        return self._figure.size().height() - self.view.room.height()


class TokensFigure(UnitFigure):
    """The strips below a ruler, and the key of their colours."""

    spec, pointing_class, viewport_class = SPEC, TokensPointing, TokensViewport
    pointing: TokensPointing
    viewport: TokensViewport

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._seen: TokensView | None = None
        self.canvas = Canvas(self.view)
        self._key = ColorKey(style, across=True)
        self._ruler = Ruler(self.view)
        for row, item in enumerate((self._ruler, self.canvas, self._key)):
            self.addItem(item, row, 0)
        self.canvas.pointed.connect(self._pointed)
        self.canvas.resetAsked.connect(self.take_back)
        self.canvas.scrolled.connect(self.noteChanged)
        self.geometryChanged.connect(self._style_shown)
        self.show_style(style)

    @override
    def view(self, scale: float = 1.0) -> TokensView:
        view = TokensView(*self.shown(), self.canvas.room, self.canvas.offset, self.canvas.unit, self.viewport.only)
        if self._seen is None or view != self._seen:
            self._seen = view
        return self._seen

    @override
    def _document_shown(self, before: Document) -> None:
        self._style_shown()
        self.canvas.scroll_to(self.canvas.offset)

    @override
    def _style_shown(self) -> None:
        """Show the boxes' colours below them; lines have none."""
        self._ruler.fit()
        view = self.view()
        if view.layout.box is None or not view.document.token_list:
            self._key.hide_scale()
        else:
            self._key.show_scale(view.colors.scale, view.color_title, self.style)

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        self.canvas.update()

    def _pointed(self, place: QPointF, pinned: bool) -> None:
        found = self.pointing.found(place.x(), place.y())
        if found is not None:
            self.canvas.setToolTip(plain_tip(token_details(self.document.token_list[found[0]])))
        self.point(place.x(), place.y(), pinned)


FIGURE = TokensFigure
