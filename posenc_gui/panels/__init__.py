"""The panels' figures, by the names that the command line and file names use.

A new panel is a folder in this package and a line here: menus, docks and the command line are made from this table.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from posenc_core import Encoding

if TYPE_CHECKING:  # it loads Qt
    from posenc_gui.figures.figure import Figure

_FIGURES = {
    "waves": "posenc_gui.panels.waves.figure:WavesFigure",
    "heatmap": "posenc_gui.panels.heatmap.figure:HeatmapFigure",
    "tokens": "posenc_gui.panels.tokens.figure:TokensFigure",
    "pairs": "posenc_gui.panels.pairs.figure:PairsFigure",
}

PANEL_NAMES: tuple[str, ...] = tuple(_FIGURES)


def figure_class(name: str) -> "type[Figure]":
    """The figure of that name; loads Qt. KeyError for an unknown name."""
    module, _, attribute = _FIGURES[name].partition(":")
    found: type[Figure] = getattr(import_module(module), attribute)
    return found


def suitable_panels(encoding: Encoding) -> tuple[str, ...]:
    """The names of the figures that suit the encoding; loads Qt."""
    return tuple(name for name in PANEL_NAMES if figure_class(name).suits(encoding))
