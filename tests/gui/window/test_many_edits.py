"""After many edits the window shows what a fresh one does: no cache is ever out of date."""

import random

import numpy as np
import pytest
from pixels import pixels_of, settle
from window_bench import close, shown_panels

from posenc_core.fields import ChoiceField, Field, FlagField, IntegerField, RealField, TextField
from posenc_gui.model.cursor import Cursor
from posenc_gui.window.main_window import MainWindow

EDITS = 250
"""Before each look at a fresh window."""

SENTENCES = (
    "Dan loves icecream",
    "a",
    "",
    "Wo die Zitronen blühn, 🙂 שלום",
    "one two three four five six seven eight " * 3,
)


def drawn(field: Field, chance: random.Random) -> object:
    """A value for the field, most of them small enough to be seen; None for fields that hold other things."""
    if isinstance(field, IntegerField):
        near = chance.randint(max(field.minimum, -20), max(field.minimum, min(field.maximum, 100)))
        return chance.choice((near, near, near, chance.randint(field.minimum, field.maximum)))
    if isinstance(field, RealField):
        return float(f"{chance.uniform(*field.slider):.3g}")
    if isinstance(field, ChoiceField):
        return chance.choice(field.values)
    if isinstance(field, FlagField):
        return chance.random() < 0.5
    return chance.choice(SENTENCES) if isinstance(field, TextField) and field.name == "sentence" else None


def edit(window: MainWindow, chance: random.Random) -> None:
    """Change one field to a value that the document takes, and now and then the cursor or the part in view."""
    while True:
        field = chance.choice(window.store.document.fields)
        value = drawn(field, chance)
        try:
            if value is not None:
                window.store.edit(field.name, value, chance.choice((None, "a drag")))
                break
        except (TypeError, ValueError):
            continue
    if chance.random() < 0.3:
        n_columns = window.store.document.encoding.n_columns
        window.cursor_control.point(Cursor(chance.randint(-3, 8), chance.randrange(min(n_columns, 40)), True))
    if chance.random() < 0.05:
        chance.choice(list(shown_panels(window).values())).figure.viewport.reset()


def seen(window: MainWindow) -> dict[str, np.ndarray]:
    """Pixels of each shown panel with its card, zoomed out, by name."""
    for panel in window.panels.values():
        panel.figure.viewport.reset()
    return {name: pixels_of(panel) for name, panel in shown_panels(window).items()}


@pytest.mark.thorough
def test_after_many_edits_the_pictures_are_those_of_a_fresh_window(window, settings, qtbot):
    chance = random.Random(12)
    window.resize(1100, 760)
    for look in range(4):
        for count in range(EDITS):
            edit(window, chance)
            if count % 8 == 0:  # what comes within one frame is painted once
                settle()
        fresh = MainWindow(settings)
        fresh.resize(window.size())
        fresh.show()
        qtbot.waitExposed(fresh)
        settle()
        fresh.store.replace(window.store.document, "the same")
        fresh.cursor_control.hold(window.cursor_control.cursor)
        fresh.cursor_control.pin(window.cursor_control.cursor.pinned)
        for name, panel in window.panels.items():
            fresh.panels[name].setVisible(panel.isVisible())
        settle()
        for one, other in zip(window.panels.values(), fresh.panels.values(), strict=True):
            other.setFixedSize(one.size())
            assert one.isVisible() == other.isVisible()
        before, after = seen(window), seen(fresh)
        wrong = {name for name in before if not np.array_equal(before[name], after[name])}
        assert not wrong, f"look {look}: {window.store.document}, {window.cursor_control.cursor}"
        close(fresh)
