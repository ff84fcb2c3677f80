"""DIFFERENCE as a heatmap has the rows of the heatmap: all cells of a picture, or the patches along an axis."""

import subprocess
import sys

import numpy as np
import pytest
from panel_bench import shown
from pixels import click, hover, pixels_of, settle, texts, value_colour
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from posenc_core import Document, Rotary
from posenc_core.encodings import RopeAxes
from posenc_core.session import NamedEncoding
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor

SIZE = (1100, 420)
OTHER = RopeAxes(16, axes="t,h,w", grid="2+3x5x6", rope_theta=100.0)


def document(axis, other=OTHER, **changed):
    made = Document(encoding=RopeAxes(16, axes="t,h,w", grid="2+3x5x6")).edited("grid", "2+3x5x6")
    made = made.with_encodings((*made.encodings, NamedEncoding(other)), 0).edited("heatmap_rows", axis)
    for name, value in {"heatmap_frame": 2, "heatmap_row": 3, "heatmap_column": 4, **changed}.items():
        made = made.edited(name, value)
    return made


def figures(panel):
    return panel.figure.view().figures


def place(panel, which, row, column, n_rows):
    area = figures(panel)[which].area
    found = area.mapRectToScene(area.rect())
    return QPointF(
        found.left() + (column + 0.2) / 16 * found.width(), found.top() + (row + 0.2) / n_rows * found.height()
    )


def position(axis, row):
    t, h, w = (row if name == axis else fixed for name, fixed in (("t", 2), ("h", 3), ("w", 4)))
    return 2 + (t * 5 + h) * 6 + w


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("axis", "n_rows"), [("t", 3), ("h", 5), ("w", 6)])
def test_all_three_pictures_have_the_rows_of_the_axis(qtbot, style, axis, n_rows):
    made = document(axis)
    panel = shown(qtbot, "difference", made, SIZE, style)
    pixels = pixels_of(panel.view)
    one, other = (each.encoding for each in made.encodings)
    for row in range(n_rows):
        numbers = [each.values(np.array([position(axis, row)]), np.arange(16))[0] for each in (one, other)]
        for which, wanted in enumerate((*numbers, numbers[0] - numbers[1])):
            for column in (0, 3, 8, 15):
                at = place(panel, which, row, column, n_rows)
                colour = value_colour(wanted[column], -2, 2, 0.0, style is DARK)
                assert np.abs(pixels[int(at.y()), int(at.x())].astype(int) - colour).max() <= 2, (which, row, column)
    names = {"t": "frame", "h": "patch row", "w": "patch column"}
    assert names[axis] in texts(panel.view)
    said = " ".join(label.text() for label in panel.findChildren(QLabel))
    fixed = {"t": "frame 2", "h": "patch row 3", "w": "patch column 4"}
    assert all((words in said) == (name != axis) for name, words in fixed.items())
    assert "positions" not in {switch.name for switch in panel.figure.viewport.switches()}


def test_pointing_means_the_patch(qtbot):
    made = document("h")
    panel = shown(qtbot, "difference", made, SIZE)
    seen = []
    panel.cursorMoved.connect(seen.append)
    hover(panel.view, place(panel, 1, 2, 5, 5))
    assert (seen[-1].position, seen[-1].column) == (position("h", 2), 5)
    click(panel.view, place(panel, 0, 1, 3, 5))
    held = Cursor(position("h", 1), 3, pinned=True)
    assert held in seen
    panel.show_cursor(held)
    one, other = (each.encoding.values(np.array([held.position]), np.array([3]))[0, 0] for each in made.encodings)
    assert panel.figure.pointing.number() == one - other
    for figure in figures(panel):
        assert figure.cursor.position == 1
    QTest.keyClick(panel, Qt.Key.Key_Down)
    assert seen[-1].position == position("h", 2)
    panel.show_cursor(Cursor(position("t", 0), 3, pinned=True))  # in another frame
    assert panel.figure.pointing.frame() is None
    assert panel.figure.pointing.number() is not None


def test_rows_follow_the_option(qtbot):
    panel = shown(qtbot, "difference", document("cells"), SIZE)
    for axis, n_rows in (("w", 6), ("t", 3), ("cells", 92), ("h", 5)):
        panel.show_document(document(axis))
        settle()
        for figure in figures(panel):
            assert figure.area.upright == (-0.5, n_rows - 0.5)


@pytest.mark.parametrize("panel_name", ["waves", "tokens"])
def test_other_pictures_keep_all_positions(qtbot, panel_name):
    panel = shown(qtbot, "difference", document("h", compared_panel=panel_name), SIZE)
    assert {figure.document.seq_len for figure in figures(panel)} == {92}


def test_a_table_without_patches_keeps_all_positions_of_both(qtbot):
    panel = shown(qtbot, "difference", document("h", Rotary(16)), SIZE)
    assert {figure.document.seq_len for figure in figures(panel)} == {92}
    assert "position" in texts(panel.view)


def test_angles_are_compared_along_an_axis(qtbot):
    panel = shown(qtbot, "difference", document("w", angles=True), SIZE)
    assert {figure.document.seq_len for figure in figures(panel)} == {6}
    panel.show_cursor(Cursor(position("w", 3), 2, pinned=True))
    assert "rad" in panel.figure.pointing.spoken()


def test_the_script_draws_the_rows(qtbot, tmp_path):
    made = document("h")
    panel = shown(qtbot, "difference", made, SIZE)
    saved = f"np.savez({str(tmp_path / 'found')!r}, a=table_a, b=table_b, d=table)"
    (tmp_path / "script.py").write_text(f"{panel.figure.script()}\n{saved}\n")
    here = {"MPLBACKEND": "agg", "HOME": str(tmp_path)}
    subprocess.run([sys.executable, "script.py"], cwd=tmp_path, check=True, env=here)
    found = np.load(tmp_path / "found.npz")
    positions = np.array([position("h", row) for row in range(5)])
    tables = [each.encoding.values(positions, np.arange(16)) for each in made.encodings]
    assert np.allclose(found["a"], tables[0], atol=1e-6)
    assert np.allclose(found["b"], tables[1], atol=1e-6)
    assert np.allclose(found["d"], tables[0] - tables[1], atol=1e-6)
