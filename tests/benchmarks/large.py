"""A table of 1,048,576 x 8,192 against one of 64 x 64 in the same window: an edit, a zoom, and the memory it takes.

python tests/benchmarks/large.py [--edits 200] [--json FILE]

The window is that of `frame.py`, with 64 waves in view. An edit changes ``base`` and is over when all panels and docks
are painted. The zoom goes in 200 equal steps from the whole table to one cell, around a place in its middle, and a
step is over when the heatmap is painted; it is compared with painting the unchanged pictures again. Memory is what
the process has resident after edits, zooms and scrolled waves at one size, and then at the other.
"""

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import frame
import numpy as np
import report
from PySide6.QtWidgets import QApplication

from posenc_gui.application import make_application
from posenc_gui.figure import Window

SMALL, LARGE = (64, 64), (2**20, 8192)
STEPS = 200
CELL = (0.37, 0.61)
_MB = 2**20


def set_size(program: frame.Program, size: tuple[int, int]) -> None:
    """Show a table of so many positions and columns, all of it in the heatmap and 64 columns in the waves."""
    length, width = size
    program.window.store.edit("seq_len", length)
    program.window.store.edit("d_model", width)
    for panel in program.panels:
        panel.figure.reset_window()
    waves = program.window.panels["waves"].figure
    waves.show_window(Window((-0.5, length - 0.5), (-0.5, frame.WAVES - 0.5)))
    QApplication.processEvents()


def zoom_windows(size: tuple[int, int]) -> Iterator[Window]:
    """Windows of a heatmap from the whole table to one cell, each smaller than the one before by the same factors."""
    length, width = size
    x, y = (round(share * total) for share, total in zip(CELL, (width, length), strict=True))
    for part in np.linspace(0.0, 1.0, STEPS + 1)[1:]:  # the whole table is shown before the first step
        across, down = width ** (1 - part), length ** (1 - part)
        left = np.clip(x - across / 2, -0.5, width - 0.5 - across) if across > 1 else x - 0.5
        top = np.clip(y - down / 2, -0.5, length - 0.5 - down) if down > 1 else y - 0.5
        yield Window((float(left), float(left + across)), (float(top), float(top + down)))


class Zoom:
    """Zooms the heatmap and waits until it is painted."""

    def __init__(self, program: frame.Program) -> None:
        self._panel = program.window.panels["heatmap"]
        self._panel.painted.connect(self._painted)
        self._paints = 0

    def sweep(self) -> list[float]:
        """Milliseconds of every step."""
        return [self._step(window) for window in zoom_windows(LARGE)]

    def _step(self, window: Window) -> float:
        self._paints = 0
        started = perf_counter()
        self._panel.figure.show_window(window)
        QApplication.processEvents()
        taken = 1000 * (perf_counter() - started)
        if self._paints != 1:
            raise RuntimeError(f"{self._paints} paints of the heatmap in a step of the zoom")
        return taken

    def _painted(self, panel: object) -> None:
        self._paints += 1


def times_of(program: frame.Program, edits: int) -> dict[str, list[float]]:
    """Milliseconds of edits at both sizes, and of zooming and of painting the same pictures at the large one."""
    times: dict[str, list[float]] = {"edit, small": [], "edit, large": [], "repaint, large": [], "zoom, large": []}
    bases = iter(np.geomspace(100, 1e6, 2 * edits + 4 * frame.ROUNDS).tolist())
    for _ in range(frame.ROUNDS):
        for name, size in (("edit, small", SMALL), ("edit, large", LARGE)):
            set_size(program, size)
            program.edit(next(bases))  # not counted: it fills what is filled once a size
            for _ in range(edits // frame.ROUNDS):
                times[name].append(frame._milliseconds(program.edit, next(bases)))
        for _ in range(edits // frame.ROUNDS):
            times["repaint, large"].append(frame._milliseconds(program.repaint, 0.0))
        frame._settle()
    set_size(program, LARGE)
    zoom = Zoom(program)
    zoom.sweep()  # not counted
    set_size(program, LARGE)
    times["zoom, large"] = zoom.sweep()
    return times


def resident_mb() -> float:
    """Memory of this process in MB; NaN where the system does not tell."""
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * 4096 / _MB if status.exists() else float("nan")


def work(program: frame.Program, size: tuple[int, int]) -> float:
    """Resident memory after edits, a zoom and scrolled waves at that size."""
    set_size(program, size)
    for base in np.geomspace(100, 1e6, 60).tolist():
        program.edit(base)
    heatmap, waves = (program.window.panels[name].figure for name in ("heatmap", "waves"))
    for window in zoom_windows(size):
        heatmap.show_window(window)
        QApplication.processEvents()
    for first in np.linspace(0, max(0, size[1] - frame.WAVES), 50).tolist():
        waves.show_window(Window((-0.5, size[0] - 0.5), (first - 0.5, first + frame.WAVES - 0.5)))
        QApplication.processEvents()
    frame._settle()
    return resident_mb()


def main() -> None:
    """Measure and print."""
    parser = report.arguments(__doc__)
    parser.add_argument("--edits", type=int, default=200, metavar="N", help="edits to measure (default 200)")
    options = parser.parse_args()
    application = make_application([])
    with tempfile.TemporaryDirectory() as folder:
        program = frame.Program(Path(folder))
        frame._settle()
        work(program, SMALL)  # what any size fills once
        growth = -work(program, SMALL) + work(program, LARGE)
        times = times_of(program, max(options.edits, 2 * frame.ROUNDS))
    idle = statistics.median(times["repaint, large"])
    zoom = report.percentile(times["zoom, large"], 95)
    against = report.ratio_of_medians
    grown = against(times["edit, large"], times["edit, small"])
    ratios = [
        report.Ratio("frame_growth", "an edit at 1,048,576 x 8,192 over one at 64 x 64", grown, "<= 1.5"),
        report.Ratio("zoom_sweep_p95_over_idle", "a zoom's step, 95th percentile, over a repaint", zoom / idle, "<= 3"),
        report.Ratio("rss_growth_mb", "resident MB after working at the large size minus small", growth, "<= 30"),
    ]
    named = {name: statistics.median(values) for name, values in times.items()}
    named["zoom, large, 95th percentile"] = zoom
    report.show("A large table against a small one", ratios, named, options.json)
    del application


if __name__ == "__main__":
    main()
