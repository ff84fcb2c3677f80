"""The tokens' lines and dots: images on a screen, shapes in a file, and the same look in both."""

import numpy as np
import pytest
from panel_bench import shown
from pixels import area_of, as_array, coverage, pixels_of, rgb
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from posenc_core import Document, Sinusoidal
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.layers.token_lines import TokenLines
from posenc_gui.look.style import DARK, LIGHT


def document(n_tokens, seq_len=None, d_model=8):
    words = " ".join(f"w{index}" for index in range(n_tokens))
    return Document(words, encoding=Sinusoidal(d_model), seq_len=seq_len or n_tokens)


def painted(panel, scale, on_screen):
    """Pixels that the layer of lines and dots paints on paper, (height, width, 3)."""
    area = panel.figure.area
    (layer,) = (item for item in area.childItems() if isinstance(item, TokenLines))
    rect = area.rect()
    image = QImage(round(rect.width() * scale), round(rect.height() * scale), QImage.Format.Format_RGB32)
    image.fill(panel.figure.style.paper)
    painter = QPainter(image)
    painter.scale(scale, scale)
    layer.exposed, layer.is_on_screen = [QRectF(rect)], on_screen
    layer.draw(painter)
    painter.end()
    return as_array(image).astype(float)


def test_a_tokens_line_on_a_screen_is_one_column_of_pixels_at_its_position(qtbot):
    panel = shown(qtbot, "waves", document(5, d_model=4), (640, 420))
    pixels, area = pixels_of(panel.view), area_of(panel)
    for position in range(5):
        x = area.left() + (position + 0.5) / 5 * area.width()
        # Above the topmost wave nothing but the line is drawn.
        row = pixels[int(area.top()) + 1, int(x) - 6 : int(x) + 7]
        marked = np.flatnonzero(coverage(row[None], LIGHT.token(position), LIGHT.paper)[0] > 0.05)
        assert len(marked) == 1
        assert abs(int(x) - 6 + marked[0] + 0.5 - x) <= 0.51


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize(("n_tokens", "d_model"), [(3, 8), (30, 14), (80, 14)])
def test_lines_and_dots_on_a_screen_have_the_ink_of_the_shapes_in_a_file(qtbot, style, scale, n_tokens, d_model):
    panel = shown(qtbot, "waves", document(n_tokens, d_model=d_model), (900, 420), style)
    screen, file = (painted(panel, scale, on_screen) for on_screen in (True, False))
    paper = rgb(style.paper)
    ink = [np.abs(picture - paper).sum() for picture in (screen, file)]
    assert ink[0] == pytest.approx(ink[1], rel=0.2), "an opaque line of 1.2 pixels is one pixel wide"
    spread = int(8 * scale)
    blurred = [
        np.add.reduceat(
            np.add.reduceat(picture, range(0, picture.shape[0], spread), 0), range(0, picture.shape[1], spread), 1
        )
        for picture in (screen, file)
    ]
    assert np.abs(blurred[0] - blurred[1]).mean() < 0.02 * 255 * spread**2, "in the same places"


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_stamped_dot_is_within_a_quarter_of_a_pixel_of_its_ellipse(qtbot, scale):
    panel = shown(qtbot, "waves", document(6), (640, 420))
    screen, file = (np.abs(painted(panel, scale, on) - 255).sum(axis=2) for on in (True, False))
    area, figure = panel.figure.area, panel.figure
    for position in range(6):
        for column, value in enumerate(Sinusoidal(8).values(np.array([position]), np.arange(8))[0]):
            x = int(area.to_x(position) * scale)
            y = int(area.to_y(column + figure.view().rows.height(float(value))) * scale)
            reach = int(6 * scale)
            if not (reach < x < screen.shape[1] - reach and reach < y < screen.shape[0] - reach):
                continue
            heights = []
            for picture in (screen, file):
                # Beside the line only the dot is drawn.
                part = picture[y - reach : y + reach + 1, x - int(3 * scale) : x + int(4 * scale)].copy()
                part[:, int(2 * scale) : int(5 * scale)] = 0
                heights.append((part.sum(axis=1) * np.arange(len(part))).sum() / part.sum())
            assert heights[0] == pytest.approx(heights[1], abs=0.25)


def test_a_file_holds_a_line_per_token_and_an_ellipse_per_dot(qapp):
    content = picture_bytes(Picture("waves", document(5), None, None), "svg", PictureOptions(size=(640, 420)))
    assert content.count(b"<circle") + content.count(b"<ellipse") == 5 * 8


def test_many_dots_are_drawn_with_one_image_per_colour(qtbot):
    panel = shown(qtbot, "waves", document(80, d_model=14), (900, 420))
    (layer,) = (item for item in panel.figure.area.childItems() if isinstance(item, TokenLines))
    pixels_of(panel.view)
    assert layer._stamps.cache_info().currsize == len(LIGHT.token_cycle)
    before = layer._stamps.cache_info().misses
    panel.show_document(Document(panel.figure.document.sentence, encoding=Sinusoidal(14, 9900.0), seq_len=80))
    pixels_of(panel.view)
    assert layer._stamps.cache_info().misses == before, "an edit makes no new images"
