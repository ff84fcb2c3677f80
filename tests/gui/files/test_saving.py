"""A disk that fails while a session is saved: one sentence, the older session intact, and no file beside it."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from posenc_core import Document, Sinusoidal
from posenc_gui.files.atomic import temporary_file, writing
from posenc_gui.files.errors import FileError
from posenc_gui.files.session import open_session, save_session

ROOT = Path(__file__).parents[3]
OLDER, NEWER = Document("older"), Document("newer", encoding=Sinusoidal(12))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "sessions" / "mine.posenc"
    path.parent.mkdir()
    save_session(OLDER, path)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(FileError) as caught:
        save_session(NEWER, path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def is_saved(path: Path, document: Document) -> bool:
    return open_session(path) == document and [each.name for each in path.parent.iterdir()] == [path.name]


def is_untouched(path: Path) -> bool:
    return is_saved(path, OLDER)


def fail(monkeypatch: pytest.MonkeyPatch, name: str, number: int) -> None:
    """Let calls of this function of the system fail with this error."""

    def failing(*_arguments: object, **_named: object) -> object:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, name, failing)


def test_a_saved_session_stands_alone(path: Path) -> None:
    save_session(NEWER, path)
    assert open_session(path) == NEWER
    assert [each.name for each in path.parent.iterdir()] == ["mine.posenc"]


def test_the_older_session_stays_in_its_place_until_the_new_one_is_proven(path: Path) -> None:
    seen = []

    def prove(written: Path) -> None:
        seen.append((open_session(written), open_session(path)))

    with writing(path, prove) as stream:
        stream.write(NEWER.to_json().encode())
    assert seen == [(NEWER, OLDER)]
    assert [each.name for each in path.parent.iterdir()] == ["mine.posenc"]


@pytest.mark.parametrize("failure", [ValueError("half of it"), OSError(errno.EIO, "input/output error")])
def test_a_session_that_cannot_be_read_again_does_not_replace_the_older_one(path: Path, failure: Exception) -> None:
    def prove(written: Path) -> None:
        raise failure

    with pytest.raises(FileError, match=r"cannot write .*mine\.posenc: "), writing(path, prove) as stream:
        stream.write(b"damaged on the way")
    assert is_untouched(path)
    with pytest.raises(FileError), writing(path.with_name("new.posenc"), prove) as stream:
        stream.write(b"damaged on the way")
    assert is_untouched(path)


def test_a_disk_that_changes_the_content_is_detected(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda each: real(each)[:-1])
    assert refusal(path).endswith("mine.posenc: the written file cannot be read again")
    monkeypatch.undo()
    assert is_untouched(path)


def test_a_disk_that_cannot_replace_files_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fail(monkeypatch, "replace", errno.EEXIST)
    assert refusal(path).endswith("mine.posenc: this disk cannot replace a file; use another name")
    assert is_untouched(path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks open files by itself")
@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOTSUP])
def test_a_disk_without_locks_takes_sessions(path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def failing(*_arguments: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", failing)
    save_session(NEWER, path)
    assert is_saved(path, NEWER)


@pytest.mark.parametrize(
    ("name", "number", "reason"),
    [
        ("open", errno.EACCES, "permission is denied"),
        ("open", errno.EROFS, "the disk is read-only"),
        ("fsync", errno.ENOSPC, "the disk is full"),
        ("fsync", errno.EDQUOT, "the disk space allotted to you is used up"),
        ("fsync", errno.EIO, "input/output error"),
        ("replace", errno.EACCES, "permission is denied"),
    ],
)
def test_every_failure_leaves_the_older_session(
    path: Path, monkeypatch: pytest.MonkeyPatch, name: str, number: int, reason: str
) -> None:
    fail(monkeypatch, name, number)
    said = refusal(path)
    monkeypatch.undo()
    assert said.endswith(f"mine.posenc: {reason}")
    assert is_untouched(path)


def test_a_session_larger_than_the_disk_is_reported(path: Path) -> None:
    """The kernel stops the file at 64 kB, in a process of its own, since the limit cannot be raised again."""
    program = """
import resource, sys
from pathlib import Path
from posenc_core import Document
from posenc_gui.files.errors import FileError
from posenc_gui.files.session import save_session
resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
try:
    save_session(Document("long " * 30_000), Path(sys.argv[1]))
except FileError as error:
    print(error)
"""
    process = subprocess.run(
        [sys.executable, "-c", program, str(path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert process.stdout == f"cannot write {path}: the file would be larger than the system allows\n"
    assert is_untouched(path)


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="modes of folders are POSIX's")
def test_a_read_only_folder_is_reported() -> None:
    """In a process of its own, which gives up being root where it is: root may write everywhere."""
    program = """
import os, sys
from pathlib import Path
from posenc_core import Document
from posenc_gui.files.errors import FileError
from posenc_gui.files.session import save_session
if os.geteuid() == 0:
    os.setuid(65534)
try:
    save_session(Document("newer"), Path(sys.argv[1]))
except FileError as error:
    print(error)
"""
    with TemporaryDirectory() as folder:
        path = Path(folder, "sessions", "mine.posenc")
        path.parent.mkdir()
        save_session(OLDER, path)
        Path(folder).chmod(0o755)
        path.chmod(0o666)
        path.parent.chmod(0o555)
        process = subprocess.run(
            [sys.executable, "-c", program, str(path)], cwd=ROOT, capture_output=True, text=True, check=True
        )
        path.parent.chmod(0o755)
        assert process.stdout == f"cannot write {path}: permission is denied\n"
        assert is_untouched(path)


def test_a_removed_folder_is_reported(path: Path) -> None:
    shutil.rmtree(path.parent)
    assert refusal(path) == f"cannot write {path}: the folder {path.parent} does not exist"
    assert not path.parent.exists()


def test_a_folder_removed_during_the_writing_is_reported(path: Path) -> None:
    with pytest.raises(FileError, match=r"cannot write .*mine\.posenc: the folder .* does not exist"), writing(path):
        shutil.rmtree(path.parent)


def test_a_link_stays_one_and_its_temporary_file_lies_beside_the_session(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.posenc"
    link.symlink_to(path)
    with writing(link) as stream:
        assert {each.name for each in path.parent.iterdir()} == {path.name, temporary_file(path).name}
        stream.write(NEWER.to_json().encode())
    assert link.is_symlink()
    assert open_session(path) == NEWER
    assert {each.name for each in tmp_path.iterdir()} == {"link.posenc", "sessions"}


@pytest.mark.parametrize("name", ["mine", "x" * 240 + ".posenc", "ü" * 120 + ".posenc", "a.b.very-long-suffix"])
def test_every_name_has_a_temporary_file_that_the_disk_takes(tmp_path: Path, name: str) -> None:
    save_session(OLDER, tmp_path / name)
    save_session(NEWER, tmp_path / name)
    assert len(temporary_file(tmp_path / name).name.encode()) < 256
    assert is_saved(tmp_path / name, NEWER)
