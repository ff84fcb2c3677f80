"""What many controls share: margins, labels that wrap, scroll areas, and explanations."""

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Generic, TypeVar, cast

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QHelpEvent, QIcon, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QFrame,
    QHeaderView,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTabBar,
    QVBoxLayout,
    QWhatsThis,
    QWidget,
)
from typing_extensions import override

from posenc_gui.look.plain_text import PlainLabel, plain_tip
from posenc_gui.look.style import LABEL_PX, Style, blend
from posenc_gui.look.theme import dress

# Lengths in logical pixels.
OUTER_MARGIN = 12
GAP = 8

HIT_PX = 24
"""The least width and height of what is clicked (WCAG 2.2, 2.5.8)."""

_BAR_PX, _LEAST_HANDLE = 12, 30

_LONGEST_WORD = 16
"""Longer words get places to break: a label does not wrap within a word, and would widen its dock."""


def scrolling(content: QWidget) -> QScrollArea:
    """A scroll area for content of its own width."""
    area = _UprightArea()
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # not a stop of the Tab key
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    flatten_scroll_bars(area)
    area.setWidget(content)
    return area


class _UprightArea(QScrollArea):
    """A scroll area that is never narrower than its content, as it does not scroll sideways."""

    @override
    def minimumSizeHint(self) -> QSize:
        content, least = self.widget(), super().minimumSizeHint()
        return least if content is None else least.expandedTo(QSize(content.minimumSizeHint().width() + _BAR_PX, 0))

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)


def remove_icons(buttons: Iterable[QAbstractButton]) -> None:
    """Show the buttons of a dialog by their words alone, without the pictures that some desktops add."""
    for button in buttons:
        button.setIcon(QIcon())


def flatten_scroll_bars(area: QAbstractScrollArea) -> None:
    """Give the scroll bars of an area a plain handle without arrows, in the style's colours."""
    for bar in (area.verticalScrollBar(), area.horizontalScrollBar()):
        dress(bar, sheet=_scroll_bar_sheet)


def _scroll_bar_sheet(style: Style) -> str:
    handle, over = blend(style.muted, style.ground, 0.45).name(), style.muted
    return (
        f"QScrollBar {{ background: transparent; border: none; margin: 0; }}"
        f"QScrollBar:vertical {{ width: {_BAR_PX}px; }} QScrollBar:horizontal {{ height: {_BAR_PX}px; }}"
        f"QScrollBar::handle {{ background: {handle}; border-radius: 3px; margin: 3px; }}"
        f"QScrollBar::handle:hover, QScrollBar::handle:pressed {{ background: {over}; }}"
        f"QScrollBar::handle:vertical {{ min-height: {_LEAST_HANDLE}px; }}"
        f"QScrollBar::handle:horizontal {{ min-width: {_LEAST_HANDLE}px; }}"
        "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; }"
        "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
    )


def column_of(dock: QWidget, *widgets: QWidget, margin: int = 0) -> QVBoxLayout:
    """The dock's new layout, a column of the widgets."""
    column = QVBoxLayout(dock)
    column.setContentsMargins(margin, GAP if margin else 0, margin, margin)
    column.setSpacing(GAP)
    for widget in widgets:
        column.addWidget(widget)
    return column


Content = TypeVar("Content", bound=QWidget)


class LateContent(QWidget, Generic[Content]):
    """The place of a widget that ``make`` imports and makes when it is first shown or asked for."""

    def __init__(self, make: Callable[[], Content]) -> None:
        super().__init__()
        self._make = make
        self._column = column_of(self)

    @cached_property
    def content(self) -> Content:
        """The widget, made now if it is not there yet."""
        content = self._make()
        self._column.addWidget(content)
        return content

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.content.show()


class WhatsThis(QObject):
    """Shows the tool tip or the description of the control that is clicked, or of what is around it."""

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
    """What *What's this?* says of a control that is clicked at the place; empty if only what is around it says it."""
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
    action = QAction("What's this?", dialog)
    action.setShortcut("Shift+F1")
    action.triggered.connect(_ask_about_control)
    dialog.addAction(action)


def _ask_about_control() -> None:
    QWhatsThis.enterWhatsThisMode()


class Note(PlainLabel):
    """A label with a sentence that wraps, in one of the style's colours; hidden if the sentence is empty."""

    def __init__(self, role: str = "muted", parent: QWidget | None = None) -> None:
        """``role`` is the name of the style's colour: ``muted``, ``ink``, ``warning`` or ``error``."""
        super().__init__(parent=parent)
        self.sentence = ""
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.hide()
        dress(self, LABEL_PX, role=role)

    def show_sentence(self, sentence: str) -> None:
        """Show the sentence, or hide the label if the sentence is empty."""
        if sentence != self.sentence:
            self.sentence = sentence
            self.setText(_breakable(sentence))
            self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))


class SmallLabel(PlainLabel):
    """The name of a control, or a word beside it, in small letters."""

    def __init__(self, text: str = "", role: str = "muted", semibold: bool = False) -> None:
        """``role`` is the name of the style's colour."""
        super().__init__(text)
        dress(self, LABEL_PX, semibold, role)


class Invitation(QWidget):
    """A sentence on what is missing; ``button`` does something about it."""

    def __init__(self, sentence: str, words: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._note = Note("muted", self)  # with a parent, as a note is shown at once
        self._note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = QPushButton()
        dress(self.button, LABEL_PX)
        self.show_words(sentence, words, tip)
        box = QVBoxLayout(self)
        box.setSpacing(2 * GAP)
        box.addStretch(1)
        box.addWidget(self._note)
        box.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        box.addStretch(1)

    def show_words(self, sentence: str, words: str, tip: str) -> None:
        """Say this, on the button ``words`` with the tool tip."""
        self._note.show_sentence(sentence)
        self.button.setText(words)
        self.button.setToolTip(plain_tip(tip))


def _breakable(sentence: str) -> str:
    """The sentence with zero-width spaces in its long words, after their signs where these are near enough."""
    long_word = re.compile(rf"\S{{{_LONGEST_WORD + 1},}}")
    part = rf"\S{{1,{_LONGEST_WORD - 1}}}[_./-]|\S{{1,8}}"
    return long_word.sub(lambda word: "\u200b".join(re.findall(part, word.group())), sentence)


def lay_out_now(widget: QWidget) -> None:
    """Give everything around a widget whose size changed its place, before the next painting.

    Qt passes a change of size on by one event for each layout, up to a tool bar's only after the next painting: all
    panels would be painted in their old size first.
    """
    around = widget.parentWidget()
    while around is not None:
        QCoreApplication.sendPostedEvents(around, QEvent.Type.LayoutRequest)
        around = around.parentWidget()
