"""Paragraphs with formulas and terms: where their lines, pictures, colours and tool tips are."""

from itertools import groupby

import numpy as np
import pytest
from pixels import settle
from PySide6.QtCore import QPoint, QPointF, QSize
from PySide6.QtGui import QColor, QImage, QRegion
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from posenc_core.explain import GLOSSARY
from posenc_gui.docks.derivation import MARGIN, paragraphs_of
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.look.text_layout import Paragraph, Run, broken
from posenc_gui.look.text_view import TextView
from posenc_gui.look.theme import apply_style
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
INK, MUTED, ACCENT = LIGHT.ink, LIGHT.muted, LIGHT.accent


@pytest.fixture
def view(qtbot):
    return shown(qtbot, TextView(MARGIN))


def shown(qtbot, view):
    qtbot.addWidget(view)
    view.resize(300, 400)
    view.show()
    qtbot.waitExposed(view)
    return view


@pytest.fixture
def show_steps(qtbot, view):
    """Shows steps with their formulas, or their texts alone."""

    def show(steps, typeset_too, view=view):
        view.show_paragraphs(paragraphs_of(steps if typeset_too else [(text, None) for text, _ in steps]))
        qtbot.waitUntil(lambda: view.is_typeset)

    return show


def painted(view, width, extra_height=0, scale=1, ground="#ffffff"):
    """Painted pixels of the view at ``width``, uint8 (rows, columns, 3), with ``extra_height`` below the text."""
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
def test_the_height_is_the_painted_one_and_no_line_is_clipped(view, show_steps, width, steps, typeset_too):
    show_steps(steps, typeset_too)
    rows, columns = np.nonzero(inked(painted(view, width, extra_height=200)))
    assert columns.min() >= 2
    assert columns.max() <= width - 1 - MARGIN // 2
    assert rows.min() >= 2
    height = view.heightForWidth(width)
    # A last line without descenders leaves some air above the margin.
    assert height - MARGIN - 12 <= rows.max() <= height - 3


def test_text_wraps_so_that_narrow_is_tall(view, show_steps):
    show_steps(LONG_STEPS, False)
    heights = [view.heightForWidth(width) for width in WIDTHS]
    assert heights == sorted(heights, reverse=True)
    assert heights[0] > heights[-1] + 50


def test_a_line_break_in_the_text_is_a_line_break(view, show_steps):
    show_steps([("one", None)], False)
    one = view.heightForWidth(300) - 2 * MARGIN
    show_steps([("one\ntwo", None)], False)
    assert view.heightForWidth(300) - 2 * MARGIN == 2 * one


def test_every_word_is_painted_at_any_width(view, show_steps):
    show_steps([("one two three four five six seven eight nine ten", None)], False)
    amounts = [np.sum(255 - painted(view, width).astype(float)) for width in (180, 260, 500)]
    assert amounts == pytest.approx([amounts[0]] * 3, rel=0.05)


def test_formula_wider_than_the_view_is_scaled_down_whole(view, show_steps):
    unbroken = r"\frac{a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r}{2}"
    show_steps([("", unbroken), ("", None)], True)
    shapes = []
    for width in (180, 360):
        rows, columns = np.nonzero(inked(painted(view, width, scale=4)))
        assert 0.97 < np.ptp(columns) / 4 / (width - 2 * MARGIN) <= 1
        shapes.append(np.ptp(columns) / np.ptp(rows))
    assert shapes[0] == pytest.approx(shapes[1], rel=0.05)


def test_fraction_bars_show_as_sharp_lines_in_ink(view, show_steps):
    show_steps(STEPS, True)
    pixels = painted(view, 300)
    bars = [run for run in map(longest_run, solid(pixels, INK)) if run >= 15]
    assert len(bars) == 3  # headline, exponent (two side by side), angle
    assert bars[0] > 3 * max(bars[1:])


def test_twice_the_pixels_are_twice_as_fine(view, show_steps):
    show_steps(STEPS, True)
    fine, coarse = painted(view, 300, scale=2), painted(view, 300)
    assert fine.shape == (2 * coarse.shape[0], 600, 3)
    assert sum(longest_run(row) >= 30 for row in solid(fine, INK)) == 6  # three bars, two rows each
    blown_up = coarse.repeat(2, axis=0).repeat(2, axis=1)
    assert (fine != blown_up).any(axis=2).sum() > 1000


def test_headline_is_larger_than_the_other_formulas(view, show_steps):
    show_steps([("", r"\frac{1}{2}"), ("", r"\frac{1}{2}"), ("", None)], True)
    rows = np.flatnonzero(inked(painted(view, 300, scale=4)).any(axis=1))
    first, second = np.split(rows, [np.argmax(np.diff(rows)) + 1])
    assert np.ptp(first) / np.ptp(second) == pytest.approx(20 / 15, rel=0.05)


def test_headline_is_the_first_formula_even_after_a_text(view, show_steps):
    show_steps([("", None), ("", r"\frac{1}{2}")], True)
    late = np.flatnonzero(solid(painted(view, 300), INK).any(axis=1))
    assert len(late) > 5
    show_steps([("", r"\frac{1}{2}")], True)
    early = np.flatnonzero(solid(painted(view, 300), INK).any(axis=1))
    assert np.ptp(late) == np.ptp(early)


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_the_three_colours_are_where_they_belong(view, show_steps, style):
    apply_style(style)
    show_steps(STEPS, True)
    pixels = painted(view, 300, scale=4, ground=style.paper)
    ink, muted, accent = (solid(pixels, color) for color in (style.ink, style.muted, style.accent))
    assert ink.sum() > 200
    assert muted.sum() > 50
    rows, _ = np.nonzero(accent & (np.arange(accent.shape[1]) < 4 * MARGIN))
    assert rows.min() > len(pixels) - 4 * 50  # the bar is beside the result, which is the last line
    assert muted[rows.min() :].sum() == 0
    show_steps([("", STEPS[0][1]), ("", None)], True)
    headline = painted(view, 300, ground=style.paper)
    assert solid(headline, style.ink).sum() > 50
    assert not solid(headline, style.muted).any()


def test_plain_steps_are_the_texts_alone_with_the_result_in_ink(view, show_steps):
    show_steps(STEPS, False)
    plain = painted(view, 300, scale=4)
    show_steps([(text, None) for text, _ in STEPS], True)
    assert (painted(view, 300, scale=4) == plain).all()
    ink, muted = (np.flatnonzero(solid(plain, color).any(axis=1)) for color in (INK, MUTED))
    assert muted.max() < ink.min()
    assert ink.min() / 4 > view.height() - MARGIN - 20


def test_steps_seen_before_are_not_typeset_again(view, show_steps):
    show_steps(STEPS, True)
    show_steps(OTHER_STEPS, True)
    before = typeset.cache_info().misses
    show_steps(STEPS, True)
    painted(view, 300)
    painted(view, 200)
    assert typeset.cache_info().misses == before


def test_other_steps_and_styles_leave_nothing_of_the_old_on_the_screen(view, show_steps, qtbot):
    view.setAutoFillBackground(True)
    view.resize(300, 500)

    def on_screen():
        return view.screen().grabWindow(view.winId()).toImage().convertToFormat(QImage.Format.Format_RGB32)

    for steps, style in [(STEPS, LIGHT), (OTHER_STEPS, LIGHT), (OTHER_STEPS, DARK), (STEPS, DARK), ([], DARK)]:
        apply_style(style)
        show_steps(steps, True)
        other = shown(qtbot, TextView(MARGIN))
        other.setAutoFillBackground(True)
        show_steps(steps, True, other)
        other.resize(300, 500)
        fresh = other.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        qtbot.waitUntil(lambda fresh=fresh: on_screen() == fresh)
        other.close()


def test_larger_text_breaks_the_lines_anew(view, show_steps):
    show_steps(LONG_STEPS, False)
    before = painted(view, 300)
    apply_style(LIGHT.scaled(1.5))
    settle()
    assert view.heightForWidth(300) > len(before)


def test_a_view_in_a_scroll_area_is_as_tall_as_its_steps(qtbot, show_steps):
    area, view = QScrollArea(), TextView(MARGIN)
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    area.setWidget(view)
    area.resize(300, 200)
    area.show()
    qtbot.waitExposed(area)
    for steps in (STEPS, LONG_STEPS, OTHER_STEPS, STEPS):
        show_steps(steps, True, view)
        qtbot.waitUntil(lambda: view.height() == max(view.heightForWidth(view.width()), area.viewport().height()))
        assert view.width() == area.viewport().width()
        assert area.horizontalScrollBar().maximum() == 0
    area.resize(200, 200)
    qtbot.waitUntil(lambda: view.height() == view.heightForWidth(view.width()))
    assert view.width() == area.viewport().width() <= 200


def test_a_view_in_a_column_has_the_height_of_its_steps(qtbot, show_steps):
    window, view = QWidget(), TextView(MARGIN)
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.addWidget(view)
    column.addStretch()
    window.resize(220, 600)
    window.show()
    qtbot.waitExposed(window)
    for steps in (LONG_STEPS, OTHER_STEPS, STEPS):
        show_steps(steps, True, view)
        qtbot.waitUntil(lambda: view.height() == view.heightForWidth(view.width()))


def test_size_hint_is_a_width_with_its_height(view, show_steps):
    show_steps(STEPS, True)
    hint = view.sizeHint()
    assert hint.height() == view.heightForWidth(hint.width())
    assert view.hasHeightForWidth()
    assert view.sizePolicy().hasHeightForWidth()
    assert view.minimumSizeHint().width() <= 180


def test_no_steps_are_an_empty_page(view, show_steps):
    show_steps(STEPS, True)
    show_steps([], True)
    assert not inked(painted(view, 300)).any()
    assert view.size() == QSize(300, 2 * MARGIN)


@pytest.mark.parametrize("width", [1, 2 * MARGIN, 30])
def test_an_absurdly_narrow_view_does_not_crash(view, show_steps, width):
    show_steps(STEPS, True)
    assert painted(view, width).shape[1] == width


def test_a_formula_that_cannot_be_typeset_is_shown_as_its_source(view, show_steps):
    show_steps([("a", r"\frac{1}"), ("b", "1")], True)
    broken = painted(view, 300)
    show_steps([("a", None), ("b", "1")], True)
    without = painted(view, 300)
    assert len(broken) > len(without) + 10
    assert inked(broken).sum() > inked(without).sum()


def test_words_of_the_field_have_dots_and_a_tool_tip(view, show_steps):
    show_steps([("columns not paired, the cosine of a matrix(3)", None)], False)
    found = painted(view, 400)
    tips = [view.tip_at(QPointF(x, MARGIN + 6)) for x in range(400)]
    assert [tip for tip, _ in groupby(tips) if tip] == [GLOSSARY["column"]]
    below = (found < 250).any(axis=2)[MARGIN + 14 :, : tips.index("", 20)]
    show_steps([("columbs not paired, the cosine of a matrix(3)", None)], False)
    without = (painted(view, 400) < 250).any(axis=2)[MARGIN + 14 :, : below.shape[1]]
    assert below.sum() > without.sum() + 10


def test_a_formula_in_a_line_is_between_its_words_on_their_baseline(view, show_steps, qtbot):
    runs = (Run("area "), Run(r"\square", is_formula=True), Run(" of xxxx"))
    view.show_paragraphs([Paragraph(runs)])
    qtbot.waitUntil(lambda: view.is_typeset)
    with_formula = painted(view, 300, scale=4)
    view.show_paragraphs([Paragraph((Run("area "),))])
    before = np.flatnonzero(inked(painted(view, 300, scale=4)).any(axis=0)).max()
    columns = np.flatnonzero(inked(with_formula).any(axis=0))
    gaps = np.flatnonzero(np.diff(columns) > 8)
    begins, ends = columns[gaps + 1], columns[gaps]
    box = range(begins[begins > before].min(), ends[ends > begins[begins > before].min()].min() + 1)
    rows = np.flatnonzero(inked(with_formula)[:, box.start : box.stop].any(axis=1))
    letters = np.flatnonzero(inked(with_formula)[:, box.stop + 40 :].any(axis=1))
    assert abs(rows.max() - letters.max()) <= 8, "two pixels: the box has a line below"
    assert len(box) == pytest.approx(len(rows), abs=12)


def test_a_line_with_a_high_formula_is_higher_and_the_next_line_below_it(view, qtbot):
    words = "one two three four five six seven eight "
    high = (Run(words), Run(r"\frac{\frac{1}{2}}{\frac{3}{4}}", is_formula=True), Run(f" {words}"))
    view.show_paragraphs([Paragraph((Run(2 * words),))])
    plain = view.heightForWidth(200)
    view.show_paragraphs([Paragraph(high)])
    qtbot.waitUntil(lambda: view.is_typeset)
    assert view.heightForWidth(200) > plain + 15
    one_line = view.heightForWidth(2000)
    rows, _ = np.nonzero(inked(painted(view, 2000)))
    assert 2 * MARGIN + rows.max() - rows.min() <= one_line + 2


def test_a_formula_in_a_line_is_as_wide_as_the_view_at_most(view, qtbot):
    runs = (Run("so "), Run(r"\frac{1}{2} + " * 9 + "1", is_formula=True), Run("."))
    view.show_paragraphs([Paragraph(runs)])
    qtbot.waitUntil(lambda: view.is_typeset)
    for width in (150, 300):
        columns = np.flatnonzero(inked(painted(view, width)).any(axis=0))
        assert columns.max() <= width - MARGIN + 1


def test_until_formulas_are_typeset_their_sources_are_read(qtbot):
    view = TextView()
    qtbot.addWidget(view)
    view.show_paragraphs([Paragraph((Run("half is "), Run(r"\frac{1}{7}", is_formula=True)))])
    assert not view.is_typeset
    source = view.heightForWidth(300)
    assert view.plain_text == r"half is \frac{1}{7}"
    before = typeset.cache_info().misses
    view.resize(300, 100)
    painted(view, 300)
    assert typeset.cache_info().misses == before, "a hidden view typesets nothing"
    view.show()
    qtbot.waitUntil(lambda: view.is_typeset)
    assert view.heightForWidth(300) > source


def test_html_is_shown_letter_by_letter(view, show_steps):
    show_steps([("<b>one</b> <img src='x.png'> &lt;", None)], False)
    wide = view.ideal_width
    show_steps([("one  <", None)], False)
    assert wide > 3 * view.ideal_width - 4 * MARGIN


CHAIN = r"s = \frac{a + b + c + d + e + f + g + h}{2} = a + b + c + d + e + f + g \approx a + b + c + d + e + f + g + h"


def test_a_formula_breaks_at_its_equals_signs_where_it_would_be_too_small(view, show_steps):
    show_steps([("", None), ("sum", CHAIN), ("", None)], True)
    whole = typeset(CHAIN, 20, INK)
    fitting, narrow = whole.width + 2 * MARGIN, int(whole.width * 12 / 20) - 2
    high = [view.heightForWidth(width) for width in (fitting, narrow + 2 * MARGIN + 4, narrow + 2 * MARGIN)]
    assert high[1] < high[0] < high[2]  # whole, whole and small, in lines
    columns = np.nonzero(inked(painted(view, narrow + 2 * MARGIN)))[1]
    assert columns.max() <= narrow + 2 * MARGIN - 1 - MARGIN // 2


def test_formulas_break_at_relations_that_are_in_no_group():
    assert broken(CHAIN) == [
        "s ",
        r"= \frac{a + b + c + d + e + f + g + h}{2} ",
        "= a + b + c + d + e + f + g ",
        r"\approx a + b + c + d + e + f + g + h",
    ]
    both = frozenset("=+-")
    assert broken(r"= 0 + \sin x \cdot (-0.4) - (1 - \cos x)(0.1)", both) == [
        "= 0 ",
        r"+ \sin x \cdot (-0.4) ",
        r"- (1 - \cos x)(0.1)",
    ]
    for whole in (r"-a \cdot -b", "= -4", "x^-1"):
        assert broken(whole, both) == [whole]
    for whole in (r"\sum_{i=0}^{n} i", r"f\left(a = b\right)", r"\begin{cases} a & b < 0 \end{cases}", "= 4"):
        assert broken(whole) == [whole]


def test_a_view_has_the_height_of_its_newest_text_at_a_width_of_an_earlier_text(qtbot):
    """A layout keeps heights at several widths, and only the present one is compared at an edit."""
    around, view = QWidget(), TextView(MARGIN)
    qtbot.addWidget(around)
    column = QVBoxLayout(around)
    column.addWidget(view)
    column.addStretch()
    around.resize(420, 600)
    around.show()
    long, short = ([Paragraph((Run("a few words " * count),))] for count in (9, 7))
    view.show_paragraphs(long)
    around.resize(240, 600)
    settle()
    high = view.height()
    around.resize(420, 600)
    settle()
    low = view.height()
    view.show_paragraphs(short)
    settle()
    assert view.height() == low
    around.resize(240, 600)
    settle()
    assert view.height() == view.heightForWidth(view.width()) < high
