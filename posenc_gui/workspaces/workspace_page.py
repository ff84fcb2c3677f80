"""The page of a workspace: two rows of panels with splitters between them, or an invitation if no panel is shown."""

from collections.abc import Callable, Collection

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget
from typing_extensions import override

from posenc_gui.figures import Panel
from posenc_gui.files import Settings
from posenc_gui.look import Invitation
from posenc_gui.panels import PANELS, WORKSPACES, first_panels

_HIGH = 620
"""The least height in pixels of a high page."""
_ROWS = ("above", "below")
_BELOW = slice(1, 3)
"""Which of the first panels are in the lower row; all others are in the upper one."""
_MARK = b"-"
"""Begins a list of names: an empty list is not the same as none that is remembered."""


class WorkspacePage(QWidget):
    """The panels of one workspace. ``names`` are the shown panels, unordered; ``resetAsked`` has no arguments.

    Each row has a slot for every panel that may be in it, so that splitters keep the sizes of hidden panels.
    """

    resetAsked = Signal()

    def __init__(self, workspace: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace, self.names = workspace, set(first_panels(workspace))
        self._slots: dict[str, _Slot] = {}
        self._lacking: frozenset[str] = frozenset()
        self.down = QSplitter(Qt.Orientation.Vertical)
        rows = {name: QSplitter(Qt.Orientation.Horizontal) for name in ("above", "below")}
        lower = first_panels(workspace)[_BELOW]
        for name in PANELS:
            self._slots[name] = _Slot()
            rows["below" if name in lower else "above"].addWidget(self._slots[name])
        for row in rows.values():
            self.down.addWidget(row)
        self.splitters = {"down": self.down, **rows}
        for splitter in self.splitters.values():
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(8)
            splitter.splitterMoved.connect(self._keep_sizes)
        self.empty = _empty_page(WORKSPACES[workspace].title)
        self.empty.button.clicked.connect(self.resetAsked)
        box = QVBoxLayout(self)
        box.setContentsMargins(2, 8, 2, 8)
        box.addWidget(self.down)
        box.addWidget(self.empty)
        self.set_first_sizes()

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the panels that it shows, in the order of the registry."""
        return tuple(name for name in PANELS if name in self.names)

    def arrange(self, panel_of: Callable[[str], Panel], seen: Collection[str]) -> None:
        """Show the panels of these names; the others are hidden and compute nothing."""
        for name, slot in self._slots.items():
            slot.setVisible(name in seen)
            if name in seen:
                slot.hold(panel_of(name))
        for row in (self.splitters["above"], self.splitters["below"]):
            row.setVisible(any(self._slots[name].parent() is row for name in seen))
        self.down.setVisible(bool(seen))
        self.empty.setVisible(not seen)

    def show_lacking(self, names: frozenset[str]) -> None:
        """Give the space of panels with nothing to draw to those beside them, until the user moves a splitter."""
        if names != self._lacking:
            self._lacking = names
            self.divide()

    def divide(self) -> None:
        """Divide the space among the present panels, unless the user moved a splitter."""
        if self._has_first_sizes:
            self.set_first_sizes()

    def set_first_sizes(self) -> None:
        """Divide the room as at the first start."""
        self._has_first_sizes = True
        own = WORKSPACES[self.workspace]
        down = own.high_down if own.high_down is not None and self.height() >= _HIGH else own.down
        for name, (first, other) in (("down", down), ("above", own.above), ("below", own.below)):
            splitter = self.splitters[name]
            sizes = [first, *[other] * (splitter.count() - 1)]
            parts = [[each] for each in self._listed(name)] if name != "down" else [*map(self._listed, _ROWS)]
            shown = [self.names.intersection(part) for part in parts]
            if not self._lacking.issuperset(set().union(*shown)):
                lacks = [bool(each) and each <= self._lacking for each in shown]
                sizes = [1 if lacking else size for lacking, size in zip(lacks, sizes, strict=True)]
            splitter.setSizes(sizes)

    def _listed(self, row: str) -> list[str]:
        """The panels that have a slot in the row."""
        return [panel for panel in PANELS if self._slots[panel].parent() is self.splitters[row]]

    def remember(self, settings: Settings) -> None:
        """Save the panels and their sizes for the next start."""
        for name, splitter in self.splitters.items():
            settings.set_bytes(_key(self.workspace, name), splitter.saveState())
        names = b" ".join([_MARK, *(name.encode() for name in self.shown)])
        settings.set_bytes(_key(self.workspace, "panels"), QByteArray(names))

    def recall(self, settings: Settings) -> None:
        """Show the panels and sizes of the last start; the first ones if nothing is remembered."""
        names = remembered_panels(settings, self.workspace)
        if names is not None:
            self.names = names
        for name, splitter in self.splitters.items():
            state = settings.bytes(_key(self.workspace, name))
            if not state.isEmpty():
                splitter.restoreState(state)
                self._keep_sizes()

    def _keep_sizes(self) -> None:
        self._has_first_sizes = False

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._has_first_sizes:
            self.set_first_sizes()


class _Slot(QWidget):
    """The place of a panel in a row; the panel may be in another workspace meanwhile.

    It has no layout: Qt's would lay out the window after each new text in a panel. Here only a new minimum size does.
    """

    _kept = QSize()
    """The minimum size that the splitter has cached."""

    def hold(self, panel: Panel) -> None:
        """Add the panel, and show it."""
        if panel.parentWidget() is not self:
            panel.setParent(self)
            panel.resize(self.size())
            self.updateGeometry()
        panel.show()

    @property
    def _panel(self) -> Panel | None:
        return next((child for child in self.children() if isinstance(child, Panel)), None)

    def _least_size(self) -> QSize:
        return QSize() if self._panel is None else self._panel.minimumSize()

    @override
    def minimumSizeHint(self) -> QSize:
        self._kept = self._least_size()
        return self._kept

    @override
    def sizeHint(self) -> QSize:
        return QSize() if self._panel is None else self._panel.sizeHint()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and self._least_size() != self._kept:
            self.updateGeometry()
        return super().event(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._panel is not None:
            self._panel.resize(self.size())


def _empty_page(title: str) -> Invitation:
    return Invitation(
        f"{title} shows no panel. Choose panels in the View menu, or restore the default ones.",
        f"Restore the panels of {title}",
        f"Show the default panels of {title}",
    )


def remembered_panels(settings: Settings, workspace: str) -> set[str] | None:
    """The names of the panels that the workspace had at the last end; None if nothing, or damage, is remembered."""
    mark, *names = bytes(settings.bytes(_key(workspace, "panels")).data()).split() or [b""]
    return {name for name in PANELS if name.encode() in names} if mark == _MARK else None


def _key(workspace: str, part: str) -> str:
    return f"layout_{workspace}_{part}"
