"""The workspaces: sets of panels, one of which is on the screen; hidden ones compute nothing."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QByteArray, QSize, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStackedWidget, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures import Panel
from posenc_gui.files import Settings
from posenc_gui.look import ScrollArea
from posenc_gui.model import TOKENS, Course, CursorControl, DocumentStore
from posenc_gui.panels import PANELS, WORKSPACES, first_panels, spec_of
from posenc_gui.workspaces.panel_shelf import PanelShelf
from posenc_gui.workspaces.workspace_page import WorkspacePage, remembered_panels

if TYPE_CHECKING:
    from posenc_gui.files import Place

FIRST = next(iter(WORKSPACES))
"""The workspace of the first start."""

_CHOSEN = "layout_workspace"
_SHOWN_MS = 8000


class Workspaces(QStackedWidget):
    """The pages of the workspaces, each made when it is first needed.

    A workspace is offered if it has a panel, now or at the first start. ``changed`` is emitted after a change of
    workspace, of its panels, or of the maximised panel.
    """

    changed = Signal()

    def __init__(self, shelf: PanelShelf, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shelf, self._settings = shelf, settings
        self._pages: dict[str, WorkspacePage] = {}
        self._document: Document | None = None
        self.current = FIRST
        self.alone: tuple[str, ...] = ()

    @property
    def offered(self) -> tuple[str, ...]:
        """The names of the workspaces that have a panel, or had one at the first start."""
        return tuple(name for name in WORKSPACES if first_panels(name) or self._has_panels(name))

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the panels in the present workspace."""
        return self.page(self.current).shown

    @property
    def seen(self) -> tuple[str, ...]:
        """The names of the panels on the screen: the present workspace's, or those shown alone."""
        return self.alone or self.shown

    @property
    def maximised(self) -> str | None:
        """The name of the panel that is shown alone, None for several."""
        return self.alone[0] if len(self.alone) == 1 else None

    def course(self, document: Document) -> Course | None:
        """The present course: that of the first drawable panel with one, else the tokens' course.

        None if no panel is visible.
        """
        seen = [spec_of(name) for name in self.seen]
        own = (each.course for each in seen if each.course is not None and each.missing(document) is None)
        return next(own, TOKENS) if seen else None

    def show_document(self, document: Document) -> None:
        """Give room to the panels that can draw the document."""
        self._document = document
        needs = {name: spec_of(name) for name in self.shown if spec_of(name).missing(document) is not None}
        lacking = frozenset(name for name, spec in needs.items() if spec.suggested(document) is None)
        self.page(self.current).show_lacking(lacking)

    def page(self, name: str) -> WorkspacePage:
        """The page of a workspace, with the panels and sizes that are remembered. KeyError for an unknown name."""
        if name not in self._pages:
            page = self._pages[name] = WorkspacePage(name)
            page.recall(self._settings)
            page.resetAsked.connect(self.reset)
            self.addWidget(_Scrolled(page))
        return self._pages[name]

    def begin(self) -> None:
        """Show the workspace that was chosen last."""
        name = bytes(self._settings.bytes(_CHOSEN).data()).decode("ascii", "replace")
        self.choose(name if name in self.offered else FIRST)

    def choose(self, name: str) -> None:
        """Bring the workspace of that name to the screen. KeyError for an unknown name."""
        self.current = name
        self._arrange()
        page = self.page(name)
        self.setCurrentIndex(list(self._pages).index(name))
        page.divide()  # now that its panels have their document

    def place(self) -> "Place":
        """The present workspace, and the panels that are alone in it."""
        from posenc_gui.files import Place  # imported on first use

        return Place(self.current, self.alone)

    def go_to(self, place: "Place") -> None:
        """Show the place of a session; a workspace and panels that are not offered here change nothing."""
        if place.workspace in self.offered:
            self.choose(place.workspace)
            self._arrange(tuple(name for name in PANELS if name in place.alone))

    def show_panel(self, name: str, shown: bool) -> None:
        """Show a panel in the present workspace, or close it there."""
        page = self.page(self.current)
        (page.names.add if shown else page.names.discard)(name)
        self._arrange()

    def move_panel(self, name: str, workspace: str) -> None:
        """Move a panel from the present workspace to another workspace, and show that workspace."""
        self.page(self.current).names.discard(name)
        self._arrange()
        self.page(workspace).names.add(name)
        self.choose(workspace)

    def maximise(self, panel: Panel) -> None:
        """Show this panel alone; if it is already alone, restore the others."""
        name = panel.spec.name
        self._arrange(() if self.alone or name not in self.shown else (name,))

    def show_alone(self, names: Sequence[str]) -> None:
        """Show only the panels of these names, until the workspace's panels are restored."""
        self._arrange(tuple(names))

    def restore(self) -> bool:
        """Bring the other panels back; returns whether any were hidden."""
        was_alone = bool(self.alone)
        if was_alone:
            self._arrange()
        return was_alone

    def reset(self) -> None:
        """Show the panels of the present workspace as at the first start."""
        page = self.page(self.current)
        page.names = set(first_panels(self.current))
        self._arrange()
        page.set_first_sizes()

    def remember(self) -> None:
        """Save the workspaces for the next start."""
        self._settings.set_bytes(_CHOSEN, QByteArray(self.current.encode()))
        for page in self._pages.values():
            page.remember(self._settings)

    def _has_panels(self, name: str) -> bool:
        """Whether the workspace has a panel, without making its page."""
        return bool(self._pages[name].names if name in self._pages else remembered_panels(self._settings, name))

    def _arrange(self, alone: tuple[str, ...] = ()) -> None:
        self.alone = alone
        self.page(self.current).arrange(self._shelf.panel, self.seen)
        if self._document is not None:
            self.show_document(self._document)
        for name, panel in self._shelf.made.items():
            panel.show_maximised(name in alone)
        self.changed.emit()


class _Scrolled(ScrollArea):
    """A page with scroll bars for panels without room; docks become narrower before a bar appears."""

    @override
    def least_size(self) -> QSize:
        page = self.widget()
        return QSize() if page is None else page.minimumSizeHint()


class SharedParts(Struct, frozen=True):
    """The parts of the window in which lessons, questions and checks show their documents; ``docks`` by name."""

    window: QMainWindow
    store: DocumentStore
    cursor: CursorControl
    settings: Settings
    shelf: PanelShelf
    workspaces: Workspaces
    docks: Mapping[str, QDockWidget]

    def show_message(self, sentence: str) -> None:
        """Show a sentence in the status line for some seconds."""
        self.window.statusBar().showMessage(sentence, _SHOWN_MS)
