"""A heatmap of more cells than pixels in SVG and PDF: the means are of values, and no viewer mixes their colours."""

from pathlib import Path

import numpy as np
import pytest
from amounts import some
from documents import with_values
from pixels import colour_table
from rendered import area_of, pixels, rendered, rendered_by_qt
from test_export_shapes import image_in_pdf, image_in_svg, words_of_svg

from posenc_core import (
    Alibi,
    BinaryCode,
    Document,
    Encoding,
    IntegerIndex,
    LearnedTable,
    Rotary,
    ShawRelative,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
    Yarn,
    tile,
)
from posenc_gui.export.pictures import Picture, PictureOptions, picture_bytes
from posenc_gui.layers.grid import Grid, Span
from posenc_gui.plotting.color_scale import ColorScale
from posenc_gui.plotting.plot_area import Window

SMALL = (388, 300)


def document_of(encoding: Encoding, seq_len: int, **view) -> Document:
    return with_values(Document(seq_len=seq_len), **view).with_encoding(encoding)


def noise(n_rows: int, n_columns: int) -> LearnedTable:
    """Numbers without structure, of which no two neighbours look alike."""
    return LearnedTable.from_array(
        np.random.default_rng(1).random((n_rows, n_columns), np.float32) * 2 - 1, "a test's own"
    )


DOCUMENTS = {
    "sinusoidal 64": document_of(Sinusoidal(64), 600),
    "sinusoidal 128": document_of(Sinusoidal(128), 5000),
    "sinusoidal 512": document_of(Sinusoidal(512), 5000),
    "sinusoidal 512 x 512": document_of(Sinusoidal(512), 512),
    "sinusoidal 8192": document_of(Sinusoidal(8192), 1 << 20),
    "sinusoidal in halves": document_of(Sinusoidal(1024, layout="concatenated"), 5000),
    "sinusoidal of a small base": document_of(Sinusoidal(64, base=20), 5000),
    "sinusoidal, few rows": document_of(Sinusoidal(2048), 40),
    "sinusoidal, transposed": document_of(Sinusoidal(768), 1024, transpose=True),
    "sinusoidal in viridis": document_of(Sinusoidal(256), 3000, color_map="viridis"),
    "sinusoidal in cividis": document_of(Sinusoidal(96), 20000, color_map="cividis"),
    "noise 16": document_of(noise(5000, 16), 5000),
    "noise 96": document_of(noise(5000, 96), 5000),
    "noise 96 of few rows": document_of(noise(400, 96), 400),
    "noise 512": document_of(noise(1500, 512), 1500),
    "noise, transposed": document_of(noise(5000, 32), 5000, transpose=True),
    "noise beside positions without rows": document_of(noise(700, 24), 1900),
    "untrained": document_of(LearnedTable.untrained(5000, 96), 5000),
    "shaw": document_of(ShawRelative(64, 2000), 5000),
    "binary": document_of(BinaryCode(16), 5000),
    "binary beside positions without code": document_of(BinaryCode(11), 3001, transpose=True),
    "integer": document_of(IntegerIndex(6), 5000),
    "transformer_xl": document_of(TransformerXLRelative(64), 5000),
    "t5": document_of(T5Bias(), 5000),
    "alibi": document_of(Alibi(8), 5000),
    "rotary": document_of(Rotary(64), 5000),
    "rotary, scaled": document_of(Rotary(64, scaling=Yarn(4.0, 4096)), 131072),
    "rotary angles": document_of(Rotary(64), 5000, angles=True),
}
WINDOWS = {
    "part of noise": ("noise 96", Window((10.3, 31.8), (100.2, 2333.3))),
    "part of sinusoidal": ("sinusoidal 512", Window((-0.5, 511.5), (17.25, 912.5))),
}


def colours_in(image: np.ndarray, picture: Picture) -> np.ndarray:
    """The colours within the plot area, (rows, columns, 3), less the line around it."""
    area = area_of(picture, PictureOptions(size=SMALL, scale=1))
    inside = (
        slice(round(area.top()) + 2, round(area.bottom()) - 2),
        slice(round(area.left()) + 2, round(area.right()) - 2),
    )
    return image[inside][..., :3]


def strange(colours: np.ndarray, known: np.ndarray) -> float:
    """The share of colours that differ by more than 12 of 255 from all that are known, (n, 3)."""
    reach, near = 3, np.zeros((72, 72, 72), bool)
    for red, green, blue in np.unique(known // 4, axis=0) + reach:
        near[red - reach : red + reach + 1, green - reach : green + reach + 1, blue - reach : blue + reach + 1] = True
    place = colours // 4 + reach
    return float(1 - near[place[..., 0], place[..., 1], place[..., 2]].mean())


@pytest.mark.one_of(6)
@pytest.mark.parametrize("name", some([*DOCUMENTS, *WINDOWS], *[*DOCUMENTS][::3], *[*WINDOWS][::2]))
def test_every_viewer_shows_what_the_png_shows(tmp_path: Path, count, name: str) -> None:
    """At 100 %: librsvg and poppler mix the colours of an image that they show smaller, Qt takes some of them."""
    known, window = WINDOWS.get(name, (name, None))
    picture, options = Picture("heatmap", DOCUMENTS[known], None, window), PictureOptions(size=SMALL, scale=1)
    png = colours_in(rendered(picture, options, "png", tmp_path), picture)
    found = {format: rendered(picture, options, format, tmp_path) for format in ("svg", "pdf")}
    found["svg by Qt"] = rendered_by_qt(tmp_path / "heatmap.svg", 1)
    view = DOCUMENTS[known].view
    map_colours = colour_table("viridis" if view.color_map == "viridis" else "CET-D1A")
    own = png.reshape(-1, 3) if view.angles or view.color_map == "cividis" else map_colours
    for viewer, image in found.items():
        colours = colours_in(image, picture)
        difference = np.abs(colours - png).mean() / 255
        assert difference < 0.01, f"{viewer} differs by {difference:.1%}"
        assert strange(colours, np.concatenate([own, png.reshape(-1, 3)])) < 0.002, viewer
    count("heatmaps of more cells than pixels, as three viewers show them at 100 %", 1)


@pytest.mark.parametrize("format", ["svg", "pdf"])
def test_smooth_waves_are_as_fine_as_paper(tmp_path: Path, format: str) -> None:
    """Where neighbouring means look alike they are those of 300 dots an inch and more, and few files are large."""
    picture, options = Picture("heatmap", document_of(Sinusoidal(64, base=1e8), 5000)), PictureOptions()
    (tmp_path / "v").write_bytes(picture_bytes(picture, format, options))
    image = (image_in_svg if format == "svg" else image_in_pdf)(tmp_path / "v")
    area = area_of(picture, options)
    assert image.shape[0] >= 300 / 96 * area.height()
    slow = image[:, round(0.4 * image.shape[1]), :3]
    changes = np.flatnonzero(np.abs(np.diff(slow, axis=0)).any(axis=1)) + 1
    assert (changes % (image.shape[0] / round(area.height())) != 0).mean() > 0.5, "colours change within a pixel"
    assert (tmp_path / "v").stat().st_size < 600_000


def test_a_file_says_how_many_positions_a_pixel_of_100_percent_holds() -> None:
    picture = Picture("heatmap", DOCUMENTS["noise 96"])
    with picture.laid_out(PictureOptions(scale=1), 1) as page:
        note = page.below.lines
    assert "1 pixel = 11 positions" in " ".join(note)
    assert set(note) <= set(words_of_svg(picture_bytes(picture, "svg", PictureOptions())))


SPANS = (Span(0, 5000, 97), Span(0.25, 733.5, 61), Span(3, 40, 37), Span(-0.0, 64, 60), Span(1e6 + 0.3, 2e6, 33))


@pytest.mark.parametrize("down", SPANS)
@pytest.mark.parametrize("across", [Span(0, 16, 16), Span(0, 16, 3), Span(0.5, 15.5, 11)])
@pytest.mark.parametrize("transpose", [False, True])
def test_the_means_of_pixels_are_those_of_the_png(down: Span, across: Span, transpose: bool) -> None:
    encoding = Sinusoidal(16, base=100)
    grid = Grid(encoding, *((across, down) if transpose else (down, across)), transpose=transpose)
    exact = tile(encoding, (down.first, down.stop), (across.first, across.stop), (down.parts, across.parts))
    dots = grid.in_dots()
    means = dots.pixel_means(dots.compute())
    np.testing.assert_allclose(means, exact.T if transpose else exact, atol=2e-6)


def test_angles_are_averaged_as_directions() -> None:
    encoding = Rotary(8)
    grid = Grid(encoding, Span(0, 400, 100), Span(0, 4, 4), transpose=False, angles=True)
    dots = grid.in_dots()
    assert dots.down.cells_a_part == 1, "a dot is a cell"
    np.testing.assert_allclose(dots.pixel_means(dots.compute()), grid.compute(), atol=1e-6)


def test_dots_that_differ_have_the_colour_of_their_pixel() -> None:
    scale = ColorScale("diverging", -1.0, 1.0)
    means = np.array([[0.5, 0.0], [-0.5, 0.25]])
    dots = np.repeat(np.repeat(means, 2, axis=0), 2, axis=1)
    dots[0, :2], dots[1, :2] = 0.49, 0.51  # alike
    dots[:2, 2:] = [[1, -1], [-1, 1]]  # their mean is 0, and purple as a colour
    image = pixels(scale.dotted_image(dots, means))[..., :3]
    exact = pixels(scale.image(dots))[..., :3]
    assert (image[:, :2] == exact[:, :2]).all()
    assert (image[:2, 2:] == pixels(scale.image(means))[0, 1, :3]).all()
    assert (image[2:] == exact[2:]).all()


def test_a_picture_of_few_smooth_places_is_one_of_pixels() -> None:
    scale, means = ColorScale("diverging", -1.0, 1.0), np.zeros((6, 4))
    image = scale.dotted_image(np.tile([[1.0, -1.0], [-1.0, 1.0]], (6, 4)), means)
    assert (image.width(), image.height()) == (4, 6)
    assert (pixels(image) == pixels(scale.image(means))).all()
