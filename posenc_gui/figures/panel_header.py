"""The header of a panel: its title, a hint, its note, and a button while a picture is computed."""

from collections.abc import Hashable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPalette, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout
from typing_extensions import override

from posenc_gui.figures.progressive import BackgroundRenderer
from posenc_gui.look.plain_text import PlainLabel, plain_tip
from posenc_gui.look.style import Style

_GAP = 8
_GAPS = 48
_MARGINS = 16
_LEAST_HINT = 72  # in less room the hint is left out
_BUTTON_PADDING = 16


class PanelHeader(QVBoxLayout):
    """The words above a figure, and the button that stops its background renderer."""

    def __init__(self, title: str, hint: str, renderer: BackgroundRenderer) -> None:
        super().__init__()
        self._renderer = renderer
        self._shown: Hashable = None
        self._lines_px = 0
        self._title = PlainLabel(title)
        self._hint = _ShrinkingLabel(hint)
        self._note, self._note_below = PlainLabel(), PlainLabel()
        self._note_below.setWordWrap(True)
        self._note_below.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._button = QPushButton()
        self._button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._button.clicked.connect(self._press)
        row = QHBoxLayout()
        row.setSpacing(_GAP)
        row.addWidget(self._title)
        row.addWidget(self._hint, 1)
        row.addWidget(self._note)
        row.addWidget(self._button)
        self.setSpacing(6)
        self.addLayout(row)
        self.addWidget(self._note_below)
        self._show_button()

    def show_style(self, style: Style) -> None:
        """Take the style's fonts and colours."""
        self._title.setFont(style.font(13, semibold=True))
        palette = style.palette()
        palette.setColor(palette.ColorRole.WindowText, QColor(style.muted))
        for label in (self._hint, self._note, self._note_below):
            label.setPalette(palette)
        self._button.setFont(style.font(11))
        self._button.setPalette(_button_palette(style))
        self._button.setFixedHeight(self._title.sizeHint().height())

    def show_words(self, hint: str, note: str, widest: str, shown: Hashable, width: int) -> None:
        """Show the note beside the title if it fits in a panel of this width, else below it.

        ``widest`` is the longest note while the picture is computed; empty if no picture is. A note below the title
        stays there while ``shown`` is the same: moving it would resize the figure, and another size is another
        picture with another note.
        """
        self._hint.show_text(hint)
        self._show_button()
        if shown != self._shown:
            self._shown, self._lines_px = shown, 0
        metrics, room = self._note.fontMetrics(), width - self._title.sizeHint().width() - _GAPS
        room -= self._button.width() + _GAP if widest else 0
        beside = metrics.horizontalAdvance(widest or note) <= room and not self._lines_px
        for label, is_shown in ((self._note, beside), (self._note_below, not beside)):
            label.setText(note if is_shown else "")
            label.setVisible(bool(note) and is_shown)
        if widest and not beside:
            lines = QRect(0, 0, max(1, width - _MARGINS), 1 << 16)
            wrapped = metrics.boundingRect(lines, int(Qt.TextFlag.TextWordWrap), widest)
            self._lines_px = max(self._lines_px, wrapped.height())
        self._note_below.setMinimumHeight(self._lines_px)

    def _show_button(self) -> None:
        """Offer to stop or to go on; hidden while no picture is computed."""
        stopped = self._renderer.is_stopped
        self._button.setText("Go on" if stopped else "Stop")
        self._button.setFixedWidth(self._button.fontMetrics().horizontalAdvance("Go on") + _BUTTON_PADDING)
        what = "Compute the rest of the picture" if stopped else "Stop computing the picture (Escape)"
        self._button.setToolTip(plain_tip(what))
        self._button.setAccessibleName(what.removesuffix(" (Escape)"))
        self._button.setVisible(self._renderer.is_busy or stopped)

    def _press(self) -> None:
        if self._renderer.is_stopped:
            self._renderer.go_on()
        else:
            self._renderer.stop()


def _button_palette(style: Style) -> QPalette:
    palette = style.palette()
    palette.setColor(QPalette.ColorRole.Button, QColor(style.ground))
    return palette


class _ShrinkingLabel(PlainLabel):
    """A label that is elided where it has no room."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = ""
        self.setMinimumWidth(0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.show_text(text)

    def show_text(self, text: str) -> None:
        """Show this text."""
        if text != self._text:
            self._text = text
            self.setToolTip(plain_tip(text))
            self._cut()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        shown = self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, self.width())
        self.setText(shown if shown == self._text or self.width() >= _LEAST_HINT else "")
