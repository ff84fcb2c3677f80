"""Pictures whose layout changes leave nothing of their old words on the screen."""

import numpy as np
from pixels import as_array, pixels_of, settle
from PySide6.QtCore import QPoint


def on_screen(widget) -> np.ndarray:
    """The pixels of a widget that its window has painted so far, as (height, width, 3)."""
    window = widget.window()
    place = widget.mapTo(window, QPoint())
    return as_array(
        window.screen().grabWindow(window.winId(), place.x(), place.y(), widget.width(), widget.height()).toImage()
    )


def test_the_steps_of_a_lesson_leave_no_words_behind(qtbot, window):
    window.commands.story.take_lesson("05-the-same-turn")
    for _ in range(4):
        window.commands.story.lessons.page.reveal()
        settle()
        shown = window.panels["similarity"].view.viewport()
        qtbot.waitUntil(lambda shown=shown: (on_screen(shown) == pixels_of(shown)).all())
        window.commands.story.lessons.turn(1)
        settle()
