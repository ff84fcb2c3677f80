"""The picture of the similarity matrix of 1,048,576 positions, over that of 640.

python tests/benchmarks/similarity.py [--rounds 40] [--json FILE]

A picture is 640 x 640 cells, each the exact mean over the positions that it stands for, in colours. Both take turns.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import report

from posenc_core import Sinusoidal
from posenc_core.analysis import similarity_cells
from posenc_gui.look.qt import make_application
from posenc_gui.plotting.color_scale import ColorScale

PIXELS, LENGTH, WIDTH = 640, 2**20, 512


def picture(positions: int) -> object:
    """The image of the matrix of the first positions."""
    cells = range(0, positions, -(-positions // PIXELS))
    return ColorScale("diverging", -1.0, 1.0).image(similarity_cells(Sinusoidal(WIDTH), cells, cells))


def main() -> None:
    """Measure and print."""
    parser = report.arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=40, metavar="N", help="how often each is measured (default 40)")
    options = parser.parse_args()
    application = make_application([])
    tasks: dict[str, Callable[[], object]] = {
        "640 positions": partial(picture, PIXELS),
        "1,048,576 positions": partial(picture, LENGTH),
    }
    milliseconds = report.medians(tasks, options.rounds)
    small, large = milliseconds.values()
    ratio = report.Ratio("similarity_1m_over_small", "1,048,576 positions over 640", large / small)
    report.show("Similarity", [ratio], milliseconds, options.json)
    del application


if __name__ == "__main__":
    main()
