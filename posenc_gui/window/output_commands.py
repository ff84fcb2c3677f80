"""Output of the window: files, pictures, numbers and scripts."""

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QGuiApplication

from posenc_core import model_config, tables
from posenc_gui import export, film, look, webpage
from posenc_gui.files import FileError
from posenc_gui.model import seen_by
from posenc_gui.panels import spec_of
from posenc_gui.window.parts import UsedPanel, WindowParts


class OutputCommands:
    """Exports to files, and copies to the clipboard."""

    def __init__(self, parts: WindowParts, used: UsedPanel) -> None:
        self._parts, self._used = parts, used

    def export_panel(self) -> None:
        """Export the panel that was used last."""
        self._export([self._used.panel.spec.name])

    def export_all(self) -> None:
        """Export all panels of the workspace."""
        self._export(list(self._parts.workspaces.shown))

    def _export(self, panels: list[str]) -> None:
        parts = self._parts
        windows = {name: panel.figure.viewport.window() for name, panel in parts.shelf.made.items()}
        folder, document, cursor = parts.settings.folder("exports"), parts.store.document, parts.cursor.cursor
        seen = {name: panel.view for name, panel in parts.shelf.made.items() if panel.isVisible()}
        sizes = {name: (view.width(), view.height()) for name, view in seen.items()}
        dialog = export.ExportDialog(document, cursor, windows, panels, folder, parts.window, sizes)
        if dialog.exec() and dialog.written:
            folder = dialog.written[0].parent
            parts.settings.set_folder("exports", folder)
            self._parts.show_message(f"Wrote {', '.join(path.name for path in dialog.written)} to {folder}")
        dialog.deleteLater()

    def export_film(self) -> None:
        """Export a film of the panel that was used last, in its size on the screen."""
        parts, panel = self._parts, self._used.panel
        folder, size = parts.settings.folder("exports"), (panel.view.width(), panel.view.height())
        state = parts.store.document, parts.cursor.cursor
        dialog = film.FilmDialog(*state, panel.spec.name, size, folder, parts.window)
        if dialog.exec() and dialog.written is not None:
            parts.settings.set_folder("exports", dialog.written.parent)
            parts.show_message(f"Wrote {dialog.written.name} to {dialog.written.parent}")
        dialog.deleteLater()

    def export_page(self) -> None:
        """Export the numbers and their pictures as a page for browsers, to a file that the user chooses."""
        parts = self._parts
        start = parts.settings.folder("exports") / f"{webpage.PAGE_NAME}.{webpage.PAGE_FORMAT}"
        path = look.ask_new_file(parts.window, "Export page", start, f"Pages (*{start.suffix})", start.suffix)
        if path is None:
            return
        try:
            with look.ProgressDialog(f"Writing {path.name}", parts.window) as progress:
                webpage.write_page(parts.store.document, path, parts.cursor.cursor, progress=progress)
        except tables.Cancelled:
            parts.show_message("Nothing was written")
        except FileError as error:
            look.warn(parts.window, "Cannot export", str(error))
        else:
            parts.settings.set_folder("exports", path.parent)
            parts.show_message(f"Wrote {path.name} to {path.parent}")

    def copy_picture(self) -> None:
        """Copy the panel that was used last to the clipboard, in its size on the screen."""
        parts, figure, view = self._parts, self._used.panel.figure, self._used.panel.view
        document = figure.spec.suggested(parts.store.document) or parts.store.document  # as the panel draws it
        picture = export.Picture(figure.spec.name, document, parts.cursor.cursor, figure.viewport.window())
        options = export.PictureOptions(theme=figure.style.name, size=(view.width(), view.height()), mark=True)
        try:
            with look.ProgressDialog("Computing the exact picture", parts.window) as progress:
                export.copy_picture(picture, options, progress)
        except tables.Cancelled:
            self._parts.show_message("Nothing was copied")
        except FileError as error:
            look.warn(parts.window, "Cannot copy", str(error))
        else:
            self._parts.show_message(f"Copied {figure.spec.title} as a picture")

    def copy_number(self) -> None:
        """Copy the number under the cursor of the panel that was used last, in full precision."""
        number = self._used.panel.figure.pointing.number()
        if number is None:
            self._parts.show_message("There is no number under the cursor")
        else:
            QGuiApplication.clipboard().setText(repr(number))
            self._parts.show_message(f"Copied {number!r}")

    def copy_numpy(self) -> None:
        """Copy a NumPy script that computes the table to the clipboard."""
        self._copy_script("numpy")

    def copy_torch(self) -> None:
        """Copy a PyTorch script that computes the table to the clipboard."""
        self._copy_script("torch")

    def copy_matplotlib(self) -> None:
        """Copy a Matplotlib script that draws the panel that was used last to the clipboard."""
        self._copy(partial(export.copy_plot, self._used.panel.figure))

    def copy_matplotlib_all(self) -> None:
        """Copy a Matplotlib script that draws the panels on the screen as one figure to the clipboard."""
        self._copy(self._copy_plots)

    def _copy_plots(self) -> str:
        parts = self._parts
        document = parts.store.document
        suitable = [name for name in parts.workspaces.seen if spec_of(name).missing(document) is None]
        if not suitable:
            raise ValueError("no panel on the screen can be drawn now")
        return export.copy_plots([parts.shelf.panel(name).figure for name in suitable])

    def copy_bibtex(self) -> None:
        """Copy BibTeX entries of the encodings' sources and of the program to the clipboard."""
        self.copy_text("BibTeX entries", partial(export.sources_text, self._parts.store.document))

    def copy_settings(self, form: str) -> None:
        """Copy the rotation as settings of another program, and show their limits."""
        rotation = self._parts.store.document.encoding.rotation
        if rotation is None:
            return
        written = model_config.written_back(rotation, form)
        limits = "; ".join(written.limits)
        if written.text:
            QGuiApplication.clipboard().setText(written.text)
            self._parts.show_message(f"Copied as {form}: {limits}")
        else:
            look.warn(self._parts.window, "Cannot copy", f"{limits[:1].upper()}{limits[1:]}.")

    def copy_text(self, title: str, make: Callable[[], str]) -> None:
        """Copy the text that ``make`` returns to the clipboard."""
        text = make()
        QGuiApplication.clipboard().setText(text)
        self._parts.show_message(f"Copied {title}, {len(text.splitlines())} lines")

    def _copy_script(self, dialect: str) -> None:
        document = seen_by(self._parts.store.document, self._parts.cursor.cursor)
        self._copy(partial(export.copy_script, document, dialect))

    def _copy(self, copy: Callable[[], str]) -> None:
        """Copy, and show the sentence that ``copy`` returns, or why there is nothing to copy."""
        try:
            self._parts.show_message(copy())
        except ValueError as error:
            look.warn(self._parts.window, "Cannot copy", str(error))
