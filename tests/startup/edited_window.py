"""The real program with a scripted user: edits, idles, asks a question, or exports.

    edited_window.py editing|idle|asking|exporting|saved|lesson|waiting FOLDER

Prints the number of each edit, which is the first word of the sentence; ``waiting`` edits nothing, and ends with the
names of the panels once those of all workspaces are there.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QMessageBox

from posenc_core import Document, Sinusoidal
from posenc_gui.export.job import ExportJob, write_files
from posenc_gui.export.page import PictureOptions
from posenc_gui.panels import WORKSPACES, first_panels
from posenc_gui.start.launch import main
from posenc_gui.window import main_window

DOING, FOLDER = sys.argv[1], Path(sys.argv[2])
LARGE = Document("w " * 60_000, encoding=Sinusoidal(4096))


class Window(main_window.MainWindow):
    """The program's window with somebody in front of it."""

    number = 0

    def showEvent(self, event):
        super().showEvent(event)
        self.turn = QTimer(self, interval=0)
        self.turn.timeout.connect(self.wait if DOING == "waiting" else self.act)
        self.turn.start()

    def wait(self):
        if len(self.panels) == len({name for workspace in WORKSPACES for name in first_panels(workspace)}):
            sys.stdout.write(" ".join(sorted(self.panels)))
            self.turn.stop()
            self.close()

    def act(self):
        self.number += 1
        self.store.edit("sentence", f"{self.number} typed")
        if DOING == "lesson":
            self.commands.story.take_lesson(self.commands.story.lessons.lessons[0].name)
            self.store.edit("sentence", "tried")
        if DOING == "saved":
            self.store.mark_saved()
        sys.stdout.write(f"{self.number}\n")
        sys.stdout.flush()
        if DOING != "editing":
            self.turn.stop()
        if DOING == "asking":
            QMessageBox(self).exec()
        if DOING == "exporting":
            job = ExportJob(LARGE, None, {}, (), ("csv",), PictureOptions())
            list(write_files(job, FOLDER, lambda *_: QCoreApplication.processEvents() or True))


main_window.MainWindow = Window
sys.exit(main([]))
