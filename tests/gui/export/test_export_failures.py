"""Exports to disks that fail: one sentence, the older file as it was, and nothing beside it, in every format."""

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from posenc_core import Document
from posenc_gui.export.job import ExportJob, write_files
from posenc_gui.export.names import PICTURE_FORMATS
from posenc_gui.export.numbers import NUMBER_FORMATS
from posenc_gui.export.pictures import PictureOptions
from posenc_gui.files.errors import FileError

EVERY = (*PICTURE_FORMATS, *NUMBER_FORMATS)
DOCUMENT = Document("one two three " * 300)
"""Whose files are larger than the small disk."""

FAILURES = {
    "open-denied": ("open", errno.EACCES, "permission is denied"),
    "open-read-only": ("open", errno.EROFS, "the disk is read-only"),
    "full": ("fsync", errno.ENOSPC, "the disk is full"),
    "quota": ("fsync", errno.EDQUOT, "the disk space allotted to you is used up"),
    "broken": ("fsync", errno.EIO, "input/output error"),
    "cannot-replace": ("replace", errno.EEXIST, "this disk cannot replace a file; use another name"),
    "replace-denied": ("replace", errno.EACCES, "permission is denied"),
}


def job(format: str) -> ExportJob:
    panels = ("waves",) if format in PICTURE_FORMATS else ()
    return ExportJob(DOCUMENT, None, {}, panels, (format,), PictureOptions(scale=1))


def target(format: str, folder: Path) -> Path:
    (file,) = job(format).files()
    return folder / file.name


def refusal(format: str, folder: Path) -> str:
    with pytest.raises(FileError) as caught:
        list(write_files(job(format), folder, lambda _done, _path: True))
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("older", [True, False], ids=["over-an-older-file", "a-new-file"])
@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("format", EVERY)
def test_every_failure_leaves_the_older_export(
    qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str, failure: str, older: bool
) -> None:
    path = target(format, tmp_path)
    if older:
        path.write_bytes(b"mine")
    name, number, reason = FAILURES[failure]

    def failing(*_arguments: object, **_named: object) -> object:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, name, failing)
    said = refusal(format, tmp_path)
    monkeypatch.undo()
    assert said == f"cannot write {path}: {reason}"
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == ([(path.name, b"mine")] if older else [])


@pytest.mark.parametrize("format", EVERY)
def test_a_folder_removed_during_an_export_is_reported(qapp: object, tmp_path: Path, format: str) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()

    def watch(_done: float, _path: Path) -> bool:
        shutil.rmtree(folder, ignore_errors=True)
        return True

    with pytest.raises(FileError) as caught:
        list(write_files(job(format), folder, watch))
    path = target(format, folder)
    assert str(caught.value) == f"cannot write {path}: the folder {folder} does not exist"
    assert not folder.exists()


@pytest.mark.parametrize("format", NUMBER_FORMATS)
def test_a_folder_removed_between_rows_is_reported(tmp_path: Path, format: str) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()

    def watch(done: float, _path: Path) -> bool:
        if done > 0:
            shutil.rmtree(folder, ignore_errors=True)
        return True

    with pytest.raises(FileError, match=r"^cannot write .*: the folder .* does not exist$"):
        list(write_files(job(format), folder, watch))
    assert not folder.exists()


@pytest.mark.parametrize("format", EVERY)
def test_a_cancelled_export_leaves_the_older_file(qapp: object, tmp_path: Path, format: str) -> None:
    path = target(format, tmp_path)
    path.write_bytes(b"mine")
    assert list(write_files(job(format), tmp_path, lambda _done, _path: False)) == []
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [(path.name, b"mine")]


@pytest.fixture(scope="module")
def small_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A real disk of sixteen kilobytes, where the tests may make one."""
    folder = tmp_path_factory.mktemp("disk")
    mount = shutil.which("mount")
    made = mount and subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if not made or made.returncode:
        pytest.skip("only root may make a disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("format", EVERY)
def test_a_full_disk_is_reported_and_keeps_the_older_file(qapp: object, small_disk: Path, format: str) -> None:
    path = target(format, small_disk)
    path.write_bytes(b"mine")
    assert refusal(format, small_disk) == f"cannot write {path}: the disk is full"
    assert [(each.name, each.read_bytes()) for each in small_disk.iterdir()] == [(path.name, b"mine")]
    path.unlink()
