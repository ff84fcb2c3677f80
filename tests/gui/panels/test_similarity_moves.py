"""Similarity of wide tables: a cursor that moves reads no rows, and lines that take long arrive one after the other."""

import numpy as np
import pytest
from panel_bench import shown
from pixels import settle

from posenc_core import Document, IntegerIndex, LearnedTable, Sinusoidal
from posenc_core.session import NamedEncoding
from posenc_core.tables import LONG_WORK
from posenc_core.tables.array_table import ArrayTable
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels.similarity.beside import DistanceLines
from posenc_gui.panels.similarity.numbers import plots

COUNT, WIDTH = 1500, 512


@pytest.fixture
def document(tmp_path):
    path = tmp_path / "wide.npy"
    np.save(path, np.random.default_rng(0).normal(size=(COUNT, WIDTH)).astype(np.float32))
    return Document("a b c", seq_len=COUNT, encoding=LearnedTable.from_file(path))


@pytest.fixture
def rows_read(monkeypatch):
    """The rows that are read, each as often as it is."""
    read, rows = ArrayTable.read, []

    def counted(table, asked, columns):
        rows.extend(asked.tolist())
        return read(table, asked, columns)

    monkeypatch.setattr(ArrayTable, "read", counted)
    return rows


def row_of(panel):
    return panel.figure.line_view(0).plot.lines[-1]


def test_a_moving_cursor_reads_no_rows_and_a_resting_one_its_own(document, rows_read, qtbot):
    panel = shown(qtbot, "similarity", document, (620, 760))
    qtbot.waitUntil(lambda: not panel._renderer.is_busy)
    panel.show_cursor(Cursor(5, 0))
    settle()
    qtbot.waitUntil(lambda: not panel._renderer.is_busy)
    rows_read.clear()
    for position in range(100, 120):
        panel.show_cursor(Cursor(position, 0))
        panel.view.repaint()
    assert rows_read == []
    line = row_of(panel)
    assert line.name == "row of 119"
    assert np.isnan(line.y).all()
    qtbot.waitUntil(lambda: not np.isnan(row_of(panel).y).all())
    settle()
    n_read = len(rows_read)
    assert COUNT / 2 < n_read < 3 * COUNT
    panel.view.repaint()
    assert len(rows_read) == n_read
    x, line = panel.figure.line_view(0).plot.x, row_of(panel)
    table = np.asarray(np.load(document.encoding.weights.origin.path), np.float64)
    for other in (101, 119, 1001):  # every second distance is drawn
        at = int(np.flatnonzero(x == other - 119)[0])
        expected = table[119] @ table[other] / (np.linalg.norm(table[119]) * np.linalg.norm(table[other]))
        assert line.y[at] == pytest.approx(expected, abs=1e-9)


def test_lines_of_wide_tables_arrive_while_the_window_goes_on(qtbot):
    listed = [NamedEncoding(each) for each in (Sinusoidal(4), IntegerIndex(65_536))]
    document = Document(seq_len=100).with_encodings(listed, 0)
    panel = shown(qtbot, "similarity", document, (620, 760))
    qtbot.waitUntil(lambda: all(np.isfinite(line.y).any() for line in panel.figure.line_view(0).plot.lines))
    assert DistanceLines.of(document).work > LONG_WORK
    lines = {line.name: line.y for line in panel.figure.line_view(0).plot.lines}
    for line, found in zip(plots(document)[0].lines, lines.values(), strict=True):
        np.testing.assert_array_equal(line.y, found)


def test_a_file_has_the_row_at_once(document, qtbot, rows_read):
    content = picture_bytes(Picture("similarity", document, Cursor(119, 0, True)), "svg", PictureOptions(mark=True))
    assert b"row of 119" in content
    assert rows_read.count(119) >= 1
