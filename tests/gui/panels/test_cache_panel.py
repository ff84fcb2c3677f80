"""CACHE TIMELINE: bases and stale angles at their places, what is read out, what it needs, and how it plays."""

import math

import numpy as np
import pytest
from documents import with_values
from panel_bench import shown
from pixels import click, drag, hover, item_rect, painted_words, pixels_of, rgb, settle, texts
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from window_bench import act, control, says, type_number

from posenc_core import Alibi, Document, DynamicNtk, Rotary, Sinusoidal, Yarn
from posenc_core.session import NamedEncoding
from posenc_gui.export.drawn_numbers import csv_of, write_drawn_numbers
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.figures.lines.line_looks import line_pen
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import drawn_numbers, suitable_panels

pytestmark = pytest.mark.one_window

DYNAMIC = Rotary(128, scaling=DynamicNtk(2.0, 4096, 60))
AT_8192 = with_values(Document(encoding=DYNAMIC), cache_length=8192)


def base_at(length, factor=2.0, trained=4096, theta=1e4, width=128):
    """The base at a length, from the formula."""
    stretch = factor * max(length, trained) / trained - (factor - 1)
    return theta * stretch ** (width / (width - 2))


def off(key, pair, length, **kind):
    """How far a key's angle is off, in rad, from two bases."""
    width = kind.get("width", 128)
    before, now = (base_at(each, **kind) ** (-2 * pair / width) for each in (key + 1, length))
    return (before - now) * key


@pytest.fixture
def panel(qtbot):
    return shown(qtbot, "cache", AT_8192, (760, 640))


@pytest.fixture
def compare(window):
    """The window with the workspace of comparisons, and dynamic NTK."""
    window.workspaces.choose("compare")
    settle()
    window.store.edit("family", "rotary")
    window.store.edit("head_dim", 128)
    window.store.edit("scaling", "dynamic")
    settle()
    return window


def place(panel, key, value, index):
    """Where a value of a key is drawn, in the pixels of the view."""
    area, plot = panel.figure.areas[index], panel.figure.view().plots[index]
    rect = item_rect(panel.view, area)
    return QPointF(rect.left() + area.to_x(float(key)), rect.top() + area.to_y(plot.y_scale.place(value)))


def is_near(pixels, at, colour, reach=2):
    x, y = round(at.x()), round(at.y())
    around = pixels[y - reach : y + reach + 1, x - reach : x + reach + 1].reshape(-1, 3).astype(int)
    return bool((np.abs(around - rgb(colour)).max(axis=1) < 60).any())


def button(panel, text):
    (found,) = [each for each in panel.findChildren(QPushButton) if each.text() == text and each.isVisible()]
    return found


def test_the_check_values(panel):
    panel.show_cursor(Cursor(4999, 32, pinned=True))
    assert "key 4,999: base 14,498" in panel.figure.pointing.note()
    panel.show_cursor(Cursor(5000, 32, pinned=True))
    assert panel.figure.pointing.number() == pytest.approx(off(5000, 32, 8192), rel=1e-12)
    assert panel.figure.pointing.number() == pytest.approx(12.9016140002118, rel=1e-12)
    assert "base now 30,528" in texts(panel.view)


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_lines_are_at_the_bases_and_the_angles(qtbot, style):
    panel = shown(qtbot, "cache", AT_8192, (760, 640), style)
    pixels = pixels_of(panel.view)
    for key in (2500, 3000, 5500, 7000):
        assert is_near(pixels, place(panel, key, base_at(key + 1), 0), style.ink), key
        largest = max(off(key, pair, 8192) for pair in range(64))
        assert is_near(pixels, place(panel, key, largest, 1), style.ink), key
        for look, pair in enumerate((16, 32, 48, 63), 1):
            if key % 2000:
                colour = line_pen(style, look).color()
                assert is_near(pixels, place(panel, key, off(key, pair, 8192), 1), colour, 6), (key, pair)
    assert {"base when cached", "largest of all pairs", "pair 32", "half a turn", "position of the key"} <= set(
        texts(panel.view)
    )


def test_the_numbers_are_those_of_the_formula_at_each_key(tmp_path):
    columns = drawn_numbers("cache", AT_8192)
    assert list(columns) == ["position of the key", "base: base when cached", "angle error (rad): largest of all pairs",
                             *(f"angle error (rad): pair {pair}" for pair in (16, 32, 48, 63))]  # fmt: skip
    keys = columns["position of the key"]
    assert (keys[0], keys[-1], {4095.0, 4096.0} <= set(keys.tolist())) == (0, 8191, True)
    for index, key in enumerate(keys.tolist()):
        assert columns["base: base when cached"][index] == pytest.approx(base_at(key + 1), rel=1e-12)
        angles = [off(key, pair, 8192) for pair in range(64)]
        assert columns["angle error (rad): largest of all pairs"][index] == pytest.approx(
            max(angles), rel=1e-9, abs=1e-9
        )
        assert columns["angle error (rad): pair 48"][index] == pytest.approx(angles[48], rel=1e-9, abs=1e-9)
    write_drawn_numbers("cache", AT_8192, tmp_path / "cache.csv")
    assert (tmp_path / "cache.csv").read_text(encoding="utf-8").splitlines() == csv_of(columns).splitlines()


def test_up_to_the_trained_length_no_key_is_off(qtbot):
    panel = shown(qtbot, "cache", AT_8192.edited("cache_length", 4096), (760, 640))
    assert "no error up to n = L = 4,096" in panel.figure.pointing.note()
    assert not drawn_numbers("cache", AT_8192.edited("cache_length", 4096))[
        "angle error (rad): largest of all pairs"
    ].any()
    panel.show_document(AT_8192)
    assert "largest error: key" in panel.figure.pointing.note()
    assert "cached keys are not rotated again" in panel.figure.pointing.note()


def test_the_axes_stay_while_the_cache_grows(panel):
    def scales():
        return [(plot.x_scale, plot.y_scale) for plot in panel.figure.view().plots]

    before = scales()
    panel.show_document(AT_8192.edited("cache_length", 5000))
    assert scales() == before
    panel.show_document(AT_8192.edited("cache_length", 20_000))
    assert scales()[0][0].last == 20_000, "a cache beyond the target length widens them"


def test_several_encodings_have_their_own_lines_and_those_without_are_named(qtbot):
    others = (NamedEncoding(DYNAMIC), NamedEncoding(Rotary(64, scaling=DynamicNtk(4.0, 2048, 60))),
              NamedEncoding(Rotary(64, scaling=Yarn(2.0, 4096))), NamedEncoding(Alibi(8)))  # fmt: skip
    document = AT_8192.with_encodings(others, 1)
    panel = shown(qtbot, "cache", document, (760, 640))
    names = [line.name for line in panel.figure.view().plots[0].lines]
    assert names == ["B base when cached", "A base when cached"], "the chosen one first"
    assert "C and D without dynamic NTK" in panel.figure.pointing.note()
    columns = drawn_numbers("cache", document)
    assert columns["base: B base when cached"][-1] == pytest.approx(
        base_at(8192, factor=4.0, trained=2048, width=64), rel=1e-12
    )
    chosen = document.with_encodings(others, 3)
    panel.show_document(chosen)
    assert [line.name for line in panel.figure.view().plots[0].lines] == ["A base when cached", "B base when cached"]


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    "encoding",
    [Sinusoidal(8), Sinusoidal(7), Sinusoidal(2), Alibi(4), Rotary(2), Rotary(128), Rotary(64, scaling=Yarn(4.0, 4096)),
     Rotary(128, rope_theta=1e300)],
    ids=repr,
)  # fmt: skip
def test_a_button_chooses_dynamic_ntk_as_one_step_of_undo(window, encoding):
    window.workspaces.choose("compare")
    window.store.replace(Document(encoding=encoding), "another one")
    settle()
    panel, before = window.panels["cache"], window.store.document
    assert says(window, "Cache timeline needs RoPE with dynamic NTK")
    assert not panel.view.isVisible()
    index = window.store.history.index
    QTest.mouseClick(button(panel, "Show dynamic NTK"), Qt.MouseButton.LeftButton)
    settle()
    assert panel.view.isVisible()
    assert isinstance(window.store.document.encoding.scaling, DynamicNtk)
    assert window.store.history.index == index + 1
    window.store.undo()
    assert window.store.document == before


def test_the_panel_plays_over_the_length_as_one_step_of_undo(compare):
    timeline, before = compare.timeline_bar.timeline, compare.store.document
    timeline.choose_speed(0.001)
    compare.store.edit("cache_length", 14_000)
    act(compare, "play")
    assert control(compare, "timeline of the cached keys n").isVisible()
    index = compare.store.history.index
    seen = []
    for _ in range(40):
        seen.append(compare.store.document.value("cache_length"))
        timeline.step()
    assert seen == sorted(seen)
    assert compare.store.document.value("cache_length") == compare.store.document.lengths.target == 16384
    assert not timeline.playing
    assert compare.store.history.index == index
    assert not compare.timeline_bar.isVisible()
    compare.store.undo()
    assert compare.store.document == before.edited("cache_length", 14_000)


def test_the_length_is_typed_and_dragged(compare):
    panel = compare.panels["cache"]
    type_number(compare, "cached keys n", "8192")
    assert compare.store.document.value("cache_length") == 8192
    index = compare.store.history.index
    drag(panel.view, place(panel, 8192, 2e4, 0), place(panel, 12000, 2e4, 0))
    settle()
    assert compare.store.document.value("cache_length") == pytest.approx(12000, rel=0.05)
    assert compare.store.history.index == index + 1
    type_number(compare, "cached keys n", "0")
    assert says(compare, "cache_length")
    assert compare.store.document.value("cache_length") == pytest.approx(12000, rel=0.05), "the last one stays"


def test_pointing_and_keys_choose_the_key_and_the_pair(compare):
    panel = compare.panels["cache"]
    hover(panel.view, place(panel, 6000, 1.0, 1))
    assert compare.cursor_control.cursor.position == pytest.approx(6000, abs=70)
    click(panel.view, place(panel, 9000, 1.0, 1))
    held = compare.cursor_control.cursor
    assert held.pinned
    assert says(compare, f"key {held.position:,}: base ")
    QTest.keyClick(panel, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(panel, Qt.Key.Key_Down)
    assert compare.cursor_control.cursor == Cursor(held.position + 10, held.column + 1, pinned=True)
    QTest.keyClick(panel, Qt.Key.Key_Up)
    assert compare.cursor_control.cursor.column == held.column
    compare.store.edit("cache_length", 5000)
    assert compare.cursor_control.cursor.position == held.position + 10
    assert panel.figure.pointing.number() is None, "the key is not cached yet"


@pytest.mark.parametrize(("format", "begin"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_the_panel_is_drawn_in_files(qapp, format, begin):
    assert picture_bytes(Picture("cache", AT_8192), format, PictureOptions()).startswith(begin)
    assert "cache" in suitable_panels(AT_8192)
    assert "cache" not in suitable_panels(Document())


@pytest.mark.parametrize(
    "encoding",
    [Rotary(4, scaling=DynamicNtk(1.0, 1, 1)), Rotary(65536, scaling=DynamicNtk(4.0, 4096, 1)),
     Rotary(128, direction=-1, scaling=DynamicNtk(64.0, 4096, 1)),
     Rotary(128, rope_theta=1.0, scaling=DynamicNtk(2.0, 8, 1))],
    ids=repr,
)  # fmt: skip
@pytest.mark.parametrize("length", [1, 2, 5000, 10**9])
def test_the_smallest_and_the_largest_are_drawn(qtbot, encoding, length):
    document = with_values(Document(encoding=encoding), cache_length=length, target_length=max(length, 16))
    panel = shown(qtbot, "cache", document, (420, 360))
    panel.show_cursor(Cursor(0, 0))
    assert not panel.figure.problem
    assert "cached keys are not rotated again" in panel.figure.pointing.note()
    assert pixels_of(panel.view).std() > 5
    assert math.isfinite(panel.figure.pointing.number())


def test_a_base_beyond_all_numbers_is_one_sentence_and_the_last_picture_stays(panel):
    huge = Rotary(4, rope_theta=1e300, scaling=DynamicNtk(2.0, 4096, 60))
    panel.show_document(with_values(Document(encoding=huge), cache_length=10**9))
    assert "gives a base larger than any number" in panel.figure.pointing.note()
    assert len(panel.figure.view().plots) == 2
    panel.show_document(AT_8192)
    assert "largest error: key" in panel.figure.pointing.note()


@pytest.mark.parametrize("height", [230, 240, 250, 260, 280, 320])
@pytest.mark.parametrize("width", [270, 288, 320])
def test_words_of_lengths_are_beside_their_lines_or_left_out(qtbot, width, height):
    panel = shown(qtbot, "cache", Document(encoding=Rotary(8, scaling=DynamicNtk(4.0, 4096, 60))), (width, height))
    area = panel.figure.area
    rect, metrics = item_rect(panel.view, area), QFontMetricsF(panel.font())
    for word in painted_words(panel.view):
        if word.text.startswith(("L ", "n ")):
            at = rect.left() + area.to_x(float(word.text[2:].replace(",", "")))
            right = word.x + metrics.horizontalAdvance(word.text) * 11 / metrics.height()
            assert right <= rect.right() + 1, word
            assert min(abs(word.x - at), abs(right - at)) < 64, word
