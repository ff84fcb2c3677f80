"""What the actions of the menus do."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMessageBox

from posenc_core import __version__
from posenc_core.session import ANGLES, COLOR_MAP, TRANSPOSE
from posenc_core.tables import Cancelled
from posenc_gui.docks.sentence.sentence_bar import SentenceBar
from posenc_gui.export.clipboard import copy_code
from posenc_gui.figures.panel import Panel
from posenc_gui.files.errors import FileError
from posenc_gui.files.opener import FileOpener
from posenc_gui.files.presets import preset, preset_title
from posenc_gui.files.session_commands import SessionCommands
from posenc_gui.files.settings import Settings
from posenc_gui.look.message_boxes import warn
from posenc_gui.look.style import Style
from posenc_gui.model.cursor_control import CursorControl
from posenc_gui.model.document_store import DocumentStore
from posenc_gui.window.layout import WindowLayout


class Commands(QObject):
    """One method a menu entry; ``current`` is the panel that had the keyboard last."""

    def __init__(
        self,
        window: QMainWindow,
        store: DocumentStore,
        cursor_control: CursorControl,
        files: SessionCommands,
        settings: Settings,
        layout: WindowLayout,
        panels: Mapping[str, Panel],
        sentence_bar: SentenceBar,
    ) -> None:
        super().__init__(window)
        self._window, self._store, self._cursor_control, self._files = window, store, cursor_control, files
        self._settings, self._layout, self._panels, self._sentence_bar = settings, layout, panels, sentence_bar
        self.current = next(iter(panels.values()))
        self.opener = FileOpener(store, files, settings, self._style_in_use, window)

    @property
    def style(self) -> Style:
        """The style that the panels are drawn in."""
        return self.current.figure.style

    # File

    def new_session(self) -> None:
        """Begin again."""
        self._files.new()

    def ask_open(self) -> None:
        """Open a session, an exported picture, a table or a model's config.json."""
        self.opener.ask_open()

    def ask_open_table(self) -> None:
        """Show a table from a file."""
        self.opener.ask_open_table()

    def ask_open_config(self) -> None:
        """Show the positions of a model."""
        self.opener.ask_open_config()

    def open_recent(self) -> None:
        """Open the chosen recent file."""
        self.opener.open(Path(self._chosen()))

    def open_preset(self) -> None:
        """Take over the chosen preset, keeping what it does not name."""
        name = self._chosen()
        try:
            document, title = preset(name, self._store.document), preset_title(name)
        except ValueError as error:
            warn(self._window, "Cannot open", str(error))
        else:
            self._store.replace(document, f"preset {title}")

    def save(self) -> None:
        """Save under the session's name."""
        self._files.save()

    def save_as(self) -> None:
        """Save under another name."""
        self._files.ask_save()

    def export_panel(self) -> None:
        """Export the panel that was last used."""
        self._export([self.current.figure_class.name])

    def export_all(self) -> None:
        """Export all panels that suit the encoding, or are shown nevertheless."""
        encoding = self._store.document.encoding
        wanted = [n for n, panel in self._panels.items() if panel.figure_class.suits(encoding) or not panel.isHidden()]
        self._export(wanted)

    def quit(self) -> None:
        """Close the window."""
        self._window.close()

    def _export(self, panels: list[str]) -> None:
        from posenc_gui.export.dialog import ExportDialog  # not before it is wanted: the window would come later

        windows = {name: panel.figure.window() for name, panel in self._panels.items()}
        folder = self._settings.folder("exports")
        cursor = self._cursor_control.cursor
        dialog = ExportDialog(self._store.document, cursor, windows, panels, folder, self.style, self._window)
        if dialog.exec() and dialog.written:
            written = dialog.written
            self._settings.set_folder("exports", written[0].parent)
            self._say(f"Wrote {', '.join(path.name for path in written)} to {written[0].parent}")
        dialog.deleteLater()

    # Edit

    def copy_picture(self) -> None:
        """Put the panel that was last used on the clipboard, as large as it is on the screen."""
        from posenc_gui.export.clipboard import copy_picture
        from posenc_gui.export.pictures import Picture, PictureOptions
        from posenc_gui.look.progress_dialog import ProgressDialog

        figure, view = self.current.figure, self.current.view
        picture = Picture(figure.name, self._store.document, self._cursor_control.cursor, figure.window())
        try:
            with ProgressDialog("Computing the exact picture", self._window) as watch:
                copy_picture(picture, PictureOptions(theme=self.style.name, size=(view.width(), view.height())), watch)
        except Cancelled:
            self._say("Nothing was copied")
        except FileError as error:
            warn(self._window, "Cannot copy", str(error))
        else:
            self._say(f"Copied {figure.title} as a picture")

    def copy_numpy(self) -> None:
        """Put a NumPy script that makes the table on the clipboard."""
        self._copy_code("numpy")

    def copy_torch(self) -> None:
        """Put a PyTorch script that makes the table on the clipboard."""
        self._copy_code("torch")

    def _copy_code(self, dialect: str) -> None:
        if said := copy_code(self._store.document, dialect, self._window):
            self._say(said)

    def edit_sentence(self) -> None:
        """Bring the keyboard to the sentence."""
        self._sentence_bar.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # View

    def choose_colors(self) -> None:
        """Draw values in the chosen colours."""
        self._store.edit(COLOR_MAP.name, self._chosen())

    def choose_transpose(self, on: bool) -> None:
        """Draw the heatmap the other way round, or back."""
        self._store.edit(TRANSPOSE.name, on)

    def choose_angles(self, on: bool) -> None:
        """Show the angles of pairs in the heatmap, or their sines and cosines."""
        self._store.edit(ANGLES.name, on)

    def reset_view(self) -> None:
        """Show everything in every panel."""
        for panel in self._panels.values():
            panel.figure.reset_window()

    def reset_layout(self) -> None:
        """Bring docks and panels back to where they were at the first start."""
        self._layout.reset()

    def toggle_full_screen(self) -> None:
        """Fill the screen, or go back."""
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)

    # Go

    def play(self) -> None:
        """Walk through the tokens, or stop."""
        self._cursor_control.play()

    def next_token(self) -> None:
        """Hold the next token's cell."""
        self._cursor_control.next_token()

    def previous_token(self) -> None:
        """Hold the previous token's cell."""
        self._cursor_control.previous_token()

    def release_cursor(self) -> None:
        """Stop the exact pictures that are still computed; where there are none, the cursor follows the mouse again."""
        stopped = [panel.stop() for panel in self._panels.values()]
        if not any(stopped):
            self._cursor_control.release()

    # Help

    def explain_panel(self) -> None:
        """Say what the panel that was last used shows."""
        figure = self.current.figure
        QMessageBox.information(self._window, f"What am I looking at? — {figure.title}", figure.explanation)

    def about(self) -> None:
        """Say what this program is, and where the encoding comes from."""
        encoding = self._store.document.encoding
        QMessageBox.about(
            self._window,
            "About PosEnc",
            f"<h3>PosEnc {__version__}</h3><p>A desktop laboratory for transformer positional encodings.</p>"
            f"<p>{encoding.title}: {encoding.citation}.</p>",
        )

    def _style_in_use(self) -> Style:
        return self.style

    def _chosen(self) -> str:
        """The value of the menu entry that was just chosen."""
        sender = self.sender()
        return str(sender.data()) if isinstance(sender, QAction) else ""

    def _say(self, sentence: str) -> None:
        self._window.statusBar().showMessage(sentence, 8000)
