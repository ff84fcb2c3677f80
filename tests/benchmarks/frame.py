"""From an edit to painted pixels: the whole window against repainting it unchanged, and against other libraries.

python tests/benchmarks/frame.py [--edits 200] [--json FILE]

The window is 1400 x 900 on Qt's offscreen platform, with d_model 512, 512 positions and 64 waves in view. An edit
changes ``base`` through the store, as the slider does, and is over when the event loop has painted all panels and
docks; nothing that it shows was computed before. The others draw the three pictures, as large and with as many
labels, by their own means: matplotlib with ``set_data`` and ``set_ydata`` on Agg, pyqtgraph with an ``ImageItem`` and
a ``PlotDataItem`` for each curve. They have it easier: a sample a pixel for each wave, the table in float32 as the
formula gives it, no docks, and the wavelengths in their labels stay as they are.
All take turns in short rounds, so that what else the machine does falls on each alike.

Tokens: an edit with 120 tokens in view over one with 3, and repainting the pictures with 512 tokens over 3, in the
same window at 512 x 512.

Growth is an edit of the same window with d_model 8,192 and 1,048,576 positions, all of them in view, over one with 64
and 64. The zoom goes in 200 steps from all cells of the large table to a single one; a step is over when its heatmap
is painted, and is compared with painting the three pictures of the large table unchanged.
"""

import gc
import statistics
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, sleep

import numpy as np
import numpy.typing as npt
import report
from PySide6.QtCore import QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from posenc_gui.look.qt import make_application
from posenc_gui.look.style import LIGHT

sys.path.insert(0, str(Path(__file__).parents[2]))


D_MODEL, SEQ_LEN, WAVES = 512, 512, 64
SMALL, LARGE = (64, 64), (8192, 2**20)
FEW_TOKENS, MANY_TOKENS, ALL_TOKENS = 3, 120, 512
ZOOM_STEPS, CELL = 200, (700_001, 4_321)
LABELLED = range(0, WAVES, 3)
ROUNDS = 10
_REST_SECONDS = 0.6  # the formula is typeset once the cursor has rested; that is no part of an edit
_AMPLITUDE = 0.4
_BLUE, _ORANGE = "#0072b2", "#d55e00"

Array = npt.NDArray[np.float32]


class Program:
    """The program's own window."""

    name = "this program"

    def __init__(self, folder: Path) -> None:
        from posenc_gui.files.settings import Settings
        from posenc_gui.plotting.plot_area import Window
        from posenc_gui.window.main_window import MainWindow

        self._paints = 0
        self.window = MainWindow(Settings(folder / "settings.json"))
        self.window.resize(1400, 900)
        self.window.show()
        self.panels = [panel for panel in self.window.panels.values() if panel.isVisible()]
        for panel in self.panels:
            panel.painted.connect(self._painted)
        self.window.store.edit("d_model", D_MODEL)
        self.window.store.edit("seq_len", SEQ_LEN)
        for panel in self.panels:
            panel.figure.viewport.reset()
        waves = self.window.panels["waves"].figure
        waves.viewport.show_window(Window((-0.5, SEQ_LEN - 0.5), (-0.5, WAVES - 0.5)))
        if waves.view().rows_in_view != range(WAVES):
            raise RuntimeError(f"the waves in view are {waves.view().rows_in_view}, not the first {WAVES}")
        gc.freeze()  # as the program does before its first event

    def sizes(self) -> list[QSize]:
        """The pixels of each picture, its axes and labels included."""
        return [panel.view.viewport().size() for panel in self.panels]

    def edit(self, base: float) -> None:
        """Edit the base and wait until the panels are painted."""
        self._paints = 0
        self.window.store.edit("base", base, "a drag of the slider")
        QApplication.processEvents()
        self._check()

    def repaint(self, base: float) -> None:
        """The three pictures painted again, with nothing changed."""
        self._paints = 0
        for panel in self.panels:
            panel.view.viewport().update()
        QApplication.processEvents()
        self._check()

    def repaint_all(self, base: float) -> None:
        """Every widget of the window painted again, with nothing changed."""
        self._paints = 0
        for widget in self.window.findChildren(QWidget):
            if widget.isVisible():
                widget.update()
        QApplication.processEvents()
        self._check()

    def show_tokens(self, count: int) -> None:
        """Another sentence of ``count`` words, all of them in view."""
        self.window.store.edit("sentence", " ".join(f"word{index}" for index in range(count)))
        settle()
        self.window.store.edit("base", 9000.0)  # not counted: it fills what is filled once
        settle()

    def show_table(self, d_model: int, seq_len: int) -> None:
        """Another table, all of it in view where that is possible."""
        self.window.store.edit("d_model", d_model)
        self.window.store.edit("seq_len", seq_len)
        for panel in self.panels:
            panel.figure.viewport.reset()
        settle()

    def zoom(self, part: float) -> None:
        """The heatmap from all cells (0) to one (1), painted."""
        from posenc_gui.plotting.plot_area import Window

        self._paints = 0
        whole = LARGE[::-1]
        rows, columns = (_zoomed(part, cell, count) for cell, count in zip(CELL, whole, strict=True))
        self.window.panels["heatmap"].figure.viewport.show_window(Window(columns, rows))
        QApplication.processEvents()
        if self._paints != 1:
            raise RuntimeError(f"{self._paints} paints of the heatmap: that is not one frame")

    def _painted(self, panel: object) -> None:
        self._paints += 1

    def _check(self) -> None:
        if self._paints != len(self.panels):
            raise RuntimeError(f"{self._paints} paints of {len(self.panels)} panels: that is not one frame")


class Formula:
    """The numbers that the others draw."""

    def __init__(self, pixels: int) -> None:
        self.x = np.linspace(0, SEQ_LEN - 1, pixels, dtype=np.float32)
        self._positions = np.arange(SEQ_LEN, dtype=np.float32)

    def waves(self, base: float) -> Array:
        """The curves, each around its own number: float32 ``(64, n_pixels)``."""
        return np.arange(WAVES, dtype=np.float32)[:, None] + _AMPLITUDE * self._of(base, self.x, WAVES).T

    def labels(self, base: float) -> list[str]:
        """Labels of every third row, each with column, pair and wavelength."""
        wavelengths = 2 * np.pi * base ** (2 * (np.arange(WAVES) // 2) / D_MODEL)
        parts = ("sin", "cos")
        return [f"col {k} · pair {k // 2} · {parts[k % 2]} · λ {wavelengths[k]:,.1f}" for k in LABELLED]

    def table(self, base: float) -> Array:
        """The whole table: float32 ``(512, 512)``."""
        return self._of(base, self._positions, D_MODEL)

    def _of(self, base: float, positions: Array, columns: int) -> Array:
        frequencies = (base ** (-np.arange(0, columns, 2) / D_MODEL)).astype(np.float32)
        angles = np.multiply.outer(positions, frequencies)
        table = np.empty((len(positions), columns), np.float32)
        np.sin(angles, out=table[:, 0::2])
        np.cos(angles, out=table[:, 1::2])
        return table


class Matplotlib:
    """The three pictures as matplotlib figures that are kept and given new data.

    With the same words beside the waves as ours, or with plain numbers in their places, which it draws much faster.
    """

    def __init__(self, sizes: list[QSize], words: bool) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.name = "matplotlib" if words else "matplotlib, no words"
        figures = [Figure(figsize=(size.width() / 100, size.height() / 100), dpi=100) for size in sizes]
        self._canvases = [FigureCanvasAgg(figure) for figure in figures]
        self._formula = Formula(sizes[0].width())
        curves, heat, tokens = (figure.add_subplot() for figure in figures)
        rows = self._formula.waves(10000.0)
        self._curves = [
            curves.plot(self._formula.x, row, color=_ORANGE if column % 2 else _BLUE, linewidth=0.72)[0]
            for column, row in enumerate(rows)
        ]
        for position in range(3):
            curves.axvline(position)
        curves.set(xlim=(-0.5, SEQ_LEN - 0.5), ylim=(-0.5, WAVES - 0.5), xlabel="position")
        if words:
            curves.set_yticks(LABELLED, self._formula.labels(10000.0), fontsize=8)
        else:
            curves.set_yticks(LABELLED)
        figures[0].subplots_adjust(left=0.2)
        table = self._formula.table(10000.0)
        self._image = heat.imshow(table, vmin=-1, vmax=1, cmap="RdBu_r", aspect="auto", interpolation="nearest")
        heat.set(xlabel="column", ylabel="position")
        figures[1].colorbar(self._image)
        self._tokens = [tokens.plot(2.5 * (2 - position) + table[position])[0] for position in range(3)]
        tokens.set(ylim=(-1.2, 6.2), xlim=(-0.5, D_MODEL - 0.5))

    def edit(self, base: float) -> None:
        """New data into all three, drawn."""
        table = self._formula.table(base)
        for line, row in zip(self._curves, self._formula.waves(base), strict=True):
            line.set_ydata(row)
        self._image.set_data(table)
        for position, line in enumerate(self._tokens):
            line.set_ydata(2.5 * (2 - position) + table[position])
        for canvas in self._canvases:
            canvas.draw()


class Pyqtgraph:
    """The three pictures as pyqtgraph's own items, with smooth lines or, as it comes, without."""

    def __init__(self, sizes: list[QSize], smooth: bool) -> None:
        import pyqtgraph as pg

        self.name = "pyqtgraph, smooth lines" if smooth else "pyqtgraph"
        self._paints = 0
        count = self._painted

        class Plot(pg.PlotWidget):
            def paintEvent(self, event: QPaintEvent) -> None:
                super().paintEvent(event)
                count()

        self._window = QWidget()
        self._window.resize(1400, 900)
        curves, heat, tokens = plots = [Plot(self._window) for _ in sizes]
        for plot, size, (x, y) in zip(plots, sizes, ((0, 0), (0, 450), (700, 450)), strict=True):
            plot.setGeometry(x, y, size.width(), size.height())
            plot.disableAutoRange()
        self._formula = Formula(sizes[0].width())
        pens = pg.mkPen(_BLUE), pg.mkPen(_ORANGE)
        self._curves = [pg.PlotDataItem(pen=pens[column % 2], antialias=smooth) for column in range(WAVES)]
        for curve in self._curves:
            curves.addItem(curve)
        for position in range(3):
            curves.addItem(pg.InfiniteLine(position))
        curves.setRange(xRange=(-0.5, SEQ_LEN - 0.5), yRange=(-0.5, WAVES - 0.5), padding=0)
        axis = curves.getAxis("left")
        axis.setWidth(170)
        axis.setTickFont(LIGHT.font(11))
        axis.setStyle(hideOverlappingLabels=False, textFillLimits=[(0, 2.0)])
        axis.setTicks([list(zip(LABELLED, self._formula.labels(10000.0), strict=True))])
        self._image = pg.ImageItem(axisOrder="row-major")
        self._image.setColorMap(pg.colormap.get("CET-D1A"))
        heat.addItem(self._image)
        heat.invertY()
        heat.setRange(xRange=(0, D_MODEL), yRange=(0, SEQ_LEN), padding=0)
        self._tokens = [tokens.plot(antialias=smooth) for _ in range(3)]
        tokens.setRange(xRange=(-0.5, D_MODEL - 0.5), yRange=(-1.2, 6.2), padding=0)
        self._window.show()

    def edit(self, base: float) -> None:
        """New data into all items, painted."""
        self._paints = 0
        table = self._formula.table(base)
        for curve, row in zip(self._curves, self._formula.waves(base), strict=True):
            curve.setData(self._formula.x, row)
        self._image.setImage(table, levels=(-1, 1), autoLevels=False)
        for position, curve in enumerate(self._tokens):
            curve.setData(2.5 * (2 - position) + table[position])
        QApplication.processEvents()
        if self._paints != 3:
            raise RuntimeError(f"{self._paints} paints of 3 plots: that is not one frame")

    def _painted(self) -> None:
        self._paints += 1


def _milliseconds(act: Callable[[float], None], base: float) -> float:
    started = perf_counter()
    act(base)
    return 1000 * (perf_counter() - started)


def _zoomed(part: float, cell: int, count: int) -> tuple[float, float]:
    """The visible range between all ``count`` cells and a single one, each step by the same factor."""
    size = count ** (1 - part)
    low = min(max(cell - size / 2, -0.5), count - 0.5 - size)
    return low, low + size


def settle() -> None:
    """Let everything finish that an edit sets off for later."""
    until = perf_counter() + _REST_SECONDS
    while perf_counter() < until:
        QApplication.processEvents()
        sleep(0.01)


def _bases(count: int) -> list[float]:
    """As many different bases, as a slider gives them that is drawn from one end to the other."""
    return np.geomspace(100, 1e6, count).tolist()


def measure(edits: int, folder: Path) -> dict[str, list[float]]:
    """Milliseconds of each edit and repaint, by name."""
    program = Program(folder)
    settle()
    sizes = program.sizes()
    others = [
        *(Matplotlib(sizes, words) for words in (True, False) if find_spec("matplotlib")),
        *(Pyqtgraph(sizes, smooth) for smooth in (False, True)),
    ]
    settle()
    times: dict[str, list[float]] = {"edit": [], "repaint": [], "repaint all": [], **{one.name: [] for one in others}}
    for act in (program.edit, program.repaint, program.repaint_all, *(one.edit for one in others)):
        act(9000.0)  # not counted: it fills what is filled once
    bases = iter(_bases(3 * edits))
    for _ in range(ROUNDS):
        for _ in range(edits // ROUNDS):
            times["edit"].append(_milliseconds(program.edit, next(bases)))
            times["repaint"].append(_milliseconds(program.repaint, 0.0))
            times["repaint all"].append(_milliseconds(program.repaint_all, 0.0))
        settle()
        for one in others:
            for _ in range(edits // ROUNDS // 2):
                times[one.name].append(_milliseconds(one.edit, next(bases)))
    return times | measure_tokens(program, edits) | measure_sizes(program, edits)


def measure_tokens(program: Program, edits: int) -> dict[str, list[float]]:
    """Milliseconds of edits and repaints with few and many tokens in turns; three tokens at the end."""
    times: dict[str, list[float]] = {
        f"{what} {count} tokens": [] for count in (ALL_TOKENS, MANY_TOKENS, FEW_TOKENS) for what in ("edit", "repaint")
    }
    bases = iter(_bases(3 * edits + 3 * ROUNDS))
    for _ in range(ROUNDS):
        for count in (ALL_TOKENS, MANY_TOKENS, FEW_TOKENS):
            program.show_tokens(count)
            for _ in range(edits // ROUNDS):
                times[f"edit {count} tokens"].append(_milliseconds(program.edit, next(bases)))
                times[f"repaint {count} tokens"].append(_milliseconds(program.repaint, 0.0))
    return times


def measure_sizes(program: Program, edits: int) -> dict[str, list[float]]:
    """Milliseconds of edits of a small and a large table in turns, and of the steps of a zoom into the large one."""
    times: dict[str, list[float]] = {name: [] for name in ("edit 64 x 64", "edit 1M x 8,192", "zoom", "repaint 1M")}
    bases = iter(_bases(2 * edits + 4 * ROUNDS))
    for _ in range(ROUNDS):
        for name, table in zip(times, (SMALL, LARGE), strict=False):
            program.show_table(*table)
            program.edit(next(bases))  # not counted: it fills what is filled once
            times[name] += [_milliseconds(program.edit, next(bases)) for _ in range(edits // ROUNDS)]
    program.zoom(0.001)
    for step in range(1, ZOOM_STEPS + 1):
        times["zoom"].append(_milliseconds(program.zoom, step / ZOOM_STEPS))
        times["repaint 1M"].append(_milliseconds(program.repaint, 0.0))
    return times


def ratios(times: dict[str, list[float]]) -> list[report.Ratio]:
    """Ratios of the measured milliseconds."""
    edit, idle = times["edit"], statistics.median(times["repaint"])
    slowest = report.percentile(edit, 95)
    against = report.ratio_of_medians
    plain, smooth = against(times["pyqtgraph"], edit), against(times["pyqtgraph, smooth lines"], edit)
    against_matplotlib = [
        report.Ratio(key, what, against(times[name], edit))
        for key, what, name in (
            ("frame_vs_matplotlib", "matplotlib's set_data over an edit", "matplotlib"),
            ("frame_vs_matplotlib_no_words", "the same, without words beside its waves", "matplotlib, no words"),
        )
        if name in times  # an optional library
    ]
    tokens = against(times[f"edit {MANY_TOKENS} tokens"], times[f"edit {FEW_TOKENS} tokens"])
    all_tokens = against(times[f"repaint {ALL_TOKENS} tokens"], times[f"repaint {FEW_TOKENS} tokens"])
    growth = against(times["edit 1M x 8,192"], times["edit 64 x 64"])
    zoom = report.percentile(times["zoom"], 95) / statistics.median(times["repaint 1M"])
    return [
        report.Ratio("frame_over_idle", "an edit over repainting the pictures", statistics.median(edit) / idle),
        report.Ratio("frame_over_idle_p95", "the same, 95th percentile of the edits", slowest / idle),
        report.Ratio("frame_over_window", "an edit over repainting every widget", against(edit, times["repaint all"])),
        *against_matplotlib,
        report.Ratio("frame_vs_pyqtgraph", "pyqtgraph's own items over an edit", plain),
        report.Ratio("frame_vs_pyqtgraph_smooth", "the same, lines smooth as ours", smooth),
        report.Ratio("frame_120_tokens_over_3", "an edit with 120 tokens in view over one with 3", tokens),
        report.Ratio("repaint_512_tokens_over_3", "repainting with 512 tokens in view over 3", all_tokens),
        report.Ratio("frame_growth", "an edit at 1,048,576 x 8,192 over one at 64 x 64", growth),
        report.Ratio("zoom_sweep_p95_over_idle", "a step of zoom, 95th percentile, over repainting", zoom),
    ]


def main() -> None:
    """Measure and print."""
    parser = report.arguments(__doc__)
    parser.add_argument("--edits", type=int, default=200, metavar="N", help="edits to measure (default 200)")
    options = parser.parse_args()
    application = make_application([])
    with tempfile.TemporaryDirectory() as folder:
        times = measure(max(options.edits, 2 * ROUNDS), Path(folder))
    milliseconds = {name: statistics.median(values) for name, values in times.items()}
    milliseconds["edit, 95th percentile"] = report.percentile(times["edit"], 95)
    report.show("From an edit to painted pixels", ratios(times), milliseconds, options.json)
    del application


if __name__ == "__main__":
    main()
