"""The bar of the timeline: a play button, a slider along the stops, the value in words, and the speed."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from posenc_core.fields import ChoiceField
from posenc_gui.docks.editors import ChoiceEditor, IntegerSlider
from posenc_gui.look import GAP, HIT_PX, FitsText, PlainLabel, plain_tip, row_of
from posenc_gui.model import Timeline

_SPEED = ChoiceField(
    name="speed",
    label="speed",
    help="Playback speed, as a multiple of the normal speed.",
    default="1",
    choices=(("0.5", "half speed"), ("1", "normal speed"), ("2", "double speed"), ("4", ""), ("8", "")),
    titles=("½ ×", "1 ×", "2 ×", "4 ×", "8 ×"),
)
_LEAST_PX = 120
_PAGES = 10


class TimelineBar(FitsText, QWidget):
    """Shows a timeline on request if a value can move; a bar that only playback has shown is hidden at its end.

    ``shownChanged`` carries whether the bar is requested.
    """

    shownChanged = Signal(bool)

    def __init__(self, timeline: Timeline) -> None:
        super().__init__()
        self.timeline = timeline
        self._is_asked = self._is_for_play = False
        self._button, self._slider = QToolButton(), IntegerSlider((0, 0))
        self._words, self._speed = PlainLabel(), ChoiceEditor(_SPEED)
        self._speed.message.setParent(self)  # stays empty: every choice is allowed
        self._button.setMinimumHeight(HIT_PX)
        self._slider.setMinimumSize(_LEAST_PX, HIT_PX)
        self._slider.numberMoved.connect(timeline.scrub)
        self._speed.edited.connect(self._choose_speed)
        timeline.moved.connect(self._show)
        timeline.ended.connect(self._end_play)
        self._slider.sliderPressed.connect(self._keep)
        parts = (self._button, self._slider, self._words, self._speed.label, self._speed)
        row_of(*parts, wide=self._slider, holder=self, margins=(GAP, 0, GAP, GAP))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    def take_action(self, action: QAction) -> None:
        """Let the button trigger this action, which starts and stops playback."""
        self._button.setDefaultAction(action)

    def play(self) -> None:
        """Show the bar, and start or stop playback."""
        is_for_play = self._is_for_play or not self._is_asked
        self.ask(True)
        self._is_for_play = is_for_play
        self.timeline.play()

    def ask(self, asked: bool) -> None:
        """Show the bar if there is anything to move, or hide it; a hidden bar does not play."""
        if asked == self._is_asked:
            return
        self._is_asked, self._is_for_play = asked, False
        if not asked:
            self.timeline.stop()
        self.shownChanged.emit(asked)
        self._show()

    @override
    def fit_text(self) -> None:
        self._show()

    def _show(self) -> None:
        """Show the value, and the bar itself on request if there is anything to move."""
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
        # The width of the longest text, so that nothing beside it moves.
        self._words.setMinimumWidth(max(map(self._words.fontMetrics().horizontalAdvance, (words, first, last))))
        about = f"Move along the {course.title}: {first} to {last}"
        self._slider.setToolTip(plain_tip(about))
        self._slider.setAccessibleName(f"timeline of the {course.title}")
        self._slider.setAccessibleDescription(f"{words}. {about}.")

    def _end_play(self) -> None:
        """Hide a bar that only playback has shown."""
        if self._is_for_play:
            self.ask(False)

    def _keep(self) -> None:
        """Keep the bar after playback, since the user moves the value."""
        self._is_for_play = False

    def _choose_speed(self, _name: str, value: str, _gesture: object) -> None:
        self._speed.show_value(value)
        self.timeline.choose_speed(float(value))
