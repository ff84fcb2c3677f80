"""The heatmap with the patches along one axis as rows: colours, sliders of the other axes, pointing, exports."""

import subprocess
import sys

import numpy as np
import pytest
from panel_bench import shown
from pixels import area_of, click, hover, pixels_of, settle, texts, value_colour
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QSlider

from posenc_core import Document
from posenc_core.encodings import RopeAxes
from posenc_core.session import NamedEncoding
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import spec_of

SIZE = (640, 480)


def document(axis, grid="2+3x5x6", **indices):
    made = Document(encoding=RopeAxes(16, axes="t,h,w", grid=grid)).edited("grid", grid).edited("heatmap_rows", axis)
    for name, index in indices.items():
        made = made.edited(f"heatmap_{name}", index)
    return made


def place(panel, row, column, n_rows, at=0.2):
    area, transpose = area_of(panel), panel.figure.document.value("transpose")
    across, down = (row + at) / n_rows, (column + at) / 16
    across, down = (across, down) if transpose else (down, across)
    return QPointF(area.left() + across * area.width(), area.top() + down * area.height())


def notes(panel):
    return " ".join(label.text() for label in panel.findChildren(QLabel))


def editor_of(panel, name):
    return panel._controls._form.editor(name)


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize(("axis", "n_rows"), [("t", 3), ("h", 5), ("w", 6)])
def test_a_row_has_the_colours_of_its_patch(qtbot, style, transpose, axis, n_rows):
    made = document(axis, frame=2, row=3, column=4).edited("transpose", transpose)
    panel = shown(qtbot, "heatmap", made, SIZE, style)
    pixels, encoding = pixels_of(panel.view), made.encoding
    for row in range(n_rows):
        t, h, w = (row if name == axis else fixed for name, fixed in (("t", 2), ("h", 3), ("w", 4)))
        numbers = encoding.values(np.array([2 + (t * 5 + h) * 6 + w]), np.arange(16))[0]
        for column in (0, 3, 7, 8, 15):
            at = place(panel, row, column, n_rows)
            wanted = value_colour(numbers[column], -1, 1, 0.0, style is DARK)
            assert np.abs(pixels[int(at.y()), int(at.x())].astype(int) - wanted).max() <= 2, (row, column)
    names = {"t": "frame", "h": "patch row", "w": "patch column"}
    assert names[axis] in texts(panel.view)
    assert not {"Dan", "loves", "icecream"} & set(texts(panel.view))
    note = ", ".join(f"{names[each]} {at}" for each, at in (("t", 2), ("h", 3), ("w", 4)) if each != axis)
    assert note in notes(panel)


def test_only_axes_that_are_not_drawn_have_a_slider_and_it_reaches_the_last_index(qtbot):
    panel = shown(qtbot, "heatmap", document("w"), SIZE)
    sliders = {name: editor_of(panel, f"heatmap_{name}") for name in ("frame", "row", "column")}
    assert [name for name, editor in sliders.items() if editor.isVisible()] == ["frame", "row"]
    assert [sliders[name].findChild(QSlider).maximum() for name in ("frame", "row")] == [2, 4]
    edits = []
    panel.fieldEdited.connect(lambda name, value, _: edits.append((name, value)))
    sliders["row"].findChild(QSlider).setFocus()
    QTest.keyClick(sliders["row"].findChild(QSlider), Qt.Key.Key_End)
    assert edits == [("heatmap_row", 4)]
    panel.show_document(document("h", "4x4x1"))
    settle()
    assert [name for name, editor in sliders.items() if editor.isVisible()] == ["frame"]  # there is a single column
    panel.show_document(Document())
    settle()
    assert not panel._controls.isVisible()


def test_pointing_and_keys_lead_to_the_patch_and_a_patch_elsewhere_has_no_mark(qtbot):
    made = document("w", frame=1, row=3)
    panel = shown(qtbot, "heatmap", made, SIZE)
    moved = []
    panel.cursorMoved.connect(moved.append)
    first = 2 + (1 * 5 + 3) * 6
    hover(panel.view, place(panel, 4, 6, 6, 0.5))
    click(panel.view, place(panel, 2, 9, 6, 0.5))
    assert [(each.position, each.column) for each in (moved[0], moved[-1])] == [(first + 4, 6), (first + 2, 9)]
    panel.show_cursor(moved[-1])
    settle()
    number = made.encoding.values(np.array([first + 2]), np.array([9]))[0, 0]
    assert panel.figure.pointing.number() == number
    frame = panel.figure.pointing.frame()
    assert frame == panel.figure.pointing.rect_of(first + 2, 9)
    QTest.keyClick(panel, Qt.Key.Key_Down)
    assert (moved[-1].position, moved[-1].column) == (first + 3, 9)
    panel.show_cursor(Cursor(first - 6, 9))
    settle()
    assert panel.figure.pointing.frame() is None
    assert panel.figure.pointing.rect_of(first - 6, 9) is None


@pytest.mark.parametrize(
    ("made", "sentence", "edit"),
    [
        (document("w", row=5), "The grid 2+3x5x6 has no patch row 5: the last is 4.", ("heatmap_row", 4)),
        (document("t", "4x4"), "The grid 4x4 has no frames.", ("heatmap_rows", "cells")),
    ],
)
def test_an_index_beyond_the_grid_gets_a_sentence_and_a_way_out(qtbot, made, sentence, edit):
    panel = shown(qtbot, "heatmap", made, SIZE)
    assert sentence in notes(panel)
    edits = []
    panel.fieldEdited.connect(lambda name, value, _: edits.append((name, value)))
    (button,) = [each for each in panel.findChildren(QPushButton) if each.isVisible() and "Show" in each.text()]
    button.click()
    assert edits == [edit]
    panel.show_document(made.edited(*edit))
    settle()
    assert spec_of("heatmap").missing(panel.figure.document) is None
    assert panel.view.isVisible()


def test_the_rows_are_kept_by_a_session(qtbot):
    made = document("w", frame=2, row=3)
    opened = Document.from_json(made.to_json())
    assert [opened.value(f"heatmap_{name}") for name in ("rows", "frame", "row")] == ["w", 2, 3]
    assert opened == made


def test_the_script_draws_the_same_rows(qtbot, tmp_path):
    made = document("h", frame=2, column=4)
    panel = shown(qtbot, "heatmap", made, SIZE)
    script = tmp_path / "rows.py"
    script.write_text(panel.figure.script().replace("plt.show()", "np.save('rows.npy', table)"), encoding="utf-8")
    ran = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    positions = 2 + (2 * 5 + np.arange(5)) * 6 + 4
    np.testing.assert_allclose(
        np.load(tmp_path / "rows.npy"), made.encoding.values(positions, np.arange(16)), atol=1e-12
    )
    assert "patch row" in script.read_text(encoding="utf-8")


def test_a_difference_of_all_cells_keeps_its_switch(qtbot):
    made = document("cells", row=3)
    other = NamedEncoding(made.encoding.edited("rope_theta", 100.0))
    both = made.with_encodings([*made.encodings, other], 0)
    panel = shown(qtbot, "difference", both, (900, 480))
    assert "positions" in {switch.name for switch in panel.figure.viewport.switches()}
    assert "position" in texts(panel.view)


@pytest.mark.parametrize(("axis", "ends"), [("h", ["λ 6.3", "λ ∞"]), ("w", [])])
def test_only_rows_whose_first_columns_turn_have_a_fast_and_a_slow_end(qtbot, axis, ends):
    made = Document(encoding=RopeAxes(16, grid="6x7", pairing="interleaved")).edited("grid", "6x7")
    panel = shown(qtbot, "heatmap", made.edited("heatmap_rows", axis), (900, 480))
    assert [text for text in texts(panel.view) if "λ" in text] == ends
