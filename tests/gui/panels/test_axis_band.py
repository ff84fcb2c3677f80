"""The band of colours names the axis of each pair in waves, heatmap, lens and spectrum."""

import numpy as np
import pytest
from panel_bench import shown
from pixels import item_rect, pixels_of, rgb, texts

from posenc_core import Document, Rotary
from posenc_core.encodings import RopeAxes
from posenc_core.session import NamedEncoding
from posenc_gui.layers import AxisBand
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor

SECTIONS = {"rule": "sections", "axes": "t,h,w", "sections": (4, 3, 1)}


def document(grid="2x3x4", **given):
    return Document(grid=grid, seq_len=24).with_encoding(RopeAxes(16, grid=grid, **SECTIONS, **given))


def band_of(panel):
    """The visible band of a panel's figure."""
    (band,) = [each for each in panel.figure.childItems() if isinstance(each, AxisBand) and each.isVisible()]
    return band


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("name", "pairs"), [("heatmap", [*range(8), *range(8)]), ("spectrum", list(range(8)))])
def test_a_column_has_the_colour_of_its_axis_below_it(qtbot, style, name, pairs):
    made = document()
    panel = shown(qtbot, name, made, (760, 560), style)
    rect, pixels = item_rect(panel.view, band_of(panel)), pixels_of(panel.view)
    colours = {axis: rgb(style.token(index)) for index, axis in enumerate("thw")}
    for place, pair in enumerate(pairs):
        x = rect.left() + (place + 0.2) * rect.width() / len(pairs)
        found = pixels[int(rect.top() + 3), int(x)].astype(int)
        assert np.abs(found - colours["ttttthhhw"[pair + (pair > 3)]]).max() <= 2, place
    assert {"t", "h", "w"} <= set(texts(panel.view))


def test_angles_have_a_place_for_each_pair(qtbot):
    panel = shown(qtbot, "heatmap", document().edited("angles", True), (760, 560))
    rect, pixels = item_rect(panel.view, band_of(panel)), pixels_of(panel.view)
    for pair, index in ((0, 0), (3, 0), (4, 1), (7, 2)):
        found = pixels[int(rect.top() + 3), int(rect.left() + (pair + 0.2) * rect.width() / 8)].astype(int)
        assert np.abs(found - rgb(LIGHT.token(index))).max() <= 2


def test_waves_have_the_band_beside_their_rows(qtbot):
    panel = shown(qtbot, "waves", document(pairing="interleaved"), (900, 560))
    rect, area = item_rect(panel.view, band_of(panel)), item_rect(panel.view, panel.figure.area)
    assert rect.left() >= area.right()
    pixels, waves = pixels_of(panel.view), panel.figure.view().waves
    for row, column in zip(waves.row_numbers, waves.columns, strict=True):
        y = area.top() + panel.figure.area.to_y(row + 0.3)
        index = "thw".index("ttttthhhw"[column // 2 + (column // 2 > 3)])
        found = pixels[int(y), int(rect.left() + 4)].astype(int)
        assert np.abs(found - rgb(LIGHT.token(index))).max() <= 2, row


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_letter_of_an_axis_is_whole_between_the_edges_of_its_band(qtbot, scale):
    panel = shown(qtbot, "waves", document(pairing="interleaved"), (900, 560), LIGHT.scaled(scale))
    rect, pixels = item_rect(panel.view, band_of(panel)), pixels_of(panel.view).astype(int)
    colours = np.array([rgb(LIGHT.token(index)) for index in range(3)])
    band = pixels[int(rect.top()) + 20 : int(rect.bottom()) - 20, int(rect.left()) : int(rect.right()) + 1]
    inked = np.abs(band[:, :, None] - colours).max(axis=-1).min(axis=-1) > 2
    inside = np.flatnonzero(~inked.all(axis=0))
    assert inked[:, [inside[0], inside[-1]]].sum(axis=0).max() <= 2  # the faint edge of a w
    assert inked[:, inside].any()


def test_the_lens_names_the_axis_of_each_clock(qtbot):
    panel = shown(qtbot, "lens", document(), (1100, 520))
    panel.show_cursor(Cursor(23, 0))
    captions = [text for text in texts(panel.view) if text.startswith("pair ")]
    assert [text[-1] for text in captions] == list("tttthhhw")


def test_ordinary_rope_has_no_band(qtbot):
    for name in ("heatmap", "waves", "spectrum"):
        panel = shown(qtbot, name, Document().with_encoding(Rotary(16)), (760, 560))
        assert not [each for each in panel.figure.childItems() if isinstance(each, AxisBand) and each.isVisible()]


@pytest.mark.parametrize("view", ["heatmap", "waves"])
@pytest.mark.parametrize("other", [{"rope_theta": 5e5}, {"pairing": "interleaved"}], ids=["base", "pairing"])
def test_a_difference_has_the_band_that_both_tables_have(qtbot, view, other):
    grid, shared = "2x3x4", "pairing" not in other
    listed = [NamedEncoding(RopeAxes(16, grid=grid, **SECTIONS, **given)) for given in ({}, other)]
    made = Document(grid=grid, seq_len=24).with_encodings(listed, 0).edited("compared_panel", view)
    panel = shown(qtbot, "difference", made, (1100, 420))
    bands = [each for each in panel.view.scene().items() if isinstance(each, AxisBand) and each.isVisible()]
    assert len(bands) == (3 if shared else 2)
    assert len({each.sceneBoundingRect().height() for each in bands}) == 1
    assert not shared or texts(panel.view).count("h") in (3, 6)  # a run of columns in each, or two
