"""A bar of the pairs that a scaling keeps, blends and slows, in the order of the pairs."""

import numpy as np
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from posenc_core import Encoding
from posenc_core.long_context import pair_shares, slowdowns
from posenc_gui.look import blend, plain_tip, present_style
from posenc_gui.model.card import shares_words

_HEIGHT = 10
_SAME = 1e-9


class ShareBar(QWidget):
    """Pairs from left to right, the fastest first: kept pairs in the accent colour, slowed pairs paler."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._strengths = np.zeros(0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_encoding(self, encoding: Encoding | None) -> None:
        """Show the encoding's pairs; the bar is hidden for None and for one without scaling."""
        shares = None if encoding is None else pair_shares(encoding)
        self.setVisible(shares is not None and bool(shares.blended or shares.slowed))
        if encoding is None or shares is None:
            return
        slower = np.maximum(slowdowns(encoding), 1.0)
        most = np.log(shares.factor) if np.isfinite(shares.factor) and shares.factor > 1 else 1.0
        self._strengths = 1 - np.clip(np.log(slower) / most, 0.0, 1.0)
        self.setAccessibleName(shares_words(encoding))
        self.setToolTip(plain_tip(shares_words(encoding)))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(120, _HEIGHT)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        style, pale = present_style(), 0.18
        for left, right, strength in self._parts():
            painter.fillRect(
                QRectF(left, 0.0, right - left, float(self.height())),
                blend(style.accent, style.ground, pale + (1 - pale) * strength),
            )
        painter.setPen(style.pen(style.muted))
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.end()

    def _parts(self) -> list[tuple[float, float, float]]:
        """The left and right edge of each run of pairs of one strength, at most one part per pixel."""
        n_pairs, width = len(self._strengths), self.width()
        columns = min(n_pairs, width)
        edges = np.linspace(0, n_pairs, columns + 1).astype(int)
        means = np.add.reduceat(self._strengths, edges[:-1]) / np.diff(edges) if columns else np.zeros(0)
        scale = width / max(1, n_pairs)
        starts = np.flatnonzero(np.abs(np.diff(means, prepend=-1.0)) > _SAME)
        stops = np.append(starts[1:], columns)
        return [
            (float(edges[a]) * scale, float(edges[b]) * scale, float(means[a]))
            for a, b in zip(starts, stops, strict=True)
        ]
