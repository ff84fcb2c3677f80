"""A typed formula: an edit with the paper's formula typed over an edit of the built-in family, at 512 x 512.

python tests/benchmarks/formula.py [--edits 60] [--json FILE]

Both windows are those of `frame.py`, and an edit changes ``base`` as there. They take turns edit by edit.
"""

import statistics
import sys
import tempfile
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[2]))

import frame
import numpy as np
import report

from posenc_gui.look.qt import make_application


def milliseconds(program: frame.Program, base: float) -> float:
    """The time of one edit."""
    started = perf_counter()
    program.edit(base)
    return 1000 * (perf_counter() - started)


def main() -> None:
    """Measure and print."""
    parser = report.arguments(__doc__)
    parser.add_argument("--edits", type=int, default=60, metavar="N", help="edits of each window (default 60)")
    options = parser.parse_args()
    application = make_application([])
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        windows = {"the built-in family": frame.Program(Path(one)), "the typed formula": frame.Program(Path(other))}
        windows["the typed formula"].window.store.edit("family", "formula")
        frame.settle()
        times: dict[str, list[float]] = {name: [] for name in windows}
        for base in np.geomspace(2000, 20000, options.edits).tolist():
            for name, program in windows.items():
                times[name].append(milliseconds(program, base))
    medians = {name: statistics.median(each[3:]) for name, each in times.items()}
    built, typed = medians.values()
    ratio = report.Ratio("formula_frame_over_sinusoidal", "an edit with the formula typed over it", typed / built)
    report.show("Typed formula", [ratio], medians, options.json)
    del application


if __name__ == "__main__":
    main()
