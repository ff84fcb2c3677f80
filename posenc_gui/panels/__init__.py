"""The panels: their figures, by the names that the command line and file names use, and the workspaces they are in.

A new panel is a folder in this package and a line here: menus, workspaces and the command line follow this table.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from msgspec import Struct

from posenc_core import Document

if TYPE_CHECKING:  # it loads Qt
    from posenc_gui.figures import Figure

WORKSPACES = {
    "vectors": "Vectors",
    "relations": "Relations",
    "rotation": "Rotation",
    "long_context": "Long context",
    "compare": "Compare",
    "story": "Story",
}
"""The titles of the workspaces by name, in the order of their tabs."""


class PanelEntry(Struct, frozen=True):
    """A panel's title, the path of its figure's class, and the workspaces that show it at first."""

    title: str
    figure: str
    workspaces: tuple[str, ...]


def _panel(title: str, figure: str, *workspaces: str) -> PanelEntry:
    return PanelEntry(title, f"posenc_gui.panels.{figure}", workspaces)


_PANELS = {
    "waves": _panel("Waves", "waves.figure:WavesFigure", "vectors"),
    "heatmap": _panel("Heatmap", "heatmap.figure:HeatmapFigure", "vectors"),
    "tokens": _panel("Tokens", "tokens.figure:TokensFigure", "vectors"),
    "similarity": _panel("Similarity", "similarity.figure:SimilarityFigure", "relations"),
    "shift": _panel("Shift", "shift.figure:ShiftFigure", "relations"),
    "scores": _panel("Scores by distance", "scores.figure:ScoresFigure", "relations"),
    "pairs": _panel("Token pairs", "pairs.figure:PairsFigure", "relations"),
    "lens": _panel("Pair lens", "lens.figure:LensFigure", "rotation"),
    "ways": _panel("Three ways", "ways.figure:WaysFigure", "rotation"),
    "spectrum": _panel("Spectrum", "spectrum.figure:SpectrumFigure", "long_context"),
    "unseen": _panel("Unseen angles", "unseen.figure:UnseenFigure", "long_context"),
    "precision": _panel("Precision", "precision.figure:PrecisionFigure", "long_context"),
    "difference": _panel("Difference", "difference.figure:DifferenceFigure", "compare"),
    "drift": _panel("Drift", "drift.figure:DriftFigure", "compare"),
    "cache": _panel("Cache timeline", "cache.figure:CacheFigure", "compare"),
    "gallery": _panel("Gallery", "gallery.figure:GalleryFigure", "story"),
    "scorecard": _panel("Scorecard", "scorecard.figure:ScorecardFigure", "story"),
}

PANEL_NAMES: tuple[str, ...] = tuple(_PANELS)

_COMPARING = {
    "waves": "waves.compared:ComparedWaves",
    "heatmap": "heatmap.compared:ComparedHeatmap",
    "tokens": "tokens.compared:ComparedTokens",
}
"""The figures that show what a panel of vectors does for two encodings and for their difference."""

_USUAL = ("waves", "heatmap", "tokens", "pairs")
"""What the export command writes unless it is told which."""


def panel_title(name: str) -> str:
    """The title of the panel of that name. KeyError for an unknown name."""
    return _PANELS[name].title


def first_panels(workspace: str) -> tuple[str, ...]:
    """The names of the panels that a workspace shows at first; empty for a workspace that no panel names."""
    return tuple(name for name, entry in _PANELS.items() if workspace in entry.workspaces)


def figure_class(name: str) -> "type[Figure]":
    """The figure of that name; loads Qt. KeyError for an unknown name."""
    return _class_at(_PANELS[name].figure)


def comparing_class(name: str) -> "type[Figure]":
    """The figure that compares two encodings as the panel of that name; loads Qt. KeyError for an unknown name."""
    return _class_at(f"posenc_gui.panels.{_COMPARING[name]}")


def _class_at(path: str) -> "type[Figure]":
    module, _, attribute = path.partition(":")
    found: type[Figure] = getattr(import_module(module), attribute)
    return found


def suitable_panels(document: Document, usual: bool = False) -> tuple[str, ...]:
    """The names of the figures that suit the document; ``usual``: of those that show its numbers alone. Loads Qt."""
    figures = {name: figure_class(name) for name in (_USUAL if usual else PANEL_NAMES)}
    return tuple(
        name for name, each in figures.items() if each.suits(document.encoding) and each.missing(document) is None
    )
