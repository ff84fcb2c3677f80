"""The table: against copying an array as large, against torch, and against the formula in float32 and float64.

python tests/benchmarks/encode.py [--rounds 40] [--json FILE]

The table has 4096 positions of 1024 columns, 16 MB. Errors are the largest of all its entries, beginning at position
0 and ending at ten million, against long double arithmetic; a ratio of 1 is what the program promises. torch is
compared with where it is installed. All take turns, so that what else the machine does falls on each alike.
"""

import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np
import numpy.typing as npt
import report

from posenc_core import Sinusoidal, encode

if find_spec("torch") is None:
    with_torch = None
else:
    import with_torch

ROWS, D_MODEL, BASE = 4096, 1024, 10000.0
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


def main() -> None:
    """Measure and print."""
    parser = report.arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=40, metavar="N", help="how often each is measured (default 40)")
    options = parser.parse_args()
    near, far = np.arange(ROWS), np.arange(10**7 - ROWS, 10**7)
    halves = Sinusoidal(D_MODEL, BASE, layout="concatenated")
    table = Sinusoidal(D_MODEL, BASE)
    array = encode(table, near)
    tasks: dict[str, Callable[[], object]] = {
        "copy of an array as large": array.copy,
        "encode, interleaved": lambda: encode(table, near),
        "encode, in halves": lambda: encode(halves, near),
        "float32 numpy": lambda: formula(near, np.float32),
        "float64 numpy": lambda: formula(near, np.float64),
    }
    if with_torch:
        tasks["torch, float32"] = lambda: with_torch.table("sinusoidal", near)
    milliseconds = report.medians(tasks, options.rounds)
    copy, inter, concat, single, double, *theirs = milliseconds.values()
    ratios = [
        report.Ratio("encode_over_copy", "encode over copying the array", inter / copy, "<= 3"),
        report.Ratio("halves_over_copy", "encode in halves over copying the array", concat / copy, "<= 4"),
        report.Ratio("float32_over_encode", "float32 numpy over encode", single / inter),
        report.Ratio("float64_over_encode", "float64 numpy over encode", double / inter),
    ]
    ratios += [
        report.Ratio("encode_vs_torch", "torch's usual formulation over encode", each / inter, ">= 4")
        for each in theirs
    ]
    errors = []
    for where, positions in (("near 0", near), ("at ten million", far)):
        exact = formula(positions, np.longdouble)
        errors.append(float(np.abs(encode(table, positions) - exact).max()))
        key = where.replace(" ", "_")
        for name, made, goal in (
            ("encode", encode(table, positions), "<= 1"),
            ("float32", formula(positions, np.float32), ""),
            ("float64", formula(positions, np.float64), ""),
        ):
            what = f"largest error of {name} {where}, over the promised 2e-7"
            ratios.append(report.Ratio(f"{name}_error_{key}", what, error(made, exact), goal))
    ratios.append(report.Ratio("encode_max_error", "largest error of encode up to ten million", max(errors), "<= 2e-7"))
    report.show("Tables", ratios, milliseconds, options.json)


if __name__ == "__main__":
    main()
