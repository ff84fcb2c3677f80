"""The upper part of the CHECK dock: numbers to paste or open, and the reference."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QLineEdit, QMenu, QPlainTextEdit, QSizePolicy, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_core.identify import parsed_positions
from posenc_gui import files, look
from posenc_gui.check.snippets import SNIPPETS
from posenc_gui.look import (
    GAP,
    LABEL_PX,
    Note,
    SlimButton,
    SmallLabel,
    counted,
    dress,
    menu_text,
    plain_tip,
    small_button,
)

NOTHING, PRESENT, CONFIG = "", "present", "config"
"""References for the numbers besides presets: none, the encoding on the screen, a model's configuration."""

_BAR_PX = 24
"""Pixels of a list's scroll bar and margins."""

_MOST_SHOWN = 200_000
"""A longer text is stored but not laid out, which would need seconds."""

_PROMPT = "Paste numbers here, as NumPy or PyTorch print them:\ntensor([[0.0000, 1.0000, 0.0000, ..."

_ARROW_PX = 12
"""Pixels of the arrow of a button with a menu."""

_LINES = 5
"""Lines of the field; the finding needs the room."""


class _MenuButton(SlimButton):
    """A narrow button with room for the arrow of its menu."""

    @override
    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint() + QSize(_ARROW_PX, 0)


class NumbersEdit(QPlainTextEdit):
    """A field for printed numbers. ``pasted`` carries a text that was pasted or dropped; Ctrl+Enter asks to check."""

    pasted = Signal(str)
    checkAsked = Signal()

    def __init__(self) -> None:
        super().__init__(lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap, tabChangesFocus=True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setPlaceholderText(_PROMPT)
        tip = "Paste numbers as NumPy or PyTorch print them, CSV or JSON (Ctrl+Enter checks them)"
        look.describe(self, "numbers to check", tip)
        look.flatten_scroll_bars(self)
        dress(self, LABEL_PX)

    @override
    def sizeHint(self) -> QSize:
        height = round(_LINES * self.fontMetrics().lineSpacing() + 2 * self.document().documentMargin())
        return QSize(super().sizeHint().width(), height + 2 * self.frameWidth())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())

    @override
    def insertFromMimeData(self, source: QMimeData) -> None:
        self.pasted.emit(source.text())

    @override
    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText() and not source.hasUrls()  # files are left to the window

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.checkAsked.emit()
        else:
            super().keyPressEvent(event)


class GivenForm(QWidget):
    """The numbers, and the encoding to compare with.

    ``checkAsked`` follows pasted or chosen numbers, another choice, and the button. ``fileAsked`` and
    ``configAsked`` are requests to choose a file, ``copied`` carries a sentence about a copied script, ``emptied``
    follows the removal of all numbers.
    """

    checkAsked = Signal()
    fileAsked = Signal()
    configAsked = Signal()
    copied = Signal(str)
    emptied = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._held: str | Path = ""
        self._example = ""
        self._document, self._config = Document.initial(), Path()
        self._chosen = 0
        self._edit, self._source = NumbersEdit(), Note("ink")
        self._against, self._positions = self._choices(), _positions_line()
        self._open = small_button("Open…", "Check a .npy, .npz, .safetensors, CSV, JSON or text file")
        self._scripts = _MenuButton("Get script")
        dress(self._scripts, LABEL_PX)
        self._scripts.setToolTip(plain_tip("Copy a script that saves the numbers of a library or your code"))
        self.check_button = small_button("Check", "Check these numbers (Ctrl+Enter)")
        self._connect()
        against, rows = SmallLabel("against"), SmallLabel("positions")
        grid = QGridLayout()
        grid.setSpacing(GAP)
        grid.setColumnStretch(1, 1)
        for row, (label, control) in enumerate(((against, self._against), (rows, self._positions))):
            label.setBuddy(control)
            grid.addWidget(label, row, 0)
            grid.addWidget(control, row, 1)
        column = look.column_of(self, self._edit, self._source)
        column.addLayout(look.row_of(self._open, self._scripts, self.check_button))
        column.addLayout(grid)

    @property
    def given(self) -> str | Path | None:
        """The text or the file to check; None for an empty form."""
        typed = self._edit.toPlainText()
        return typed if typed.strip() else self._held or None

    @property
    def against(self) -> Any:
        """The expected numbers; None for any formula that fits."""
        name = self._against.currentData()
        return {NOTHING: None, PRESENT: self._document, CONFIG: self._config}.get(name, name)

    @property
    def positions(self) -> Sequence[int] | None:
        """The positions of the rows, None to find them; ValueError with one sentence for a text without positions."""
        typed = self._positions.text()
        return parsed_positions(typed) if typed.strip() else None

    def show_document(self, document: Document) -> None:
        """Store the document that the window shows."""
        self._document = document

    def give(self, given: str | Path) -> None:
        """Check a text or a file in place of the form's."""
        is_shown = not isinstance(given, Path) and len(given) <= _MOST_SHOWN
        with QSignalBlocker(self._edit):
            self._edit.setPlainText(str(given) if is_shown else "")
        self._held = "" if is_shown else given
        if isinstance(given, Path):
            self._source.show_sentence(f"From {given.name}")
        else:
            self._source.show_sentence("" if is_shown else f"Text of {counted(len(given))} characters")
        self.checkAsked.emit()

    def give_example(self, text: str) -> None:
        """Check numbers that the next paste replaces."""
        self.give(text)
        self._example = self._edit.toPlainText()

    def clear(self) -> None:
        """Remove the numbers, their positions and their reference."""
        self._held = self._example = ""
        self._source.show_sentence("")
        self._positions.clear()
        self._edit.clear()
        self._choose(0)

    def ask_for(self, config: Path) -> None:
        """Compare with this configuration from now on."""
        self._config = config
        place = self._against.findData(CONFIG)
        self._against.setItemText(place, config.name if config.name != "config.json" else f"{config.parent.name}/…")
        self._against.setItemData(place, plain_tip(str(config)), Qt.ItemDataRole.ToolTipRole)
        self._choose(place)

    def focus(self) -> None:
        """Give the field the keyboard."""
        self._edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _connect(self) -> None:
        self._edit.pasted.connect(self._paste)
        self._edit.textChanged.connect(self._forget_held)
        for asked in (self._edit.checkAsked, self.check_button.clicked, self._positions.returnPressed):
            asked.connect(self.checkAsked)
        self._open.clicked.connect(self.fileAsked)
        self._against.activated.connect(self._choose)
        menu = QMenu(self._scripts)
        for title, script in SNIPPETS.items():
            menu.addAction(menu_text(title)).triggered.connect(partial(self._copy, title, script))
        self._scripts.setMenu(menu)

    def _choices(self) -> QComboBox:
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        box = QComboBox(sizeAdjustPolicy=policy, minimumContentsLength=8)
        tip = "Reference for the numbers: a configuration, a preset or the present encoding"
        look.describe(box, "against", tip)
        for name, text in ((NOTHING, "any formula"), (PRESENT, "the present encoding")):
            box.addItem(text, name)
        box.addItem("a config.json or model…", CONFIG)
        for names in files.preset_groups().values():
            box.insertSeparator(box.count())
            for name in names:
                title = files.preset_title(name)
                box.addItem(title.partition(":")[0], name)
                box.setItemData(box.count() - 1, plain_tip(title), Qt.ItemDataRole.ToolTipRole)
        box.view().setMinimumWidth(box.view().sizeHintForColumn(0) + _BAR_PX)
        return box

    def _choose(self, place: int) -> None:
        """Accept a choice; for a configuration, request its file, and keep the previous choice until then."""
        if self._against.itemData(place) == CONFIG and (self._config == Path() or place == self._chosen):
            self._against.setCurrentIndex(self._chosen)
            self.configAsked.emit()
            return
        self._chosen = place
        self._against.setCurrentIndex(place)
        if self.given is not None:
            self.checkAsked.emit()

    def _paste(self, text: str) -> None:
        """Insert a text, or keep a very long one; numbers that replace all others are checked at once."""
        if self._edit.toPlainText() == self._example:
            self._edit.clear()
        is_all = not self._edit.toPlainText() or self._edit.textCursor().hasSelection()
        if len(text) > _MOST_SHOWN:
            self.give(text)
            return
        self._edit.insertPlainText(text)
        if is_all:
            self.checkAsked.emit()

    def _forget_held(self) -> None:
        """Typed numbers replace a file's."""
        if self._edit.toPlainText():
            self._held = ""
            self._source.show_sentence("")
        if self.given is None:
            self.emptied.emit()

    def _copy(self, title: str, script: str) -> None:
        QGuiApplication.clipboard().setText(script)
        self.copied.emit(f"Copied the script for {title}, {counted(len(script.splitlines()))} lines")


def _positions_line() -> QLineEdit:
    line = QLineEdit(placeholderText="detected, else 0, 1, 2, …")
    look.describe(line, "positions", "Positions of the rows: 0:48, 0:192:4 or 0,1,5 (Enter checks)")
    dress(line, LABEL_PX)
    return line
