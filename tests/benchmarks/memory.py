"""Memory after work with a table of 1,048,576 x 8,192, less the memory after the same work at 64 x 64.

python tests/benchmarks/memory.py [--json FILE]

The window is that of `frame.py`, with 64 waves in view. What counts is the memory that the process has resident after
edits of ``base``, a zoom of the heatmap from all cells to one and scrolled waves at the small size, and after edits in
every workspace with two rotary encodings of that size, and then after the same at the large one. Linux tells that;
elsewhere nothing is measured.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import frame
import numpy as np
import report
from PySide6.QtWidgets import QApplication

from posenc_core import Rotary
from posenc_core.session import NamedEncoding
from posenc_gui.look.qt import make_application
from posenc_gui.plotting.plot_area import Window

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
        panel.figure.viewport.reset()
    waves = program.window.panels["waves"].figure
    waves.viewport.show_window(Window((-0.5, length - 0.5), (-0.5, frame.WAVES - 0.5)))
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


def resident_mb() -> float:
    """Memory of this process in MB; NaN where the system does not tell."""
    status = Path("/proc/self/statm")
    if not status.exists():
        return float("nan")
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / _MB


def work(program: frame.Program, size: tuple[int, int]) -> float:
    """Resident memory after edits, a zoom and scrolled waves at that size."""
    set_size(program, size)
    for base in np.geomspace(100, 1e6, 60).tolist():
        program.window.store.edit("base", base)
        QApplication.processEvents()
    heatmap, waves = (program.window.panels[name].figure for name in ("heatmap", "waves"))
    for window in zoom_windows(size):
        heatmap.viewport.show_window(window)
        QApplication.processEvents()
    for first in np.linspace(0, max(0, size[1] - frame.WAVES), 50).tolist():
        waves.viewport.show_window(Window((-0.5, size[0] - 0.5), (first - 0.5, first + frame.WAVES - 0.5)))
        QApplication.processEvents()
    frame.settle()
    work_in_workspaces(program, size)
    return resident_mb()


def work_in_workspaces(program: frame.Program, size: tuple[int, int]) -> None:
    """Edits in every workspace with two rotary encodings of that size, until nothing is computed beside the window."""
    window, (length, width) = program.window, size
    before = window.store.document
    both = [NamedEncoding(Rotary(width)), NamedEncoding(Rotary(width, rope_theta=5e5))]
    window.store.compare(both, 0, "two rotary encodings")
    window.store.edit("target_length", max(length, 128))
    window.store.edit("trained_length", max(length // 4, 32))
    for workspace in window.workspaces.offered:
        window.workspaces.choose(workspace)
        for theta in np.geomspace(1e3, 1e6, 8).tolist():
            window.store.edit("rope_theta", theta)
            QApplication.processEvents()
        frame.settle()
        pictures = [window.panels[name].figure.pictures for name in window.workspaces.seen]
        while any(each.background.is_busy for each in pictures if each is not None):
            frame.settle()
    window.workspaces.choose("vectors")
    window.store.replace(before, "one table")
    frame.settle()


def main() -> None:
    """Measure and print."""
    options = report.arguments(__doc__).parse_args()
    application = make_application([])
    with tempfile.TemporaryDirectory() as folder:
        program = frame.Program(Path(folder))
        frame.settle()
        work(program, SMALL)  # what any size fills once
        small = work(program, SMALL)
        large = work(program, LARGE)
    ratios = [report.Ratio("rss_growth_mb", "MB after work at the large size minus the small", large - small)]
    report.show(
        f"Memory: {small:.0f} MB after work at 64 x 64, {large:.0f} MB at the large size", ratios, {}, options.json
    )
    del application


if __name__ == "__main__":
    main()
