"""The header of a panel: its title, a hint, its note, its switches, and a button while a picture is computed."""

from collections.abc import Hashable

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QVBoxLayout
from typing_extensions import override

from posenc_gui.figures.controls import SMALL_PX, SwitchBar
from posenc_gui.figures.rendering.progressive import BackgroundRenderer
from posenc_gui.look import (
    HIT_PX,
    FitsRoom,
    PlainLabel,
    Style,
    TiedLabel,
    dress,
    plain_tip,
    present_style,
    row_of,
    tied,
)

MAXIMISE_PX = 24
"""Width and height of the button that maximises, in logical pixels."""
_SIGN_PX = 10
_GAP = 8
_GAPS = 48 + _GAP + MAXIMISE_PX
_MARGINS = 14
_BESIDE_TITLE = MAXIMISE_PX + _MARGINS + _GAP
_BUTTON_PADDING = 16
_STOP, _GO_ON = ("Stop", "■"), ("Go on", "▶")
"""Words of the button, and signs for a header without room for words."""
_NOTE_SHARE = 9
"""Largest share of the panel's height for the lines of a note below the title, except for a single line."""
_BETWEEN = " · "
_MORE = "…"
"""Replaces omitted parts of a note; the tool tip has them."""


class PanelHeader(QVBoxLayout):
    """The words above a figure, its switches, and the button that stops its background renderer.

    ``maximise`` is a button that the panel places in its upper right corner. ``mark`` has the words of a lesson.
    """

    def __init__(self, title: str, hint: str, renderer: BackgroundRenderer) -> None:
        super().__init__()
        self._renderer = renderer
        self._shown: Hashable = None
        self._shown_words: tuple[object, ...] = ()
        self._lines_px = 0
        self._name, self._title = title, PlainLabel(title)
        dress(self._title, semibold=True)
        self._title.setMinimumHeight(HIT_PX)  # as high as the button, which is shown and hidden
        self._hint = _ShrinkingLabel(hint)
        self._note, self._note_below = PlainLabel(), TiedLabel()
        self.mark = PlainLabel()
        self.mark.hide()
        dress(self.mark, role="accent")
        for label in (self._hint, self._note, self._note_below):
            dress(label, role="muted")
        self._note_below.setWordWrap(True)
        self._note_below.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._button = QPushButton()
        dress(self._button, SMALL_PX, palette=_button_palette)
        self._button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._button.setFixedHeight(HIT_PX)
        self._button.clicked.connect(self._press)
        self.maximise = MaximiseButton()
        self.switches = SwitchBar(title)
        parts = (self._title, self._hint, self._note, self.mark, self.switches, self._button)
        row = row_of(*parts, wide=self._hint)
        row.addSpacing(MAXIMISE_PX)  # the panel puts the button there: in the row it would make that higher
        self._row, self._line = row, QHBoxLayout()
        self.setSpacing(6)
        self.addLayout(row)
        self.addLayout(self._line)
        self.addWidget(self._note_below)
        self._show_button(0)

    @property
    def least_width(self) -> int:
        """The width in pixels of a panel that shows its title whole."""
        return self._title.fontMetrics().horizontalAdvance(self._name) + _BESIDE_TITLE

    @property
    def has_its_height(self) -> bool:
        """Whether the header is as high as its present parts need."""
        room = self.geometry()
        needed = self.heightForWidth(room.width()) if self.hasHeightForWidth() else self.sizeHint().height()
        return room.height() == needed

    def explain(self, explanation: str) -> None:
        """Show the explanation of the figure as the tool tip of its title."""
        self._title.setToolTip(plain_tip(f"{explanation} (F1)"))

    def show_words(
        self, hint: str, note: str, widest: str, shown: Hashable, size: QSize, is_problem: bool = False
    ) -> None:
        """Show the note beside the title if it fits in a panel of this size, else below the title.

        ``widest`` is the longest note while the picture is computed; empty if no picture is. A note below the title
        stays there while ``shown`` is the same: moving it would resize the figure, and another size is another
        picture with another note. A low panel shows the first parts of a note, and all of them in its tool tip; a
        problem is shown whole.
        """
        around = self.mark.isHidden(), self.mark.text(), self.switches.isHidden(), self.switches.width()
        work = self._renderer.is_busy, self._renderer.is_stopped
        words = hint, note, widest, size, is_problem, *around, *work, present_style(), self._note.font()
        if words == self._shown_words and not self._lines_px:
            self._shown = shown
            return
        self._shown_words, width = words, size.width()
        self._show_title(width - _BESIDE_TITLE)
        self._place_switches(width, bool(widest))
        self._hint.show_text(hint)
        self._show_button(width)
        if shown != self._shown:
            self._shown, self._lines_px = shown, 0
        metrics, room = self._note.fontMetrics(), self._room_for_note(width, bool(widest))
        one_line = _height(_MORE, metrics, width)  # in some sizes one pixel more than the metrics' height
        most = 1 << 16 if is_problem else max(one_line, size.height() // _NOTE_SHARE)
        in_line, longest = note, widest or note
        if most < 2 * metrics.height():  # a low panel has no room for a line below the title
            in_line = next((text for text in _shorter(note) if metrics.horizontalAdvance(text) <= room), note)
            longest = in_line
        else:
            hint_px = metrics.horizontalAdvance(_first_sentence(hint)) + _GAP
            room -= hint_px if hint_px <= room else 0  # the hint stays beside the title if it fits at all
        beside = metrics.horizontalAdvance(longest) <= room and not self._lines_px
        below = "" if beside else _fitting(note, metrics, width - _MARGINS, most)
        for label, text in ((self._note, in_line if beside else ""), (self._note_below, below)):
            label.setText(text)
            label.setToolTip(plain_tip("" if text == note else note.replace(_BETWEEN, "\n")))
            label.setVisible(bool(text))
        if widest and not beside:
            widest = _fitting(widest, metrics, width - _MARGINS, most)
            self._lines_px = max(self._lines_px, _height(widest, metrics, width - _MARGINS))
        self._note_below.setMinimumHeight(self._lines_px)

    def _room_for_note(self, width: int, may_stop: bool) -> int:
        """The width in pixels that a panel of this width has for a note beside its title."""
        room = width - self._title.sizeHint().width() - _GAPS
        room -= self._button.width() + _GAP if may_stop else 0
        room -= self.switches.width() + _GAP if not self.switches.isHidden() and not self._line.count() else 0
        return room - (0 if self.mark.isHidden() else self.mark.sizeHint().width() + _GAP)

    def _show_title(self, room: int) -> None:
        metrics = self._title.fontMetrics()  # Qt shortens a text that fits exactly: it counts fractions of pixels
        fits = metrics.horizontalAdvance(self._name) <= room
        self._title.setText(self._name if fits else metrics.elidedText(self._name, Qt.TextElideMode.ElideRight, room))

    def _place_switches(self, width: int, may_stop: bool) -> None:
        """Put the switches into a separate line if they have no room beside the title, and beside the button."""
        self.switches.stack(self.switches.width_across > width - _MARGINS)
        room = self._room_beside_title(width) - self.switches.width_across - _GAP
        is_below = not self.switches.isHidden() and room < (HIT_PX if may_stop else 0)
        if is_below != bool(self._line.count()):
            if is_below:
                self._row.removeWidget(self.switches)
                self._line.addWidget(self.switches, 0, Qt.AlignmentFlag.AlignLeft)
            else:
                self._line.removeWidget(self.switches)
                self._row.insertWidget(self._row.indexOf(self._button), self.switches)

    def _room_beside_title(self, width: int) -> int:
        """The width in pixels that a panel of this width has for switches and the button beside its title."""
        return width - self._title.sizeHint().width() - MAXIMISE_PX - 3 * _GAP

    def _show_button(self, width: int) -> None:
        """Offer to stop or to go on, by a sign if a panel of this width has no room; hidden if nothing is computed."""
        stopped = self._renderer.is_stopped
        words = self._button.fontMetrics().horizontalAdvance(_GO_ON[0]) + _BUTTON_PADDING
        beside = 0 if self.switches.isHidden() or self._line.count() else self.switches.width_across + _GAP
        has_room = words <= self._room_beside_title(width) - beside
        self._button.setText((_GO_ON if stopped else _STOP)[0 if has_room else 1])
        self._button.setFixedWidth(words if has_room else HIT_PX)
        what = "Compute the rest of the picture" if stopped else "Stop computing the picture (Escape)"
        self._button.setToolTip(plain_tip(what))
        self._button.setAccessibleName(what.removesuffix(" (Escape)"))
        self._button.setVisible(self._renderer.is_busy or stopped)

    def _press(self) -> None:
        if self._renderer.is_stopped:
            self._renderer.go_on()
        else:
            self._renderer.stop()


class MaximiseButton(QToolButton):
    """Requests to show the panel alone, or to restore the others."""

    def __init__(self) -> None:
        super().__init__()
        self._is_maximised = False
        self.setFixedSize(MAXIMISE_PX, MAXIMISE_PX)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Ctrl+M does the same
        self.show_maximised(False)

    def show_maximised(self, is_maximised: bool) -> None:
        """Show the next effect of the button."""
        self._is_maximised = is_maximised
        what = "Restore the other panels" if is_maximised else "Show this panel alone"
        self.setAccessibleName(what)
        self.setToolTip(plain_tip(f"{what} (Ctrl+M)"))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, style, half = QPainter(self), present_style(), _SIGN_PX / 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(style.ground))
            painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        painter.setPen(style.pen(style.ink if self.underMouse() else style.muted, 1.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.translate(self.width() / 2, self.height() / 2)
        reach = 1.5 if self._is_maximised else half
        arm = -_SIGN_PX / 2 if self._is_maximised else _SIGN_PX / 2  # corners point outwards, or inwards to go back
        for across in (-1, 1):
            down = -across if self._is_maximised else across
            corner = QPointF(across * reach, down * reach)
            painter.drawPolyline([corner - QPointF(across * arm, 0), corner, corner - QPointF(0, down * arm)])


def _button_palette(style: Style) -> QPalette:
    palette = style.palette()
    palette.setColor(QPalette.ColorRole.Button, QColor(style.ground))
    return palette


def _fitting(note: str, metrics: QFontMetrics, width: int, most: int) -> str:
    """The beginning of a note that fits into a width and height in pixels: whole parts, or else words."""
    first = note.partition(_BETWEEN)[0]
    tried = [*_shorter(note), *_shorter(first, " ")[first != note :]]
    return next((text for text in tried if _height(text, metrics, width) <= most), _MORE)


def _shorter(note: str, between: str = _BETWEEN) -> list[str]:
    """The note, then its first parts with a sign that there is more, from many to one."""
    parts = note.split(between)
    sign = f"{between if between == _BETWEEN else ' '}{_MORE}"
    begun = (between.join(parts[:count]).rstrip(",;:(") for count in range(len(parts) - 1, 0, -1))
    return [note, *(text + sign for text in begun)]


def _height(text: str, metrics: QFontMetrics, width: int) -> int:
    """The height of a text in lines of a width, in pixels."""
    return metrics.boundingRect(QRect(0, 0, max(1, width), 1 << 16), int(Qt.TextFlag.TextWordWrap), tied(text)).height()


def _first_sentence(text: str) -> str:
    """The text up to its first full stop, without that."""
    return text.partition(". ")[0]


class _ShrinkingLabel(FitsRoom, PlainLabel):
    """A label that shows its first sentence in little room, and nothing in less: the tool tip has its text."""

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
            self.fit_text()

    @override
    def fit_text(self) -> None:
        fitting = (text for text in (self._text, _first_sentence(self._text)) if self._width_of(text) <= self.width())
        self.setText(next(fitting, ""))

    def _width_of(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text)
