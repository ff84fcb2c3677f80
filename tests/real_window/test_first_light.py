"""The program in a real window: typed to, exported from and closed by keyboard alone."""

import csv
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from desktop import ROOT, Desktop

pytestmark = pytest.mark.real_window

SENTENCE = "the cat sat on the mat"


def test_a_sentence_typed_and_a_width_changed_are_what_is_exported(desktop: Desktop, tmp_path: Path) -> None:
    desktop.start()
    desktop.wait_for_window("PosEnc")
    desktop.key("ctrl+a")  # the sentence has the keyboard from the start
    desktop.type(SENTENCE)
    desktop.key("alt+d")  # d_model
    desktop.key("ctrl+a")
    desktop.type("4")
    desktop.key("Return")

    desktop.key("ctrl+shift+e")
    desktop.wait_for_window("Export")
    desktop.key("alt+c")  # CSV: numbers are ticked by hand
    desktop.key("alt+f")  # the folder
    desktop.key("ctrl+a")
    desktop.type(str(tmp_path / "numbers"))
    desktop.key("Return")
    exported = desktop.wait_for_file(tmp_path / "numbers" / "vectors.csv")

    with exported.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["token", "position", "0", "1", "2", "3"]
    assert [row[0] for row in rows] == SENTENCE.split()
    assert [int(row[1]) for row in rows] == list(range(len(rows)))
    for position, row in enumerate(rows):
        slow = position / 10000 ** (2 / 4)
        exact = [math.sin(position), math.cos(position), math.sin(slow), math.cos(slow)]
        assert [float(cell) for cell in row[2:]] == pytest.approx(exact, rel=0, abs=2e-7)

    desktop.wait_for_window("PosEnc")
    desktop.key("ctrl+s")
    desktop.wait_for_window("Save as")
    desktop.key("ctrl+a")
    desktop.type(str(tmp_path / "cat"))
    desktop.key("Return")
    session = desktop.wait_for_file(tmp_path / "cat.posenc")
    assert json.loads(session.read_text(encoding="utf-8"))["sentence"] == SENTENCE
    desktop.wait_for_window("cat.posenc — PosEnc")
    desktop.key("ctrl+q")
    assert desktop.wait_for_end() == (0, "")


@pytest.mark.parametrize("desktop", [(1024, 700)], indirect=True)
def test_the_window_fits_a_small_screen_and_closes_by_keyboard(desktop: Desktop) -> None:
    desktop.start()
    left, top, width, height = desktop.frame(desktop.wait_for_window("PosEnc"))
    assert left >= 0
    assert top >= 0
    assert left + width <= 1024
    assert top + height <= 700
    desktop.key("ctrl+q")
    assert desktop.wait_for_end() == (0, "")


def test_the_window_manager_can_close_the_window(desktop: Desktop) -> None:
    desktop.start()
    desktop.wait_for_window("PosEnc")
    desktop.close()
    assert desktop.wait_for_end() == (0, "")


SHOW = """
import sys
from pathlib import Path
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication
from posenc_gui.look.qt import make_application
application = make_application([])
from posenc_gui.files.settings import Settings
from posenc_gui.window.main_window import MainWindow
window = MainWindow(Settings(Path(sys.argv[1])))
print(QFontInfo(QApplication.font()).pixelSize())
"""


def test_the_size_of_the_desktops_text_is_followed(desktop: Desktop, tmp_path: Path) -> None:
    (tmp_path / "kdeglobals").write_text("[General]\nfont=Sans,16,-1,5,50,0,0,0,0,0\n", encoding="utf-8")
    kde = {"XDG_CURRENT_DESKTOP": "KDE", "KDE_FULL_SESSION": "true", "KDE_SESSION_VERSION": "5"}
    environment = {**desktop.environment, **kde, "XDG_CONFIG_HOME": str(tmp_path)}
    command = [sys.executable, "-c", SHOW, str(tmp_path / "settings.json")]
    shown = [
        subprocess.run(command, env=each, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for each in (desktop.environment, environment)
    ]
    assert [int(px) for px in shown] == [13, round(13 * 21 / 15)]  # 16 points are 21 pixels
