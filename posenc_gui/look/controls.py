"""Common parts of controls: margins, scroll areas, and explanations."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QIcon, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSizePolicy,
    QStyle,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWhatsThis,
    QWidget,
)
from typing_extensions import override

from posenc_gui.look.plain_text import Note, plain_tip
from posenc_gui.look.style import LABEL_PX
from posenc_gui.look.theme import dress, enlarged, present_style

if TYPE_CHECKING:
    WidgetMixin = QWidget
else:
    WidgetMixin = object  # two bases of Qt would make two widgets

# Lengths in logical pixels.
OUTER_MARGIN = 12
GAP = 8

HIT_PX = 24
"""The least width and height of clickable items (WCAG 2.2, 2.5.8)."""

_FRAME = QSize(8, 36)  # the usual frame of a window manager


def open_with(dialog: QWidget, width: int, height: int) -> None:
    """Give a dialog this size in pixels, a larger one with larger text, but no larger one than its screen."""
    room = dialog.screen().availableGeometry().size() - _FRAME
    dialog.resize(QSize(enlarged(width), enlarged(height)).boundedTo(room))


def remove_icons(buttons: Iterable[QAbstractButton]) -> None:
    """Show the buttons of a dialog by their words alone, without the pictures that some desktops add."""
    for button in buttons:
        button.setIcon(QIcon())


def column_of(holder: QWidget, *widgets: QWidget, margin: int = 0, spacing: int = GAP) -> QVBoxLayout:
    """The holder's new layout, a column of the widgets."""
    column = QVBoxLayout(holder)
    column.setContentsMargins(margin, GAP if margin else 0, margin, margin)
    column.setSpacing(spacing)
    for widget in widgets:
        column.addWidget(widget)
    return column


def dialog_column(dialog: QDialog, *widgets: QWidget) -> QVBoxLayout:
    """The new layout of a dialog, a column of the widgets."""
    column = column_of(dialog, *widgets)
    column.setContentsMargins(OUTER_MARGIN, OUTER_MARGIN, OUTER_MARGIN, OUTER_MARGIN)
    return column


def row_of(
    *widgets: QWidget | None,
    wide: QWidget | None = None,
    holder: QWidget | None = None,
    margins: tuple[int, int, int, int] = (0, 0, 0, 0),
    spacing: int = GAP,
) -> QHBoxLayout:
    """A row of the widgets, the new layout of the ``holder`` if there is one; None leaves room.

    The ``wide`` widget takes the width that the others leave.
    """
    row = QHBoxLayout()
    row.setContentsMargins(*margins)
    row.setSpacing(spacing)
    for widget in widgets:
        if widget is None:
            row.addStretch(1)
        else:
            row.addWidget(widget, int(widget is wide))
    if holder is not None:
        holder.setLayout(row)
    return row


def grid_of(holder: QWidget, across: int, down: int) -> QGridLayout:
    """The holder's new layout, a grid with these spacings and without margins."""
    grid = QGridLayout(holder)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(across)
    grid.setVerticalSpacing(down)
    return grid


def describe(control: QWidget, name: str, tip: str) -> None:
    """Name a control for screen readers, and explain the control to all."""
    control.setAccessibleName(name)
    control.setToolTip(plain_tip(tip))


class SlimButton(QPushButton):
    """A button that may be as narrow as its words, where Qt's styles keep every button 80 pixels wide."""

    _PADDING = 16

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    @override
    def minimumSizeHint(self) -> QSize:
        words = self.fontMetrics().horizontalAdvance(self.text()) + self._PADDING
        usual = super().minimumSizeHint()
        return QSize(min(words, usual.width()), usual.height())


def small_button(text: str = "", tip: str = "") -> QPushButton:
    """A button with small letters."""
    button = SlimButton(text)
    dress(button, LABEL_PX)
    button.setToolTip(plain_tip(tip))
    return button


def flat_button(text: str, tip: str, name: str = "") -> QToolButton:
    """A button with a word or a sign, whose frame shows under the mouse; its name is the tool tip or ``name``."""
    button = QToolButton(autoRaise=True)
    button.setText(text)
    button.setMinimumSize(HIT_PX, HIT_PX)
    describe(button, name or tip, tip)
    return button


def title_button(sign: QStyle.StandardPixmap, tip: str) -> QToolButton:
    """A button with a sign from the titles of windows."""
    button = flat_button("", tip)
    button.setIcon(button.style().standardIcon(sign))
    button.setIconSize(QSize(10, 10))
    button.setFixedSize(HIT_PX, HIT_PX)
    return button


class FitsText(WidgetMixin):
    """Mixin of a widget that calls ``fit_text`` whenever its letters change."""

    def fit_text(self) -> None:
        """Make room for the letters."""
        raise NotImplementedError

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.fit_text()


class FitsRoom(FitsText):
    """Mixin of a widget that calls ``fit_text`` also whenever its size changes."""

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_text()


def paint_card(widget: QWidget, edge: str, ground: str, corner: float) -> None:
    """Paint a widget as a card with round corners."""
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(present_style().pen(edge))
    painter.setBrush(QColor(ground))
    painter.drawRoundedRect(widget.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), corner, corner)
    painter.end()


class WhatsThis(QObject):
    """Shows the tool tip or the description of the clicked control, or of a parent."""

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not (isinstance(event, QHelpEvent) and event.type() == QEvent.Type.WhatsThis):
            return False
        window = cast(QWidget, watched)
        control = window.childAt(event.pos())
        while control is not None and not explained(control, control.mapFrom(window, event.pos())):
            control = control.parentWidget()
        if control is not None:
            text = explained(control, control.mapFrom(window, event.pos()))
            QWhatsThis.showText(event.globalPos(), text, window)
        return control is not None


def explained(control: QWidget, place: QPoint) -> str:
    """The text of *What's this?* for a control clicked at the place; empty if only a parent has one."""
    part = ""
    if isinstance(control, QTabBar):
        part = control.tabToolTip(control.tabAt(place))
    elif isinstance(header := control.parentWidget(), QHeaderView):
        section = header.logicalIndexAt(place)
        part = str(header.model().headerData(section, header.orientation(), Qt.ItemDataRole.ToolTipRole) or "")
    return part or control.toolTip() or plain_tip(control.accessibleDescription())


def explain_controls(dialog: QWidget) -> None:
    """Let *What's this?* explain the controls of a dialog too."""
    dialog.installEventFilter(WhatsThis(dialog))
    dialog.addAction(QWhatsThis.createAction(dialog))  # with its shortcut


class Invitation(QWidget):
    """A sentence on a missing need; ``button`` offers a remedy."""

    def __init__(self, sentence: str, words: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.note = Note("muted", self)  # with a parent, as a note is shown at once
        self.note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = small_button()
        self.show_words(sentence, words, tip)
        self._box = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._box.setSpacing(2 * GAP)
        self._box.addStretch(1)
        self._box.addWidget(self.note)
        self._box.addWidget(self.button, 0, Qt.AlignmentFlag.AlignCenter)
        self._box.addStretch(1)

    def lie_down(self, lies: bool) -> None:
        """Show the sentence and the button in a line, or in the middle of the room."""
        directions, align = QBoxLayout.Direction, Qt.AlignmentFlag
        self._box.setDirection(directions.LeftToRight if lies else directions.TopToBottom)
        self._box.setContentsMargins(*((0, 2, 0, 2) if lies else (GAP, GAP, GAP, GAP)))
        self.note.setAlignment(align.AlignLeft | align.AlignVCenter if lies else align.AlignCenter)
        for index, stretch in enumerate((0, 1, 0, 0) if lies else (1, 0, 0, 1)):
            self._box.setStretch(index, stretch)

    def show_words(self, sentence: str, words: str, tip: str) -> None:
        """Say this, on the button ``words`` with the tool tip."""
        self.note.show_sentence(sentence)
        self.button.setText(words)
        self.button.setToolTip(plain_tip(tip))


def lay_out_now(widget: QWidget) -> None:
    """Lay out everything around a widget whose size changed, before the next painting.

    Qt passes a change of size on by one event for each layout, up to a tool bar's only after the next painting: all
    panels would be painted in their old size first.
    """
    around = widget.parentWidget()
    while around is not None:
        QCoreApplication.sendPostedEvents(around, QEvent.Type.LayoutRequest)
        around = around.parentWidget()
