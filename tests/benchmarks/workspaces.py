"""Choosing a workspace and editing in it, each painted, over painting its pictures again.

python tests/benchmarks/workspaces.py [--rounds 40] [--json FILE]

The window is 1400 x 900 on Qt's offscreen platform and shows a rotary encoding of 64 pairs. Workspaces are chosen in
turns; each switch, edit and repaint is timed from the call to the last painted panel of the workspace.
"""

import gc
import statistics
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter

import report

sys.path.insert(0, str(Path(__file__).parents[2]))

from PySide6.QtWidgets import QApplication

from posenc_gui.files.settings import Settings
from posenc_gui.look.qt import make_application
from posenc_gui.window.main_window import MainWindow

EDITED = {
    "relations": "relations_frame_over_idle",
    "rotation": "rotation_frame_over_idle",
    "long_context": "longcontext_frame_over_idle",
}
"""The workspaces in which edits are measured, and the keys of their figures."""


class Program:
    """The window, and the time of its painting."""

    def __init__(self, folder: Path) -> None:
        self.window = MainWindow(Settings(folder / "settings.json"))
        self._painted: set[object] = set()
        self.window.resize(1400, 900)
        self.window.show()
        self.window.store.edit("family", "rotary")
        self.window.store.edit("head_dim", 128)
        for name in self.window.workspaces.offered:  # makes the panels
            self.window.workspaces.choose(name)
            QApplication.processEvents()
        for panel in self.window.panels.values():
            panel.painted.connect(self._painted.add)
        gc.freeze()  # as the program does before its first event

    def milliseconds(self, act: Callable[[], None]) -> float:
        """The time of an action until all panels on the screen are painted."""
        self._painted.clear()
        started = perf_counter()
        act()
        seen = {panel for name in self.window.workspaces.seen if (panel := self.window.panels[name]).view.isVisible()}
        for _ in range(20):
            QApplication.processEvents()
            if seen <= self._painted:
                return 1000 * (perf_counter() - started)
        raise RuntimeError("a panel of the workspace was not painted")

    def repaint(self) -> None:
        """Ask for the pictures of the workspace again."""
        for name in self.window.workspaces.seen:
            self.window.panels[name].view.viewport().update()


def measure(rounds: int, folder: Path) -> tuple[list[float], dict[str, list[float]], dict[str, list[float]]]:
    """The ratios of switches, and the milliseconds of repaints and of edits by workspace."""
    program = Program(folder)
    workspaces, store = program.window.workspaces, program.window.store
    switches: list[float] = []
    repaints: dict[str, list[float]] = {name: [] for name in workspaces.offered}
    edits: dict[str, list[float]] = {name: [] for name in EDITED}
    base = 5000.0
    for turn in range(rounds + 1):
        for name in workspaces.offered:
            taken = program.milliseconds(partial(workspaces.choose, name))
            again = statistics.median(program.milliseconds(program.repaint) for _ in range(3))
            if turn:  # the first turn fills what is filled once
                switches.append(taken / again)
                repaints[name].append(again)
            if name in EDITED:
                base *= 1.01
                edit = program.milliseconds(partial(store.edit, "rope_theta", base, "a drag of the slider"))
                if turn:
                    edits[name].append(edit)
    return switches, repaints, edits


def main() -> None:
    """Measure and print."""
    parser = report.arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=40, metavar="N", help="turns through the workspaces (default 40)")
    options = parser.parse_args()
    application = make_application([])
    with tempfile.TemporaryDirectory() as folder:
        switches, repaints, edits = measure(max(options.rounds, 2), Path(folder))
    switch = "choosing a workspace, painted, over repainting it"
    ratios = [report.Ratio("workspace_switch_over_idle", switch, statistics.median(switches))]
    for name, key in EDITED.items():
        what = f"an edit in {name.replace('_', ' ')} over repainting it"
        ratios.append(report.Ratio(key, what, report.ratio_of_medians(edits[name], repaints[name])))
    milliseconds = {f"repaint {name}": statistics.median(values) for name, values in repaints.items()}
    milliseconds |= {f"edit {name}": statistics.median(values) for name, values in edits.items()}
    report.show("Workspaces", ratios, milliseconds, options.json)
    del application


if __name__ == "__main__":
    main()
