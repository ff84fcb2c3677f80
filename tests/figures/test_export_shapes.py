"""SVG and PDF, rendered again by librsvg and poppler, look like the PNG, and their text is text."""

import base64
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from panel_bench import VECTOR_PANELS
from PySide6.QtGui import QFontMetricsF, QImage
from rendered import (
    area_of,
    at,
    cell_centres,
    colours_of,
    pixels,
    rendered,
    rendered_by_rsvg,
    share_of,
    shrunk,
    table,
    tool,
)

from posenc_core import Document, Embedding, Sinusoidal
from posenc_gui.export.paper import PageSize
from posenc_gui.export.pictures import Picture, PictureOptions, picture_bytes
from posenc_gui.figures.panel import Panel
from posenc_gui.look.style import LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import figure_class
from posenc_gui.plotting.plot_area import Window

DOCUMENT = Document()
SHAPES = ("svg", "pdf")
CAPTION = (
    "Sinusoidal · d_model = 8, base = 10,000, layout = interleaved, spacing = paper, offset = 0 · "
    "“Dan loves icecream” · length 60"
)

DOCUMENTS = {
    "plain": DOCUMENT,
    "embedded": Document(sentence="a cat sat", embedding=Embedding("simulated", seed=1), encoding=Sinusoidal(6)),
    "many": Document(sentence="one two three " * 9, encoding=Sinusoidal(64), seq_len=200),
    "accents": Document(sentence="Größe naïve Ωμέγα мир", seq_len=9, encoding=Sinusoidal(5, layout="concatenated")),
}


def words_of_svg(content: bytes) -> list[str]:
    """The texts in the order in which they are drawn; the file is well-formed, or this fails."""
    return ["".join(each.itertext()) for each in ElementTree.fromstring(content).iter() if each.tag.endswith("text")]


def words_of_pdf(content: bytes, folder: Path) -> str:
    (folder / "words.pdf").write_bytes(content)
    return tool("pdftotext", "-layout", folder / "words.pdf", "-")


@pytest.mark.one_of(3)
@pytest.mark.parametrize("format", SHAPES)
@pytest.mark.parametrize("panel", VECTOR_PANELS)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_vector_file_looks_like_the_png(tmp_path, name, panel, format):
    options = PictureOptions(scale=2, mark=True)
    picture = Picture(panel, DOCUMENTS[name], Cursor(1, 2, pinned=True))
    png, other = (rendered(picture, options, kind, tmp_path) for kind in ("png", format))
    # A PDF page has a whole number of points: it may be a little larger than its picture.
    assert other.shape[1] == png.shape[1]
    assert 0 <= other.shape[0] - png.shape[0] <= 4
    other = other[: png.shape[0]]
    off = np.abs(png - other)[..., :3]
    assert off.mean() < 2.5
    # Nothing is missing, moved or of another colour: a word would change its blocks of 16 x 16 pixels by 90 and
    # more, while the tools' different ways to blacken a letter's edge change them by 35.
    assert np.abs(shrunk(png, 16) - shrunk(other, 16))[..., :3].max() < 45


@pytest.mark.parametrize("format", SHAPES)
@pytest.mark.parametrize("panel", VECTOR_PANELS)
def test_a_dark_vector_file_looks_like_the_dark_png(tmp_path, panel, format):
    options = PictureOptions(theme="dark", scale=1)
    png, other = (rendered(Picture(panel, DOCUMENT), options, kind, tmp_path) for kind in ("png", format))
    other = other[: png.shape[0]]
    assert (other[[0, -1], :, :3] == png[0, 0, :3]).all()  # the ground, up to the edges
    assert np.abs(png - other).mean() < 2.5


@pytest.mark.one_of(3)
@pytest.mark.parametrize("format", SHAPES)
@pytest.mark.parametrize("scale", [1, 2, 4])
def test_every_cell_has_the_colour_of_its_number(tmp_path, format, scale):
    picture, options = Picture("heatmap", DOCUMENT), PictureOptions(scale=scale)
    centres = cell_centres(picture, options, (60, 8))
    image = rendered(picture, options, format, tmp_path)
    assert np.abs(at(image, centres, scale) - colours_of(table(60, 8))).max() <= 2


@pytest.mark.one_of(2)
@pytest.mark.parametrize("format", SHAPES)
def test_cells_of_a_few_pixels_have_their_colours_too(tmp_path, format):
    document = Document(encoding=Sinusoidal(100), seq_len=100)
    picture, options = Picture("heatmap", document), PictureOptions(scale=4)
    centres = cell_centres(picture, options, (100, 100))
    image = rendered(picture, options, format, tmp_path)
    assert np.abs(at(image, centres, 4) - colours_of(table(100, 100))).max() <= 2


@pytest.mark.one_of(2)
@pytest.mark.parametrize("format", SHAPES)
def test_a_table_of_two_million_cells_keeps_its_colours(tmp_path, format):
    """The table is an image within the file and needs lossless compression."""
    document = Document(encoding=Sinusoidal(512), seq_len=4096)
    content = picture_bytes(Picture("heatmap", document), format, PictureOptions(size=(1400, 520)))
    (tmp_path / f"heatmap.{format}").write_bytes(content)
    image = (image_in_svg if format == "svg" else image_in_pdf)(tmp_path / f"heatmap.{format}")
    rows, columns = image.shape[:2]
    assert rows >= 1000
    # Slow columns, in which the mean over a pixel's few positions is the number at its middle, or rounds to the
    # neighbouring step of the map, which differs by 4 at most.
    column = np.arange(360, 512)
    position = ((np.arange(rows) + 0.5) * 4096 / rows).astype(int)
    found = image[:, ((column + 0.5) * columns / 512).astype(int), :3]
    assert np.abs(found - colours_of(table(4096, 512)[position][:, column])).max() <= 4


def image_in_svg(file: Path) -> np.ndarray:
    """The pixels of the largest image in the file."""
    images = re.findall(r'href="data:image/png;base64,([^"]*)"', file.read_text(encoding="utf-8"))
    return pixels(QImage.fromData(base64.b64decode(max(images, key=len))))


def image_in_pdf(file: Path) -> np.ndarray:
    """The pixels of the largest image in the file, none of which may be a JPEG."""
    listed = [line.split() for line in tool("pdfimages", "-list", file).splitlines()[2:]]
    assert {line[8] for line in listed} == {"image"}
    tool("pdfimages", "-png", file, file.with_name("image"))
    return pixels(QImage(str(max(file.parent.glob("image-*.png"), key=lambda path: path.stat().st_size))))


@pytest.mark.one_of(3)
@pytest.mark.parametrize("format", ["png", *SHAPES])
def test_curves_end_where_the_plot_area_ends(tmp_path, format):
    options = PictureOptions(scale=2)
    picture = Picture("waves", DOCUMENT, None, Window((10.2, 20.7), (0.3, 3.1)))
    area, image = area_of(picture, options), rendered(picture, options, format, tmp_path)
    inked = np.maximum(share_of(image, LIGHT.sine, LIGHT.paper), share_of(image, LIGHT.cosine, LIGHT.paper)) > 0.3
    left, top, right, bottom = (round(2 * side) for side in (area.left(), area.top(), area.right(), area.bottom()))
    # They do run into the edges: the window cuts through the waves of columns 0 and 3.
    assert inked[top : top + 4, left:right].any()
    assert inked[bottom - 4 : bottom, left:right].any()
    inked[top : bottom + 1, left : right + 1] = False
    inked[:, : left - 16] = False  # the labels, which name sin and cos in these colours
    assert not inked.any()


@pytest.mark.parametrize("panel", VECTOR_PANELS)
def test_svg_text_stays_text(panel):
    words = words_of_svg(picture_bytes(Picture(panel, DOCUMENT), "svg", PictureOptions()))
    assert {"Dan", "loves", "icecream"} <= set(words)
    assert any(word.startswith(CAPTION) for word in words)
    expected = {
        "waves": {"col 0 · pair 0 · sin · λ 6.3", "col 7 · pair 3 · cos · λ 6,283.2", "position", "0", "55"},
        "heatmap": {"position", "column", "fast, λ 6.3", "slow, λ 6,283.2", "PE (no unit)", "55", "7", "−1", "1"},
        "tokens": {"0.8415", "−0.4161", "position 2", "7"},
        "pairs": {"query", "key", "4.000", "−4", "4"},
    }
    assert expected[panel] <= set(words)


@pytest.mark.parametrize("panel", VECTOR_PANELS)
def test_pdf_text_is_found_and_its_fonts_are_inside(qtbot, tmp_path, panel):
    on_screen = Panel(figure_class(panel)(LIGHT))  # whose letters, remembered, are not those of files
    qtbot.addWidget(on_screen)
    on_screen.resize(900, 600)
    on_screen.show_document(DOCUMENT)
    on_screen.grab()
    content = picture_bytes(Picture(panel, DOCUMENT), "pdf", PictureOptions())
    words = re.sub(r"\s+", " ", words_of_pdf(content, tmp_path))
    assert CAPTION in words
    expected = {
        "waves": ["Dan loves icecream", "col 7 · pair 3 · cos · λ 6,283.2", "0 5 10 15 20 25 30"],
        "heatmap": ["Dan", "icecream", "fast", "slow", "−1", "55"],
        "tokens": ["0.8415 0.5403 0.0998 0.9950", "−0.4161", "icecream", "position 2"],
        "pairs": ["Dan loves icecream", "query", "key", "4.000", "dot product"],
    }
    for part in expected[panel]:
        assert part in words
    fonts = [line.split() for line in tool("pdffonts", tmp_path / "words.pdf").splitlines()[2:]]
    assert fonts
    for name, *_, embedded, _subset, unicode, _object, _generation in fonts:
        assert name.split("+")[-1].startswith("Inter")
        assert (embedded, unicode) == ("yes", "yes")


def test_words_are_found_whole_whatever_stands_beside_them(tmp_path):
    """Figures of equal width and signs that fit their neighbours would be glyphs that stand for no character."""
    document = Document(sentence="GPT-4 (A) 10:30 2x3 A-B [X] -> #1", encoding=Sinusoidal(2))
    words = words_of_pdf(picture_bytes(Picture("tokens", document), "pdf", PictureOptions()), tmp_path)
    for token in document.token_list:
        assert token.text in words.split()


@pytest.mark.parametrize("tokens", ["words", "characters", "bytes"])
@pytest.mark.parametrize("panel", VECTOR_PANELS)
def test_an_svg_of_any_sentence_is_well_formed(panel, tokens):
    document = Document(sentence='<b>&amp; \x07 ]]> "q" \ufffe \uffff \x1b \u2028 😀 שלום', tokens=tokens)
    words = words_of_svg(picture_bytes(Picture(panel, document), "svg", PictureOptions()))
    assert {"<b>&amp;", "<", "3C"} & set(words)


def test_every_svg_label_is_one_text_with_an_anchor_and_a_length():
    root = ElementTree.fromstring(picture_bytes(Picture("waves", DOCUMENT), "svg", PictureOptions()))
    texts = [each for each in root.iter() if each.tag.endswith("text")]
    assert len(texts) == 8 + 3 + 3 + 12 + 2  # waves, their scale, tokens, positions, the axis and the caption
    for text in texts:
        font = PictureOptions().style.font(float(text.get("font-size")), int(text.get("font-weight")) >= 600)
        length = QFontMetricsF(font).horizontalAdvance("".join(text.itertext()))
        assert float(text.get("textLength")) == pytest.approx(length, rel=1e-2)
        assert text.get("font-family").startswith("Inter, ")
    anchors = {"".join(text.itertext()): text.get("text-anchor") for text in texts}
    assert {words: anchors[words] for words in ("col 7 · pair 3 · cos · λ 6,283.2", "Dan", "55", "position")} == {
        "col 7 · pair 3 · cos · λ 6,283.2": "end",
        "Dan": "middle",
        "55": "middle",
        "position": "middle",
    }


@pytest.mark.parametrize("panel", VECTOR_PANELS)
def test_an_svg_looks_right_without_the_programs_font(tmp_path, panel):
    """In a wider font, labels keep the edge or the middle that they had, and stay within the picture."""
    options = PictureOptions(scale=2, page=PageSize(85.0), caption=False)
    content = picture_bytes(Picture(panel, DOCUMENT), "svg", options)
    (tmp_path / "own.svg").write_bytes(content)
    inter, other = (rendered_by_rsvg(tmp_path / "own.svg", 2, fonts) for fonts in (True, False))
    assert np.abs(inter - other)[..., :3].max() > 100  # it is another font
    root = ElementTree.fromstring(content)
    anchors = {text.get("text-anchor") for text in root.iter() if text.tag.endswith("text")}
    assert anchors <= {"start", "middle", "end"}
    whole = other[..., 3] == 255  # the picture covers a part of its last row of pixels
    inked = (other[..., :3] < 200).any(axis=2) & whole
    assert not inked[:, [0, -1]].any()
    assert np.abs(shrunk(inter, 64) - shrunk(other, 64))[..., :3].max() < 30


def test_a_transparent_ground_has_no_rectangle(tmp_path):
    options = PictureOptions(background="transparent", scale=1)
    image = rendered(Picture("waves", DOCUMENT), options, "svg", tmp_path)
    assert not image[[0, 0, -1, -1], [0, -1, 0, -1], 3].any()
    (tmp_path / "clear.pdf").write_bytes(picture_bytes(Picture("waves", DOCUMENT), "pdf", options))
    tool("pdftocairo", "-png", "-transp", "-singlefile", tmp_path / "clear.pdf", tmp_path / "clear")
    assert tool("pdftocairo", "-svg", tmp_path / "clear.pdf", "-").count("rgb(100%, 100%, 100%)") < 40


@pytest.mark.parametrize("format", SHAPES)
def test_the_caption_can_be_left_out(tmp_path, format):
    content = picture_bytes(Picture("heatmap", DOCUMENT), format, PictureOptions(caption=False))
    words = "\n".join(words_of_svg(content)) if format == "svg" else words_of_pdf(content, tmp_path)
    assert "length" not in words
    assert "icecream" in words


def test_the_screens_resolution_makes_no_difference(tmp_path):
    """On a screen of 144 dots an inch axes would come out two thirds as large as all the rest."""
    screen = tmp_path / "screen.json"
    screen.write_text(
        '{"screens": [{"name": "s", "x": 0, "y": 0, "width": 1600, "height": 1000, "logicalDpi": 144, '
        '"logicalBaseDpi": 144, "dpr": 1}]}',
        encoding="utf-8",
    )
    program = """
import sys
from posenc_core import Document
from posenc_gui.export.paper import PageSize
from posenc_gui.export.pictures import Picture, PictureOptions, picture_bytes
from posenc_gui.look.qt import make_application
application = make_application([])
assert application.primaryScreen().logicalDotsPerInch() == 144
sys.stdout.buffer.write(picture_bytes(Picture("heatmap", Document()), "svg", PictureOptions()))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "QT_QPA_PLATFORM": "offscreen:configfile=screen.json",
        },
        capture_output=True,
        check=True,
    )
    here = picture_bytes(Picture("heatmap", DOCUMENT), "svg", PictureOptions())
    assert without_images(done.stdout) == without_images(here)


def without_images(content: bytes) -> bytes:
    """The SVG without its embedded images, which remember the resolution that they were painted at."""
    return re.sub(rb'href="data:[^"]*"', b"", content)
