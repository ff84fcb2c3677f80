"""Curves are drawn in pieces, with the pixels of a line that Qt draws at once."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF
from PySide6.QtSvg import QSvgGenerator

from posenc_core.numerics import FloatArray
from posenc_gui.plotting import Polygons, draw_curve

WIDTH, HEIGHT = 300, 40


def wave(wavelength: float, samples: int) -> QPolygonF:
    """A sine over the picture's width, with as many points per wave as asked."""
    x = np.arange(0, WIDTH, wavelength / samples)
    y = HEIGHT / 2 + 0.4 * HEIGHT * np.sin(2 * np.pi * x / wavelength)
    return next(Polygons().filled(x, y[None]))


def painted(draw: Callable[[QPainter, QPolygonF], None], curve: QPolygonF, pen: QPen, scale: float) -> FloatArray:
    """The pixels of a curve on white, ``scale`` per logical pixel, moved by a part of a pixel and clipped."""
    image = QImage(round(scale * WIDTH), round(scale * HEIGHT), QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.translate(0.3, 0)
    painter.scale(scale, scale)
    painter.setClipRect(20, 5, WIDTH - 60, HEIGHT - 10)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen)
    draw(painter, curve)
    painter.end()
    return np.array(image.constBits(), np.uint8)


@pytest.mark.parametrize("scale", [0.5, 1.0, 1.25, 2.0])
@pytest.mark.parametrize(("wavelength", "samples"), [(4, 8), (17.3, 16), (500, 60)])
@pytest.mark.parametrize("colour", ["#0072b2", "#600072b2"])
def test_a_wide_curve_has_the_pixels_of_a_line_drawn_at_once(
    colour: str, wavelength: float, samples: int, scale: float
) -> None:
    curve, pen = wave(wavelength, samples), QPen(QColor(colour), 1.5)
    at_once = painted(QPainter.drawPolyline, curve, pen, scale)
    assert len(set(at_once.tolist())) > 20
    np.testing.assert_array_equal(painted(draw_curve, curve, pen, scale), at_once)


def test_a_dashed_curve_keeps_its_dashes() -> None:
    pen = QPen(QColor("#0072b2"), 1.5)
    pen.setDashPattern([5.0, 2.0])
    curve = wave(17.3, 16)
    np.testing.assert_array_equal(painted(draw_curve, curve, pen, 1.0), painted(QPainter.drawPolyline, curve, pen, 1.0))


def test_a_curve_in_a_vector_file_is_one_line() -> None:
    written = QByteArray()
    buffer = QBuffer(written)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    file = QSvgGenerator()
    file.setOutputDevice(buffer)
    painter = QPainter(file)
    painter.setPen(QPen(QColor("#0072b2"), 1.5))
    draw_curve(painter, wave(4, 8))
    painter.end()
    assert written.data().decode().count("<polyline") == 1
