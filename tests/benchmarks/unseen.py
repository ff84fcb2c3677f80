"""The map of unseen angles up to position 10^7, over the map up to 4,096.

python tests/benchmarks/unseen.py [--rounds 40] [--json FILE]

A map has 64 pairs for the encoding as trained and one for each of four scalings, 900 x 520 pixels in all; each picture
has another ``rope_theta``, so that nothing of it was computed before. Both lengths take turns.
"""

import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import report
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from posenc_core import Document, Rotary, View
from posenc_gui.look.qt import make_application
from posenc_gui.look.style import LIGHT
from posenc_gui.panels.unseen.numbers import UnseenMaps
from posenc_gui.panels.unseen.painter import MapsLayout, draw_maps

SMALL, LARGE, TRAINED = 4096, 10**7, 2048
WIDTH, HEIGHT = 900, 520

_THETAS = count(10_000)


def picture(image: QImage, target: int) -> None:
    """Compute and paint the maps up to this length."""
    view = View(trained_length=TRAINED, target_length=target)
    maps = UnseenMaps.of(Document(view=view).with_encoding(Rotary(128, rope_theta=float(next(_THETAS)))))
    painter = QPainter(image)
    draw_maps(painter, maps, MapsLayout.of(maps, QRectF(0, 0, WIDTH, HEIGHT)), LIGHT, None)
    painter.end()


def main() -> None:
    """Measure and print."""
    parser = report.arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=40, metavar="N", help="how often each is measured (default 40)")
    options = parser.parse_args()
    application = make_application([])
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_ARGB32_Premultiplied)
    tasks: dict[str, Callable[[], object]] = {
        "up to 4,096": partial(picture, image, SMALL),
        "up to 10,000,000": partial(picture, image, LARGE),
    }
    milliseconds = report.medians(tasks, options.rounds)
    small, large = milliseconds.values()
    ratio = report.Ratio("unseen_1m_over_small", "unseen angles up to 10^7 over 4,096", large / small)
    report.show("Unseen angles", [ratio], milliseconds, options.json)
    del application


if __name__ == "__main__":
    main()
