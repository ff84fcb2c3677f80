"""Screen contents as numbers: pixels and painted words; and mouse and wheel events for the real widgets."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QBuffer, QCoreApplication, QIODevice, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QTransform, QWheelEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

NO_KEY = Qt.KeyboardModifier.NoModifier
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def settle() -> None:
    """Let every layout and repaint that is due take place."""
    for _ in range(3):
        QCoreApplication.sendPostedEvents()
        QCoreApplication.processEvents()


def rgb(colour) -> np.ndarray:
    colour = QColor(colour)
    return np.array([colour.red(), colour.green(), colour.blue()])


def as_array(image: QImage) -> np.ndarray:
    """An image as (height, width, 3)."""
    image = image.convertToFormat(QImage.Format.Format_RGBX8888)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3].copy()


def pixels_of(widget: QWidget) -> np.ndarray:
    """Pixels of the widget, uint8 (height, width, 3)."""
    settle()
    return as_array(widget.grab().toImage())


def area_of(panel) -> QRectF:
    """Where the panel's plot area is, in the pixels of its view."""
    return item_rect(panel.view, panel.figure.area)


def item_rect(view, item) -> QRectF:
    """Where an item of the view's scene is, in the view's pixels."""
    settle()
    return view.viewportTransform().mapRect(item.mapRectToScene(QRectF(item.rect())))


def inside(pixels: np.ndarray, rect: QRectF | QRect) -> np.ndarray:
    """The pixels that lie wholly in the rectangle."""
    rect = QRectF(rect)
    rows = slice(max(0, int(np.ceil(rect.top()))), int(rect.bottom()))
    return pixels[rows, max(0, int(np.ceil(rect.left()))) : int(rect.right())]


def coverage(pixels: np.ndarray, colour, ground) -> np.ndarray:
    """How much of each pixel has the colour, 0 to 1, where colour lies over ground; 0 for any other colour."""
    over, under = rgb(colour).astype(float), rgb(ground).astype(float)
    way = over - under
    share = np.clip((pixels - under) @ way / (way @ way), 0, 1)
    off = np.abs(pixels - (under + share[..., None] * way)).max(axis=-1)
    return np.where(off <= 12, share, 0.0)


def near(pixels: np.ndarray, x: float, y: float, reach: int = 1) -> np.ndarray:
    """The pixels around a place."""
    row, column = int(y), int(x)
    return pixels[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1]


@dataclass(frozen=True)
class Painted:
    """A text that was painted, and where its first letter begins, in the widget's pixels."""

    text: str
    x: float
    y: float
    size: float
    upwards: bool = False


def painted_words(view) -> list[Painted]:
    """Every text that the view paints: painted once more as SVG, in which texts stay texts."""
    return _words_of(view, lambda painter: view.render(painter, QRectF(view.rect()), view.viewport().rect()))


def window_words(window) -> list[Painted]:
    """Every text that the window and all its parts paint, those included that something else covers."""
    return _words_of(window, lambda painter: window.render(painter, QPoint()))


def _words_of(widget: QWidget, render: Callable[[QPainter], None]) -> list[Painted]:
    settle()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    device = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    device.setOutputDevice(buffer)
    device.setSize(widget.size())
    device.setResolution(round(widget.screen().logicalDotsPerInch()))  # that of the axes, which are recorded first
    device.setViewBox(QRect(QPoint(), widget.size()))
    painter = QPainter(device)
    try:
        render(painter)
    finally:
        painter.end()  # Qt crashes if the device goes first
    return list(_painted(ElementTree.fromstring(bytes(buffer.data().data())), ()))


_MATRIX = re.compile(r"matrix\((.*)\)")


def _painted(element: ElementTree.Element, above: tuple[str, ...]) -> Iterator[Painted]:
    """The texts within an element; ``above`` are the transforms of the elements around it, the outermost first."""
    transform = element.get("transform")
    transforms = above if transform is None else (*above, transform)
    if element.tag.endswith("text"):
        whole = QTransform()
        for matrix in filter(None, map(_MATRIX.match, transforms)):
            numbers = [float(part) for part in re.split(r"[ ,]+", matrix[1].strip())]
            whole = QTransform(*numbers) * whole
        place = whole.map(QPointF(float(element.get("x")), float(element.get("y"))))
        text, size = "".join(element.itertext()).strip(), float(element.get("font-size"))
        yield Painted(text, place.x(), place.y(), size * math.hypot(whole.m11(), whole.m12()), upwards=whole.m12() < 0)
    for child in element:
        if len(child) or child.tag.endswith("text"):
            yield from _painted(child, transforms)


def texts(view) -> list[str]:
    return [word.text for word in painted_words(view)]


def hover(view, place: QPointF | QPoint) -> None:
    """Move the mouse there."""
    QTest.mouseMove(view.viewport(), _whole(place))
    settle()


def click(view, place: QPointF | QPoint) -> None:
    hover(view, place)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, NO_KEY, _whole(place))
    settle()


def double_click(view, place: QPointF | QPoint) -> None:
    click(view, place)
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, NO_KEY, _whole(place))
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, NO_KEY, _whole(place))
    settle()


def drag(view, start: QPointF, stop: QPointF, button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
    """Press, move in small steps, let go."""
    hover(view, start)
    QTest.mousePress(view.viewport(), button, NO_KEY, _whole(start))
    for part in np.linspace(0, 1, 12):
        QTest.mouseMove(view.viewport(), _whole(start + (stop - start) * float(part)))
    QTest.mouseRelease(view.viewport(), button, NO_KEY, _whole(stop))
    settle()


def wheel(view, place: QPointF, notches: float, modifiers: Qt.KeyboardModifier = NO_KEY) -> None:
    """Turn the wheel at that place, away from the hand for a positive number."""
    where = QPointF(_whole(place))
    event = QWheelEvent(
        where,
        QPointF(view.viewport().mapToGlobal(where)),
        QPoint(),
        QPoint(0, round(120 * notches)),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)
    settle()


def _whole(place: QPointF | QPoint) -> QPoint:
    return place.toPoint() if isinstance(place, QPointF) else place


def colour_table(name: str) -> np.ndarray:
    """The 256 colours of a colour map, straight from pyqtgraph."""
    return pg.colormap.get(name).getLookupTable(nPts=256, alpha=False)


def diverging(number: float, low: float, high: float) -> np.ndarray:
    """The colour of a number on the diverging map, whose middle is zero."""
    reach = max(abs(low), abs(high))
    return colour_table("CET-D1A")[round((number / reach + 1) / 2 * 255)].astype(int)


def value_colour(number: float, low: float, high: float, step: float = 0.0, dark: bool = False) -> np.ndarray:
    """The colour of a number of a table from low to high: sequential for one sign, else diverging around zero.

    With a ``step``, the scale is symmetric logarithmic.
    """
    if low < 0 < high:
        low, high = -max(-low, high), max(-low, high)
        name = "CET-D4" if dark else "CET-D1A"
    else:
        name = "viridis"
    if step:
        number, low, high = (np.sign(each) * np.log(1 + abs(each) / step) for each in (number, low, high))
    part = (number - low) / (high - low) if low < high else 0.5
    return colour_table(name)[round(part * 255)].astype(int)


def step_of(encoding) -> float:
    """Growth per position of a table whose numbers are unbounded, else 0."""
    if encoding.family == "integer":
        return 1.0
    if encoding.family == "alibi":
        return float(np.abs(encoding.values(np.array([1]), np.arange(encoding.n_columns))).min())
    return 0.0


def expected_colour(values, name: str = "CET-D1A", reach: float = 1.0) -> np.ndarray:
    """The colours of values between -reach and reach."""
    levels = np.clip(np.round((np.asarray(values, float) + reach) / (2 * reach) * 255), 0, 255).astype(int)
    return colour_table(name)[levels]


def faded_colour(turn: complex) -> np.ndarray:
    """The colour of a mean of unit vectors: its angle's, nearer to grey the shorter it is, grey from half a turn on."""
    half_turn = np.abs(np.exp(1j * np.linspace(0, np.pi, 100_001)).mean())
    whole = expected_colour(np.angle(turn), "CET-C1", np.pi).astype(float)
    return np.round(132 + max(0.0, (np.abs(turn) - half_turn) / (1 - half_turn)) * (whole - 132)).astype(int)


def sinusoid(position, column, d_model: int, base: float = 10000.0):
    """The paper's table by its formula, independent of the program: interleaved, section 3.5."""
    position, column = np.asarray(position, float), np.asarray(column)
    angle = position / base ** (2 * (column // 2) / d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))
