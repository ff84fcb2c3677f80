"""The tabs of the encodings that are compared, A to D, and the name of the chosen one."""

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QTabBar, QToolButton, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_core.fields import one_line
from posenc_core.session import LETTERS, LONGEST_NAME, with_copy
from posenc_gui.look import GAP, column_of, plain_tip, present_style

_SWATCH = QSize(18, 12)
_TARGET = QSize(24, 24)

_TAB_TIP = "Encodings A to D are compared; the form below edits the chosen one, and + adds a copy of it."


class EncodingTabs(QWidget):
    """A tab for each encoding of the document, a button for one more, and the name and the line of the chosen one.

    ``encodingsEdited`` carries the encodings as they should be, the index of the chosen one, and what was done.
    """

    encodingsEdited = Signal(object, int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = Document()
        self._tabs = QTabBar()
        self._tabs.setObjectName("encodingTabs")
        self._tabs.setAccessibleName("encodings to compare")
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._tabs.setUsesScrollButtons(False)
        self._tabs.currentChanged.connect(self._choose)
        tip = "Compare with another encoding: a copy of this one, to be changed (at most four)"
        self._add = _button("+", "compare with another encoding", tip)
        self._add.clicked.connect(self._copy)
        self._close = _button("\N{MULTIPLICATION SIGN}", "close this encoding", "Close this encoding")
        self._close.clicked.connect(self._close_chosen)
        self._name = QLineEdit()
        self._name.setMaxLength(LONGEST_NAME)
        self._name.setAccessibleName("name of this encoding")
        self._name.setToolTip(plain_tip("The name of this encoding in legends and captions; empty for its own"))
        self._name.editingFinished.connect(self._rename)
        self._line = self._name.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        column = column_of(self)
        column.addLayout(_row(self._tabs, self._add, None))
        column.addLayout(_row(self._name, self._close))

    def show_document(self, document: Document) -> None:
        """Show the document's encodings, the chosen one raised."""
        listed, before = document.encodings, self._document
        self._document = document
        if self._tabs.count() and (listed, document.current) == (before.encodings, before.current):
            return
        with QSignalBlocker(self._tabs):
            while self._tabs.count() > len(listed):
                self._tabs.removeTab(self._tabs.count() - 1)
            while self._tabs.count() < len(listed):
                self._tabs.addTab(LETTERS[self._tabs.count()])
            self._tabs.setCurrentIndex(document.current)
        for index, each in enumerate(listed):
            self._tabs.setTabToolTip(index, plain_tip(f"{LETTERS[index]}: {each.title}\n{_TAB_TIP}"))
            self._tabs.setAccessibleTabName(index, f"{LETTERS[index]}: {each.title}")
        self._add.setEnabled(len(listed) < len(LETTERS))
        chosen = listed[document.current]
        self._close.setVisible(len(listed) > 1)
        self._name.setVisible(len(listed) > 1 or bool(chosen.name))  # a name that is left can be taken away
        self._name.setPlaceholderText(replace(chosen, name="").title)
        if self._name.text() != chosen.name:
            self._name.setText(chosen.name)
        self._show_line()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show_line()

    def _show_line(self) -> None:
        """Draw the line of the chosen encoding beside its name."""
        ratio = self.devicePixelRatioF()
        picture = QPixmap(_SWATCH * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(present_style().encoding_pen(self._document.current, 2.0))
        middle = _SWATCH.height() / 2
        painter.drawLine(0, round(middle), _SWATCH.width(), round(middle))
        painter.end()
        self._line.setIcon(QIcon(picture))

    def _choose(self, index: int) -> None:
        if 0 <= index < len(self._document.encodings):
            self.encodingsEdited.emit(self._document.encodings, index, f"choose encoding {LETTERS[index]}")

    def _copy(self) -> None:
        listed = self._document.encodings
        copied = with_copy(listed, self._document.current)
        self.encodingsEdited.emit(copied, len(listed), f"add encoding {LETTERS[len(listed)]}")

    def _close_chosen(self) -> None:
        listed, current = self._document.encodings, self._document.current
        left = (*listed[:current], *listed[current + 1 :])
        self.encodingsEdited.emit(left, min(current, len(left) - 1), f"close encoding {LETTERS[current]}")

    def _rename(self) -> None:
        listed, current = self._document.encodings, self._document.current
        name = one_line(self._name.text())[:LONGEST_NAME].strip()
        if name == listed[current].name or not self._name.isVisible():  # a line that goes with its window finishes too
            return
        renamed = replace(listed[current], name=name)
        changed = (*listed[:current], renamed, *listed[current + 1 :])
        self.encodingsEdited.emit(changed, current, f"rename encoding {LETTERS[current]}")


def _button(text: str, name: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setAutoRaise(True)
    button.setMinimumSize(_TARGET)
    button.setAccessibleName(name)
    button.setToolTip(plain_tip(tip))
    return button


def _row(*widgets: QWidget | None) -> QHBoxLayout:
    """The widgets in a row, with room for None."""
    row = QHBoxLayout()
    row.setSpacing(GAP)
    for widget in widgets:
        if widget is None:
            row.addStretch(1)
        else:
            row.addWidget(widget)
    return row
