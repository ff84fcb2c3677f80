"""Pointing at plots of lines: the value of x at the cursor, and the values of the lines there."""

from typing import TypeVar

from typing_extensions import override

from posenc_gui.figures.lines.line_plot import Plot, value_text
from posenc_gui.figures.pointing import Pointing
from posenc_gui.figures.shown import Shown
from posenc_gui.model import Cursor
from posenc_gui.plotting import Extents


class LinesView(Shown, frozen=True, eq=False):
    """Plots of lines; none before the first picture."""

    plots: tuple[Plot, ...]

    @property
    @override
    def scales(self) -> Extents:
        return {name: ends for index, plot in enumerate(self.plots) for name, ends in plot.scales(index)}


View = TypeVar("View", bound=LinesView)


class LinePointing(Pointing[View]):
    """The cursor as a value of x, and back."""

    @property
    def x(self) -> float | None:
        """The value of x at the cursor; None without one."""
        return self.x_of(self.view)

    def x_of(self, view: View) -> float | None:
        """The value of x at the view's cursor; None without one."""
        return None

    def pointed_x(self, x: float, pinned: bool) -> Cursor | None:
        """The cursor at a value of x; None for no cursor there."""
        return None

    @override
    def number(self) -> float | None:
        """The first line's value at the cursor."""
        view = self.view
        x = self.x_of(view)
        if x is None or not view.plots:
            return None
        plot = view.plots[0]
        return float(plot.lines[0].y[plot.nearest(x)])

    @override
    def spoken(self) -> str:
        view, note = self.view, self.note()
        x = self.x_of(view)
        if not view.plots or x is None or view.problem:
            return note
        plot = view.plots[0]
        index, across = plot.nearest(x), plot.x_scale.title.partition(",")[0]
        values = [f"{line.name} {value_text(float(line.y[index]))}" for line in plot.lines]
        return " · ".join(filter(None, (", ".join([f"{across} {value_text(x)}", *values]), note)))
