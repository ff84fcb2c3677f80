"""Several panels as one figure: one size, letters, one caption, and SVG and PDF that look like the PNG."""

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtGui import QImage
from rendered import rendered, shrunk, tool

from posenc_core import Document, Rotary
from posenc_gui.export.grid import Grid, parsed_grid
from posenc_gui.export.mosaic import Mosaic
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.paper import PageSize
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.files.errors import FileError

SENTENCE = "Dan loves icecream"
DOCUMENT = Document(SENTENCE)
FIGURES = {
    "85 mm": (("waves", "heatmap"), Grid(2, 1), PageSize(85.0)),
    "178 mm": (("waves", "heatmap", "tokens"), Grid(2, 2), PageSize(178.0)),
    "slide": (("heatmap", "waves"), Grid(1, 2), PageSize(160.0, 90.0)),
}


def mosaic(panels, grid: Grid, document: Document = DOCUMENT) -> Mosaic:
    return Mosaic(tuple(Picture(panel, document) for panel in panels), grid)


def options_of(page: PageSize, **other) -> PictureOptions:
    return PictureOptions(page=page, dpi=300.0, **other)


@pytest.mark.parametrize("name", FIGURES)
def test_all_panels_of_a_row_have_one_size_and_their_letters_above_them(name: str) -> None:
    panels, grid, size = FIGURES[name]
    with mosaic(panels, grid).laid_out(options_of(size), 2.0) as page:
        sizes = {(cell.view.width(), cell.view.height()) for cell in page.cells[: grid.columns]}
        assert len(sizes) == 1 == len({cell.view.width() for cell in page.cells})
        assert [cell.letter for cell in page.cells] == ["(a)", "(b)", "(c)"][: len(panels)]
        for index, cell in enumerate(page.cells):
            row, column = divmod(index, grid.columns)
            assert cell.origin.y() == page.cells[row * grid.columns].origin.y()
            assert cell.origin.x() == page.cells[column].origin.x()
            assert cell.origin.x() + cell.view.width() <= page.size.width()
            assert cell.origin.y() + cell.view.height() <= page.place.y()
        assert page.place.y() + len(page.below.lines) * page.below.line_height <= page.size.height() + 1
        assert page.size.width() == pytest.approx(size.width_px)
        assert size.height_px is None or page.size.height() == pytest.approx(size.height_px)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("format", ["svg", "pdf"])
@pytest.mark.parametrize("name", FIGURES)
def test_a_vector_file_looks_like_the_png(tmp_path: Path, name: str, format: str) -> None:
    panels, grid, page = FIGURES[name]
    png, other = (
        rendered(mosaic(panels, grid), options_of(page, caption=False), kind, tmp_path) for kind in ("png", format)
    )
    rows, columns = (min(sides) for sides in zip(png.shape[:2], other.shape[:2], strict=True))
    assert max(abs(one - two) for one, two in zip(png.shape, other.shape, strict=True)) <= 5
    assert png.shape[1] == pytest.approx(page.width / 25.4 * 300, abs=1)
    png, other = png[:rows, :columns], other[:rows, :columns]
    assert np.abs(png - other)[..., :3].mean() < 4
    assert np.abs(shrunk(png, 24) - shrunk(other, 24))[..., :3].max() < 45


def test_letters_stand_before_what_they_name_in_the_text_of_the_files(tmp_path: Path) -> None:
    document = DOCUMENT.with_encoding(Rotary(128))
    figure, options = mosaic(("heatmap", "tokens"), Grid(1, 2), document), options_of(PageSize(178.0))
    root = ElementTree.fromstring(picture_bytes(figure, "svg", options))
    texts = ["".join(each.itertext()) for each in root.iter() if each.tag.endswith("text")]
    assert [text for text in texts if re.fullmatch(r"\([a-z]\)", text)] == ["(a)", "(b)"]
    assert root.get("width") == "178.000mm"
    (tmp_path / "a.pdf").write_bytes(picture_bytes(figure, "pdf", options))
    words = " ".join(tool("pdftotext", "-layout", tmp_path / "a.pdf", "-").split())
    caption = picture_bytes(figure, "txt", options).decode().strip()
    assert caption.startswith("(a) Heatmap")
    assert "; (b) Tokens" in caption
    assert caption.count("head_dim = 128") == 1
    assert caption.count(f"“{SENTENCE}”") == 1
    assert caption in words


def test_the_png_carries_the_session_and_has_the_colours_of_each_panel_alone(tmp_path: Path) -> None:
    panels, grid, page = FIGURES["85 mm"]
    (tmp_path / "a.png").write_bytes(picture_bytes(mosaic(panels, grid), "png", options_of(page)))
    image = QImage(str(tmp_path / "a.png"))
    assert Document.from_json(image.text("posenc-session")) == DOCUMENT
    alone = rendered(Picture("heatmap", DOCUMENT), options_of(page, caption=False), "png", tmp_path)
    whole = rendered(mosaic(panels, grid), options_of(page, caption=False), "png", tmp_path)
    rows = whole[-len(alone) :]
    shown = {tuple(colour) for colour in alone.reshape(-1, 4)[::97].tolist()}
    assert len(shown & {tuple(colour) for colour in rows.reshape(-1, 4).tolist()}) > 0.95 * len(shown)


def test_a_page_that_is_too_low_for_its_caption_is_refused() -> None:
    figure = mosaic(("waves", "heatmap"), Grid(2, 1), Document("word " * 60))
    with pytest.raises(FileError, match="too high for this size"):
        picture_bytes(figure, "png", options_of(PageSize(60.0, 50.0)))


@pytest.mark.parametrize(("text", "grid"), [("1x2", Grid(1, 2)), (" 2 X 3 ", Grid(2, 3)), ("6×1", Grid(6, 1))])
def test_a_layout_is_rows_times_columns(text: str, grid: Grid) -> None:
    assert parsed_grid(text) == grid
    assert parsed_grid(str(grid)) == grid


@pytest.mark.parametrize(
    ("count", "grid"), [(2, "1x2"), (3, "2x2"), (4, "2x2"), (5, "2x3"), (6, "2x3"), (7, "3x3"), (12, "3x4")]
)
def test_panels_in_rows_and_columns_leave_no_row_empty(count: int, grid: str) -> None:
    assert Grid.square(count) == parsed_grid(grid)
    Grid.square(count).check([f"panel {index}" for index in range(count)], PageSize(400.0))
