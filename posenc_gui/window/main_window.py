"""The window: panels in a grid, docks around them, and every connection between the rooms."""

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QTabBar, QToolBar, QToolButton, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_gui.docks import EncodingDock, NumberDock, TimelineBar, VectorDock
from posenc_gui.docks.sentence import SentenceBar
from posenc_gui.figures import Panel
from posenc_gui.files import Settings
from posenc_gui.look import DARK, LIGHT, THEMES, apply_style, column_of, plain_tip
from posenc_gui.model import Cursor, CursorControl, DocumentStore, Timeline
from posenc_gui.window.access import assist, move_focus, tell_of_cell
from posenc_gui.window.commands import Commands
from posenc_gui.window.layout import DockTitle, WindowLayout
from posenc_gui.window.menus import WindowMenus
from posenc_gui.window.parts import LateContent, WindowParts
from posenc_gui.window.sessions import FileOpener, SessionCommands
from posenc_gui.window.status_line import FrameTime, StatusLine
from posenc_gui.window.text_size import TextSize
from posenc_gui.workspaces import PanelShelf, Workspaces, WorkspaceTabs

if TYPE_CHECKING:
    from posenc_gui.docks.card import ModelDock

_BAR_BUTTONS = ("play", "copy_picture", "export_all")


class _Room(Protocol):
    """A panel, a dock or the sentence bar."""

    def show_document(self, document: Document) -> None: ...


class MainWindow(QMainWindow):
    """The program's one window."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._text_size = TextSize(settings, self)
        self.shelf = PanelShelf(self)
        self._show_theme()  # before anything is shown in another theme
        self.store = DocumentStore(Document.initial(), self)
        self.cursor_control = CursorControl(self)
        self.files = SessionCommands(self.store, settings, self)
        self._opener = FileOpener(self.store, self.files, settings, self)
        self.sentence_bar = SentenceBar()
        self.encoding_dock = EncodingDock()
        self.number_dock, self.vector_dock = NumberDock(), VectorDock()
        self._model = LateContent(self._make_model_dock)
        self.workspaces = Workspaces(self.shelf, settings)
        self.timeline_bar = TimelineBar(Timeline(self.store, self.cursor_control, self.workspaces.course, self))
        self._tabs = WorkspaceTabs(self.workspaces)
        self.files.place = self.workspaces.place
        self.files.placeFound.connect(self.workspaces.go_to)
        docked = (self.encoding_dock, self.number_dock, self.vector_dock)
        self._rooms: tuple[_Room, ...] = (self.shelf, self.workspaces, self.sentence_bar, *docked)
        self._lessons = LateContent(lambda: self.commands.story.make_lessons())
        self._check = LateContent(lambda: self.commands.checks.dock)
        self._status = StatusLine()
        self._frame_time = FrameTime(self)
        self._assemble()
        self._connect()
        self._show_document(self.store.document)
        self._show_cursor(self.cursor_control.cursor)
        self._show_name()
        self._layout.begin()
        self._bar.show()  # an earlier layout may have hidden it
        self._tab_bar.show()
        assist(self)
        self.workspaces.begin()
        self.sentence_bar.setFocus()

    @property
    def panels(self) -> dict[str, Panel]:
        """The panels that were made so far, by name."""
        return self.shelf.made

    @property
    def model_dock(self) -> "ModelDock":
        """The model's card, made now if it was never shown."""
        return self._model.content

    def open_file(self, name: str | Path) -> None:
        """Open a session, a picture that carries one, a table, or a model's config.json."""
        self._opener.open(Path(name))

    def remember_layout(self) -> None:
        """Save the layout for the next start."""
        self._layout.remember()

    def _assemble(self) -> None:
        """Add menus, tool bar, panels, docks and status line."""
        self.setObjectName("window")
        self.setMinimumSize(880, 560)
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        centre = QWidget()
        column_of(centre, self.workspaces, self.timeline_bar)
        self.setCentralWidget(centre)
        left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
        self.docks = {
            "encoding": self._add_dock("Encoding", self.encoding_dock, left),
            "number": self._add_dock("Number", self.number_dock, right),
            "vector": self._add_dock("Vector", self.vector_dock, right),
            "model": self._add_dock("Model", self._model, right),
            "lesson": self._add_dock("Lesson", self._lessons, left),
            "check": self._add_dock("Check", self._check, right),
        }
        for front, behind in (("number", "model"), ("number", "check"), ("encoding", "lesson")):
            self.docks[behind].hide()  # before it has a tab, which Qt would show in the first frames
            self.tabifyDockWidget(self.docks[front], self.docks[behind])
        for tabs in set(self.findChildren(QTabBar)) - {self._tabs}:
            tabs.setToolTip(plain_tip("Tabbed docks"))
        self._layout = WindowLayout(self, self.docks, self.workspaces, self._settings)
        parts = WindowParts(
            window=self, store=self.store, cursor=self.cursor_control, files=self.files, opener=self._opener,
            settings=self._settings, layout=self._layout, shelf=self.shelf, workspaces=self.workspaces,
            timeline_bar=self.timeline_bar, text=self._text_size, docks=self.docks, sentence_bar=self.sentence_bar,
            lessons=self._lessons,
        )  # fmt: skip
        self.commands = Commands(parts)
        self.menus = WindowMenus(parts, self.commands)
        self._add_bar()
        self.setStatusBar(self._status)
        self._status.show_frame_time(self._settings.now.frame_time)

    def _add_dock(self, title: str, content: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(f"{title.lower()}Dock")
        dock.setTitleBarWidget(DockTitle(dock))
        dock.setWidget(content)
        self.addDockWidget(area, dock)
        return dock

    def _make_model_dock(self) -> "ModelDock":
        from posenc_gui.docks.card import ModelDock  # imported on first use

        dock = ModelDock()
        dock.fieldEdited.connect(self.store.try_edit)
        self._opener.serve(dock)
        dock.presetsAsked.connect(self.menus.show_presets)
        dock.offer_keys(self.menus.keys)
        self.store.documentChanged.connect(dock.show_document)
        dock.show_document(self.store.document)
        return dock

    def _add_bar(self) -> None:
        self._bar = self._add_tool_bar("Sentence", self.sentence_bar)
        self.addToolBarBreak()
        self._tab_bar = self._add_tool_bar("Workspace", self._tabs)
        self._tab_bar.addAction(self.menus.actions["questions"])
        questions = self._tab_bar.widgetForAction(self.menus.actions["questions"])
        assert isinstance(questions, QToolButton)
        self.commands.story.offer_questions(questions)
        for action_id in _BAR_BUTTONS:
            self.sentence_bar.add_action_button(self.menus.actions[action_id])
        self.timeline_bar.take_action(self.menus.actions["play"])

    def _add_tool_bar(self, title: str, content: QWidget) -> QToolBar:
        bar = QToolBar(title, movable=False)
        bar.setObjectName(f"{title.lower()}ToolBar")
        bar.setAutoFillBackground(True)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        bar.toggleViewAction().setVisible(False)  # or the menu of a dock's title could hide the bar
        bar.addWidget(content)
        self.addToolBar(bar)
        return bar

    def _connect(self) -> None:
        """Connect the rooms: edits go to the store; document and cursor go to everything that shows them."""
        for editor in (self.sentence_bar, self.encoding_dock):
            editor.fieldEdited.connect(self.store.try_edit)
            self.store.editRefused.connect(editor.show_refusal)
        self.encoding_dock.encodingsEdited.connect(self.store.compare)
        self.sentence_bar.tokenizerAsked.connect(self._opener.open_tokenizer_of_model)
        self._opener.numbersFound.connect(self.commands.check_file)
        self._opener.left.connect(self._status.tell)
        self.store.documentChanged.connect(self._show_document)
        self.store.documentChanged.connect(self._show_name)
        self.store.savedChanged.connect(self._show_name)
        self.shelf.panelMade.connect(self._add_panel)
        self.vector_dock.cursorMoved.connect(self.cursor_control.hold)
        self.sentence_bar.cursorMoved.connect(self.cursor_control.point)
        self.cursor_control.cursorChanged.connect(self._show_cursor)
        self.timeline_bar.timeline.playingChanged.connect(self.menus.show_playing)
        self.workspaces.changed.connect(self.timeline_bar.timeline.look)
        self.menus.themeChosen.connect(self._choose_theme)
        self.menus.frameTimeChosen.connect(self._status.show_frame_time)
        self.number_dock.copied.connect(self._status.tell)
        self.number_dock.pinned.connect(self.cursor_control.pin)
        self.vector_dock.copied.connect(self._status.tell)
        self.docks["vector"].visibilityChanged.connect(self.vector_dock.show_in_front)
        self._frame_time.measured.connect(self._status.show_time)
        self.files.changed.connect(self._show_name)
        self._text_size.changed.connect(self._resize_text)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._show_theme)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_changed)

    def _add_panel(self, panel: Panel) -> None:
        """Connect a panel that was made now."""
        panel.cursorMoved.connect(self.cursor_control.point)
        panel.fieldEdited.connect(self.store.try_edit)
        panel.encodingsEdited.connect(self.store.compare)
        panel.documentEdited.connect(self.store.replace)
        self.store.editRefused.connect(panel.show_refusal)
        panel.viewAsked.connect(self.commands.show_view)
        panel.maximiseAsked.connect(self.workspaces.maximise)
        panel.menuAsked.connect(self._show_panel_menu)
        self._frame_time.watch(panel)

    def _show_panel_menu(self, panel: Panel, place: QPoint) -> None:
        self.commands.use(panel)
        self.menus.panel_menu(panel).popup(place)

    def _show_document(self, document: Document) -> None:
        """Hand on the document; a hidden panel computes nothing until it is painted."""
        self._frame_time.start()
        self.cursor_control.show_document(document)
        for room in self._rooms:
            room.show_document(document)
        self._layout.show_models(document.model, document.model_b)
        self._status.show_document(document)
        self.menus.show_document(document)

    def _show_cursor(self, cursor: Cursor) -> None:
        self.shelf.show_cursor(cursor)
        for room in (self.sentence_bar, self.number_dock, self.vector_dock, self._status):
            room.show_cursor(cursor)
        tell_of_cell(list(self.panels.values()), self._status.sentence)

    def _show_name(self) -> None:
        self.setWindowTitle(self.files.title)
        self.setWindowModified(not self.store.is_saved)

    def _choose_theme(self, theme: str) -> None:
        self._settings.change(theme=theme)
        self._show_theme()

    def _show_theme(self) -> None:
        """Paint everything in the chosen theme, by default the system's."""
        dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        style = THEMES.get(self._settings.now.theme, DARK if dark else LIGHT).scaled(self._text_size.scale)
        apply_style(style)
        self.shelf.show_style(style)

    def _resize_text(self) -> None:
        """Show the text in the chosen size, and adapt the docks to it."""
        before, widths = QApplication.font().pixelSize(), self._layout.side_widths
        self._show_theme()
        self._layout.widen_sides([width * QApplication.font().pixelSize() // before for width in widths])

    def _focus_changed(self, _old: QWidget | None, now: QWidget | None) -> None:
        """Keep the panel that was used last: its picture is copied and exported."""
        for panel in self.panels.values():
            if now is not None and (now is panel or panel.isAncestorOf(now)):
                self.commands.use(panel)

    @override
    def focusNextPrevChild(self, forward: bool) -> bool:
        parameters = (self.sentence_bar, *self.encoding_dock.sections)
        rooms = (self.workspaces, self.timeline_bar, self.number_dock, self.vector_dock)
        return move_focus(self, [*parameters, *rooms], forward)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ThemeChange:  # the desktop's text may have another size
            self._show_theme()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.files.may_leave():
            event.ignore()
            return
        self.commands.stop_presenting()
        self.timeline_bar.timeline.stop()
        self.remember_layout()
        event.accept()

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if files:
            event.acceptProposedAction()
            as_b = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._opener.take_all([Path(file) for file in files], as_b)
