"""The words above the waves, which can be dragged to each other's places."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_core.text import MODEL_TOKENS, exchanged
from posenc_gui.model import has_patches
from posenc_gui.plotting import PlotArea, TokenWords, WordsView, spread

_MARK_PX = 5.0


class DraggedWords(TokenWords):
    """Words whose tokens change places when one is dragged to another.

    ``exchangeAsked`` carries the sentence with the two words exchanged, after the drop.
    """

    exchangeAsked = Signal(str)

    def __init__(self, area: PlotArea, view: Callable[[], WordsView], is_alone: Callable[[], bool]) -> None:
        super().__init__(area, view, upright=False, turn=True, degrees=60.0)
        self._shown, self._is_alone = view, is_alone
        self._held: int | None = None
        self._target: int | None = None

    def may_move(self) -> bool:
        """Whether tokens can change places: words and characters can, bytes, parts of words and patches cannot."""
        document = self._shown().document
        are_words = document.tokens not in ("bytes", MODEL_TOKENS) and not has_patches(document)
        return self._is_alone() and are_words and len(document.token_list) > 1

    @override
    def draw(self, painter: QPainter) -> None:
        super().draw(painter)
        if self._held is None or self._target is None:
            return
        view, edge = self._shown(), self.rect().height()
        x, size = self.area.to_x(view.axis.tokens[self._target]), _MARK_PX
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(view.style.token(self._held))
        painter.drawPolygon([QPointF(x - size, edge - 2 * size), QPointF(x + size, edge - 2 * size), QPointF(x, edge)])

    @override
    def mouseDragEvent(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton or not self.may_move():
            event.ignore()
            return
        event.accept()
        if event.isStart():
            self._held = self._token_at(event.buttonDownPos())
        self._target = self._token_at(event.pos())
        if event.isFinish():
            held, target, document = self._held, self._target, self._shown().document
            self._held = self._target = None
            if held is not None and target is not None and held != target:
                self.exchangeAsked.emit(exchanged(document.sentence, document.token_list, held, target))
        self.update()

    def _token_at(self, place: QPointF) -> int | None:
        """The index of the token whose word is nearest to a place; None without a word there."""
        self._view = self._shown()
        words, n_others = self._chosen()
        wanted, sizes, room = self._layout(words, n_others)
        across = place.x()
        if self._turned:  # words rise to the right
            across -= max(0.0, self.rect().height() - place.y()) * self._cosine / self._sine
        centres = spread(wanted, sizes, 0.0, room)[: len(words)]
        nearest = min(zip(words, centres, strict=True), key=lambda each: abs(each[1] - across), default=None)
        return None if nearest is None else nearest[0].index
