"""Films and pages by the command: whole files; without space on the disk one sentence, and no file is left."""

import subprocess
import sys
from pathlib import Path

import pytest
from installed import ROOT
from PIL import Image

from posenc_core import Document, Rotary
from posenc_gui.files import open_session
from posenc_gui.film import FILM_FORMATS

LIMITED = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
sys.argv = sys.argv[1:]
sys.path[0] = sys.argv[0].removesuffix("main.py")
runpy.run_path(sys.argv[0], run_name="__main__")
"""
FILM = ("--panel", "waves", "--film", "sweep:base=10..1e4", "--seconds", "0.2", "--scale", "1")
FILES = {**{f"waves.{format}": FILM for format in FILM_FORMATS}, "page.html": ("--sentence", "Dan loves icecream")}


def test_a_page_and_a_film_are_written_with_the_session_of_the_flags(command, tmp_path: Path) -> None:
    wanted = Document("two words", encoding=Rotary(8))
    words = ("--sentence", "two words", "--family", "rotary", "--head-dim", "8", "--out", str(tmp_path / "made"))
    page = command("export", *words, "--format", "html")
    assert (page.returncode, page.stdout, page.stderr) == (0, f"{tmp_path / 'made' / 'page.html'}\n", "")
    assert open_session(tmp_path / "made" / "page.html") == wanted
    sweep = ("--film", "sweep:rope_theta=1e3..1e6", "--seconds", "0.2", "--scale", "1", "--panel", "waves")
    film = command("export", *words, *sweep, "--format", "apng")
    assert (film.returncode, film.stdout, film.stderr) == (0, f"{tmp_path / 'made' / 'waves.apng'}\n", "")
    assert open_session(tmp_path / "made" / "waves.apng") == wanted.edited("rope_theta", 1000.0)
    with Image.open(tmp_path / "made" / "waves.apng") as opened:
        assert opened.n_frames == 4


@pytest.mark.one_of(6)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no file")
@pytest.mark.parametrize("name", FILES)
def test_a_file_without_space_is_refused_in_one_sentence_and_the_older_one_is_left(tmp_path: Path, name: str) -> None:
    folder, temporary = tmp_path / "films", tmp_path / "temporary"
    for each in (folder, temporary):
        each.mkdir()
    (folder / name).write_bytes(b"older")
    words = ("export", *FILES[name], "--quiet", "--format", name.partition(".")[2], "--out", str(folder))
    done = subprocess.run(
        [sys.executable, "-B", "-c", LIMITED, str(ROOT / "main.py"), *words],
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(("cannot write ", "mp4 needs the program ffmpeg"))
    assert [(path.name, path.read_bytes()) for path in folder.iterdir()] == [(name, b"older")]
    assert not list(temporary.iterdir())
