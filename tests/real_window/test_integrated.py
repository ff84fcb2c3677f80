"""The files of ``posenc integrate``, by the programs of a desktop that read them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from desktop import ROOT, Desktop

pytestmark = pytest.mark.real_window

ID = "io.github.posenc.PosEnc"


@pytest.fixture
def data(desktop: Desktop) -> Path:
    """The folder of the user's data with the program's files."""
    subprocess.run(
        [sys.executable, str(ROOT / "main.py"), "integrate"], env=desktop.environment, check=True, capture_output=True
    )
    return Path(desktop.environment["HOME"]) / ".local" / "share"


def test_the_validators_of_the_desktop_find_no_fault(data: Path) -> None:
    entry = ["desktop-file-validate", str(data / "applications" / f"{ID}.desktop")]
    told = subprocess.run(entry, capture_output=True, text=True, check=False)
    assert (told.returncode, "warning" in told.stdout) == (0, False), told.stdout
    description = ["appstreamcli", "validate", "--no-net", str(data / "metainfo" / f"{ID}.metainfo.xml")]
    told = subprocess.run(description, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout


def test_the_description_of_a_release_has_no_fault(tmp_path: Path) -> None:
    address = {"GITHUB_SERVER_URL": "https://host", "GITHUB_REPOSITORY": "owner/name", "GITHUB_REF_NAME": "v1.2.3"}
    command = [sys.executable, str(ROOT / "tools" / "release.py"), "metainfo", "--out", str(tmp_path)]
    subprocess.run(command, env={**os.environ, **address}, check=True)
    description = ["appstreamcli", "validate", "--no-net", *map(str, tmp_path.iterdir())]
    told = subprocess.run(description, capture_output=True, text=True, check=False)
    assert (told.returncode, "W:" in told.stdout) == (0, False), told.stdout


def test_the_desktop_knows_the_type_of_a_session(data: Path) -> None:
    assert "50:application/x-posenc-session:*.posenc\n" in (data / "mime" / "globs2").read_text()
    cache = (data / "applications" / "mimeinfo.cache").read_text()
    assert f"application/x-posenc-session={ID}.desktop;\n" in cache


def test_the_window_belongs_to_the_entry_of_the_menu(desktop: Desktop, data: Path) -> None:
    desktop.start()
    window = desktop.wait_for_window("PosEnc")
    told = subprocess.run(
        ["xprop", "-id", window, "WM_CLASS"], env=desktop.environment, capture_output=True, text=True, check=True
    )
    names = told.stdout.partition("=")[2].replace('"', "").replace(",", " ").split()
    (line,) = [
        line
        for line in (data / "applications" / f"{ID}.desktop").read_text().splitlines()
        if line.startswith("StartupWMClass=")
    ]
    assert line.partition("=")[2] in names
    desktop.key("ctrl+q")
    assert desktop.wait_for_end() == (0, "")
