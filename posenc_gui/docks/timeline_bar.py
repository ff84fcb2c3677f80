"""The bar of the timeline: a slider along the stops, the value in words, the speed, and a button that plays."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from posenc_core.fields import ChoiceField
from posenc_gui.docks.editors import ChoiceEditor, IntegerSlider
from posenc_gui.look import GAP, HIT_PX, PlainLabel, plain_tip
from posenc_gui.model import Timeline

_SPEED = ChoiceField(
    name="speed",
    label="speed",
    help="How many times as fast as usual the timeline plays.",
    default="1",
    choices=(("0.5", "half as fast"), ("1", "as usual"), ("2", "twice as fast"), ("4", ""), ("8", "")),
    titles=("½ ×", "1 ×", "2 ×", "4 ×", "8 ×"),
)
_LEAST_PX = 120
_PAGES = 10


class TimelineBar(QWidget):
    """Shows a timeline once it is asked for, and only where anything moves; for a play, until that has ended.

    ``shownChanged`` carries whether it is asked for.
    """

    shownChanged = Signal(bool)

    def __init__(self, timeline: Timeline) -> None:
        super().__init__()
        self.timeline = timeline
        self._is_asked = self._is_for_play = False
        self._button, self._slider = QToolButton(), IntegerSlider((0, 0))
        self._words, self._speed = PlainLabel(), ChoiceEditor(_SPEED)
        self._speed.message.setParent(self)  # it never has one
        self._button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._button.setMinimumHeight(HIT_PX)
        self._slider.setMinimumSize(_LEAST_PX, HIT_PX)
        self._slider.numberMoved.connect(timeline.scrub)
        self._speed.edited.connect(self._choose_speed)
        timeline.moved.connect(self._show)
        timeline.ended.connect(self._end_play)
        self._slider.sliderPressed.connect(self._keep)
        row = QHBoxLayout(self)
        row.setContentsMargins(GAP, 0, GAP, GAP)
        row.setSpacing(GAP)
        row.addWidget(self._button)
        row.addWidget(self._slider, 1)
        row.addWidget(self._words)
        row.addWidget(self._speed.label)
        row.addWidget(self._speed)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    def take_action(self, action: QAction) -> None:
        """Let the button do what this action does, which plays."""
        self._button.setDefaultAction(action)

    def play(self) -> None:
        """Show the bar, and play or stop."""
        is_for_play = self._is_for_play or not self._is_asked
        self.ask(True)
        self._is_for_play = is_for_play
        self.timeline.play()

    def ask(self, asked: bool) -> None:
        """Show the bar where anything moves, or hide it; what is hidden does not play."""
        if asked == self._is_asked:
            return
        self._is_asked, self._is_for_play = asked, False
        if not asked:
            self.timeline.stop()
        self.shownChanged.emit(asked)
        self._show()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._show()

    def _show(self) -> None:
        """Show the value, and the bar itself if it is asked for and anything moves."""
        course = self.timeline.course
        self.setVisible(self._is_asked and course is not None)
        if course is None or not self._is_asked:
            return
        index, count = self.timeline.place
        self._slider.setRange(0, count - 1)
        self._slider.setPageStep(max(1, count // _PAGES))
        self._slider.setValue(index)
        words, first, last = (self.timeline.words(each) for each in (None, 0, count - 1))
        self._words.setText(words)
        # The width of the longest: nothing beside it moves.
        self._words.setMinimumWidth(max(map(self._words.fontMetrics().horizontalAdvance, (words, first, last))))
        about = f"Move along the {course.title}: {first} to {last}"
        self._slider.setToolTip(plain_tip(about))
        self._slider.setAccessibleName(f"timeline of the {course.title}")
        self._slider.setAccessibleDescription(f"{words}. {about}.")

    def _end_play(self) -> None:
        """Hide a bar that only a play has shown."""
        if self._is_for_play:
            self.ask(False)

    def _keep(self) -> None:
        """Keep the bar of a play whose value the user moves."""
        self._is_for_play = False

    def _choose_speed(self, value: str, _gesture: object) -> None:
        self._speed.show_value(value)
        self.timeline.choose_speed(float(value))
