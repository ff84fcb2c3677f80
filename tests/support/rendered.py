"""Exported pictures as pixels: PNG read by Qt, SVG and PDF rendered by the tools that other people use."""

import os
import subprocess
from pathlib import Path

import matplotlib
import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from posenc_gui.export.pictures import Picture, PictureOptions, picture_bytes
from posenc_gui.look.resources import resource

MARGIN = 16
"""Around every figure, in logical pixels."""


def pixels(image: QImage) -> np.ndarray:
    """The image as int16 (height, width, 4), red, green, blue, alpha, not premultiplied."""
    image = image.convertToFormat(QImage.Format.Format_RGBA8888)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4).astype(np.int16)


def rendered(picture: Picture, options: PictureOptions, format: str, folder: Path) -> np.ndarray:
    """The picture's pixels at the options' scale, by way of a file in this format."""
    file = folder / f"{picture.name}.{format}"
    file.write_bytes(picture_bytes(picture, format, options))
    if format == "svg":
        file = _by_rsvg(file, options.pixel_scale)
    elif format == "pdf":
        file = _by_poppler(file, options.pixel_scale)
    image = QImage(str(file))
    assert not image.isNull()
    return pixels(image)


def rendered_by_qt(file: Path, scale: float) -> np.ndarray:
    """The pixels of an SVG file, by Qt."""
    renderer = QSvgRenderer(str(file))
    image = QImage(renderer.defaultSize() * scale, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return pixels(image)


def tool(*command: str | Path, **variables: str) -> str:
    """Standard output of the tool; an exit code or a message on standard error fails the test."""
    done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), f"{command}: {done.stderr}"
    return done.stdout


def area_of(picture: Picture, options: PictureOptions) -> QRectF:
    """Where the plot area is in the picture, in logical pixels."""
    with picture.laid_out(options, options.pixel_scale) as page:
        area = page.view.figure.area
        return area.mapRectToScene(QRectF(area.rect())).translated(MARGIN, MARGIN)


def cell_centres(picture: Picture, options: PictureOptions, shape: tuple[int, int]) -> np.ndarray:
    """The middle of every cell of a heatmap in logical pixels, float (rows, columns, 2) with x first."""
    area = area_of(picture, options)
    rows, columns = shape
    y = area.top() + (np.arange(rows) + 0.5) * area.height() / rows
    x = area.left() + (np.arange(columns) + 0.5) * area.width() / columns
    return np.stack(np.broadcast_arrays(x[None, :], y[:, None]), axis=-1)


def at(image: np.ndarray, places: np.ndarray, scale: float) -> np.ndarray:
    """The colours, (..., 3), at places in logical pixels."""
    column, row = np.moveaxis(np.floor(places * scale).astype(int), -1, 0)
    return image[row, column, :3]


def table(n_positions: int, n_columns: int, base: float = 10000.0) -> np.ndarray:
    """The paper's table by its formula, float64 (positions, columns), with none of the program's own arithmetic."""
    position, column = np.arange(n_positions)[:, None], np.arange(n_columns)[None, :]
    angle = position / base ** (2 * (column // 2) / n_columns)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))


def colours_of(values: np.ndarray, name: str = "CET-D1A") -> np.ndarray:
    """The colours of values from -1 to 1, (..., 3), straight from pyqtgraph's map."""
    steps = pg.colormap.get(name).getLookupTable(nPts=256, alpha=False).astype(np.int16)
    return steps[np.clip(np.round((values + 1) * 127.5), 0, 255).astype(int)]


def share_of(image: np.ndarray, colour: str, ground: str) -> np.ndarray:
    """How much of each pixel has the colour, 0 to 1, where it lies over the ground; 0 for other colours."""
    over, under = (np.array(QColor(name).getRgb()[:3], float) for name in (colour, ground))
    way = over - under
    share = np.clip((image[..., :3] - under) @ way / (way @ way), 0, 1)
    off = np.abs(image[..., :3] - (under + share[..., None] * way)).max(axis=-1)
    return np.where(off <= 16, share, 0.0)


def shrunk(image: np.ndarray, factor: int) -> np.ndarray:
    """The mean of each factor x factor block."""
    height, width = (side // factor * factor for side in image.shape[:2])
    blocks = image[:height, :width].reshape(height // factor, factor, width // factor, factor, -1)
    return blocks.mean(axis=(1, 3))


def laid_on(image: np.ndarray, grey: int) -> np.ndarray:
    """The colours of a picture that is laid on a ground of this grey, as float32."""
    covering = image[..., 3:] / np.float32(255)
    return image[..., :3] * covering + grey * (1 - covering)


def rendered_by_rsvg(file: Path, scale: float, own_fonts: bool) -> np.ndarray:
    """The pixels of an SVG file, by librsvg, with the program's own fonts or with others alone."""
    return pixels(QImage(str(_by_rsvg(file, scale, own_fonts))))


def _by_rsvg(file: Path, scale: float, own_fonts: bool = True) -> Path:
    """Rendered with the program's own fonts, which whoever opens the file elsewhere may not have."""
    fonts = file.with_name("fonts.conf")
    folder = resource("fonts") if own_fonts else Path(matplotlib.get_data_path(), "fonts", "ttf")
    fonts.write_text(
        f"<fontconfig><dir>{folder}</dir><cachedir>{file.parent / 'cache'}</cachedir></fontconfig>",
        encoding="utf-8",
    )
    target = file.with_suffix(".svg.png")
    tool("rsvg-convert", "--unlimited", "-z", f"{scale:g}", "-o", target, file, FONTCONFIG_FILE=str(fonts))
    return target


def _by_poppler(file: Path, scale: float) -> Path:
    tool("pdftoppm", "-r", f"{96 * scale:g}", "-png", "-singlefile", file, file.with_suffix(".pdf"))
    return file.with_suffix(".pdf.png")
