"""Only regular files are opened, at once, whatever else has their name."""

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from posenc_core.fields import open_regular, regular_descriptor

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes and devices among its files")

NO_FILE = "it is a device or a pipe, not a file"

WRITING = os.O_WRONLY | os.O_APPEND | os.O_CREAT


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


OTHERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "pipe": (os.mkfifo, NO_FILE),
    "folder": (Path.mkdir, "it is a folder"),
    "socket": (a_socket, NO_FILE),
    "endless device": (lambda path: path.symlink_to("/dev/zero"), NO_FILE),
    "full device": (lambda path: path.symlink_to("/dev/full"), NO_FILE),
}


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("flags", [os.O_RDONLY, WRITING, os.O_RDWR | os.O_CREAT], ids=["read", "append", "both"])
@pytest.mark.parametrize("linked", [False, True])
def test_anything_else_is_refused_without_a_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, flags: int, linked: bool
) -> None:
    make, reason = OTHERS[kind]
    monkeypatch.chdir(tmp_path)  # a socket's name must be short
    make(Path("other"))
    Path("link").symlink_to("other")
    with pytest.raises(ValueError, match=f"^{reason}$"):
        regular_descriptor("link" if linked else "other", flags)


def test_a_regular_file_is_read_from_its_beginning(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to("file")
    for name in ("file", "link"):
        with open_regular(tmp_path / name) as stream:
            assert stream.read() == b"content"
            assert not os.get_inheritable(stream.fileno())


def test_a_missing_file_is_created_only_on_request(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "file")
    with os.fdopen(regular_descriptor(tmp_path / "file", WRITING), "ab") as stream:
        stream.write(b"a line")
    assert (tmp_path / "file").read_bytes() == b"a line"


def test_a_pipe_that_takes_the_place_of_a_file_is_refused_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the moment after the file was looked at."""
    (tmp_path / "file").write_bytes(b"content")
    real = Path.stat

    def look(path: Path) -> os.stat_result:
        found = real(path)
        path.unlink()
        os.mkfifo(path)
        return found

    monkeypatch.setattr(Path, "stat", look)
    n_open = len(list(Path("/dev/fd").iterdir()))
    with pytest.raises(ValueError, match=f"^{NO_FILE}$"):
        open_regular(tmp_path / "file")
    assert len(list(Path("/dev/fd").iterdir())) == n_open
