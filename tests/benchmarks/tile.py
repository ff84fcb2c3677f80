"""An exact picture of a table of any size: against one of as many cells as pixels, and against copying an array.

python tests/benchmarks/tile.py [--rounds 40] [--json FILE]

A tile is a picture of 640 x 640 pixels, each the exact mean of the cells that it covers. The array copied has 4096 x
1024 numbers of float32, 16 MB. All take turns, so that what else the machine does falls on each alike.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np
import report

from posenc_core import Encoding, Rotary, Sinusoidal, encode, tile

PIXELS, LENGTH, WIDE = 640, 2**20, 8192


def picture(encoding: Encoding, positions: int) -> Callable[[], object]:
    """A call that computes the tile of the first positions and all columns."""
    return partial(tile, encoding, (0, positions), (0, encoding.n_columns), (PIXELS, PIXELS))


def main() -> None:
    """Measure and print."""
    parser = report.arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=40, metavar="N", help="how often each is measured (default 40)")
    options = parser.parse_args()
    array = encode(Sinusoidal(1024), np.arange(4096))
    tasks: dict[str, Callable[[], object]] = {
        "copy of an array of 16 MB": array.copy,
        "640 x 640 cells": picture(Sinusoidal(PIXELS), PIXELS),
        "1,048,576 x 640 cells": picture(Sinusoidal(PIXELS), LENGTH),
        "640 x 8,192 cells": picture(Sinusoidal(WIDE), PIXELS),
        "1,048,576 x 8,192 cells": picture(Sinusoidal(WIDE), LENGTH),
        "1,048,576 x 8,192 cells, halves": picture(Sinusoidal(WIDE, layout="concatenated"), LENGTH),
        "1,048,576 x 8,192 cells, rotary": picture(Rotary(WIDE), LENGTH),
    }
    milliseconds = report.medians(tasks, options.rounds)
    copy, small, long, wide, large, halves, rotary = milliseconds.values()
    ratios = [
        report.Ratio("tile_1m_ms_over_small", "1,048,576 x 8,192 cells over 640 x 640", large / small),
        report.Ratio("tile_1m_halves_over_small", "the same with the columns in halves", halves / small),
        report.Ratio("tile_1m_rotary_over_small", "the same of a rotary encoding", rotary / small),
        report.Ratio("tile_long_over_small", "1,048,576 x 640 cells over 640 x 640", long / small),
        report.Ratio("tile_wide_over_small", "640 x 8,192 cells over 640 x 640", wide / small),
        report.Ratio("tile_over_copy", "640 x 640 cells over copying an array of 16 MB", small / copy),
        report.Ratio("tile_1m_over_copy", "1,048,576 x 8,192 cells over copying an array of 16 MB", large / copy),
    ]
    report.show("Tiles", ratios, milliseconds, options.json)


if __name__ == "__main__":
    main()
