"""Up to sixteen pairs at the cursor's position as clocks, with their columns, a vector and the bits of the position."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_gui.figures import CanvasFigure
from posenc_gui.look import counted
from posenc_gui.model import has_clocks, token_words
from posenc_gui.panels.lens.clocks import draw_clocks
from posenc_gui.panels.lens.pointing import LensPointing, LensShown
from posenc_gui.panels.lens.spec import SPEC
from posenc_gui.panels.lens.strips import draw_strips, role_colour
from posenc_gui.panels.lens.view import LensView
from posenc_gui.plotting import Lettering

_LEGEND_PX = 10.0


class LensFigure(CanvasFigure):
    """Clocks above strips."""

    spec, pointing_class = SPEC, LensPointing

    @override
    def view(self, scale: float = 1.0) -> LensShown:
        document, style, *_ = shown = self.shown()
        has_lens, marked = has_clocks(document.encoding), self.cursor is not None
        lens = LensView.of(document, self.seen_from, self.axis, style, marked) if has_lens else None
        return LensShown(*shown, lens, self.room)

    @override
    def draw(self, painter: QPainter) -> None:
        shown = self.view()
        if shown.lens is not None:
            layout = shown.layout(shown.lens)
            _draw_head(painter, shown, shown.lens, layout.head)
            draw_clocks(painter, shown.lens, layout)
            draw_strips(painter, shown.lens, layout)


FIGURE = LensFigure


def _draw_head(painter: QPainter, shown: LensShown, lens: LensView, line: QRectF) -> None:
    """The token and its position on the left, the shades of the columns on the right."""
    style = shown.style
    letters = Lettering(painter, style, 12, semibold=True)
    word = token_words(shown.document, shown.axis, lens.position)
    text = f"{word} · position {counted(lens.position)}" if word else f"position {counted(lens.position)}"
    right = line.right()
    for role in reversed(list(dict.fromkeys(run.role for run in lens.runs))):
        letters.use(11)
        wide = letters.width(role)
        if right - wide - _LEGEND_PX - 6 < line.left() + line.width() / 3:
            break
        right -= wide + 2
        letters.write_in(QRectF(right, line.top(), wide + 2, line.height()), role, colour=style.muted)
        right -= _LEGEND_PX + 4
        square = QRectF(right, line.center().y() - _LEGEND_PX / 2, _LEGEND_PX, _LEGEND_PX)
        painter.fillRect(square, role_colour(style, role))
        painter.drawRect(square)
        right -= 12
    letters.use(12, semibold=True)
    colour = style.ink if lens.token is None else style.token(lens.token)
    place = QRectF(line.left(), line.top(), right - line.left(), line.height())
    letters.write_in(place, text, Qt.AlignmentFlag.AlignLeft, colour)
