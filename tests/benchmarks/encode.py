"""The table: against copying an array as large, against torch, and against the formula in float32 and float64.

python tests/benchmarks/encode.py [--rounds 7] [--json FILE]

The table has 4096 positions of 1024 columns, 16 MB. Errors are the largest of all its entries, beginning at position
0 and ending at ten million, against long double arithmetic; a ratio of 1 is what the program promises. torch is
compared with where it is installed. Each is measured in processes of its own, which take turns, so that what else
the machine does falls on each alike.
"""

import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import apart
import numpy as np
import numpy.typing as npt
import report

from posenc_core import Sinusoidal, encode

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


def tasks() -> dict[str, Callable[[], object]]:
    """The measured calls by name; only the measurement of torch imports torch."""
    near = np.arange(ROWS)
    found: dict[str, Callable[[], object]] = {
        "copy of an array as large": np.ones((ROWS, D_MODEL), np.float32).copy,
        "encode, interleaved": partial(encode, Sinusoidal(D_MODEL, BASE), near),
        "encode, in halves": partial(encode, Sinusoidal(D_MODEL, BASE, layout="concatenated"), near),
        "float32 numpy": partial(formula, near, np.float32),
        "float64 numpy": partial(formula, near, np.float64),
    }
    if find_spec("torch") is not None:
        found["torch, float32"] = partial(torchs, near)
    return found


def torchs(positions: Array) -> Array:
    """The table as models make it with torch."""
    import with_torch

    return with_torch.table("sinusoidal", positions)


def speeds(milliseconds: dict[str, float]) -> list[report.Ratio]:
    """Each against what it is to be compared with."""
    copy, inter, concat, single, double, *theirs = milliseconds.values()
    return [
        report.Ratio("encode_over_copy", "encode over copying the array", inter / copy),
        report.Ratio("halves_over_copy", "encode in halves over copying the array", concat / copy, "<= 4"),
        report.Ratio("float32_over_encode", "float32 numpy over encode", single / inter),
        report.Ratio("float64_over_encode", "float64 numpy over encode", double / inter),
    ] + [report.Ratio("encode_vs_torch", "torch's usual formulation over encode", each / inter) for each in theirs]


def errors() -> list[report.Ratio]:
    """How far from the exact numbers, beginning at 0 and ending at ten million."""
    table, ratios, largest = Sinusoidal(D_MODEL, BASE), [], 0.0
    for where, positions in (("near 0", np.arange(ROWS)), ("at ten million", np.arange(10**7 - ROWS, 10**7))):
        exact = formula(positions, np.longdouble)
        largest = max(largest, float(np.abs(encode(table, positions) - exact).max()))
        for name, made, goal in (
            ("encode", encode(table, positions), "<= 1"),
            ("float32", formula(positions, np.float32), ""),
            ("float64", formula(positions, np.float64), ""),
        ):
            what = f"largest error of {name} {where}, over the promised 2e-7"
            ratios.append(report.Ratio(f"{name}_error_{where.replace(' ', '_')}", what, error(made, exact), goal))
    ratios.append(report.Ratio("encode_max_error", "largest error of encode up to ten million", largest))
    return ratios


def main() -> None:
    """Measure and print."""
    if apart.only():
        apart.measure(tasks()[apart.only()])
        return
    parser = report.arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=7, metavar="N", help="processes that measure each (default 7)")
    options = parser.parse_args()
    milliseconds = apart.medians(__file__, list(tasks()), options.rounds)
    report.show("Tables", speeds(milliseconds) + errors(), milliseconds, options.json)


if __name__ == "__main__":
    main()
