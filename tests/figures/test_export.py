"""Exported PNG: the same picture at every scale, in the right colours, with the session inside."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from documents import with_values
from panel_bench import VECTOR_PANELS
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QWidget
from rendered import MARGIN, area_of, at, cell_centres, colours_of, laid_on, rendered, share_of, shrunk, table

from posenc_core import Document, Embedding, Sinusoidal
from posenc_gui.export.pictures import Picture, PictureOptions, image_of, picture_bytes, write_picture
from posenc_gui.files.errors import FileError
from posenc_gui.files.session import open_session
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.plotting.plot_area import Window

DOCUMENT = Document()
SCALES = (1, 2, 4)


def png(panel: str, folder: Path, document: Document = DOCUMENT, **options) -> np.ndarray:
    return rendered(Picture(panel, document), PictureOptions(**options), "png", folder)


def tick_places(image: np.ndarray, scale: float, row: float) -> np.ndarray:
    """The middles of the ticks below an axis whose line is at this height, in logical pixels from the left."""
    first = round((row + 2) * scale)
    dark = share_of(image[first], LIGHT.border, LIGHT.paper) > 0.5
    edges = np.flatnonzero(np.diff(np.concatenate([[0], dark.astype(int), [0]])))
    return (edges[::2] + edges[1::2]) / 2 / scale


@pytest.mark.one_of(6)
@pytest.mark.parametrize("panel", VECTOR_PANELS)
@pytest.mark.parametrize("scale", [2, 4])
def test_a_larger_picture_is_the_same_picture(tmp_path, panel, scale):
    one, larger = png(panel, tmp_path, scale=1), png(panel, tmp_path, scale=scale)
    assert larger.shape == (one.shape[0] * scale, one.shape[1] * scale, 4)
    off = np.abs(shrunk(larger, scale) - one)
    assert off.mean() < 2
    # No block of 8 x 8 pixels, a letter's size, has moved or changed its weight.
    assert np.abs(shrunk(shrunk(larger, scale), 8) - shrunk(one, 8)).max() < 30


def test_ticks_are_at_the_same_places_at_every_scale(tmp_path):
    area = area_of(Picture("waves", DOCUMENT), PictureOptions())
    exact = area.left() + (np.arange(0, 60, 5) + 0.5) * area.width() / 60
    for scale in SCALES:
        found = tick_places(png("waves", tmp_path, scale=scale), scale, area.bottom())
        assert np.abs(found - exact).max() <= 0.6, f"at {scale}x"


def test_lines_grow_with_the_scale(tmp_path):
    """The flat top of column 7, a cosine of wavelength 6,283: its ink, summed across the line."""
    area = area_of(Picture("waves", DOCUMENT), PictureOptions())
    row, x = area.height() / 8, area.left() + 0.6 * area.width()
    top = area.top() + 0.5 * row - 0.4 * row
    widths = []
    for scale in SCALES:
        image = png("waves", tmp_path, scale=scale)
        strip = image[round((top - 5) * scale) : round((top + 5) * scale), round(x * scale)]
        widths.append(share_of(strip, LIGHT.cosine, LIGHT.paper).sum())
    assert widths == pytest.approx([1.5, 3.0, 6.0], rel=0.12)


@pytest.mark.parametrize(
    ("options", "factor", "dots_an_inch"),
    [({"scale": 1.0}, 1, 96), ({"scale": 2.0}, 2, 192), ({"dpi": 300.0}, 3.125, 300), ({"scale": 0.5}, 0.5, 48)],
)
def test_sizes_are_exact(tmp_path, options, factor, dots_an_inch):
    write_picture("waves", DOCUMENT, tmp_path / "waves.png", "png", PictureOptions(**options))
    image = QImage(str(tmp_path / "waves.png"))
    assert (image.width(), image.height()) == (round(992 * factor), round(496 * factor))
    assert image.dotsPerMeterX() * 0.0254 == pytest.approx(dots_an_inch, abs=0.02)


def test_a_chosen_size_is_the_figures(tmp_path):
    image = png("heatmap", tmp_path, size=(500, 300), scale=1.0, caption=False)
    assert image.shape == (300 + 2 * MARGIN, 500 + 2 * MARGIN, 4)


@pytest.mark.parametrize("scale", SCALES)
def test_every_cell_has_the_colour_of_its_number(tmp_path, scale):
    options = PictureOptions(scale=scale)
    centres = cell_centres(Picture("heatmap", DOCUMENT), options, (60, 8))
    image = rendered(Picture("heatmap", DOCUMENT), options, "png", tmp_path)
    assert np.abs(at(image, centres, scale) - colours_of(table(60, 8))).max() <= 2


@pytest.mark.parametrize(("name", "color_map"), [("viridis", "viridis"), ("cividis", "cividis"), ("cyclic", "CET-C1")])
def test_the_chosen_colours_are_used(tmp_path, name, color_map):
    document = with_values(Document(seq_len=12), color_map=name, transpose=True)
    picture, options = Picture("heatmap", document), PictureOptions(scale=1)
    centres = cell_centres(picture, options, (8, 12))
    # A cell is large enough for its number here: a quarter of a cell away from it is nothing but colour.
    centres[..., 1] += 0.375 * (centres[1, 0, 1] - centres[0, 0, 1])
    image = rendered(picture, options, "png", tmp_path)
    assert np.abs(at(image, centres, 1) - colours_of(table(12, 8).T, color_map)).max() <= 2


def test_a_transparent_ground_lets_everything_through(tmp_path):
    for panel in VECTOR_PANELS:
        clear, solid = png(panel, tmp_path, background="transparent"), png(panel, tmp_path)
        for corner in (clear[0, 0], clear[0, -1], clear[-1, 0], clear[-1, -1]):
            assert corner[3] == 0
        assert (solid[..., 3] == 255).all()
        assert np.abs(laid_on(clear, 255) - solid[..., :3]).mean() < 0.3


@pytest.mark.one_of(3)
@pytest.mark.parametrize("panel", VECTOR_PANELS)
def test_dark_is_light_on_dark(tmp_path, panel):
    dark = png(panel, tmp_path, theme="dark")
    assert QColor(*(int(part) for part in dark[0, 0, :3])) == QColor(DARK.paper)
    assert dark.shape == png(panel, tmp_path).shape
    assert share_of(dark[-64:-32], DARK.muted, DARK.paper).max() > 0.9  # the caption
    assert np.array_equal(png(panel, tmp_path, background="#102030")[0, 0], [0x10, 0x20, 0x30, 255])


@pytest.mark.parametrize("panel", VECTOR_PANELS)
def test_the_session_is_inside(tmp_path, panel):
    document = Document(
        sentence="zum Geburtstag 🎂 שלום\n\t",
        encoding=Sinusoidal(7, base=0.5),
        embedding=Embedding("simulated", seed=9),
    )
    write_picture(panel, document, tmp_path / "picture.png", "png", PictureOptions(scale=1))
    assert open_session(tmp_path / "picture.png") == document


def test_the_cursor_and_the_window_are_those_that_are_given(tmp_path):
    options, window = PictureOptions(scale=2, mark=True), Window((1.5, 5.5), (9.5, 21.5))
    part = Picture("heatmap", DOCUMENT, Cursor(12, 3, pinned=True), window)
    image = rendered(part, options, "png", tmp_path)
    area = area_of(part, options)
    centres = cell_centres(part, options, (12, 4)) - [0.3 * area.width() / 4, 0]
    assert np.abs(at(image, centres, 2) - colours_of(table(60, 8)[10:22, 2:6])).max() <= 2
    without = rendered(Picture("heatmap", DOCUMENT, None, window), options, "png", tmp_path)
    rows, columns = np.nonzero(np.abs(image - without).max(axis=-1))
    centre = (columns.mean() / 2, rows.mean() / 2)
    assert centre == pytest.approx(tuple(cell_centres(part, options, (12, 4))[2, 1]), abs=2)


def test_a_file_of_chosen_columns_shows_those_alone(tmp_path):
    options = PictureOptions(scale=2, columns=(2, 5))
    centres = cell_centres(Picture("heatmap", DOCUMENT), options, (60, 3))
    image = rendered(Picture("heatmap", DOCUMENT), options, "png", tmp_path)
    assert np.abs(at(image, centres, 2) - colours_of(table(60, 8)[:, 2:5])).max() <= 2


@pytest.mark.parametrize("panel", VECTOR_PANELS)
def test_a_figure_leaves_nothing_behind(panel):
    before = windows_alive()
    image_of(Picture(panel, DOCUMENT), PictureOptions(scale=1))
    assert windows_alive() == before


def windows_alive() -> set[QWidget]:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    return set(QApplication.topLevelWidgets())


def test_a_picture_too_large_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "waves.png").write_bytes(b"mine")
    with pytest.raises(FileError, match="pixels is too large: the largest of this shape has"):
        write_picture("waves", DOCUMENT, tmp_path / "waves.png", "png", PictureOptions(scale=1e5))
    assert (tmp_path / "waves.png").read_bytes() == b"mine"


@pytest.mark.one_of(3)
@pytest.mark.parametrize("format", ["png", "svg", "pdf"])
def test_a_full_disk_leaves_the_older_file(tmp_path, format):
    """A limit on the size of files stands for the disk: Qt's own writers would leave a stump and say nothing."""
    (tmp_path / "waves").write_bytes(b"mine")
    program = f"""
import resource
from pathlib import Path
from posenc_core import Document
from posenc_gui.files.errors import FileError
from posenc_gui.export.pictures import PictureOptions, write_picture
from posenc_gui.look.qt import make_application
application = make_application([])
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
try:
    write_picture("waves", Document(), Path("waves"), {format!r}, PictureOptions())
except FileError as error:
    print(error)
"""
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": root, "PYTHONDONTWRITEBYTECODE": "1", "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "cannot write waves: the file would be larger than the system allows\n"
    assert [path.name for path in tmp_path.iterdir()] == ["waves"]
    assert (tmp_path / "waves").read_bytes() == b"mine"


def test_nothing_is_left_of_a_figure_after_its_picture_was_made() -> None:
    """The export command turns no event loop: the figures of all its files would be kept until its end."""
    before = set(QApplication.allWidgets())
    for format in ("png", "svg", "pdf"):
        picture_bytes(Picture("heatmap", DOCUMENT), format, PictureOptions())
    assert set(QApplication.allWidgets()) <= before
