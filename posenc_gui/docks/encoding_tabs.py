"""The tabs of the compared encodings A to D, and the name of the chosen encoding."""

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QLineEdit, QTabBar, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_core.fields import one_line
from posenc_core.session import LETTERS, LONGEST_NAME, with_copy
from posenc_gui.look import column_of, describe, flat_button, plain_tip, present_style, row_of

_SWATCH = QSize(18, 12)

_TAB_TIP = "The form below edits the chosen encoding; + adds a copy of it to compare (A to D)."


class EncodingTabs(QWidget):
    """A tab per encoding of the document, a button that adds one, and name, line style and exchange of the chosen one.

    ``encodingsEdited`` carries the new encodings, the index of the chosen one, and the text of the undo step.
    """

    encodingsEdited = Signal(object, int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = Document.initial()
        self._shown_tabs: tuple[tuple[tuple[str, str], ...], int] = (), 0
        self._tabs = QTabBar(drawBase=False, expanding=False, usesScrollButtons=False)
        self._tabs.setObjectName("encodingTabs")
        describe(self._tabs, "encodings to compare", _TAB_TIP)
        self._tabs.currentChanged.connect(self._choose)
        tip = "Add a copy of this encoding, to edit and compare (at most four encodings)"
        self._add = flat_button("+", tip, "compare with another encoding")
        self._add.clicked.connect(self._copy)
        self._close = flat_button("\N{MULTIPLICATION SIGN}", "Close this encoding", "close this encoding")
        self._close.clicked.connect(self._close_chosen)
        tip = "Exchange A with this encoding, or with B if this is A: Difference and Drift compare with A"
        self._exchange = flat_button("\N{LEFT RIGHT ARROW}", tip, "exchange with A")
        self._exchange.clicked.connect(self._exchange_chosen)
        self._name = QLineEdit(maxLength=LONGEST_NAME)
        about = "Name of this encoding in legends and captions; its default name if empty"
        describe(self._name, "name of this encoding", about)
        self._name.editingFinished.connect(self._rename)
        self._line = self._name.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        column = column_of(self)
        column.addLayout(row_of(self._tabs, self._add, None))
        column.addLayout(row_of(self._name, self._exchange, self._close))

    def show_document(self, document: Document) -> None:
        """Show the document's encodings, and select the tab of the chosen one."""
        self._document, listed, before = document, document.encodings, self._shown_tabs
        self._shown_tabs = tuple((each.name, replace(each, name="").title) for each in listed), document.current
        chosen = listed[document.current]
        if self._name.text() != chosen.name:  # or an unfinished one, which may be of another session
            self._name.setText(chosen.name)
        if self._shown_tabs == before:
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
        self._close.setVisible(len(listed) > 1)
        self._exchange.setVisible(len(listed) > 1)
        self._name.setVisible(len(listed) > 1 or bool(chosen.name))  # the last encoding's name can still be removed
        self._name.setPlaceholderText(replace(chosen, name="").title)
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

    def _exchange_chosen(self) -> None:
        listed, other = list(self._document.encodings), self._document.current or 1
        listed[0], listed[other] = listed[other], listed[0]
        chosen = 0 if self._document.current else other
        self.encodingsEdited.emit(tuple(listed), chosen, f"exchange encodings A and {LETTERS[other]}")

    def _rename(self) -> None:
        listed, current = self._document.encodings, self._document.current
        name = one_line(self._name.text())[:LONGEST_NAME].strip()
        if name == listed[current].name or not self._name.isVisible():  # a line of a closing window emits this too
            return
        renamed = replace(listed[current], name=name)
        changed = (*listed[:current], renamed, *listed[current + 1 :])
        self.encodingsEdited.emit(changed, current, f"rename encoding {LETTERS[current]}")
