"""The program's start, as `main.py` does it, to the moment when all panels are painted for the first time.

Prints a line then, and ends; `startup.py` runs it. What the person's own settings remember is left alone.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from posenc_gui.start import environment


class PaintWatch:
    """Waits for the first paint of every panel that is shown, then ends the program."""

    def __init__(self, panels: set[object]) -> None:
        self._waiting = panels

    def painted(self, panel: object) -> None:
        """Let the last panel's pass of painting end before saying so."""
        from PySide6.QtCore import QTimer

        if panel in self._waiting:
            self._waiting.discard(panel)
            if not self._waiting:
                QTimer.singleShot(0, self._end)

    def _end(self) -> None:
        from PySide6.QtWidgets import QApplication

        print("painted", flush=True)
        QApplication.quit()


def main() -> None:
    """Check the machine, make the application and the window, and show it."""
    problem = environment.problem([], needs_display=True)
    if problem is not None:
        sys.exit(problem)
    from posenc_gui.look.qt import make_application

    application = make_application([])

    from posenc_gui.files.settings import Settings
    from posenc_gui.window.main_window import MainWindow

    with tempfile.TemporaryDirectory() as folder:
        window = MainWindow(Settings(Path(folder, "settings.json")))
        window.resize(1400, 900)
        window.show()
        watch = PaintWatch({panel for panel in window.panels.values() if panel.isVisible()})
        for panel in window.panels.values():
            panel.painted.connect(watch.painted)
        application.exec()


if __name__ == "__main__":
    main()
