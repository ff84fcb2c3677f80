"""The heatmap of angles: a column a pair, colours that go round as the angle does."""

from dataclasses import replace

import numpy as np
import pytest
from documents import with_values
from families import FAMILIES, document_of
from panel_bench import shown
from pixels import area_of, click, colour_table, item_rect, near, painted_words, pixels_of, texts
from PySide6.QtCore import QPointF, Qt

from posenc_core import Document, Rotary, Sinusoidal, TransformerXLRelative
from posenc_core.session.document import View
from posenc_gui.model.cursor import Cursor


def place(panel, position, pair, n_pairs, part=(0.5, 0.5)):
    area, positions = area_of(panel), panel.figure.pointing.positions
    before = positions[-1] - position if panel.figure.document.encoding.relative else position - positions[0]
    along = ((before + part[1]) / len(positions), (pair + part[0]) / n_pairs)
    across, down = along if panel.figure.document.value("transpose") else along[::-1]
    return QPointF(area.left() + across * area.width(), area.top() + down * area.height())


def angle_colour(angle):
    turned = np.angle(np.exp(1j * angle))
    return colour_table("CET-C1")[round((turned / np.pi + 1) / 2 * 255)].astype(int)


@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("encoding", [Sinusoidal(6), Rotary(6), TransformerXLRelative(6)])
def test_each_pair_has_the_colour_of_its_angle(qtbot, encoding, transpose):
    document = with_values(
        Document("Dan", seq_len=9, encoding=encoding), color_map="viridis", transpose=transpose, angles=True
    )
    panel = shown(qtbot, "heatmap", document)
    pixels = pixels_of(panel.view)
    sign = -1 if encoding.relative else 1
    for position in panel.figure.pointing.positions:
        for pair in range(3):
            there = place(panel, position, pair, 3, (0.1, 0.15))
            painted = near(pixels, there.x(), there.y(), 0)[0, 0].astype(int)
            wanted = angle_colour(sign * position * 10000 ** (-pair / 3))
            assert np.abs(painted - wanted).max() <= 3, (position, pair)


def test_key_axis_and_note_speak_of_angles(qtbot):
    panel = shown(qtbot, "heatmap", Document(view=View(angles=True)), (800, 480))
    key = item_rect(panel.view, panel.figure._key)
    words = sorted((word for word in painted_words(panel.view) if word.x > key.left()), key=lambda word: word.y)
    assert [word.text for word in words if not word.upwards] == ["π", "0", "−π"]
    assert [word.text for word in words if word.upwards] == ["angle (rad)"]
    assert {"pair", "fast,", "λ 6.3", "slow,", "λ 6,283.2"} <= set(texts(panel.view))
    assert "column" not in texts(panel.view)
    assert panel.figure.pointing.subtitle() == "position × pair"
    assert panel.figure.pointing.note() == "angle of each pair, mod 2π"


@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("encoding", [Sinusoidal(1200), Rotary(1200), TransformerXLRelative(1200, clamp_len=2000)])
def test_a_pixel_over_many_cells_has_the_mean_of_their_unit_vectors(qtbot, encoding, transpose):
    document = with_values(
        Document("", seq_len=3000, encoding=encoding), color_map="viridis", transpose=transpose, angles=True
    )
    panel = shown(qtbot, "heatmap", document, (480, 420))
    grid = panel.figure.view().grid
    positions, pairs = (grid.across, grid.down) if transpose else (grid.down, grid.across)
    turns = grid.compute().T if transpose else grid.compute()
    assert turns.shape == (positions.parts, pairs.parts)
    down, across = (np.linspace(span.first, span.stop, span.parts + 1) - 1e-9 for span in (positions, pairs))
    for row, column in [(0, 0), (positions.parts // 2, 3), (positions.parts - 1, pairs.parts - 1)]:
        p = np.arange(*np.ceil(down[row : row + 2]))
        if encoding.relative:
            p = np.minimum(-p, 2000)
        vectors = np.exp(1j * np.multiply.outer(p, 10000 ** (-np.arange(*np.ceil(across[column : column + 2])) / 600)))
        assert abs(turns[row, column] - vectors.mean()) < 5e-7


def test_the_note_says_that_a_colour_is_of_a_mean_and_what_grey_is(qtbot):
    document = Document("", seq_len=2**20, encoding=Sinusoidal(8192), view=View(angles=True))
    panel = shown(qtbot, "heatmap", document, (480, 420))
    positions, pairs = panel.figure.view().grid.cells_a_pixel
    how = "mean angle, grey where they differ"
    assert panel.figure.pointing.note().startswith(f"1 pixel = {positions:,.0f} positions × {pairs:.2g} pairs, {how}")


@pytest.mark.parametrize("pairing", ["half_split", "interleaved"])
def test_a_click_on_a_pair_points_at_its_first_column_and_either_is_framed(qtbot, pairing):
    document = Document("", seq_len=9, encoding=Rotary(6, pairing=pairing), view=View(angles=True))
    panel = shown(qtbot, "heatmap", document)
    seen = []
    panel.cursorMoved.connect(seen.append)
    click(panel.view, place(panel, 4, 2, 3))
    first, second = (2, 5) if pairing == "half_split" else (4, 5)
    assert Cursor(4, first, pinned=True) in seen
    frames = [panel.figure.pointing.rect_of(4, column) for column in (first, second)]
    assert frames[0] == frames[1]
    assert frames[0].contains(panel.figure.area.mapFromScene(panel.view.mapToScene(place(panel, 4, 2, 3).toPoint())))


@pytest.mark.parametrize("pairing", ["half_split", "interleaved"])
def test_arrows_lead_from_pair_to_pair(qtbot, pairing):
    encoding = Rotary(6, pairing=pairing)
    panel = shown(qtbot, "heatmap", Document("", seq_len=9, encoding=encoding, view=View(angles=True)))
    for part in (0, 1):
        columns = [column for column in range(6) if encoding.pairs.place(column)[1] == part]
        panel.show_cursor(Cursor(4, columns[0]))
        assert panel.figure.pointing.moved(Qt.Key.Key_Right, 1) == Cursor(4, columns[1], pinned=True)
        assert panel.figure.pointing.moved(Qt.Key.Key_Right, 10) == Cursor(4, columns[2], pinned=True)
        assert panel.figure.pointing.moved(Qt.Key.Key_Left, 1) == Cursor(4, columns[0], pinned=True)
        assert panel.figure.pointing.moved(Qt.Key.Key_Down, 1) == Cursor(5, columns[0], pinned=True)


def test_a_column_without_a_pair_has_no_frame(qtbot):
    panel = shown(qtbot, "heatmap", Document("", encoding=Sinusoidal(7), view=View(angles=True)))
    before = pixels_of(panel.view)
    panel.show_cursor(Cursor(3, 6))
    panel.figure.viewport.show_cell(Cursor(3, 6))
    assert (pixels_of(panel.view) == before).all()


@pytest.mark.parametrize("name", FAMILIES)
def test_families_without_pairs_keep_their_picture(qtbot, name):
    document = document_of(name)
    plain = shown(qtbot, "heatmap", document)
    angles = shown(qtbot, "heatmap", replace(document, view=View(angles=True)))
    paired = name in ("sinusoidal", "transformer_xl", "rotary", "rope_axes", "xpos", "fope", "pope")
    assert (pixels_of(plain.view) == pixels_of(angles.view)).all() != paired


def test_the_window_follows_when_angles_come_and_go(qtbot):
    panel = shown(qtbot, "heatmap", Document(""))
    for angles, columns in ((True, 4), (False, 8), (True, 4)):
        panel.show_document(Document("", view=View(angles=angles)))
        assert panel.figure.viewport.window().x == pytest.approx((-0.5, columns - 0.5))
    panel.figure.viewport.show_columns(2, 5)
    assert panel.figure.viewport.window().x == pytest.approx((0.5, 2.5))
