"""Mouse and keys on each panel by itself: which cell is meant, and which part of the table is in view."""

import numpy as np
import pytest
from documents import with_values
from panel_bench import shown
from pixels import (
    CTRL,
    NO_KEY,
    SHIFT,
    area_of,
    click,
    double_click,
    drag,
    hover,
    painted_words,
    settle,
    wheel,
)
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from posenc_core import Document, Sinusoidal
from posenc_gui.model.cursor import Cursor

KEYS = {name: getattr(Qt.Key, f"Key_{name}") for name in ("Left", "Right", "Up", "Down", "Home")}


@pytest.fixture(params=["waves", "heatmap", "transposed", "tokens"])
def panel(request, qtbot):
    """Each panel, with a table of 9 positions (and tokens) by 6 columns that is wholly in view."""
    transposed = request.param == "transposed"
    words = "one two three four five six seven eight nine"
    document = with_values(Document(words, seq_len=9, encoding=Sinusoidal(6)), transpose=transposed)
    panel = shown(qtbot, "heatmap" if transposed else request.param, document, (700, 900))
    panel.kind = request.param
    panel.moved = []
    panel.cursorMoved.connect(panel.moved.append)
    return panel


def place_of(panel, position, column):
    """Where the middle of a cell is, from what is painted: axes count the cells, boxes have indices above them."""
    if panel.kind == "tokens":
        words = painted_words(panel.view)
        name = next(word for word in words if word.text == panel.figure.document.token_list[position].shown)
        index = min((word for word in words if word.text == str(column)), key=lambda word: word.y)
        return QPointF(index.x + 3, name.y)
    area = area_of(panel)
    across, down = {
        "waves": ((position + 0.5) / 9, 1 - (column + 0.5) / 6),
        "heatmap": ((column + 0.5) / 6, (position + 0.5) / 9),
        "transposed": ((position + 0.5) / 9, (column + 0.5) / 6),
    }[panel.kind]
    return QPointF(area.left() + across * area.width(), area.top() + down * area.height())


def test_the_mouse_points_at_the_cell_under_it(panel):
    cells = [(0, 0), (1, 2), (8, 5), (4, 1), (7, 3), (2, 5)]
    for position, column in cells:
        hover(panel.view, place_of(panel, position, column))
        assert panel.moved[-1] == Cursor(position, column)


def test_every_movement_counts_however_quick(panel):
    """Two movements within a few milliseconds: the mouse rests at the second, and so must the cursor."""
    places = [place_of(panel, position, 3) for position in range(9)]
    for position, place in enumerate(places):
        QTest.mouseMove(panel.view.viewport(), place.toPoint())
        assert panel.moved[-1] == Cursor(position, 3)


def test_a_click_pins_and_takes_the_keyboard(panel):
    click(panel.view, place_of(panel, 3, 4))
    assert [cursor for cursor in panel.moved if cursor.pinned] == [Cursor(3, 4, pinned=True)]
    assert panel.hasFocus()


def test_another_button_does_nothing(panel):
    hover(panel.view, place_of(panel, 3, 4))
    panel.moved.clear()
    for button in (Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton):
        QTest.mouseClick(panel.view.viewport(), button, NO_KEY, place_of(panel, 3, 4).toPoint())
        settle()
    assert not [cursor for cursor in panel.moved if cursor.pinned]


MOVES = {
    "waves": {"Left": (-1, 0), "Right": (1, 0), "Up": (0, 1), "Down": (0, -1)},
    "heatmap": {"Left": (0, -1), "Right": (0, 1), "Up": (-1, 0), "Down": (1, 0)},
    "transposed": {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)},
    "tokens": {"Left": (0, -1), "Right": (0, 1), "Up": (-1, 0), "Down": (1, 0)},
}


@pytest.mark.parametrize("name", ["Left", "Right", "Up", "Down"])
def test_arrows_move_the_cursor_as_they_point(panel, name):
    panel.show_cursor(Cursor(4, 3))
    QTest.keyClick(panel, KEYS[name])
    dp, dc = MOVES[panel.kind][name]
    assert panel.moved == [Cursor(4 + dp, 3 + dc, pinned=True)]


@pytest.mark.parametrize("name", ["Left", "Right", "Up", "Down"])
def test_shift_and_an_arrow_stop_at_the_edge(panel, name):
    panel.show_cursor(Cursor(4, 3))
    QTest.keyClick(panel, KEYS[name], SHIFT)
    dp, dc = MOVES[panel.kind][name]
    edge = Cursor(4 if not dp else 8 if dp > 0 else 0, 3 if not dc else 5 if dc > 0 else 0, pinned=True)
    assert panel.moved == [edge]


def test_without_a_cursor_an_arrow_starts_at_the_first_cell(panel):
    QTest.keyClick(panel, KEYS["Right"])
    dp, dc = MOVES[panel.kind]["Right"]
    assert panel.moved == [Cursor(dp, dc, pinned=True)]


@pytest.fixture(params=["waves", "heatmap", "transposed"])
def large(request, qtbot):
    """Each panel that zooms, over 300 positions by 64 columns."""
    transposed = request.param == "transposed"
    document = with_values(Document(seq_len=300, encoding=Sinusoidal(64)), transpose=transposed)
    panel = shown(qtbot, "heatmap" if transposed else request.param, document)
    panel.kind = request.param
    return panel


def zoomed(panel, notches=6):
    place = area_of(panel).center()
    for _ in range(notches):
        wheel(panel.view, place, 1, CTRL if panel.kind == "waves" else NO_KEY)
    if panel.kind == "waves":
        panel.figure.viewport.choose("columns", 0)  # neighbours, not spread ones
    return panel.figure.viewport.window()


def seen(window):
    return np.array([*window.x, *window.y])


def test_home_and_a_double_click_show_everything_again(large):
    first = seen(large.figure.viewport.window())
    for show_all in (
        lambda: QTest.keyClick(large, KEYS["Home"]),
        lambda: double_click(large.view, area_of(large).center()),
    ):
        assert np.abs(seen(zoomed(large)) - first).max() > 10
        show_all()
        settle()
        assert seen(large.figure.viewport.window()) == pytest.approx(first)


def test_the_place_under_the_mouse_stays_while_the_wheel_turns(large):
    area = area_of(large)
    place = QPointF(round(area.left() + 0.3 * area.width()), round(area.top() + 0.6 * area.height()))
    fx, fy = (place.x() - area.left()) / area.width(), (place.y() - area.top()) / area.height()

    def under(window):
        (x0, x1), (y0, y1) = window.x, window.y
        return np.array([x0 + fx * (x1 - x0), y0 + fy * (y1 - y0)])

    before = under(large.figure.viewport.window())
    for notches in (1, 1, 3, 0.25, -1, 30, 5):
        wheel(large.view, place, notches, CTRL if large.kind == "waves" else NO_KEY)
        assert under(large.figure.viewport.window()) == pytest.approx(before, abs=1e-6)
    sizes = np.diff(seen(large.figure.viewport.window()).reshape(2, 2)).ravel()
    assert sizes[0] == pytest.approx(1)


def test_dragging_moves_the_picture_with_the_hand(large):
    before = zoomed(large)
    area = area_of(large)
    way = QPointF(round(area.width() / 4), round(area.height() / 5))
    drag(large.view, area.center(), area.center() + way)
    after = large.figure.viewport.window()
    moved = (after.x[0] - before.x[0]) / (before.x[1] - before.x[0])
    assert moved == pytest.approx(-way.x() / area.width(), abs=0.02)
    up = 1 if large.kind == "waves" else -1
    room = (before.y[1] - before.y[0]) * up * way.y() / area.height()
    limit = 63.5 if large.kind == "transposed" else 299.5 if large.kind == "heatmap" else 63.5
    wanted = min(max(before.y[0] + room, -0.5), limit - (before.y[1] - before.y[0]))
    assert after.y[0] == pytest.approx(wanted, abs=0.02 * (before.y[1] - before.y[0]))


@pytest.mark.parametrize("button", [Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton])
def test_dragging_with_another_button_changes_nothing(large, button):
    before = zoomed(large)
    area = area_of(large)
    drag(large.view, area.center(), area.center() + QPointF(60, 40), button)
    assert large.figure.viewport.window() == before


def test_nothing_beyond_the_table_comes_into_view(large):
    zoomed(large)
    area = area_of(large)
    for way in (QPointF(900, 900), QPointF(-900, -900)):
        for _ in range(6):
            drag(large.view, area.center(), area.center() + way)
        window = large.figure.viewport.window()
        widest = (64 if large.kind == "heatmap" else 300), (300 if large.kind == "heatmap" else 64)
        for (low, high), cells in zip((window.x, window.y), widest, strict=True):
            assert -0.5 - 1e-6 <= low < high <= cells - 0.5 + 1e-6


def test_a_cell_reached_with_the_arrows_comes_into_view(large):
    zoomed(large)
    large.show_cursor(Cursor(150, 32))
    large.cursorMoved.connect(large.show_cursor)
    for name in ("Right", "Down", "Left", "Up"):
        for _ in range(40):
            QTest.keyClick(large, KEYS[name], SHIFT)
            cursor, window = large.figure.cursor, large.figure.viewport.window()
            across, down = cursor.position, cursor.column
            if large.kind == "heatmap":
                across, down = down, across
            assert window.x[0] <= across <= window.x[1]
            assert window.y[0] <= down <= window.y[1]
