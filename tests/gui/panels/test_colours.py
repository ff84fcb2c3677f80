"""A value has the same colour in every panel, scales fit their values, and each colour bar names its quantity."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from documents import with_values
from panel_bench import shown
from pixels import area_of, inside, item_rect, near, painted_words, pixels_of, rgb, texts
from PySide6.QtCore import QPointF

from posenc_core import Alibi, Document, Embedding, IntegerIndex, Rotary, Sinusoidal, T5Bias
from posenc_core.encodings import ENCODINGS
from posenc_core.session.document import View
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.plotting.color_scale import ColorScale

STYLES = pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])


def heat_colour(panel, position, column, part=(0.12, 0.2)):
    """The colour of a cell of the heatmap, all of which is in view."""
    area, plot = area_of(panel), panel.figure.area
    x, y = plot.to_x(column - 0.5 + part[0]), plot.to_y(position - 0.5 + part[1])
    return near(pixels_of(panel.view), area.left() + x, area.top() + y, 0)[0, 0].astype(int)


def box_colour(panel, token, column):
    """The colour of a box of the tokens, near its left edge."""
    layout = panel.figure.view().layout
    assert layout.box is not None
    canvas = item_rect(panel.view, panel.figure.canvas).topLeft()
    box = layout.column_rect(layout.row_rect(layout.strip(token), 0), column).translated(canvas)
    return near(pixels_of(panel.view), box.left() + 5, box.top() + 6, 0)[0, 0].astype(int)


def pair_colour(panel, query, key, count):
    area = area_of(panel)
    x, y = area.left() + (key + 0.1) / count * area.width(), area.top() + (query + 0.1) / count * area.height()
    return near(pixels_of(panel.view), x, y, 0)[0, 0].astype(int)


@STYLES
@pytest.mark.parametrize("encoding", [Alibi(8), T5Bias(32, 128, True, 8), T5Bias(32, 128, False, 8)])
@pytest.mark.parametrize("per_row", [False, True])
def test_a_bias_has_one_colour_in_the_heatmap_the_tokens_and_the_pairs(qtbot, encoding, per_row, style):
    document = replace(Document("a b c d", seq_len=12).with_encoding(encoding), view=View(per_row=per_row))
    heat, tokens, pairs = (shown(qtbot, name, document, (900, 560), style) for name in ("heatmap", "tokens", "pairs"))
    for column in (0, 3, 7):
        pairs.show_cursor(Cursor(0, column, query=3))
        for key in range(3):  # the cursor frames the last
            found = heat_colour(heat, key - 3, column)
            assert np.abs(found - box_colour(tokens, key, column)).max() <= 1, (column, key)
            assert np.abs(found - pair_colour(pairs, 3, key, 4)).max() <= 1, (column, key)


@pytest.mark.one_of(3)
@STYLES
@pytest.mark.parametrize("family", ["integer", "normalized", "binary", "sinusoidal", "learned", "rotary"])
@pytest.mark.parametrize("count", [3, 5])
def test_an_entry_has_one_colour_in_the_heatmap_and_the_tokens(qtbot, family, count, style):
    document = Document(" ".join("abcde"[:count]), seq_len=5).edited("family", family)
    for name, value in (("d_model", 4), ("head_dim", 4)):
        if name in document.encoding.parameters():
            document = document.edited(name, value)
    if family == "learned":
        document = document.with_encoding(document.encoding.from_array(np.linspace(-2, 1, 20).reshape(5, 4)))
    heat, tokens = (shown(qtbot, name, document, (900, 560), style) for name in ("heatmap", "tokens"))
    for token, column in np.ndindex(count, min(4, document.encoding.n_columns)):
        assert np.abs(heat_colour(heat, token, column) - box_colour(tokens, token, column)).max() <= 1, (token, column)


def distinct(pixels, least=12):
    """The number of clearly different colours, each at least ``least`` from those counted before."""
    found = []
    for pixel in np.unique(pixels.reshape(-1, 3), axis=0).astype(int):
        if all(np.abs(pixel - other).max() >= least for other in found):
            found.append(pixel)
    return len(found)


@STYLES
def test_alibi_with_32_heads_and_integer_indices_are_neither_empty_nor_of_one_colour(qtbot, style):
    alibi = Document("Dan loves icecream").with_encoding(Alibi(32))
    heat = shown(qtbot, "heatmap", alibi, (443, 353), style)
    picture = inside(pixels_of(heat.view), area_of(heat))
    halves = np.array_split(picture, 2, axis=1)
    assert all(distinct(half) >= 8 for half in halves), "heads with small slopes show too"
    tokens = shown(qtbot, "tokens", alibi, (501, 353), style)
    strips = inside(pixels_of(tokens.view), item_rect(tokens.view, tokens.figure.canvas))
    filled = np.abs(strips.astype(int) - rgb(style.token(0))).max(axis=2) < 8
    assert filled.sum() > 1000, "the strips are not empty"
    integer = Document("Dan loves icecream").with_encoding(IntegerIndex(8))
    tokens = shown(qtbot, "tokens", integer, (501, 353), style)
    colours = [box_colour(tokens, token, 0) for token in range(3)]
    assert min(np.abs(one - other).max() for one, other in pairwise(colours)) >= 20


def test_per_row_gives_each_head_the_whole_scale(qtbot):
    document = Document("Dan loves icecream").with_encoding(Alibi(32))
    own = replace(document, view=View(per_row=True))
    panel = shown(qtbot, "heatmap", own, (600, 420))
    colours = np.array([[heat_colour(panel, position, column) for column in (0, 15, 31)] for position in (-59, -30, 0)])
    assert np.abs(colours[:, 0] - colours[:, 2]).max() <= 2, "ALiBi's heads differ in nothing but their slopes"
    assert np.abs(colours[0] - colours[1]).max(axis=1).min() > 40
    assert "share of each head's largest (no unit)" in texts(panel.view)
    panel.show_document(document)
    assert "bias (logits)" in texts(panel.view)


def test_numbers_of_one_sign_have_a_sequential_map_and_others_a_diverging_one():
    for low, high in ((0, 1), (0, 59), (-29.5, 0)):
        assert ColorScale.suited("diverging", low, high, False).name == "viridis"
        assert ColorScale.suited("cividis", low, high, False).name == "cividis", "chosen by the user"
    levels = ColorScale.suited("diverging", 0, 4, False).levels(np.array([0.0, 2.0, 4.0]))
    assert levels.tolist() == [0, 128, 255]


def test_the_dark_theme_has_a_diverging_map_with_a_dark_middle(qtbot):
    for style, is_dark in ((LIGHT, False), (DARK, True)):
        scale = ColorScale.suited("diverging", -1.0, 1.0, style.is_dark)
        low, middle, high = (scale.color(value).lightnessF() for value in (-1.0, 0.0, 1.0))
        assert (middle < low) == (middle < high) == is_dark
        panel = shown(qtbot, "heatmap", Document(encoding=Sinusoidal(8)), (640, 480), style)
        assert (heat_colour(panel, 0, 0) == rgb(scale.color(0.0))).all()


@STYLES
@pytest.mark.parametrize("size", [(443, 335), (248, 243)])
@pytest.mark.parametrize("name", ["heatmap", "tokens", "pairs"])
@pytest.mark.parametrize("family", list(ENCODINGS))
def test_every_colour_bar_has_a_title_a_unit_and_numbers_at_its_ends(qtbot, family, name, size, style):
    document = Document("a b c").edited("family", family)
    panel = shown(qtbot, name, document, size, style)
    if name == "tokens" and panel.figure.view().layout.box is None:
        assert "height" in panel.figure.pointing.note(), "lines have no colours"
        return
    words = texts(panel.view)
    titles = [word for word in words if re.fullmatch(r".+ \((no unit|1|logits|positions|rad)\)", word)]
    assert len(titles) == 1, words
    view = panel.figure.view()
    scale = view.colors if name == "pairs" else view.table.scale if name == "tokens" else view.colors.scale
    written = {f"{end + 0.0:.4g}".replace("-", "−") for end in (scale.low, scale.high)}  # −0.0 is 0
    assert written <= set(words)


def test_a_masked_key_is_grey_with_a_dash_in_the_tokens(qtbot):
    document = Document("a b c").with_encoding(Alibi(4))
    panel = shown(qtbot, "tokens", document, (700, 400))
    panel.show_cursor(Cursor(0, 0, query=1))
    assert (box_colour(panel, 2, 1) == rgb(LIGHT.masked)).all()
    assert (box_colour(panel, 0, 1) != rgb(LIGHT.masked)).any()


@pytest.mark.parametrize(("encoding", "last"), [(Alibi(4), 0), (T5Bias(32, 128, True, 4), 11)])
@pytest.mark.parametrize("name", ["heatmap", "waves"])
def test_causal_families_draw_distances_up_to_zero(qtbot, name, encoding, last):
    panel = shown(qtbot, name, Document("a b c", seq_len=12).with_encoding(encoding), (640, 420))
    window = panel.figure.viewport.window()
    assert (window.y if name == "heatmap" else window.x) == pytest.approx((-11.5, last + 0.5))


@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("encoding", [Sinusoidal(8), Rotary(8, pairing="interleaved")])
def test_sines_and_cosines_are_drawn_in_halves_without_changing_the_table(qtbot, encoding, transpose):
    document = with_values(Document("a", seq_len=9, encoding=encoding), transpose=transpose)
    plain = shown(qtbot, "heatmap", document, (640, 480))
    halves = shown(qtbot, "heatmap", with_values(document, transpose=transpose, halves=True), (640, 480))
    seen = []
    halves.cursorMoved.connect(seen.append)
    for panel in (plain, halves):
        panel.show_cursor(None)
    parts = [encoding.column_info(column).part for column in range(8)]
    order = [column for part in (parts[0], parts[1]) for column in range(8) if parts[column] == part]
    area = area_of(halves)
    pixels = [pixels_of(panel.view) for panel in (plain, halves)]
    for position, (shown_at, column) in [(p, each) for p in (1, 4, 8) for each in enumerate(order)]:
        colours = []
        for image, at in zip(pixels, (column, shown_at), strict=True):
            along = ((at + 0.15) / 8, (position + 0.2) / 9)
            x, y = along[::-1] if transpose else along
            colours.append(near(image, area.left() + x * area.width(), area.top() + y * area.height(), 0)[0, 0])
        assert (colours[0].astype(int) == colours[1]).all(), (position, column)
    halves.figure.point(*((4, 5) if transpose else (5, 4)), False)
    assert seen[-1] == Cursor(4, order[5]), "the cursor is in the table's column"
    frame = halves.figure.pointing.rect_of(4, order[5])
    assert frame.contains(
        halves.figure.area.to_rect((4, 4), (5, 5)).center()
        if transpose
        else QPointF(halves.figure.area.to_x(5), halves.figure.area.to_y(4))
    )
    if not transpose:
        assert {"sines", "cosines"} <= set(texts(halves.view))


def test_an_embedding_has_a_colour_bar_of_its_own(qtbot):
    document = Document("a b", encoding=Sinusoidal(4), embedding=Embedding("simulated"))
    panel = shown(qtbot, "tokens", document, (700, 400))
    key = item_rect(panel.view, panel.figure._key)
    below = [word.text for word in painted_words(panel.view) if word.y > key.top()]
    assert below == ["all rows (no unit)", "−3.5", "3.5"]
