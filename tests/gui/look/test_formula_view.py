from itertools import groupby

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSize
from PySide6.QtGui import QAccessible, QColor, QFont, QImage, QPalette, QRegion
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from posenc_core.explain import GLOSSARY
from posenc_gui.look.formula_view import MARGIN, DerivationView
from posenc_gui.look.typeset import typeset

STEPS = [
    ("position 1, column 2", r"PE_{(1,2)} = \sin\left(\frac{1}{10000^{2\cdot 1/4}}\right)"),
    ("column 2 is the sine of pair i = 2 // 2 = 1", r"i = \lfloor 2/2 \rfloor = 1"),
    ("exponent", r"\frac{2i}{d} = \frac{2\cdot 1}{4} = 0.5"),
    ("divisor", r"10000^{0.5} = 100"),
    ("angle", r"\frac{1}{100} = 0.01\ \mathrm{rad}"),
    ("result", r"\sin(0.01) = 0.00999983"),
]
OTHER_STEPS = [("position 7, column 3", r"x_{3} = \frac{7}{100}"), ("result", "0.07")]
LONG_STEPS = [
    ("the angle is the position times the pair's frequency, and both were computed above " * 3, None),
    ("supercalifragilisticexpialidocious" * 4, r"\frac{1}{2} + " * 12 + "1"),
    ("line one\nline two", r"\begin{pmatrix}\cos\theta & -\sin\theta\\ \sin\theta & \cos\theta\end{pmatrix}"),
    ("f", None),
]
WIDTHS = [180, 181, 207, 240, 280, 333, 400, 500]
INK, MUTED, ACCENT = "#102030", "#506070", "#0072b2"


@pytest.fixture
def view(qtbot):
    view = DerivationView()
    qtbot.addWidget(view)
    view.set_colors(INK, MUTED, ACCENT)
    return view


def painted(view, width, extra_height=0, scale=1, ground="#ffffff"):
    """What the view paints at ``width``, as (rows, columns, RGB), with more room below it if asked."""
    view.resize(width, view.heightForWidth(width) + extra_height)
    image = QImage(view.size() * scale, QImage.Format.Format_RGBX8888)
    image.setDevicePixelRatio(scale)
    image.fill(QColor(ground))
    view.render(image, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    return pixels[..., :3].copy()


def rgb(color):
    return [QColor(color).red(), QColor(color).green(), QColor(color).blue()]


def inked(pixels):
    return (pixels != pixels[0, 0]).any(axis=2)


def solid(pixels, color):
    return (pixels == rgb(color)).all(axis=2)


def longest_run(row):
    edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(int), [0]])))
    return int(max(edges[1::2] - edges[::2], default=0))


@pytest.mark.parametrize("typeset_too", [True, False])
@pytest.mark.parametrize("steps", [STEPS, OTHER_STEPS, LONG_STEPS], ids=["example", "short", "long"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_height_is_the_painted_one_and_no_line_is_clipped(view, width, steps, typeset_too):
    view.show_steps(steps, typeset_too)
    rows, columns = np.nonzero(inked(painted(view, width, extra_height=200)))
    assert columns.min() >= 2
    assert columns.max() <= width - 1 - MARGIN // 2
    assert rows.min() >= 2
    height = view.heightForWidth(width)
    # A last line without descenders leaves some air above the margin.
    assert height - MARGIN - 12 <= rows.max() <= height - 3


def test_text_wraps_so_that_narrow_is_tall(view):
    view.show_steps(LONG_STEPS, False)
    heights = [view.heightForWidth(width) for width in WIDTHS]
    assert heights == sorted(heights, reverse=True)
    assert heights[0] > heights[-1] + 50


def test_a_line_break_in_the_text_is_a_line_break(view):
    view.show_steps([("one", None)], False)
    one = view.heightForWidth(300) - 2 * MARGIN
    view.show_steps([("one\ntwo", None)], False)
    assert view.heightForWidth(300) - 2 * MARGIN == 2 * one


def test_every_word_is_painted_at_any_width(view):
    view.show_steps([("one two three four five six seven eight nine ten", None)], False)
    amounts = [np.sum(255 - painted(view, width).astype(float)) for width in (180, 260, 500)]
    assert amounts == pytest.approx([amounts[0]] * 3, rel=0.05)


def test_formula_wider_than_the_view_is_scaled_down_whole(view):
    view.show_steps([("", LONG_STEPS[1][1]), ("", None)], True)
    shapes = []
    for width in (180, 360):
        rows, columns = np.nonzero(inked(painted(view, width, scale=4)))
        assert 0.97 < np.ptp(columns) / 4 / (width - 2 * MARGIN) <= 1
        shapes.append(np.ptp(columns) / np.ptp(rows))
    assert shapes[0] == pytest.approx(shapes[1], rel=0.05)


def test_fraction_bars_show_as_sharp_lines_in_ink(view):
    view.show_steps(STEPS, True)
    pixels = painted(view, 300)
    bars = [run for run in map(longest_run, solid(pixels, INK)) if run >= 15]
    assert len(bars) == 3  # headline, exponent (two side by side), angle
    assert bars[0] > 3 * max(bars[1:])


def test_twice_the_pixels_are_twice_as_fine(view):
    view.show_steps(STEPS, True)
    fine, coarse = painted(view, 300, scale=2), painted(view, 300)
    assert fine.shape == (2 * coarse.shape[0], 600, 3)
    assert sum(longest_run(row) >= 30 for row in solid(fine, INK)) == 6  # three bars, two rows each
    blown_up = coarse.repeat(2, axis=0).repeat(2, axis=1)
    assert (fine != blown_up).any(axis=2).sum() > 1000


def test_headline_is_larger_than_the_other_formulas(view):
    view.show_steps([("", r"\frac{1}{2}"), ("", r"\frac{1}{2}"), ("", None)], True)
    rows = np.flatnonzero(inked(painted(view, 300, scale=4)).any(axis=1))
    first, second = np.split(rows, [np.argmax(np.diff(rows)) + 1])
    assert np.ptp(first) / np.ptp(second) == pytest.approx(20 / 15, rel=0.05)


def test_headline_is_the_first_formula_even_after_a_text(view):
    view.show_steps([("", None), ("", r"\frac{1}{2}")], True)
    late = np.flatnonzero(solid(painted(view, 300), INK).any(axis=1))
    assert len(late) > 5
    view.show_steps([("", r"\frac{1}{2}")], True)
    early = np.flatnonzero(solid(painted(view, 300), INK).any(axis=1))
    assert np.ptp(late) == np.ptp(early)


@pytest.mark.parametrize(
    ("ground", "colors"), [("#ffffff", (INK, MUTED, ACCENT)), ("#15181d", ("#e8eaed", "#9aa4b2", "#56b4e9"))]
)
def test_the_three_colours_are_where_they_belong(view, ground, colors):
    view.set_colors(*colors)
    view.show_steps(STEPS, True)
    pixels = painted(view, 300, scale=4, ground=ground)
    ink, muted, accent = (solid(pixels, color) for color in colors)
    assert ink.sum() > 200
    assert muted.sum() > 50
    rows, columns = np.nonzero(accent)
    assert columns.max() < 4 * MARGIN  # the bar stands beside the result,
    assert rows.min() > len(pixels) - 4 * 50  # which is the last line
    assert muted[rows.min() :].sum() == 0
    view.show_steps([("", STEPS[0][1]), ("", None)], True)
    headline = painted(view, 300, ground=ground)
    assert solid(headline, colors[0]).sum() > 50
    assert not solid(headline, colors[1]).any()


def test_plain_steps_are_the_texts_alone_with_the_result_in_ink(view):
    view.show_steps(STEPS, False)
    plain = painted(view, 300, scale=4)
    view.show_steps([(text, None) for text, _ in STEPS], True)
    assert (painted(view, 300, scale=4) == plain).all()
    ink, muted = (np.flatnonzero(solid(plain, color).any(axis=1)) for color in (INK, MUTED))
    assert muted.max() < ink.min()
    assert ink.min() / 4 > view.height() - MARGIN - 20


def test_plain_steps_typeset_nothing(view):
    before = typeset.cache_info()
    view.show_steps([("never typeset before", r"\frac{123}{321}")], False)
    painted(view, 300)
    assert typeset.cache_info() == before


def test_steps_seen_before_are_not_typeset_again(view):
    view.show_steps(STEPS, True)
    view.show_steps(OTHER_STEPS, True)
    before = typeset.cache_info().misses
    view.show_steps(STEPS, True)
    painted(view, 300)
    painted(view, 200)
    assert typeset.cache_info().misses == before


def test_changed_steps_and_colours_leave_nothing_of_the_old_on_the_screen(view, qtbot):
    view.setAutoFillBackground(True)
    palette = view.palette()
    palette.setColor(QPalette.ColorRole.Window, QColor("#ffffff"))
    view.setPalette(palette)
    view.show_steps(STEPS, True)
    view.resize(300, 500)
    view.show()
    qtbot.waitExposed(view)

    def on_screen():
        return view.screen().grabWindow(view.winId()).toImage().convertToFormat(QImage.Format.Format_RGB32)

    def freshly_painted(steps, colors):
        other = DerivationView()
        qtbot.addWidget(other)
        other.setAutoFillBackground(True)
        other.setPalette(palette)
        other.set_colors(*colors)
        other.show_steps(steps, True)
        other.resize(300, 500)
        return other.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)

    for steps, colors in [
        (STEPS, (INK, MUTED, ACCENT)),
        (OTHER_STEPS, (INK, MUTED, ACCENT)),
        (OTHER_STEPS, ("#203010", "#705060", "#d55e00")),
        (STEPS, ("#203010", "#705060", "#d55e00")),
        ([], ("#203010", "#705060", "#d55e00")),
    ]:
        view.show_steps(steps, True)
        view.set_colors(*colors)
        qtbot.waitUntil(lambda s=steps, c=colors: on_screen() == freshly_painted(s, c))


def test_another_font_breaks_the_lines_anew(view):
    view.show_steps(LONG_STEPS, False)
    before = painted(view, 300)
    font = QFont(view.font())
    font.setStretch(150)
    view.setFont(font)
    assert view.heightForWidth(300) > len(before)


def test_a_view_in_a_scroll_area_is_as_tall_as_its_steps(qtbot):
    area, view = QScrollArea(), DerivationView()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    area.setWidget(view)
    area.resize(300, 200)
    area.show()
    qtbot.waitExposed(area)
    for steps in (STEPS, LONG_STEPS, OTHER_STEPS, STEPS):
        view.show_steps(steps, True)
        qtbot.waitUntil(lambda: view.height() == max(view.heightForWidth(view.width()), area.viewport().height()))
        assert view.width() == area.viewport().width()
        assert area.horizontalScrollBar().maximum() == 0
    area.resize(200, 200)
    qtbot.waitUntil(lambda: view.height() == view.heightForWidth(view.width()))
    assert view.width() == area.viewport().width() <= 200


def test_a_view_in_a_column_has_the_height_of_its_steps(qtbot):
    window, view = QWidget(), DerivationView()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.addWidget(view)
    column.addStretch()
    view.show_steps(LONG_STEPS, True)
    window.resize(220, 600)
    window.show()
    qtbot.waitExposed(window)
    for steps in (LONG_STEPS, OTHER_STEPS, STEPS):
        view.show_steps(steps, True)
        qtbot.waitUntil(lambda: view.height() == view.heightForWidth(view.width()))


def test_size_hint_is_a_width_with_its_height(view):
    view.show_steps(STEPS, True)
    hint = view.sizeHint()
    assert hint.height() == view.heightForWidth(hint.width())
    assert view.hasHeightForWidth()
    assert view.sizePolicy().hasHeightForWidth()
    assert view.minimumSizeHint().width() <= 180


def test_no_steps_are_an_empty_page(view):
    view.show_steps(STEPS, True)
    view.show_steps([], True)
    assert not inked(painted(view, 300)).any()
    assert view.size() == QSize(300, 2 * MARGIN)


@pytest.mark.parametrize("width", [1, 2 * MARGIN, 30])
def test_an_absurdly_narrow_view_does_not_crash(view, width):
    view.show_steps(STEPS, True)
    assert painted(view, width).shape[1] == width


def test_a_formula_that_cannot_be_typeset_is_shown_as_its_source(view):
    view.show_steps([("a", r"\frac{1}"), ("b", "1")], True)
    broken = painted(view, 300)
    view.show_steps([("a", None), ("b", "1")], True)
    without = painted(view, 300)
    assert len(broken) > len(without) + 10
    assert inked(broken).sum() > inked(without).sum()


def test_screen_readers_get_every_word_and_formula(view):
    view.show_steps(STEPS, True)
    reader = QAccessible.queryAccessibleInterface(view)
    assert reader.text(QAccessible.Text.Name) == "Derivation"
    description = reader.text(QAccessible.Text.Description)
    assert description.splitlines() == [part for step in STEPS for part in step]
    view.show_steps([("nothing chosen", None)], False)
    assert reader.text(QAccessible.Text.Description) == "nothing chosen"


@pytest.mark.parametrize("color", ["", "no such colour", "transparent"])
def test_bad_colour_is_one_plain_sentence_and_changes_nothing(view, color):
    view.show_steps(STEPS, True)
    before = painted(view, 300)
    with pytest.raises(ValueError, match="not an opaque colour"):
        view.set_colors(INK, color, ACCENT)
    assert (painted(view, 300) == before).all()


def test_words_of_the_field_have_dots_and_a_tool_tip(view):
    view.show_steps([("columns not paired, the cosine of a matrix(3)", None)], typeset=False)
    found = painted(view, 400)
    tips = [view.tip_at(QPointF(x, MARGIN + 6)) for x in range(400)]
    assert [tip for tip, _ in groupby(tips) if tip] == [GLOSSARY["column"]]
    below = (found < 250).any(axis=2)[MARGIN + 14 :, : tips.index("", 20)]
    view.show_steps([("columbs not paired, the cosine of a matrix(3)", None)], typeset=False)
    without = (painted(view, 400) < 250).any(axis=2)[MARGIN + 14 :, : below.shape[1]]
    assert below.sum() > without.sum() + 10
