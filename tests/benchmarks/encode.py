"""The table and its tiles: against copying an array as large, and against the formula in float32 and float64.

python tests/benchmarks/encode.py [--rounds 40] [--json FILE]

The table has 4096 positions of 1024 columns, 16 MB. Errors are the largest of all its entries, beginning at position
0 and ending at ten million, against long double arithmetic; a ratio of 1 is what the program promises. A tile is a
picture of 640 x 640 pixels. All take turns, so that what else the machine does falls on each alike.
"""

import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np
import numpy.typing as npt
import report

from posenc_core import Sinusoidal, encode, tile

ROWS, D_MODEL, BASE, PIXELS = 4096, 1024, 10000.0, 640
PROMISED = 2e-7

Array = npt.NDArray[Any]


def formula(positions: Array, kind: type[np.floating[Any]]) -> Array:
    """The paper's formula as one writes it in numpy, in arithmetic of that kind."""
    divisors = kind(BASE) ** (np.arange(0, D_MODEL, 2).astype(kind) / kind(D_MODEL))
    angles = positions.astype(kind)[:, None] / divisors
    table = np.empty((len(positions), D_MODEL), kind)
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def error(table: Array, exact: Array) -> float:
    """The largest error of an entry, over what is promised."""
    return float(np.abs(table - exact).max()) / PROMISED


def medians(tasks: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The median time of each in milliseconds, taken in turns."""
    taken: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds + 1):
        for name, task in tasks.items():
            started = perf_counter()
            task()
            taken[name].append(1000 * (perf_counter() - started))
    return {name: statistics.median(times[1:]) for name, times in taken.items()}


def main() -> None:
    """Measure and print."""
    parser = report.arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=40, metavar="N", help="how often each is measured (default 40)")
    options = parser.parse_args()
    near, far = np.arange(ROWS), np.arange(10**7 - ROWS, 10**7)
    halves = Sinusoidal(D_MODEL, BASE, layout="concatenated")
    table, large, small = Sinusoidal(D_MODEL, BASE), Sinusoidal(8192), Sinusoidal(PIXELS)
    array = encode(table, near)
    tasks: dict[str, Callable[[], object]] = {
        "copy of an array as large": array.copy,
        "encode, interleaved": lambda: encode(table, near),
        "encode, in halves": lambda: encode(halves, near),
        "float32 numpy": lambda: formula(near, np.float32),
        "float64 numpy": lambda: formula(near, np.float64),
        "tile of 640 x 640 cells": lambda: tile(small, (0, PIXELS), (0, PIXELS), (PIXELS, PIXELS)),
        "tile of 1,048,576 x 8,192 cells": lambda: tile(large, (0, 2**20), (0, 8192), (PIXELS, PIXELS)),
    }
    milliseconds = medians(tasks, options.rounds)
    copy, inter, concat, single, double, cells, zoomed = milliseconds.values()
    ratios = [
        report.Ratio("encode_over_copy", "encode over copying the array", inter / copy, "<= 4"),
        report.Ratio("halves_over_copy", "encode in halves over copying the array", concat / copy, "<= 4"),
        report.Ratio("float32_over_encode", "float32 numpy over encode", single / inter),
        report.Ratio("float64_over_encode", "float64 numpy over encode", double / inter),
        report.Ratio("tile_over_copy", "a tile of as many cells as pixels over copying the array", cells / copy),
        report.Ratio("far_tile_over_copy", "a tile of 8.6 billion cells over copying the array", zoomed / copy),
    ]
    for where, positions in (("near 0", near), ("at ten million", far)):
        exact = formula(positions, np.longdouble)
        key = where.replace(" ", "_")
        for name, made, goal in (
            ("encode", encode(table, positions), "<= 1"),
            ("float32", formula(positions, np.float32), ""),
            ("float64", formula(positions, np.float64), ""),
        ):
            what = f"largest error of {name} {where}, over the promised 2e-7"
            ratios.append(report.Ratio(f"{name}_error_{key}", what, error(made, exact), goal))
    report.show("Tables and tiles", ratios, milliseconds, options.json)


if __name__ == "__main__":
    main()
