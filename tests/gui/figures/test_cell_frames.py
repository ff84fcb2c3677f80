"""The frame around the cursor's cell is whole also at the edges of a plot."""

import numpy as np
import pytest
from documents import with_values
from panel_bench import shown
from pixels import area_of, inside, pixels_of, settle

from posenc_core import Document, Sinusoidal
from posenc_gui.model.cursor import Cursor


@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("seq_len", [23, 3000])  # a row is 16 pixels high, and a part of a pixel
@pytest.mark.parametrize("column", [0, 7])
@pytest.mark.parametrize("is_last", [False, True])
def test_a_frame_in_the_corner_of_the_heatmap_has_four_sides(qtbot, transpose, seq_len, column, is_last):
    document = with_values(Document(seq_len=seq_len, encoding=Sinusoidal(8)), transpose=transpose)
    panel = shown(qtbot, "heatmap", document, (500, 420))
    unmarked = inside(pixels_of(panel.view), area_of(panel)).astype(int)
    panel.show_cursor(Cursor(seq_len - 1 if is_last else 0, column))
    settle()
    marked = inside(pixels_of(panel.view), area_of(panel)).astype(int)
    is_black = (np.abs(marked - unmarked).max(axis=2) > 0) & (marked.max(axis=2) < 90)
    rows, columns = np.flatnonzero(is_black.any(axis=1)), np.flatnonzero(is_black.any(axis=0))
    frame = is_black[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    assert min(frame.shape) >= 4
    for side in (frame[:2], frame[-2:], frame[:, :2].T, frame[:, -2:].T):
        assert side.any(axis=0).mean() > 0.8
    white = marked.min(axis=2) > 100  # its line may share pixels with a dark cell
    top, bottom, left, right = rows[0], rows[-1], columns[0], columns[-1]
    middle = (top + bottom) // 2, (left + right) // 2
    assert white[max(0, top - 2) : top, middle[1]].any()
    assert white[bottom + 1 : bottom + 3, middle[1]].any()
    assert white[middle[0], max(0, left - 2) : left].any()
    assert white[middle[0], right + 1 : right + 3].any()


@pytest.mark.parametrize("width", range(480, 490))
def test_opposite_sides_of_a_frame_are_equally_dark(qtbot, width):
    panel = shown(qtbot, "heatmap", Document("", seq_len=60), (width, 406))
    panel.show_cursor(Cursor(30, 4))
    pixels, area = pixels_of(panel.view).astype(int), area_of(panel)
    x, y = round(area.left() + 4.5 / 8 * area.width()), round(area.top() + 30.5 / 60 * area.height())
    for line, at in ((pixels[y - 8 : y + 9, x], 8), (pixels[y, x - 40 : x + 41], 40)):
        before, after = line[:at][::-1].max(axis=1), line[at + 1 :].max(axis=1)
        sides = [side[side.argmin() : side.argmin() + 2].tolist() for side in (before, after)]
        assert sides[0] == pytest.approx(sides[1], abs=3)
        assert sides[0][0] < 40
