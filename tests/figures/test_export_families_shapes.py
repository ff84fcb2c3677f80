"""SVG and PDF of other families, parts and grounds, rendered again by librsvg and poppler, look like the PNG."""

import numpy as np
import pytest
from panel_bench import VECTOR_PANELS
from rendered import at, cell_centres, colours_of, laid_on, rendered, shrunk, table

from posenc_core import Alibi, Document, LearnedTable, Rotary, T5Bias, View, Yarn
from posenc_gui.export.pictures import Picture, PictureOptions
from posenc_gui.look.style import THEMES
from posenc_gui.model.cursor import Cursor
from posenc_gui.plotting.plot_area import Window

SHAPES = ("svg", "pdf")
SENTENCE = "Dan loves icecream and cake"
HELD = Cursor(1, 2, pinned=True)
TURNED = Document(SENTENCE, seq_len=24, view=View(angles=True)).with_encoding(Rotary(8, scaling=Yarn(4.0, 64)))
BIASED = Document(SENTENCE, seq_len=12).with_encoding(T5Bias(num_buckets=8, max_distance=10, n_heads=4))
SLOPED = Document(SENTENCE, seq_len=12).with_encoding(Alibi(4))
GAPPED = Document(SENTENCE, seq_len=12).with_encoding(
    LearnedTable.from_array(np.random.default_rng(4).normal(0, 3, (9, 4)), "a test's own")
)
PICTURES = {
    "rotary-waves": Picture("waves", TURNED, HELD),
    "rotary-angles": Picture("heatmap", TURNED, HELD),
    "rotary-tokens": Picture("tokens", TURNED, HELD),
    "rotary-pairs": Picture("pairs", TURNED, HELD),
    "t5-heatmap": Picture("heatmap", BIASED, Cursor(-1, 2, pinned=True)),
    "t5-pairs": Picture("pairs", BIASED, Cursor(-1, 2, pinned=True)),
    "alibi-pairs": Picture("pairs", SLOPED, Cursor(-1, 2, pinned=True)),
    "learned-gap": Picture("heatmap", GAPPED, HELD),
    "learned-gap-waves": Picture("waves", GAPPED, HELD),
    "part-of-a-heatmap": Picture("heatmap", Document(), HELD, Window((1.3, 5.8), (9.4, 21.2))),
    "part-of-pairs": Picture("pairs", Document(SENTENCE), HELD, Window((0.7, 3.2), (1.2, 3.9))),
}


def looks_like(png: np.ndarray, other: np.ndarray) -> bool:
    """Nothing missing, moved or of another colour, as ``test_it_looks_like_the_png`` says."""
    assert other.shape[1] == png.shape[1]
    assert 0 <= other.shape[0] - png.shape[0] <= 4
    other = other[: png.shape[0]]
    blocks = np.abs(shrunk(png, 16) - shrunk(other, 16))[..., :3]
    return bool(np.abs(png - other)[..., :3].mean() < 2.5 and blocks.max() < 45)


@pytest.mark.one_of(6)
@pytest.mark.parametrize("format", SHAPES)
@pytest.mark.parametrize("name", PICTURES)
def test_every_kind_of_picture_looks_like_the_png(tmp_path, name, format):
    options = PictureOptions(scale=2, mark=True)
    png, other = (rendered(PICTURES[name], options, kind, tmp_path) for kind in ("png", format))
    assert looks_like(png, other)


@pytest.mark.parametrize("format", ["png", *SHAPES])
@pytest.mark.parametrize("theme", THEMES)
def test_angles_that_go_round_within_a_pixel_are_grey(tmp_path, theme, format):
    """The first pair goes round many times in a pixel; the second stands nearly still at 0."""
    document = Document("", seq_len=100_000, view=View(angles=True)).with_encoding(Rotary(4, rope_theta=1e14))
    picture, options = Picture("heatmap", document), PictureOptions(scale=1, theme=theme)
    found = at(rendered(picture, options, format, tmp_path), cell_centres(picture, options, (100, 2)), 1)
    assert np.abs(found[:, 0] - 0x84).max() <= 2
    assert np.abs(found[:, 1] - colours_of(0.0, "CET-C1")).max() <= 6


@pytest.mark.one_of(6)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("panel", VECTOR_PANELS)
def test_a_transparent_svg_is_as_transparent_as_the_png(tmp_path, panel, theme):
    """Poppler lays a PDF on white: its transparency is looked at elsewhere."""
    options = PictureOptions(scale=2, theme=theme, background="transparent", mark=True)
    picture = Picture(panel, Document(), HELD)
    png, other = (rendered(picture, options, kind, tmp_path) for kind in ("png", "svg"))
    assert np.abs(shrunk(png[..., 3:], 16) - shrunk(other[..., 3:], 16)).max() < 45
    on_grey = [shrunk(laid_on(image, 128), 16) for image in (png, other)]
    assert np.abs(on_grey[0] - on_grey[1]).max() < 45


@pytest.mark.one_of(3)
@pytest.mark.parametrize("panel", VECTOR_PANELS)
def test_a_transparent_pdf_laid_on_white_is_the_white_one(tmp_path, panel):
    picture = Picture(panel, Document(), HELD)
    clear, white = (
        rendered(picture, PictureOptions(scale=1, background=ground), "pdf", tmp_path)
        for ground in ("transparent", "white")
    )
    assert np.abs(clear - white).max() <= 2


@pytest.mark.one_of(3)
@pytest.mark.parametrize("format", ["png", *SHAPES])
def test_cells_are_crisp(tmp_path, format):
    """From the middle of one cell to the middle of the next there is one colour, then the other."""
    picture, options, scale = Picture("heatmap", Document()), PictureOptions(scale=4), 4
    image = rendered(picture, options, format, tmp_path)
    places, colours = cell_centres(picture, options, (60, 8)), colours_of(table(60, 8))
    for row in range(2, 60, 7):
        for column in range(7):
            left, right = places[row, column], places[row, column + 1]
            steps = int((right[0] - left[0]) * scale)
            line = np.stack([np.linspace(left[0], right[0], steps), np.full(steps, left[1])], axis=-1)
            found = at(image, line, scale)
            near = [np.abs(found - colours[row, place]).max(axis=-1) <= 3 for place in (column, column + 1)]
            assert (~(near[0] | near[1])).sum() <= 2
