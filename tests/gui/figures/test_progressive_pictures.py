"""Large tables in the window: their pictures appear part by part, and each part is exact."""

import re
import threading

import numpy as np
import pytest
from memory import forget
from panel_bench import shown
from pixels import expected_colour, item_rect, painted_words, pixels_of, settle
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QProgressDialog, QPushButton
from window_bench import act, control, says

from posenc_core import Document, LearnedTable
from posenc_core.tables import Cancelled
from posenc_core.tables.array_table import ArrayTable
from posenc_gui.export.dialog import ExportDialog
from posenc_gui.export.names import PICTURE_FORMATS
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.files.errors import FileError
from posenc_gui.look.controls import Note
from posenc_gui.look.style import LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.plotting.plot_area import Window

N_ROWS, N_COLUMNS = 150_000, 256
SHOWN = ("heatmap", "waves")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """The path of a table of float16 in rows of noise that rise and fall."""
    path = tmp_path_factory.mktemp("tables") / "large.npy"
    table = np.lib.format.open_memmap(path, "w+", np.float16, (N_ROWS, N_COLUMNS))
    random = np.random.default_rng(3)
    for top in range(0, N_ROWS, 5000):
        rise = 0.5 * np.sin(np.arange(top, top + 5000) / 20_000)[:, None]
        table[top : top + 5000] = rise + random.uniform(-0.5, 0.5, (5000, N_COLUMNS)).astype(np.float32)
    table[0, 0] = 1.0
    table.flush()
    return path


class FileRows:
    """The table in a file, read where it is asked for: a mapping, beside the program's, counts as memory, too."""

    def __init__(self, path):
        self._path, self._start = path, path.stat().st_size - 2 * N_ROWS * N_COLUMNS

    def __getitem__(self, place):
        rows, columns = place
        first, stop, _ = rows.indices(N_ROWS)
        start = self._start + 2 * first * N_COLUMNS
        read = np.fromfile(self._path, np.float16, (stop - first) * N_COLUMNS, offset=start)
        return read.reshape(-1, N_COLUMNS)[:, columns]


@pytest.fixture
def numbers(path):
    """That path and its table."""
    return path, FileRows(path)


@pytest.fixture
def large(numbers):
    """The document of that table, which is read anew; caches keep the tables that were closed."""
    yield Document("", encoding=LearnedTable.from_file(numbers[0]), seq_len=N_ROWS)
    forget()


def endless(n_positions=1_000_000):
    """A document whose picture takes longer than any test."""
    return Document("", encoding=LearnedTable.untrained(n_positions, 512), seq_len=n_positions)


def note(panel):
    return panel.figure.pointing.note(panel.devicePixelRatioF())


def percent(panel):
    """The percentage in the note; 100 for none."""
    found = re.search(r"(\d+)\u00a0% done", note(panel))
    return int(found[1]) if found else 100


def is_exact(panel):
    """Whether the picture is complete and the panel shows its note."""
    return not re.search("% done|stopped|nan", note(panel)) and (note(panel) in words_of(panel) or not note(panel))


def workers():
    return [thread for thread in threading.enumerate() if thread.name.startswith("exact picture")]


def wrong_pixels(panel, table, within=(0.03, 0.97)):
    """The share of some pixels in the middle of their cells whose colour is not that of the exact mean."""
    figure = panel.view.figure
    pixels, area, grid = pixels_of(panel.view), item_rect(panel.view, figure.area), figure.view().grid
    wrong = []
    for place in np.linspace(*within, 40):
        row, column = int(place * grid.down.parts), int((1 - place) * grid.across.parts)
        means = []
        for dr in (0, -1, 1):
            for dc in (0, -1, 1):
                cells = [
                    np.arange(span.parts + 1)[part : part + 2] * span.cells_a_part + span.first
                    for span, part in ((grid.down, row + dr), (grid.across, column + dc))
                ]
                rows, columns = (slice(*np.ceil(edges - 1e-9).astype(int)) for edges in cells)
                means.append(table[rows, columns].mean(dtype=np.float64))
        x = int(area.left() + (column + 0.5) / grid.across.parts * area.width())
        y = int(area.top() + (row + 0.5) / grid.down.parts * area.height())
        wrong.append(min(np.abs(pixels[y, x].astype(int) - expected_colour(mean)).max() for mean in means) > 2)
    return np.mean(wrong)


def saved(path, n_rows, n_columns):
    """The path, after a table of zeros was saved there."""
    np.lib.format.open_memmap(path, "w+", np.float16, (n_rows, n_columns)).flush()
    return path


def missing(panel):
    """The share of the figure's rows, or of its pixels across, that are still missing."""
    return share(panel, [LIGHT.ground])


def left_out(panel):
    """The share that is dashed because it holds no numbers."""
    return share(panel, ["#000000", "#ffffff"])


def share(panel, colours):
    """The share of the figure's rows, or of its pixels across, that has mostly these colours."""
    area = item_rect(panel.view, panel.view.figure.area)
    part = pixels_of(panel.view)[
        int(area.top()) + 2 : int(area.bottom()) - 2, int(area.left()) + 2 : int(area.right()) - 2
    ]
    found = np.any([(part == QColor(colour).getRgb()[:3]).all(axis=2) for colour in colours], axis=0)
    return (found.mean(axis=1 if panel.view.figure.spec.name == "heatmap" else 0) > 0.5).mean()  # the rest are dots


def test_means_appear_row_by_row_and_each_is_exact(qtbot, numbers, large):
    panel = shown(qtbot, "heatmap", Document())
    panel.show_document(large)
    settle()
    assert "1 pixel = " in note(panel)
    assert re.search(r", mean · \d+\u00a0% done", note(panel))
    assert note(panel) in words_of(panel)
    assert missing(panel) > 0, "rows appear before the last one is exact"
    qtbot.waitUntil(lambda: missing(panel) < 0.8)
    panel.stop()
    qtbot.waitUntil(lambda: not workers())
    settle()
    there = 1 - missing(panel)
    assert 0 < there < 1
    assert wrong_pixels(panel, numbers[1], (0.01, there - 0.02)) == 0
    assert wrong_pixels(panel, numbers[1], (there + 0.02, 0.99)) == 1
    QTest.mouseClick(control(panel, "Compute the rest of the picture"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: is_exact(panel))
    assert missing(panel) == 0
    assert wrong_pixels(panel, numbers[1]) == 0


def words_of(panel):
    """The texts of the panel's visible labels."""
    return [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]


def test_bands_appear_from_the_left_and_hold_every_number(qtbot, numbers, large):
    panel = shown(qtbot, "waves", Document())
    panel.show_document(large)
    panel.figure.viewport.choose("columns", 0)
    settle()
    assert percent(panel) < 100
    assert missing(panel) > 0, "bands appear before the last one is exact"
    qtbot.waitUntil(lambda: is_exact(panel))
    settle()
    figure = panel.figure
    polygon = dict(figure._curves._bands)[3]
    exact = large.encoding.sampler.traces(
        np.array([3]), figure.view().waves.positions, round(figure.area.rect().width())
    )
    assert polygon.size() == 2 * exact.bands[0].x.size
    heights = [polygon.at(i).y() for i in range(polygon.size())]
    blocks = (slice(top, top + 5000) for top in range(0, N_ROWS, 5000))
    values = np.concatenate([numbers[1][rows, 3] for rows in blocks]).astype(float)
    for value, painted in ((values.max(), min(heights)), (values.min(), max(heights))):
        assert painted == pytest.approx(figure.area.to_y(3 + figure.view().rows.height(float(value))), abs=1e-6)


@pytest.mark.parametrize("name", SHOWN)
def test_a_new_document_replaces_a_picture_that_is_still_computed(qtbot, large, name):
    small = Document("", encoding=LearnedTable.untrained(40, 16), seq_len=40)
    fresh = pixels_of(shown(qtbot, name, small).view)
    panel = shown(qtbot, name, Document())
    panel.show_document(large)
    qtbot.waitUntil(lambda: bool(workers()))
    panel.show_document(small)
    assert np.array_equal(pixels_of(panel.view), fresh)
    poll = panel.figure.pictures.background._poll  # a result of a worker that has ended arrives with its next turn
    qtbot.waitUntil(lambda: not workers() and not poll.isActive())
    settle()
    assert np.array_equal(pixels_of(panel.view), fresh)
    panel.show_document(large)
    settle()
    assert percent(panel) < 100, "the picture is computed anew"


def test_another_window_of_the_same_table_is_computed_anew_and_remembered(qtbot, numbers, large):
    panel = shown(qtbot, "heatmap", large)
    qtbot.waitUntil(lambda: bool(workers()))
    panel.figure.viewport.show_window(Window((-0.5, N_COLUMNS - 0.5), (49_999.5, 149_999.5)))
    settle()
    assert not is_exact(panel)
    qtbot.waitUntil(lambda: is_exact(panel))
    assert wrong_pixels(panel, numbers[1]) == 0
    panel.figure.viewport.show_window(Window((-0.5, N_COLUMNS - 0.5), (999.5, 1999.5)))
    settle()
    assert is_exact(panel), "a small picture is complete at once"
    panel.figure.viewport.show_window(Window((-0.5, N_COLUMNS - 0.5), (49_999.5, 149_999.5)))
    settle()
    assert is_exact(panel), "the picture is remembered"


@pytest.mark.one_of(2)
@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize("how", ["escape", "button"])
def test_a_stopped_picture_keeps_its_known_rows_and_can_be_continued(qtbot, name, how):
    panel = shown(qtbot, name, endless())
    qtbot.waitUntil(lambda: 2 <= percent(panel) < 100)
    panel.setFocus()
    if how == "escape":
        QTest.keyClick(panel, Qt.Key.Key_Escape)
    else:
        QTest.mouseClick(control(panel, "Stop computing the picture"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not workers())
    settle()
    there, before = missing(panel), pixels_of(panel.view)
    assert 0 < there < 1
    assert re.search(r"stopped at [1-9]\d?\u00a0%( ·|$)", note(panel))
    qtbot.mouseMove(panel.view.viewport(), panel.view.rect().center())
    settle()
    assert not workers()
    assert np.array_equal(pixels_of(panel.view), before)
    QTest.mouseClick(control(panel, "Compute the rest of the picture"), Qt.MouseButton.LeftButton)
    assert percent(panel) > 0, "known rows are not computed again"
    qtbot.waitUntil(lambda: missing(panel) < there)
    panel.hide()
    assert not workers()


def test_the_window_responds_while_a_picture_is_computed_and_leaves_no_thread(qtbot, window):
    window.store.replace(endless(), "a large table")
    act(window, "reset_view")
    heatmap = window.panels["heatmap"]
    qtbot.waitUntil(lambda: 1 <= percent(heatmap) < 100)
    window.panels["heatmap"].setFocus()
    before = window.cursor_control.cursor
    with qtbot.waitSignal(heatmap.painted):
        QTest.keyClick(heatmap, Qt.Key.Key_Down)
    assert window.cursor_control.cursor.position == before.position + 1
    assert "% done" in note(heatmap), "the computation continues"
    assert workers()
    window.store.mark_saved()
    window.close()
    assert not workers()


def test_the_note_changes_nothing_about_the_figures_size(qtbot, large, amount):
    """A larger figure would be another picture, which would have to be computed, with another note, and so on."""
    for name in SHOWN:
        for width in range(300, 1000, amount(280, 70)):
            panel = shown(qtbot, name, large, size=(width, 400))
            qtbot.waitUntil(lambda panel=panel: is_exact(panel))
            size = panel.view.size()
            settle()
            assert is_exact(panel)
            assert panel.view.size() == size
            panel.hide()


def test_the_note_names_an_entry_that_is_no_number(qtbot, tmp_path):
    table = np.full((300_000, 64), 0.25, np.float16)
    table[210_001, 5] = np.nan
    np.save(tmp_path / "bad.npy", table)
    encoding = LearnedTable.from_file(tmp_path / "bad.npy")
    panel = shown(qtbot, "heatmap", Document("", encoding=encoding, seq_len=300_000))
    qtbot.waitUntil(lambda: "mean · the table has nan in row 210001, column 5" in note(panel))
    settle()
    assert not workers()
    assert missing(panel) == 0
    assert 0 < left_out(panel) < 0.01, "all other rows are shown"
    panel.figure.viewport.show_window(Window((-0.5, 63.5), (209_900.5, 210_100.5)))
    settle()
    qtbot.waitUntil(lambda: "the table has nan in row 210001, column 5" in note(panel))
    assert 0 < left_out(panel) < 0.01
    panel.figure.viewport.show_window(Window((3.5, 7.5), (209_998.5, 210_004.5)))
    qtbot.waitUntil(lambda: "0.250" in [word.text for word in painted_words(panel.view)])
    words = [word.text for word in painted_words(panel.view)]
    assert words.count("0.250") == 5 * 4, "a cell without a number has no text"
    assert "0.000" not in words


def test_a_file_shows_the_exact_means(qapp, numbers, large):
    with Picture.laid_out(Picture("heatmap", large, None, None), PictureOptions(), 1.0) as page:
        page.view.setUpdatesEnabled(True)
        assert wrong_pixels(page, numbers[1]) == 0
        assert ", mean · " in page.view.figure.pointing.note()


@pytest.mark.one_of(3)
@pytest.mark.parametrize("format", PICTURE_FORMATS)
@pytest.mark.parametrize("name", SHOWN)
def test_a_file_that_takes_long_reports_progress_and_can_be_cancelled(qapp, monkeypatch, numbers, large, name, format):
    told: list[float] = []
    picture, options = Picture(name, large, None, None), PictureOptions(size=(400, 300))
    content = picture_bytes(picture, format, options)
    reads: list[int] = []
    read = ArrayTable._widened
    monkeypatch.setattr(ArrayTable, "_widened", lambda table, part: (reads.append(part.size), read(table, part))[1])
    watched = picture_bytes(picture, format, options, lambda done: told.append(done) is None)
    assert told == sorted(told)
    assert len(watched) == pytest.approx(len(content), rel=0.01)
    assert sum(reads) < 1.3 * N_ROWS * (N_COLUMNS if name == "heatmap" else 13), "no row is computed twice"
    with pytest.raises(Cancelled):
        picture_bytes(picture, format, options, lambda done: False)
    assert not workers()


def test_a_preview_shows_its_progress_until_it_is_complete(qtbot, large, tmp_path):
    dialog = ExportDialog(large, None, {}, ["heatmap"], tmp_path)
    qtbot.addWidget(dialog)
    dialog.show()
    with qtbot.waitSignal(dialog.preview.rendered):
        pass
    assert "% done" in dialog.preview.size_line.sentence
    qtbot.waitUntil(lambda: "% done" not in dialog.preview.size_line.sentence)
    dialog.reject()
    assert not workers()


def test_copying_shows_its_progress_and_can_be_cancelled(qtbot, window):
    window.store.replace(endless(), "a large table")
    act(window, "reset_view")
    window.panels["heatmap"].setFocus()
    settle()
    QGuiApplication.clipboard().setText("as before")
    seen: list[str] = []

    def cancel():
        dialogs = [dialog for dialog in window.findChildren(QProgressDialog) if dialog.isVisible()]
        for dialog in dialogs:
            seen.append(dialog.labelText())
            dialog.cancel()
        if not dialogs:
            QTimer.singleShot(20, cancel)

    QTimer.singleShot(20, cancel)
    window.commands.output.copy_picture()
    assert seen == ["Computing the exact picture"]
    assert QGuiApplication.clipboard().text() == "as before"
    assert says(window, "Nothing was copied") or "Nothing was copied" in window.statusBar().currentMessage()


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize(("dpi", "size"), [(150, (901, 433)), (110, (903, 433)), (300, (640, 401))])
def test_a_picture_of_any_size_is_computed_beside_the_window_alone(name, large, monkeypatch, dpi, size):
    reads: dict[bool, int] = {True: 0, False: 0}
    widened = ArrayTable._widened

    def counted(table, part):
        reads[threading.current_thread() is threading.main_thread()] += part.size
        return widened(table, part)

    monkeypatch.setattr(ArrayTable, "_widened", counted)
    picture_bytes(Picture(name, large, None, None), "png", PictureOptions(dpi=dpi, size=size), lambda done: True)
    assert reads[True] < 0.02 * reads[False], "the prepared picture is painted"


def test_waves_beyond_the_end_of_a_table_are_empty_and_those_across_it_exact(qtbot, tmp_path):
    encoding = LearnedTable.from_file(saved(tmp_path / "short.npy", 512, 64))
    panel = shown(qtbot, "waves", Document("", encoding=encoding, seq_len=100_000))
    panel.figure.viewport.show_window(Window((30_000.0, 90_000.0), panel.figure.viewport.window().y))
    settle()
    assert "% done" not in note(panel)
    panel.figure.viewport.show_window(Window((0.0, 90_000.0), panel.figure.viewport.window().y))
    settle()
    assert "% done" not in note(panel)


def test_export_and_preview_name_a_row_without_numbers(qtbot, tmp_path):
    path = saved(tmp_path / "gap.npy", 300_000, 16)
    rows = np.load(path, mmap_mode="r+")
    rows[210_001, 3] = np.nan
    rows.flush()
    document = Document("", encoding=LearnedTable.from_file(path), seq_len=300_000)
    with pytest.raises(FileError, match=r"the picture cannot be made: the table has nan in row 210001"):
        picture_bytes(Picture("heatmap", document, None, None), "png", PictureOptions())
    dialog = ExportDialog(document, None, {}, ["heatmap", "tokens"], tmp_path)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: "the table has nan" in dialog.preview.size_line.sentence)
    dialog.preview.show_panel("tokens")
    with qtbot.waitSignal(dialog.preview.rendered):
        pass
    assert "%" not in dialog.preview.size_line.sentence
    dialog.reject()
    assert not workers()


def test_escape_stops_all_panels_wherever_the_keyboard_is(qtbot, window):
    window.store.replace(endless(10_000_000), "a larger table, of which both pictures are still begun")
    act(window, "reset_view")
    panels = [window.panels[name] for name in SHOWN]
    qtbot.waitUntil(lambda: all(percent(panel) < 100 for panel in panels))
    window.sentence_bar.setFocus()
    QTest.keyClick(window.sentence_bar.focusProxy(), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not workers())
    assert all("stopped at " in note(panel) for panel in panels)


def test_docks_and_notes_explain_a_row_without_numbers_under_the_cursor(qtbot, window, tmp_path):
    path = saved(tmp_path / "gap.npy", 300_000, 16)
    rows = np.load(path, mmap_mode="r+")
    rows[210_001, 3] = np.nan
    rows.flush()
    window.store.replace(Document("", encoding=LearnedTable.from_file(path), seq_len=300_000), "a table")
    for name in SHOWN:
        y = (209_990.5, 210_010.5)
        across = Window((-0.5, 15.5), y) if name == "heatmap" else Window(y, (-0.5, 9.5))
        window.panels[name].figure.viewport.show_window(across)
    window.cursor_control.hold(Cursor(210_001, 3))
    settle()
    sentence = "the table has nan in row 210001, column 3"
    waves, painted = window.panels["waves"], []
    waves.painted.connect(lambda panel: painted.append(panel))
    assert [view.sentence for view in window.number_dock.findChildren(Note) if sentence in view.sentence]
    qtbot.waitUntil(lambda: all(any(sentence in text for text in words_of(window.panels[name])) for name in SHOWN))
    settle()
    curves = [polygon for _, polygon in waves.figure._curves._curves]
    assert {polygon.size() for polygon in curves} == {20, 18}, "ten rows before it, and nine behind it"
    qtbot.waitUntil(lambda: not workers())
    settle()
    painted.clear()
    for _ in range(10):
        waves.view.viewport().update()
        settle()
        qtbot.waitUntil(lambda: not workers())
    assert len(painted) <= 12, "a painting does not ask for another one"
    window.cursor_control.hold(Cursor(210_000, 3))
    settle()
    assert says(window, "PE(210000, 3) = 0")


@pytest.mark.parametrize("name", SHOWN)
def test_the_note_counts_the_rows_that_arrive_after_a_stop(qtbot, large, name):
    panel = shown(qtbot, name, large)
    qtbot.waitUntil(lambda: 1 <= percent(panel) < 100)
    QTest.mouseClick(control(panel, "Stop computing the picture"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not workers())
    renderer = panel.figure.pictures.background
    partial = next(iter(renderer._lanes.values())).partial
    there = 100 * (partial.work - partial.work_left) // partial.work
    qtbot.waitUntil(lambda: any(f"stopped at {there}\u00a0%" in text for text in words_of(panel)))
    partial.grow(lambda done: True)
    renderer.changed.emit()
    assert is_exact(panel)
    assert not [button for button in panel.findChildren(QPushButton) if button.isVisible()], (
        "a complete picture has no button"
    )
