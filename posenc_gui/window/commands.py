"""The actions that involve several parts of the window."""

import logging
import sys
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWhatsThis

from posenc_core import ENCODINGS, __version__
from posenc_gui import files, look
from posenc_gui.panels import PANELS, spec_of
from posenc_gui.window.parts import UsedPanel, WindowParts
from posenc_gui.window.story_commands import StoryCommands

if TYPE_CHECKING:
    from posenc_gui.check import Checks
    from posenc_gui.window import present, sessions
    from posenc_gui.window.output_commands import OutputCommands

_log = logging.getLogger(__name__)

_LATE = ("output", "checks")
"""The parts of the commands that are imported on first use."""

_MORE, _LESSONS = "&More", "&Lessons"


class Commands:
    """One method per action."""

    def __init__(self, parts: WindowParts) -> None:
        self._parts, self._used = parts, UsedPanel(parts)
        self.use = self._used.use
        self.story = StoryCommands(parts, lambda text: self.checks.check_example(text))

    def slot(self, path: str) -> Callable[[], object]:
        """The method at a path such as ``files.save``; AttributeError if there is no such part or method.

        ``commands`` is this object, ``output`` and ``story`` are its attributes, other parts are those of
        ``WindowParts``. Methods of ``output`` and ``checks`` are looked up when they are called.
        """
        part, _, method = path.partition(".")
        if part in _LATE:
            return partial(self._call_late, part, method)
        owners = {"commands": self, "story": self.story}
        slot: Callable[[], object] = getattr(owners.get(part) or getattr(self._parts, part), method)
        return slot

    @cached_property
    def output(self) -> "OutputCommands":
        """The commands for files and the clipboard."""
        from posenc_gui.window.output_commands import OutputCommands  # imported on first use

        return OutputCommands(self._parts, self._used)

    def _call_late(self, part: str, method: str, _checked: bool = False) -> None:
        getattr(getattr(self, part), method)()

    def open_preset(self, name: str) -> None:
        """Replace the encoding by the preset's; values that the preset does not name stay."""
        try:
            document, title = files.preset(name, self._parts.store.document), files.preset_title(name)
        except ValueError as error:
            look.warn(self._parts.window, "Cannot open", str(error))
        else:
            self._parts.store.replace(document, f"preset {title}")

    @cached_property
    def checks(self) -> "Checks":
        """The check of numbers."""
        from posenc_gui.check import Checks  # imported on first use

        return Checks(self._parts, self._parts.files.add_table, self._parts.files.begun)

    def check_file(self, path: Path) -> None:
        """Check the numbers in a file."""
        self.checks.check_file(path)

    def ask_open_encoding(self) -> None:
        """Let the user choose a Python file with an encoding, and open it."""
        self._encoding_opener().ask()

    def open_encoding(self, path: Path, shows: bool = True) -> None:
        """Run a Python file that the user named, and show its encoding if ``shows``."""
        self._encoding_opener().open(path, shows)

    def find_encodings(self) -> None:
        """Register the encodings of other packages, and name those that cannot be used."""
        problems = ENCODINGS.complete()
        for problem in problems:
            _log.warning("%s", problem)
        if problems:
            more = f" The log names {len(problems) - 1} more." if len(problems) > 1 else ""
            self._parts.show_message(f"{problems[0][:1].upper()}{problems[0][1:]}.{more}")

    def _encoding_opener(self) -> "sessions.EncodingOpener":
        from posenc_gui.window import sessions  # imported on first use

        return sessions.EncodingOpener(self._parts.store, self._parts.settings, self._parts.window)

    @cached_property
    def _presentation(self) -> "present.Presentation":
        from posenc_gui.window import present  # imported on first use

        return present.Presentation(self._parts)

    def present(self) -> None:
        """Show the panels alone until Escape."""
        if not self._presentation.is_on:
            self._presentation.begin()

    def stop_presenting(self) -> None:
        """Restore the parts hidden by the presentation."""
        self._presentation.end()

    def edit_sentence(self) -> None:
        """Move the keyboard focus to the sentence, and show its bar if it is hidden."""
        bar = self._parts.sentence_bar.parentWidget()
        if bar is not None:
            bar.show()
        self._parts.sentence_bar.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def reset_view(self) -> None:
        """Show the whole table in every panel."""
        for panel in self._parts.shelf.made.values():
            panel.figure.viewport.reset()

    def toggle_full_screen(self) -> None:
        """Enter or leave full screen."""
        window = self._parts.window
        window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)

    def release_cursor(self) -> None:
        """Stop playback and computation, else restore the other panels, else release the held cell."""
        stopped = [
            self._parts.timeline_bar.timeline.stop(),
            *(panel.stop() for panel in self._parts.shelf.made.values()),
        ]
        if not any(stopped) and not self._parts.workspaces.restore():
            self._parts.cursor.release()

    def maximise(self) -> None:
        """Show the panel used last alone, or restore the others."""
        self._parts.workspaces.maximise(self._used.panel)

    def move_panel(self, workspace: str) -> None:
        """Move the panel that was used last to this workspace."""
        self._parts.workspaces.move_panel(self._used.panel.spec.name, workspace)

    def show_view(self, workspace: str, panel: str) -> None:
        """Go to a workspace, and to a panel in it, which is shown there from now on."""
        workspaces = self._parts.workspaces
        workspaces.choose(workspace)
        if panel not in workspaces.shown:
            workspaces.show_panel(panel, True)
        self._parts.shelf.panel(panel).setFocus(Qt.FocusReason.OtherFocusReason)

    def explain_panel(self) -> None:
        """Show a text that explains the panel that was used last, and offer the lessons."""
        from posenc_gui.window.shortcuts import panel_keys

        spec = self._used.panel.spec
        title = f"What am I looking at? — {spec.title}"
        lessons = "The lessons (Help > Lessons) explain it from the beginning."
        text = f"{spec.explanation}\n\n{panel_keys(spec)}\n\n{lessons}"
        pressed = look.inform(self._parts.window, title, text, *([_MORE] if spec.more else []), _LESSONS)
        if pressed == _MORE:
            pressed = look.inform(self._parts.window, title, spec.more, _LESSONS)
        if pressed == _LESSONS:
            self._parts.layout.show_lessons()

    def what_is_this(self) -> None:
        """Explain the next clicked control."""
        QWhatsThis.enterWhatsThisMode()

    def show_shortcuts(self) -> None:
        """Show a list of all keys."""
        from posenc_gui.window.shortcuts import show_all_keys  # imported on first use

        show_all_keys(self._parts.window, map(spec_of, PANELS))

    def about(self) -> None:
        """Show the version of the program, the source of the encoding, and the licences."""
        encoding = self._parts.store.document.encoding
        purpose = "A desktop laboratory for transformer positional encodings."
        source = f"{encoding.title}: {encoding.citation}."
        look.show_about(
            self._parts.window, "About PosEnc", f"PosEnc {__version__}", f"{purpose}\n\n{source}\n\n{_licences()}"
        )


def _licences() -> str:
    """The licences of the program and its libraries, with the folder of their texts in the program in one folder."""
    words = "MIT licence. PosEnc uses Qt and PySide6 (LGPL 3), NumPy, pyqtgraph and the font Inter, each under its own."
    folder = Path(sys.executable).parent / "THIRD-PARTY"
    return f"{words} Their texts: {folder}" if getattr(sys, "frozen", False) else words
