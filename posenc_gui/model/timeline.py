"""Playing and scrubbing: one value of the document or of the cursor moves along its stops, and only when asked."""

from bisect import bisect_right
from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QStyle

from posenc_core import Document
from posenc_gui.model.course import Course
from posenc_gui.model.cursor_control import CursorControl
from posenc_gui.model.document_store import DocumentStore


class Timeline(QObject):
    """Moves the value of the course that ``find`` returns for a document, each playback or scrub as one step of undo.

    Playback ends after the last stop, with any other change, behind a modal dialog, and on request.
    ``playingChanged`` carries whether it plays, ``moved`` is emitted when the value, the stops or the course may have
    changed. ``ended`` is emitted after playback has reached the last stop.
    """

    playingChanged = Signal(bool)
    ended = Signal()
    moved = Signal()

    def __init__(
        self,
        store: DocumentStore,
        cursor: CursorControl,
        find: Callable[[Document], Course | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._store, self._cursor, self._find = store, cursor, find
        self._course: Course | None = None
        self._gesture = object()
        self._is_moving = False
        self._speed = 1.0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._pass)
        store.documentChanged.connect(self._changed)
        cursor.cursorChanged.connect(self._cursor_changed)

    @property
    def course(self) -> Course | None:
        """Its variable; None for none."""
        has_stops = self._course is not None and len(self._course.stops(self._store.document, self._cursor.cursor))
        return self._course if has_stops else None

    def look(self) -> None:
        """Find the course to move now."""
        course = self._find(self._store.document)
        if course != self._course:
            self.stop()
            self._course = course
        self.moved.emit()

    @property
    def place(self) -> tuple[int, int]:
        """The index of the present stop, and the number of stops; (0, 0) without a course."""
        course, state = self.course, (self._store.document, self._cursor.cursor)
        return (0, 0) if course is None else (course.index(*state), len(course.stops(*state)))

    def words(self, index: int | None = None) -> str:
        """The value at a stop, by default the present value, with its name and unit; empty without a course."""
        course, state = self.course, (self._store.document, self._cursor.cursor)
        if course is None:
            return ""
        return course.words(*state, course.value(*state) if index is None else course.stops(*state)[index])

    @property
    def playing(self) -> bool:
        """Whether the value moves by itself."""
        return self._timer.isActive()

    def play(self) -> None:
        """Start from the present value, or from the first stop if it is the last one; or stop.

        If the desktop disables animations, each call moves one stop further.
        """
        if self.stop() or self.course is None:
            return
        self._gesture = object()
        if QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration):
            self._timer.start(self._interval)
            self.playingChanged.emit(True)
        if self._next is None:
            self._go(0, self._gesture)
        else:
            self.step()

    def stop(self) -> bool:
        """Stop playing; returns whether it was playing."""
        was_playing = self.playing
        if was_playing:
            self._timer.stop()
            self.playingChanged.emit(False)
        return was_playing

    def step(self) -> None:
        """Go to the next stop; after the last one stop playing."""
        index = self._next
        if index is not None:
            self._go(index, self._gesture)
        elif self.stop():
            self.ended.emit()

    def _pass(self) -> None:
        """Continue, or stop behind a dialog, which shows the document from its opening."""
        if QApplication.activeModalWidget() is None:
            self.step()
        else:
            self.stop()

    def scrub(self, index: int, gesture: object) -> None:
        """Go to the stop of this index; scrubs of one ``gesture`` are one step of undo."""
        self.stop()
        self._go(index, gesture)

    def choose_speed(self, speed: float) -> None:
        """Set the speed of playback, relative to the course's."""
        self._speed = speed
        if self.playing:
            self._timer.start(self._interval)

    @property
    def _interval(self) -> int:
        return 0 if self._course is None else round(self._course.milliseconds / self._speed)

    @property
    def _next(self) -> int | None:
        """The index of the first stop after the present value; None after the last one."""
        course, state = self.course, (self._store.document, self._cursor.cursor)
        if course is None:
            return None
        stops = course.stops(*state)
        index = bisect_right(stops, course.value(*state))
        return index if index < len(stops) else None

    def _go(self, index: int, gesture: object) -> None:
        course, cursor = self.course, self._cursor.cursor
        if course is None:
            return
        value = course.stops(self._store.document, cursor)[index]
        self._is_moving = True
        try:
            if course.field:
                self._store.try_edit(course.field, value, gesture)
            else:
                self._cursor.hold(replace(cursor, position=value))
        finally:
            self._is_moving = False
        if course.value(self._store.document, self._cursor.cursor) != value:  # the document refused it
            self.stop()

    def _changed(self) -> None:
        if not self._is_moving:
            self.stop()
        self.look()

    def _cursor_changed(self) -> None:
        """Another cursor changes the moving value only if the course moves the cursor."""
        if self._course is not None and not self._course.field:
            self._changed()
