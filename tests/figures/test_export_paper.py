"""Pictures of a size on paper: their size and text in every format, and SVG and PDF that look like the PNG."""

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from panel_bench import VECTOR_PANELS
from PySide6.QtGui import QImage
from rendered import rendered, shrunk, tool

from posenc_core import Alibi, Document, Embedding, LearnedTable, Rotary, Sinusoidal, T5Bias, View, Yarn
from posenc_gui.export.paper import NAMED_SIZES, PageSize, parsed_page
from posenc_gui.export.pictures import Picture, PictureOptions, picture_bytes
from posenc_gui.files.errors import FileError
from posenc_gui.files.presets import preset
from posenc_gui.model.cursor import Cursor
from posenc_gui.plotting import Window

COLUMN = NAMED_SIZES["column"]
SENTENCE = "Dan loves icecream"
DOCUMENTS = {
    "sinusoids": Document(),
    "wide sinusoids": Document(seq_len=512, encoding=Sinusoidal(512)),
    "rotary": Document(seq_len=128).with_encoding(Rotary(128)),
    "alibi": Document(SENTENCE, seq_len=24).with_encoding(Alibi(8)),
    "t5": Document(SENTENCE, seq_len=24).with_encoding(T5Bias()),
    "a sum": Document("a cat", embedding=Embedding("simulated"), encoding=Sinusoidal(6)),
}


def options_of(page: PageSize, **other) -> PictureOptions:
    return PictureOptions(page=page, dpi=300.0, **other)


@pytest.mark.parametrize("panel", VECTOR_PANELS)
@pytest.mark.parametrize("size", NAMED_SIZES)
def test_the_picture_has_its_size_in_every_format(tmp_path: Path, panel: str, size: str) -> None:
    page = NAMED_SIZES[size]
    picture, options = Picture(panel, Document()), options_of(page)
    for format in ("png", "svg", "pdf"):
        (tmp_path / f"a.{format}").write_bytes(picture_bytes(picture, format, options))
    image = QImage(str(tmp_path / "a.png"))
    assert image.width() == round(page.width / 25.4 * 300)
    assert image.dotsPerMeterX() * 0.0254 == pytest.approx(300, abs=0.02)
    root = ElementTree.fromstring((tmp_path / "a.svg").read_bytes())
    width, height = (float(root.get(side).removesuffix("mm")) for side in ("width", "height"))
    assert width == pytest.approx(page.width, abs=1e-3)
    assert height == pytest.approx(image.height() / 300 * 25.4, abs=0.1)
    if page.height is not None:
        assert height == pytest.approx(page.height, abs=1e-3)
    points = re.search(r"Page size: +([\d.]+) x ([\d.]+)", tool("pdfinfo", tmp_path / "a.pdf"))
    assert float(points[1]) == pytest.approx(page.width / 25.4 * 72, abs=0.51)


@pytest.mark.parametrize("panel", VECTOR_PANELS)
@pytest.mark.parametrize("size", ["60mm", "85mm", "7in", "2000x1400px"])
def test_all_text_is_of_7_to_8_points(tmp_path: Path, panel: str, size: str) -> None:
    for document in (Document(), Document("one two " * 20, encoding=Sinusoidal(64))):
        picture, options = Picture(panel, document, Cursor(1, 2)), options_of(parsed_page(size, 300.0), mark=True)
        content = picture_bytes(picture, "svg", options)
        root = ElementTree.fromstring(content)
        a_point = float(root.get("viewBox").split()[2]) / (float(root.get("width").removesuffix("mm")) / 25.4 * 72)
        sizes = {float(each.get("font-size")) / a_point for each in root.iter() if each.tag.endswith("text")}
        assert sizes
        assert all(7 <= points <= 8 for points in sizes), sizes
    (tmp_path / "a.pdf").write_bytes(picture_bytes(picture, "pdf", options))
    tool("pdftotext", "-bbox", tmp_path / "a.pdf", tmp_path / "a.html")
    heights = re.findall(r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">[\w.]', (tmp_path / "a.html").read_text())
    assert heights
    level = [float(bottom) - float(top) for top, bottom in heights]
    assert np.median(level) == pytest.approx(7.5 * 1.21, abs=1.0)  # of Inter, whose lines are 1.21 em high


ALIKE = [
    (name, panel) for name in DOCUMENTS for panel in VECTOR_PANELS if (name, panel) != ("wide sinusoids", "heatmap")
]
"""Where columns are narrower than a pixel at 100 %, vector files hold their means, and a PNG for print each column."""


@pytest.mark.one_of(4)
@pytest.mark.parametrize("format", ["svg", "pdf"])
@pytest.mark.parametrize(("name", "panel"), ALIKE)
def test_a_vector_file_of_one_column_looks_like_the_png(tmp_path: Path, name: str, panel: str, format: str) -> None:
    picture, options = Picture(panel, DOCUMENTS[name]), options_of(COLUMN, caption=False)
    png, other = (rendered(picture, options, kind, tmp_path) for kind in ("png", format))
    rows, columns = (min(sides) for sides in zip(png.shape[:2], other.shape[:2], strict=True))
    assert max(abs(one - two) for one, two in zip(png.shape, other.shape, strict=True)) <= 5
    png, other = png[:rows, :columns], other[:rows, :columns]
    assert np.abs(png - other)[..., :3].mean() < 4
    assert np.abs(shrunk(png, 24) - shrunk(other, 24))[..., :3].max() < 45


@pytest.mark.parametrize("page", [PageSize(60.0), COLUMN, NAMED_SIZES["slide"]], ids=str)
@pytest.mark.parametrize("panel", VECTOR_PANELS)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_nothing_reaches_the_edge_and_no_two_labels_overlap(name: str, panel: str, page: PageSize) -> None:
    content = picture_bytes(Picture(panel, DOCUMENTS[name]), "svg", options_of(page))
    root = ElementTree.fromstring(content)
    width, height = (float(side) for side in root.get("viewBox").split()[2:])
    boxes = list(boxes_of(root))
    assert boxes
    for words, left, top, right, bottom in boxes:
        assert 0 <= left <= right <= width, words
        assert 0 <= top <= bottom <= height, words
    for index, (words, left, top, right, bottom) in enumerate(boxes):
        for other, its_left, its_top, its_right, its_bottom in boxes[index + 1 :]:
            across, down = min(right, its_right) - max(left, its_left), min(bottom, its_bottom) - max(top, its_top)
            assert across <= 1.5 or down <= 1.5, f"{words!r} lies over {other!r}"


@pytest.mark.parametrize("n_tokens", [5, 12, 300])
def test_no_token_is_cut_off_on_a_page_of_a_given_height(n_tokens: int) -> None:
    picture = Picture("tokens", Document("word " * n_tokens, seq_len=400))
    with Picture.laid_out(picture, options_of(NAMED_SIZES["slide"]), 2.0) as page:
        view = page.view.figure.view()
        shown = view.layout.visible(0.0, view.room.height())[1]
        assert view.layout.strip(shown - 1).rect.bottom() <= view.room.height()
        assert shown == n_tokens or f"tokens 0–{shown - 1} of {n_tokens}" in page.caption


def boxes_of(root: ElementTree.Element, matrix: np.ndarray | None = None):
    """The words of every text with its left, top, right and bottom, from the line of its letters to their height."""
    matrix = np.eye(3) if matrix is None else matrix
    found = re.match(r"matrix\((.*)\)", root.get("transform", ""))
    if found:
        a, b, c, d, e, f = (float(part) for part in re.split(r"[ ,]+", found[1].strip()))
        matrix = matrix @ np.array([[a, c, e], [b, d, f], [0, 0, 1]])
    if root.tag.endswith("text"):
        x, y, length, px = (float(root.get(name)) for name in ("x", "y", "textLength", "font-size"))
        x -= {"start": 0.0, "middle": 0.5, "end": 1.0}[root.get("text-anchor")] * length
        corners = matrix @ np.array([[x, x + length], [y - 0.72 * px, y], [1, 1]])
        (left, right), (top, bottom) = (sorted(side) for side in corners[:2])
        if abs(matrix[0, 1] * matrix[0, 0]) > 1e-6:  # at an angle: its neighbours' boxes overlap, their letters do not
            left = right = (left + right) / 2
        yield "".join(root.itertext()), left, top, right, bottom
    for child in root:
        yield from boxes_of(child, matrix)


PAGES = (None, COLUMN, PageSize(300.0))


@pytest.mark.one_of(3)
@pytest.mark.parametrize("format", ["svg", "pdf"])
@pytest.mark.parametrize("page", PAGES, ids=str)
@pytest.mark.parametrize("kind", ["rotary", "noise"])
def test_no_file_of_512_by_512_is_over_2_megabytes(kind: str, page: PageSize | None, format: str) -> None:
    document = Document("w " * 512, seq_len=512).with_encoding(Rotary(512))
    if kind == "noise":
        numbers = np.random.default_rng(1).uniform(-1, 1, (512, 512))
        document = document.with_encoding(LearnedTable.from_array(numbers, "a test's own"))
    for panel in VECTOR_PANELS:
        size = len(picture_bytes(Picture(panel, document), format, PictureOptions(page=page)))
        assert size < 2_000_000, f"{panel}: {size:,} bytes"


@pytest.mark.parametrize(("n_columns", "n_shapes"), [(50, 5000), (51, 0)])
def test_up_to_5000_cells_are_shapes_over_vector_axes_and_more_are_an_image(n_columns: int, n_shapes: int) -> None:
    document = Document(seq_len=100, encoding=Sinusoidal(n_columns))
    content = picture_bytes(Picture("heatmap", document), "svg", PictureOptions()).decode()
    rectangles = len(re.findall(r"<rect|<path", content))
    images = re.findall(r"<image [^>]*width=\"([\d.]+)\"", content)
    assert (rectangles >= 5000) == (n_shapes > 0)
    assert len([each for each in images if float(each) > 100]) == (0 if n_shapes else 1)  # beside the colour bar's
    assert content.count("<text") > 20


@pytest.mark.parametrize("panel", VECTOR_PANELS)
def test_the_cursor_is_marked_only_if_it_is_asked_for(tmp_path: Path, panel: str) -> None:
    cursor = Cursor(1, 2, pinned=True)
    without, unmarked, marked = (
        rendered(Picture(panel, Document(), place), PictureOptions(scale=1, mark=mark), "png", tmp_path)
        for place, mark in ((None, True), (cursor, False), (cursor, True))
    )
    assert np.array_equal(without, unmarked)
    assert not np.array_equal(without, marked)


def test_an_unmarked_cursor_still_chooses_the_head_and_the_query(tmp_path: Path) -> None:
    document, cursor = DOCUMENTS["alibi"], Cursor(-1, 3, pinned=True, query=1)
    with Picture.laid_out(Picture("pairs", document, cursor), PictureOptions(), 2.0) as page:
        assert "head 3" in page.caption
        assert page.view.figure.axis.query == 1
        assert page.view.figure.view().marked == (None, None)


def caption_of(document: Document, panel: str = "heatmap") -> str:
    content = picture_bytes(Picture(panel, document), "txt", PictureOptions(size=(900, 700)))
    return content.decode().removesuffix("\n")


@pytest.mark.parametrize("name", ["pope", "cope", "grape-m"])
def test_a_caption_does_not_repeat_the_family_as_the_name_of_a_preset(name: str) -> None:
    document = preset(name)
    first, second, *_ = caption_of(document, "waves").split(" · ")
    assert first == document.encoding.title != second


@pytest.mark.parametrize(("size", "length", "is_told"), [
    ("column", 2000, True), ("column", 24, False), ("slide", 2000, False)
])  # fmt: skip
def test_a_caption_tells_of_bands_where_the_labels_are_too_short_for_it(size: str, length: int, is_told: bool) -> None:
    picture = Picture("waves", Document(seq_len=length))
    with Picture.laid_out(picture, options_of(NAMED_SIZES[size]), 1.0) as page:
        assert ("bands: too fast for the pixels" in page.caption) == is_told


@pytest.mark.parametrize(("size", "has_lines"), [("column", False), ("two-columns", True)])
def test_a_caption_names_the_lines_of_a_similarity_where_they_are_drawn(size: str, has_lines: bool) -> None:
    picture = Picture("similarity", Document(seq_len=65536).with_encoding(Rotary(128)))
    with Picture.laid_out(picture, options_of(NAMED_SIZES[size]), 1.0) as page:
        assert ("line: one distance in" in page.caption) == has_lines
        assert page.view.figure.areas[0].isVisible() == has_lines


def test_a_caption_has_the_sentence_the_length_and_all_parameters() -> None:
    rest = "layout = interleaved, spacing = paper, offset = 0"
    assert caption_of(Document()).startswith(
        f"Sinusoidal · d_model = 8, base = 10,000, {rest} · “Dan loves icecream” · "
    )
    changed = Document("Hello", "characters", 20, Sinusoidal(16, 100.0))
    assert caption_of(changed) == f"Sinusoidal · d_model = 16, base = 100, {rest} · “Hello” as characters · length 20"
    assert caption_of(Document("w " * 200, seq_len=9)).endswith(f" · “{('w ' * 40).rstrip()}…” · length 9")


def test_a_caption_has_the_lengths_that_are_drawn() -> None:
    rope = Document(encoding=Rotary(64))
    assert "length 60 · L = 4,096, L′ = 16,384 · " in caption_of(rope, "spectrum")
    window = Window((-0.5, 511.5), (-0.5, 12.5))
    part = picture_bytes(Picture("heatmap", Document(), None, window), "txt", PictureOptions(size=(900, 700))).decode()
    assert "length 60 · positions 0–12 drawn" in part
    scaled = Document(encoding=Rotary(64).edited("scaling", "longrope"))
    assert "short_factor = " in caption_of(scaled, "spectrum")
    assert len(caption_of(scaled, "spectrum")) < 800


def test_a_narrow_spectrum_has_its_legend_below_and_unseen_its_whole_titles(qapp) -> None:
    document = Document(encoding=Rotary(128, scaling=Yarn(4.0, 4096)))
    column = PictureOptions(page=NAMED_SIZES["column"])
    spectrum, unseen = (
        picture_bytes(Picture(panel, document), "svg", column).decode() for panel in ("spectrum", "unseen")
    )
    for name in ("as trained", "YaRN, present", "Position interpolation ×4", "NTK-aware ×4", "Llama 3 ×4"):
        assert f">{name}</text>" in spectrum
    for text in ("as trained", "NTK-aware ×4", "18 of 64", "17 of 64"):
        assert f">{text}</text>" in unseen
    assert "…</text>" not in unseen


def test_a_caption_names_the_preset_or_the_model() -> None:
    assert "Sinusoidal · The Annotated Transformer · d_model = 20, base" in caption_of(preset("annotated-transformer"))
    model = preset("yarn-llama-2-64k")
    assert caption_of(model).startswith("Rotary (RoPE) · Yarn-Llama-2 7B 64k · head_dim = 128, ")
    assert "Yarn-Llama" not in caption_of(model.edited("rope_theta", 500.0))


@pytest.mark.parametrize("panel", VECTOR_PANELS)
def test_a_figure_is_laid_out_again_and_not_scaled(panel: str) -> None:
    """At half the width, words and lines have their size, and there are fewer ticks."""
    wide, narrow = (
        ElementTree.fromstring(
            picture_bytes(Picture(panel, Document()), "svg", options_of(NAMED_SIZES[size], caption=False))
        )
        for size in ("two-columns", "column")
    )
    widths = [{each.get("stroke-width") for each in root.iter() if each.get("stroke-width")} for root in (wide, narrow)]
    assert widths[1] <= widths[0]
    counts = [sum(each.tag.endswith("text") for each in root.iter()) for root in (wide, narrow)]
    assert counts[1] <= counts[0]


def test_angles_on_a_page_are_drawn_too(tmp_path: Path) -> None:
    document = Document(seq_len=40, view=View(angles=True)).with_encoding(Rotary(16))
    png, svg = (rendered(Picture("heatmap", document), options_of(COLUMN), kind, tmp_path) for kind in ("png", "svg"))
    assert np.abs(shrunk(png, 24) - shrunk(svg, 24))[..., :3].max() < 45


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("a4", "--page must be column, two-columns, slide, or like 120mm, 120x80mm, 4.5x3in or 1200x800px, got 'a4'"),
        ("59mm", "the width of the picture must be from 60 to 1200 mm, got 59 mm"),
        ("85x39mm", "the height of the picture must be from 40 to 1200 mm, got 39 mm"),
        ("2in", "the width of the picture must be from 2.36 to 47.24 in, got 2 in"),
        ("100px", "the width of the picture must be from 709 to 14173 px, got 100 px"),
    ],
)
def test_a_size_out_of_bounds_is_refused(typed: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        parsed_page(typed, 300.0)


def test_a_page_of_too_many_pixels_is_refused_before_it_is_painted() -> None:
    options = PictureOptions(page=PageSize.of(1200, 600, "mm", 600), dpi=600)
    with pytest.raises(
        FileError, match=r"^a picture of 28346 x 14173 pixels is too large: the largest of this shape has"
    ):
        picture_bytes(Picture("heatmap", Document()), "png", options)
