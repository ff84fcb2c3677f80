"""Saving where the disk does not do as it should: a sentence, the older session intact, and nothing beside it."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from posenc_core import Document, Sinusoidal
from posenc_gui.files import atomic as atomic_file
from posenc_gui.files.atomic import FileError, writing
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


def is_untouched(path: Path) -> bool:
    return open_session(path) == OLDER and [each.name for each in path.parent.iterdir()] == [path.name]


def fail(monkeypatch: pytest.MonkeyPatch, name: str, number: int) -> None:
    """Let calls of this function of the system fail with this error."""

    def failing(*_arguments: object, **_named: object) -> object:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, name, failing)


def test_a_saved_session_stands_alone(path: Path) -> None:
    save_session(NEWER, path)
    assert open_session(path) == NEWER
    assert [each.name for each in path.parent.iterdir()] == ["mine.posenc"]


def test_the_older_session_stays_beside_the_new_one_until_that_is_proven(path: Path) -> None:
    seen = []

    def prove(written: Path) -> None:
        seen.append((open_session(written), {open_session(each).sentence for each in path.parent.iterdir()}))

    with writing(path, prove) as stream:
        stream.write(NEWER.to_json().encode())
    assert seen == [(NEWER, {"older", "newer"})]
    assert [each.name for each in path.parent.iterdir()] == ["mine.posenc"]


@pytest.mark.parametrize("failure", [ValueError("half of it"), OSError(errno.EIO, "input/output error")])
def test_what_cannot_be_read_again_gives_way_to_the_older_session(path: Path, failure: Exception) -> None:
    def prove(written: Path) -> None:
        raise failure

    with pytest.raises(FileError, match=r"cannot write .*mine\.posenc: "), writing(path, prove) as stream:
        stream.write(b"damaged on the way")
    assert is_untouched(path)
    with pytest.raises(FileError), writing(path.with_name("new.posenc"), prove) as stream:
        stream.write(b"damaged on the way")
    assert is_untouched(path)


def test_a_disk_that_changes_what_is_written_is_found_out(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda each: real(each)[:-1])
    assert refusal(path).endswith("mine.posenc: what was written cannot be read again")
    monkeypatch.undo()
    assert is_untouched(path)


def test_a_disk_that_cannot_replace_files(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fail(monkeypatch, "replace", errno.EEXIST)
    assert refusal(path).endswith("mine.posenc: this disk cannot replace a file; use another name")
    assert is_untouched(path)


def test_a_disk_without_second_names_is_given_a_copy(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fail(monkeypatch, "link", errno.EPERM)
    save_session(NEWER, path)
    assert open_session(path) == NEWER
    assert [each.name for each in path.parent.iterdir()] == ["mine.posenc"]


def test_a_disk_that_is_full_before_the_older_session_is_copied(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fail(monkeypatch, "link", errno.EPERM)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copy2", full)
    assert refusal(path).endswith("mine.posenc: the disk is full")
    assert is_untouched(path)


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
def test_whatever_fails_the_older_session_stays(
    path: Path, monkeypatch: pytest.MonkeyPatch, name: str, number: int, reason: str
) -> None:
    fail(monkeypatch, name, number)
    said = refusal(path)
    monkeypatch.undo()
    assert said.endswith(f"mine.posenc: {reason}")
    assert is_untouched(path)


def test_a_session_larger_than_there_is_room(path: Path) -> None:
    """The kernel stops the file at 64 kB, in a process of its own, since the limit cannot be raised again."""
    program = """
import resource, sys
from pathlib import Path
from posenc_core import Document
from posenc_gui.files.atomic import FileError
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
def test_a_folder_that_is_read_only() -> None:
    """In a process of its own, which gives up being root where it is: root may write everywhere."""
    program = """
import os, sys
from pathlib import Path
from posenc_core import Document
from posenc_gui.files.atomic import FileError
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


def test_a_folder_that_was_removed(path: Path) -> None:
    shutil.rmtree(path.parent)
    assert refusal(path) == f"cannot write {path}: the folder {path.parent} does not exist"
    assert not path.parent.exists()


def test_a_folder_removed_while_the_session_is_written(path: Path) -> None:
    with pytest.raises(FileError, match=r"cannot write .*mine\.posenc: the folder .* does not exist"), writing(path):
        shutil.rmtree(path.parent)


def test_a_link_stays_one_and_its_backup_lies_beside_the_file(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.posenc"
    link.symlink_to(path)
    save_session(NEWER, link)
    assert link.is_symlink()
    assert open_session(path) == NEWER
    assert {each.name for each in tmp_path.iterdir()} == {"link.posenc", "sessions"}


@pytest.mark.parametrize("name", ["mine", "x" * 240 + ".posenc", "ü" * 120 + ".posenc", "a.b.very-long-suffix"])
def test_every_name_has_a_backup_that_the_disk_takes(tmp_path: Path, name: str) -> None:
    save_session(OLDER, tmp_path / name)
    save_session(NEWER, tmp_path / name)
    assert len(atomic_file.backup(tmp_path / name).name.encode()) < 256
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert open_session(tmp_path / name) == NEWER
