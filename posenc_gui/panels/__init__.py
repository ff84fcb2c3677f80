"""The registry of panels and workspaces, by the names that the command line, sessions and file names use.

A new panel is a package here and a line in ``PANELS``, a new workspace a line in ``WORKSPACES``. Menus, tabs, the
command line, sessions and files read both when they are needed. No Qt is imported here, and no panel.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from msgspec import Struct
from posenc_core import Document
from posenc_core.fields import Field, FlagField
from posenc_core.session import offer_options
from posenc_core.tables import ProgressCallback, never_cancelled
from posenc_gui.model import PanelSpec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy.typing as npt
    from posenc_gui.figures import Figure


Shares = tuple[int, int]
"""Shares of the space: above and below, or left and right."""


class PanelEntry(Struct, frozen=True):
    """A panel's title, its workspace, and its package, by default the one with its name here.

    With ``in_menu`` the panel's options that are on or off are in the View menu, in place of its header. The workspace
    shows the panel at first unless it ``waits`` for a request, because few documents meet its needs.
    """

    title: str
    workspace: str
    package: str = ""
    in_menu: bool = False
    waits: bool = False


class Workspace(Struct, frozen=True):
    """A workspace's title, the question that its panels answer, and the first shares of its space.

    ``panels`` are shown at first beside those that name the workspace. The second and the third of all are in the
    lower row. ``down`` are the shares of the two rows, in a page of 620 pixels or more ``high_down``.
    """

    title: str
    question: str
    panels: tuple[str, ...] = ()
    down: Shares = (540, 460)
    high_down: Shares | None = None
    above: Shares = (540, 460)
    below: Shares = (460, 520)


WORKSPACES = {
    "vectors": Workspace("Vectors", "What numbers does each token get?"),
    "relations": Workspace(
        "Relations", "How are two positions related?", down=(482, 518), high_down=(535, 465)
    ),  # Similarity has room for its lines above its matrix in a high page
    "rotation": Workspace("Rotation", "How does a pair turn, and which columns belong together?"),
    "long_context": Workspace(
        "Long context", "What does the scaling change, and what has the model never seen?", (), (500, 500), None,
        below=(540, 460),
    ),
    "compare": Workspace("Compare", "Where do two encodings differ?", down=(490, 510), high_down=(415, 585)),
    "story": Workspace("Story", "Which families are there, and what can each of them do?", down=(490, 510)),
}  # fmt: skip
"""In the order of their tabs."""

PANELS = {
    "waves": PanelEntry("Waves", "vectors"),
    "heatmap": PanelEntry("Heatmap", "vectors", in_menu=True),
    "tokens": PanelEntry("Tokens", "vectors", in_menu=True),
    "similarity": PanelEntry("Similarity", "relations"),
    "shift": PanelEntry("Shift", "relations"),
    "scores": PanelEntry("Scores by distance", "relations"),
    "pairs": PanelEntry("Token pairs", "relations"),
    "seen": PanelEntry("Seen distances", "relations", waits=True),
    "lens": PanelEntry("Pair lens", "rotation"),
    "ways": PanelEntry("Three ways", "rotation"),
    "patches": PanelEntry("Patch map", "rotation", waits=True),
    "spectrum": PanelEntry("Spectrum", "long_context"),
    "unseen": PanelEntry("Unseen angles", "long_context"),
    "precision": PanelEntry("Precision", "long_context"),
    "engines": PanelEntry("Engines", "long_context", waits=True),
    "difference": PanelEntry("Difference", "compare"),
    "drift": PanelEntry("Drift", "compare"),
    "cache": PanelEntry("Cache timeline", "compare"),
    "gallery": PanelEntry("Gallery", "story"),
    "scorecard": PanelEntry("Scorecard", "story"),
}

_USUAL = ("waves", "heatmap", "tokens", "pairs")
"""The default panels of the export command."""


def first_panels(workspace: str) -> tuple[str, ...]:
    """The names of the panels that a workspace shows at first. KeyError for an unknown workspace."""
    listed = WORKSPACES[workspace].panels
    own = (name for name, panel in PANELS.items() if panel.workspace == workspace and not panel.waits)
    return (*listed, *(name for name in own if name not in listed))


def spec_of(name: str) -> PanelSpec:
    """The description of a panel, without Qt. KeyError for an unknown name."""
    return _spec_in(_package(name))


@cache  # asked for with each edit, for all options
def _spec_in(package: str) -> PanelSpec:
    spec: PanelSpec = import_module(f"{package}.spec").SPEC
    return spec


def figure_class(name: str) -> "type[Figure]":
    """The figure of a panel; loads Qt. KeyError for an unknown name."""
    found: type[Figure] = import_module(f"{_package(name)}.picture").FIGURE
    return found


def drawn_numbers(
    name: str, document: Document, progress: ProgressCallback = never_cancelled
) -> "Mapping[str, npt.NDArray[Any]]":
    """The columns of a panel's own numbers, some of names, by their heads, for a document that has everything needed.

    Long work calls ``progress`` with the fraction done; Cancelled once it returns False. ValueError with one sentence
    for a document whose numbers cannot be drawn.
    """
    from posenc_gui.figures.lines import numbers_of  # imported here, since menus are made without it

    own = spec_of(name).part("numbers")
    if own is None:
        return numbers_of(import_module(f"{_package(name)}.plots").plots(document))
    found: Mapping[str, npt.NDArray[Any]] = own.numbers(document, progress)
    return found


def suitable_panels(document: Document, usual: bool = False) -> tuple[str, ...]:
    """The names of the panels that suit the document; ``usual``: of those that show its numbers alone."""
    specs = {name: spec_of(name) for name in (_USUAL if usual else PANELS)}
    return tuple(
        name for name, spec in specs.items() if spec.suits(document.encoding) and spec.missing(document) is None
    )


def _package(name: str) -> str:
    return PANELS[name].package or f"{__name__}.{name}"


def panel_options() -> dict[str, tuple[Field, ...]]:
    """The options of the panels that have some, by the panels' names."""
    return {name: spec.options for name in PANELS if (spec := spec_of(name)).options}


def menu_flags() -> dict[FlagField, PanelSpec]:
    """The options of panels that are in the View menu, and the panels' descriptions."""
    specs = (spec_of(name) for name, panel in PANELS.items() if panel.in_menu)
    return {option: spec for spec in specs for option in spec.options if isinstance(option, FlagField)}


offer_options(panel_options)
