"""Which files an edit of d_model passes on its way from the spin box to the waves' pixels: python edit_path.py [ROOT]

A file counts when one of its functions runs from the key until the store tells the window of the new document, on the
way from there to the figure of the waves, or while the waves are painted until the first curve is drawn. ROOT is a
checkout, this one where it is left out.
"""

import os
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
os.environ["QT_QPA_PLATFORM"] = "offscreen"
sys.path.insert(0, str(ROOT))


def open_window() -> Any:
    """The program's window with fresh settings, as version 0.1 and later ones make it."""
    try:
        from posenc_gui.files.settings import Settings
        from posenc_gui.look.qt import make_application
        from posenc_gui.window.main_window import MainWindow
    except ModuleNotFoundError:
        from posenc_gui.application import make_application
        from posenc_gui.main_window import MainWindow
        from posenc_gui.window_state import Settings
    make_application([])
    folder = tempfile.mkdtemp()
    try:
        settings = Settings(Path(folder, "settings.json"))
    except AttributeError:  # of version 0.1
        from PySide6.QtCore import QSettings

        settings = Settings(QSettings(f"{folder}/posenc.ini", QSettings.Format.IniFormat))
    window = MainWindow(settings)
    window.show()
    return window


def type_d_model(window: Any, number: int) -> None:
    """Type the number into the field, press Enter, and paint."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication, QWidget

    named = [each for each in window.findChildren(QWidget) if each.accessibleName() == "d_model"]
    (box,) = [each for each in named if each.isVisible()]
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, str(number))
    QTest.keyClick(box, Qt.Key.Key_Return)
    for _ in range(10):
        QApplication.processEvents()


class EditPath:
    """The files that an edit passes, in order; ``record`` is a function for ``sys.setprofile``."""

    def __init__(self, waves: Any) -> None:
        self.files: dict[str, None] = {}
        self._waves, self._is_told, self._is_painting, self._is_drawn = waves, False, False, False

    def record(self, frame: FrameType, event: str, argument: Any) -> None:
        """Take down the file of a call on the way; the first polyline drawn ends it."""
        if event == "c_call" and self._is_painting and getattr(argument, "__name__", "") == "drawPolyline":
            self._is_drawn = True
        if event != "call" or self._is_drawn or not _is_ours(frame):
            return
        owner, name = frame.f_locals.get("self"), frame.f_code.co_name
        self._is_told |= name == "_show_document" and type(owner).__name__ == "MainWindow"
        self._is_painting |= name == "paintEvent" and getattr(owner, "figure", None) is self._waves
        if name == "show_document" and owner is self._waves:
            self._add_callers(frame)
        elif not self._is_told or self._is_painting:
            self._add(frame)

    def _add_callers(self, frame: FrameType | None) -> None:
        while frame is not None:
            if _is_ours(frame):
                self._add(frame)
            frame = frame.f_back

    def _add(self, frame: FrameType) -> None:
        self.files[str(Path(frame.f_code.co_filename).relative_to(ROOT))] = None


def _is_ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(str(ROOT / "posenc_"))


def main() -> None:
    """Print the files and how many there are."""
    window = open_window()
    for name, panel in window.panels.items():
        panel.setVisible(name == "waves")
    for number in (12, 10):
        type_d_model(window, number)
    path = EditPath(window.panels["waves"].figure)
    sys.setprofile(path.record)
    type_d_model(window, 14)
    sys.setprofile(None)
    print(*path.files, sep="\n")
    print(f"files passed: {len(path.files)}")


if __name__ == "__main__":
    main()
