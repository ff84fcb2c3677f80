"""The parts of the window that its menus act on."""

from collections.abc import Callable
from functools import cached_property
from typing import Generic, TypeVar

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from posenc_gui import story
from posenc_gui.docks import TimelineBar
from posenc_gui.docks.sentence import SentenceBar
from posenc_gui.figures import Panel
from posenc_gui.look import column_of
from posenc_gui.panels import PANELS
from posenc_gui.window.layout import WindowLayout
from posenc_gui.window.sessions import FileOpener, SessionCommands
from posenc_gui.window.text_size import TextSize
from posenc_gui.workspaces import SharedParts

Content = TypeVar("Content", bound=QWidget)


class LateContent(QWidget, Generic[Content]):
    """The place of a widget that ``make`` imports and makes when it is first shown or asked for."""

    def __init__(self, make: Callable[[], Content]) -> None:
        super().__init__()
        self._make = make
        self._column = column_of(self)

    @cached_property
    def content(self) -> Content:
        """The widget, made now if it is not there yet."""
        content = self._make()
        self._column.addWidget(content)
        return content

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.content.show()


class WindowParts(SharedParts, frozen=True):
    """The parts of the window that its menus act on; an action's path begins with the name of a part."""

    files: SessionCommands
    opener: FileOpener
    layout: WindowLayout
    timeline_bar: TimelineBar
    text: TextSize
    sentence_bar: SentenceBar
    lessons: LateContent["story.LessonDock"]


class UsedPanel:
    """The panel that commands are about."""

    def __init__(self, parts: WindowParts) -> None:
        self._parts = parts
        self._name = next(iter(PANELS))

    @property
    def panel(self) -> Panel:
        """The panel that had the keyboard focus last, or if it is not on the screen, the first one that is."""
        seen = self._parts.workspaces.seen
        return self._parts.shelf.panel(self._name if self._name in seen or not seen else seen[0])

    def use(self, panel: Panel) -> None:
        """Make this the panel that was used last."""
        self._name = panel.spec.name
