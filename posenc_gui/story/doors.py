"""The row of first questions below the sentence, and the answer to the question that was opened."""

import logging
from collections.abc import Callable
from functools import partial

import msgspec
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QStyle, QToolButton, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_gui import look
from posenc_gui.docks.sentence import BarRow
from posenc_gui.files import Settings
from posenc_gui.look import GAP, HIT_PX, LABEL_PX, OUTER_MARGIN, FitsText, PlainLabel, dress, plain_tip, present_style

Copied = Callable[[Document], object]
"""The text to copy for a document; ValueError with one sentence if there is none."""

FILE = "questions.json"

START = "Start here: why not just number the words? 5 minutes"
"""The button of the first lesson."""

LEAST_HEIGHT = 800
"""Pixels: in a lower window the panels need the room of the row."""

_PADDING, _CORNER = 16, 6.0
_MARGINS = (OUTER_MARGIN, GAP // 2, GAP // 2, GAP // 2)
_QUESTION_SHARE, _QUESTION_PX = 0.24, 270
_CHANGED, _HOME = "(before your changes)", "Back to my sentence"
_COPY, _COPIED = "Copy keys", "Copied"
_COPY_TIP = "Copy the keys for the present lengths, to paste into a config.json"
_CLOSE = QStyle.StandardPixmap.SP_TitleBarCloseButton

_UNBROKEN_SLASH = "\u00a0/\u00a0"
"""Keeps a fraction in one line; Qt copies it with usual spaces."""

_log = logging.getLogger(__name__)


class _Question(msgspec.Struct, frozen=True):
    number: int
    question: str
    door: bool = False


class _Questions(msgspec.Struct, frozen=True):
    questions: list[_Question]


def door_texts() -> dict[int, str]:
    """The questions of the row by number; none for a damaged file."""
    try:
        listed = msgspec.json.decode(look.resource(FILE).read_bytes(), type=_Questions).questions
    except (OSError, ValueError) as error:
        _log.warning("there are no first questions: %s", error)
        return {}
    return {each.number: each.question for each in listed if each.door}


class QuestionRow(FitsText, BarRow):
    """The first questions as flat buttons, until the user closes them, and below them an open answer.

    ``questionAsked`` carries the number of a question, ``lessonAsked`` requests the first lesson, ``homeAsked`` the
    user's own document. A small window omits the buttons: the button Questions lists the questions too.
    A document that differs from the answer's is named beside the answer.
    """

    questionAsked = Signal(int)
    lessonAsked = Signal()
    homeAsked = Signal()

    def __init__(self, settings: Settings, window: QWidget) -> None:
        super().__init__()
        self._settings, self._window = settings, window
        self._window_size = window.size()  # stored, since a font may change while a window is deleted
        self._document = Document.initial()
        self._doors, self._answer = _Doors(), _Answer()
        self._doors.asked.connect(self.questionAsked)
        self._doors.start_button.clicked.connect(self.lessonAsked)
        self._doors.close_button.clicked.connect(self._close_doors)
        self._answer.close_button.clicked.connect(self.close_answer)
        self._answer.home_button.clicked.connect(self._go_home)
        self._answer.copy_button.clicked.connect(self._copy)
        self._copies: Copied | None = None
        look.column_of(self, self._doors, self._answer, spacing=GAP // 2)
        self._answer.hide()
        self._is_sized = False  # the docks are arranged before the window has its size
        window.installEventFilter(self)
        self._fit()

    def show_doors(self) -> None:
        """Show the first questions, now and at each start."""
        self._settings.change(doors=True)
        self._fit()

    def show_answer(self, question: str, answer: str, copies: Copied | None, action: QAction | None) -> None:
        """Show the answer to a question about the present document, with buttons for a text to copy and an action."""
        self._answer.show_words(question, answer, self._document)
        self._answer.offer(action)
        self._answer.copy_button.setVisible(copies is not None)
        self._copies = copies
        self._answer.show()
        self._fit()

    def close_answer(self) -> None:
        """Hide the answer, which leaves its room to the panels."""
        self._answer.hide()
        self._fit()

    def _copy(self) -> None:
        """Copy the text for the present document; the button reports success, or the reason of a failure."""
        assert self._copies is not None
        try:
            QGuiApplication.clipboard().setText(str(self._copies(self._document)))
        except ValueError as error:
            self._answer.copy_button.setToolTip(plain_tip(str(error)))
        else:
            self._answer.copy_button.setText(_COPIED)

    def _go_home(self) -> None:
        self.close_answer()
        self.homeAsked.emit()

    @override
    def show_document(self, document: Document) -> None:
        self._document = document
        if not self._answer.isHidden():
            self._answer.show_document(document)

    @override
    def fit_text(self) -> None:
        self._doors.fit()
        self._fit()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self._is_sized, self._window_size = True, self._window.size()
            self._fit()
        return super().eventFilter(watched, event)

    def _close_doors(self) -> None:
        self._settings.change(doors=False)
        self._fit()

    def _fit(self) -> None:
        """Show the parts that fit into the window, the answer as high as its lines."""
        width, height = self._window_size.width() - 2 * (OUTER_MARGIN + GAP), self._window_size.height()
        has_room = width >= self._doors.sizeHint().width() and height >= LEAST_HEIGHT * present_style().text_scale
        has_room = has_room or not self._is_sized
        self._doors.setVisible(self._settings.now.doors and has_room and bool(self._doors.buttons))
        self._answer.fit(width)
        self.setVisible(not (self._doors.isHidden() and self._answer.isHidden()))


class _Doors(QWidget):
    """A flat button for the first lesson and for each of the first questions, and one that closes them.

    ``buttons`` are those of the questions, by number.
    """

    asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.start_button = _door(START, "Open the first lesson; Help > Lessons lists all lessons", semibold=True)
        tip = "Show the view that answers this question, with the answer in words"
        self.buttons = {number: _door(text, tip) for number, text in door_texts().items()}
        for number, button in self.buttons.items():
            button.clicked.connect(partial(self.asked.emit, number))
        self.close_button = look.title_button(
            _CLOSE, "Close these questions; Help > Show first questions restores them"
        )
        look.row_of(self.start_button, *self.buttons.values(), None, self.close_button, holder=self)
        self.fit()

    def fit(self) -> None:
        """Make the buttons as wide as their words."""
        for button in (self.start_button, *self.buttons.values()):
            button.setMinimumWidth(button.fontMetrics().horizontalAdvance(button.text()) + _PADDING)


class _Answer(QWidget):
    """A question and its answer side by side, with buttons that restore the user's document and close the answer."""

    def __init__(self) -> None:
        super().__init__()
        self._about = Document.initial()
        self._text = ""
        self._question, self._words = PlainLabel(), PlainLabel()
        self._words.setAccessibleName("answer")
        dress(self._question, semibold=True)
        for label in (self._question, self._words):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.home_button, self.copy_button, self._action_button = QToolButton(), QToolButton(), QToolButton()
        self.home_button.setText(_HOME)
        self.home_button.setToolTip(plain_tip("Close the answer and restore your own document (Ctrl+Alt+Z)"))
        self.copy_button.hide()
        self._action_button.hide()
        self.close_button = look.title_button(_CLOSE, "Close the answer and keep the document that it shows")
        buttons = (self._action_button, self.copy_button, self.home_button, self.close_button)
        parts = (self._question, self._words, *buttons)
        row = look.row_of(*parts, wide=self._words, holder=self, margins=_MARGINS, spacing=OUTER_MARGIN)
        for button in buttons:
            button.setMinimumHeight(HIT_PX)
            row.setAlignment(button, Qt.AlignmentFlag.AlignTop)

    def show_words(self, question: str, answer: str, about: Document) -> None:
        """Show a question and its answer, whose numbers are computed from the document ``about``."""
        self._text, self._about = question, about
        self._question.setText(question)
        self._words.setText(answer.replace(" / ", _UNBROKEN_SLASH))
        self._offer_copy()

    def _offer_copy(self) -> None:
        """Name the button for another document: neither a success nor a refusal is about this one."""
        self.copy_button.setText(_COPY)
        self.copy_button.setToolTip(plain_tip(_COPY_TIP))

    def offer(self, action: QAction | None) -> None:
        """Show a button for an action, or none."""
        for shown in self._action_button.actions():
            self._action_button.removeAction(shown)
        self._action_button.setVisible(action is not None)
        if action is not None:
            self._action_button.setDefaultAction(action)

    def show_document(self, document: Document) -> None:
        """Mark the question if the document differs from the answer's."""
        self._offer_copy()
        self._question.setText(self._text if document == self._about else f"{self._text} {_CHANGED}")

    def fit(self, width: int) -> None:
        """Set the height that the text needs in this width, which a tool bar does not request."""
        question = round(min(_QUESTION_SHARE * width, _QUESTION_PX * present_style().text_scale))
        self._question.setFixedWidth(question)
        left, top, right, bottom = _MARGINS
        buttons = [each for each in (self.home_button, self.copy_button, self._action_button) if not each.isHidden()]
        home = sum(each.sizeHint().width() + OUTER_MARGIN for each in buttons)
        answer = width - left - question - 2 * OUTER_MARGIN - home - HIT_PX - right
        changed = self._question.fontMetrics().boundingRect(
            0, 0, question, 1 << 20, Qt.TextFlag.TextWordWrap, f"{self._text} {_CHANGED}"
        )
        self.setFixedHeight(top + max(self._words.heightForWidth(answer), changed.height(), HIT_PX) + bottom)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        look.paint_card(self, present_style().border, present_style().ground, _CORNER)


def _door(text: str, tip: str, semibold: bool = False) -> QToolButton:
    """A flat button with a question."""
    button = QToolButton(autoRaise=True)
    button.setText(text.replace("&", "&&"))
    button.setMinimumHeight(HIT_PX)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    button.setToolTip(plain_tip(tip))
    dress(button, LABEL_PX, semibold=semibold, role="accent")
    return button
