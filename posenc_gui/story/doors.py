"""The row of first questions below the sentence, and the answer to the question that was opened."""

import logging

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QStyle, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from posenc_core import Document, story
from posenc_core.fields import decode_json
from posenc_gui.docks.sentence import BarRow
from posenc_gui.files import Settings
from posenc_gui.look import GAP, HIT_PX, LABEL_PX, OUTER_MARGIN, PlainLabel, dress, plain_tip, present_style, resource

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

_log = logging.getLogger(__name__)


def door_texts() -> dict[int, str]:
    """The questions of the row by number; what they open is read when it is asked for. A damaged file has none."""
    try:
        listed = decode_json(resource(FILE).read_bytes(), FILE)["questions"]
        return {each["number"]: each["question"] for each in listed if each.get("door") is True}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        _log.warning("there are no first questions: %s", error)
        return {}


class QuestionRow(BarRow):
    """The first questions as flat buttons, until the person closes them, and below them an answer, while it is open.

    ``questionAsked`` carries the number of a question, ``lessonAsked`` asks for the first lesson, ``homeAsked`` for the
    person's own document. In a small window the buttons are left out: the button Questions has the questions as well.
    A document that differs from the answer's is named beside the answer.
    """

    questionAsked = Signal(int)
    lessonAsked = Signal()
    homeAsked = Signal()

    def __init__(self, settings: Settings, window: QWidget) -> None:
        super().__init__()
        self._settings, self._window = settings, window
        self._window_size = window.size()  # kept, since a font may change while a window is deleted
        self._document = Document()
        self._doors, self._answer = _Doors(), _Answer()
        self._doors.asked.connect(self.questionAsked)
        self._doors.started.connect(self.lessonAsked)
        self._doors.close_button.clicked.connect(self._close_doors)
        self._answer.close_button.clicked.connect(self.close_answer)
        self._answer.home_button.clicked.connect(self._go_home)
        self._answer.copy_button.clicked.connect(self._copy)
        self._copies: story.Call | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP // 2)
        column.addWidget(self._doors)
        column.addWidget(self._answer)
        self._answer.hide()
        self._is_sized = False  # the docks are arranged before the window has its size
        window.installEventFilter(self)
        self._fit()

    def show_doors(self) -> None:
        """Show the first questions again, from now on at each start."""
        self._settings.change(doors=True)
        self._fit()

    def show_answer(self, question: str, answer: str, copies: "story.Call | None" = None) -> None:
        """Show the answer to a question about the present document, with a button for a text to copy."""
        self._answer.show_words(question, answer, self._document)
        self._answer.copy_button.setVisible(copies is not None)
        self._copies = copies
        self._answer.show()
        self._fit()

    def close_answer(self) -> None:
        """Give the answer's room back to the panels."""
        self._answer.hide()
        self._fit()

    def _copy(self) -> None:
        """Copy the text for the present document; the button says so, or why there is none."""
        assert self._copies is not None
        try:
            QGuiApplication.clipboard().setText(str(story.compute(self._copies, self._document)))
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
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
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
        """Show what there is room for in the window, the answer as high as its lines."""
        width, height = self._window_size.width() - 2 * (OUTER_MARGIN + GAP), self._window_size.height()
        has_room = width >= self._doors.sizeHint().width() and height >= LEAST_HEIGHT * present_style().text_scale
        has_room = has_room or not self._is_sized
        self._doors.setVisible(self._settings.now.doors and has_room and self._doors.has_questions)
        self._answer.fit(width)
        self.setVisible(not (self._doors.isHidden() and self._answer.isHidden()))


class _Doors(QWidget):
    """A flat button for the first lesson and for each of the first questions, and one that closes them."""

    asked = Signal(int)
    started = Signal()

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        self._start = _flat_button(START)
        self._start.setToolTip(plain_tip("Take the first lesson; Help, Lessons has all of them"))
        self._start.clicked.connect(self.started)
        dress(self._start, LABEL_PX, semibold=True, role="accent")
        row.addWidget(self._start)
        self._buttons = {number: _flat_button(text) for number, text in door_texts().items()}
        for number, button in self._buttons.items():
            button.setToolTip(plain_tip("Set up the view that answers this, and say the answer"))
            button.clicked.connect(_Asking(self, number).ask)
            dress(button, LABEL_PX, role="accent")
            row.addWidget(button)
        row.addStretch(1)
        self.close_button = _close_button("Close these questions; the Help menu shows them again")
        row.addWidget(self.close_button)
        self.fit()

    @property
    def has_questions(self) -> bool:
        """Whether there is a button."""
        return bool(self._buttons)

    def fit(self) -> None:
        """Make the buttons as wide as their words."""
        for button in (self._start, *self._buttons.values()):
            button.setMinimumWidth(button.fontMetrics().horizontalAdvance(button.text()) + _PADDING)


class _Asking(QObject):
    """Emits a button's question."""

    def __init__(self, doors: _Doors, number: int) -> None:
        super().__init__(doors)
        self._doors, self._number = doors, number

    def ask(self) -> None:
        """Emit the number."""
        self._doors.asked.emit(self._number)


class _Answer(QWidget):
    """A question and its answer side by side, with a button that leaves them and one that closes them."""

    def __init__(self) -> None:
        super().__init__()
        self._about = Document()
        self._text = ""
        self._question, self._words = PlainLabel(), PlainLabel()
        self._words.setAccessibleName("answer")
        dress(self._question, semibold=True)
        for label in (self._question, self._words):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.home_button = QToolButton()
        self.home_button.setText(_HOME)
        self.home_button.setMinimumHeight(HIT_PX)
        self.home_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.home_button.setToolTip(plain_tip("Close the answer and restore your own document (Ctrl+Alt+Z)"))
        self.copy_button = QToolButton()
        self.copy_button.setMinimumHeight(HIT_PX)
        self.copy_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.copy_button.setToolTip(plain_tip("Copy the keys for the present lengths, to paste into a config.json"))
        self.copy_button.hide()
        self.close_button = _close_button("Close the answer, and keep its document")
        row = QHBoxLayout(self)
        row.setContentsMargins(*_MARGINS)
        row.setSpacing(OUTER_MARGIN)
        row.addWidget(self._question)
        row.addWidget(self._words, 1)
        row.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.home_button, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)

    def show_words(self, question: str, answer: str, about: Document) -> None:
        """Show a question, and its answer, whose numbers are of the document ``about``."""
        self._text, self._about = question, about
        self._question.setText(question)
        self._words.setText(answer)
        self.copy_button.setText(_COPY)

    def show_document(self, document: Document) -> None:
        """Say whether the document is another than the answer's."""
        self.copy_button.setText(_COPY)
        self._question.setText(self._text if document == self._about else f"{self._text} {_CHANGED}")

    def fit(self, width: int) -> None:
        """Take the height that the words need in this width: a tool bar does not ask for it."""
        question = round(min(_QUESTION_SHARE * width, _QUESTION_PX * present_style().text_scale))
        self._question.setFixedWidth(question)
        left, top, right, bottom = _MARGINS
        buttons = [each for each in (self.home_button, self.copy_button) if not each.isHidden()]
        home = sum(each.sizeHint().width() + OUTER_MARGIN for each in buttons)
        answer = width - left - question - 2 * OUTER_MARGIN - home - HIT_PX - right
        changed = self._question.fontMetrics().boundingRect(
            0, 0, question, 1 << 20, Qt.TextFlag.TextWordWrap, f"{self._text} {_CHANGED}"
        )
        self.setFixedHeight(top + max(self._words.heightForWidth(answer), changed.height(), HIT_PX) + bottom)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        style = present_style()
        painter.setPen(style.pen(style.border))
        painter.setBrush(QColor(style.ground))
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), _CORNER, _CORNER)


def _flat_button(text: str) -> QToolButton:
    button = QToolButton()
    button.setText(text.replace("&", "&&"))
    button.setAutoRaise(True)
    button.setMinimumHeight(HIT_PX)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    return button


def _close_button(tip: str) -> QToolButton:
    button = QToolButton()
    button.setIcon(button.style().standardIcon(QStyle.StandardPixmap.SP_TitleBarCloseButton))
    button.setIconSize(QSize(10, 10))
    button.setFixedSize(HIT_PX, HIT_PX)
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setToolTip(plain_tip(tip))
    button.setAccessibleName(tip)
    return button
