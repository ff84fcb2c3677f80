"""Films and pages for which the disk has no space, by a limit of the kernel: one sentence, and no file is left."""

import subprocess
import sys
from pathlib import Path

import pytest
from installed import ROOT

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
