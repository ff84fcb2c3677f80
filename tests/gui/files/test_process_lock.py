"""A lock lasts as long as its process, whatever the machine is called and whoever has the process's number later."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile

from posenc_gui.files.process_lock import ProcessLock

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the processes are killed")

ROOT = Path(__file__).parents[3]

HOLD = """
import errno, fcntl, os, sys
from pathlib import Path
from PySide6.QtCore import QLockFile
from posenc_gui.files.process_lock import ProcessLock
def failing(*arguments):
    raise OSError(errno.ENOLCK, "no locks")
path, how = Path(sys.argv[1]), sys.argv[2]
if how == "without locks":
    fcntl.flock = failing
if how == "version 0.1":
    lock = QLockFile(str(path))
    lock.setStaleLockTime(0)
    assert lock.tryLock(0)
else:
    lock = ProcessLock.taken(path)
    assert lock is not None
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def holder(path: Path, how: str = "") -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock until it is killed."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", HOLD, str(path), how]
    with subprocess.Popen(
        command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "1-a.lock"


@pytest.fixture
def without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk knows no locks."""

    def failing(*_arguments: object) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr("fcntl.flock", failing)


def taken_and_released(path: Path) -> bool:
    lock = ProcessLock.taken(path)
    if lock is not None:
        lock.unlock()
        assert not path.exists()
    return lock is not None


def test_a_free_lock_is_taken_once(path: Path) -> None:
    lock = ProcessLock.taken(path)
    assert lock is not None
    assert ProcessLock.taken(path) is None
    assert path.exists()
    lock.unlock()
    assert not path.exists()
    assert taken_and_released(path)


@pytest.mark.parametrize("how", ["", "version 0.1"])
def test_a_lock_is_held_until_its_process_dies(path: Path, how: str) -> None:
    with holder(path, how) as process:
        assert not taken_and_released(path)
        process.kill()
        process.wait()
        assert path.exists(), "killed, it could not remove it"
        assert taken_and_released(path)


def test_a_process_that_nobody_has_buried_holds_no_lock(path: Path) -> None:
    """In a container whose first process asks for no other's end."""
    with holder(path) as process:
        os.kill(process.pid, signal.SIGKILL)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert taken_and_released(path)


LOCK_OF_0_1 = "{number}\n{name}\n{host}\n\n{boot}\n"


@pytest.mark.parametrize("host", ["another-host", "", "localhost"])
def test_neither_the_name_of_the_machine_nor_the_number_of_the_process_matters(path: Path, host: str) -> None:
    """A container without a machine-id was started anew: a process of the same number and name lives there."""
    boot = Path("/proc/sys/kernel/random/boot_id")
    for number in (os.getpid(), os.getppid(), 1, 1_999_999):
        path.write_text(
            LOCK_OF_0_1.format(
                number=number,
                name=Path(sys.executable).name,
                host=host,
                boot=boot.read_text().strip() if boot.exists() else "",
            )
        )
        assert taken_and_released(path)


def test_version_0_1_takes_no_lock_of_a_living_process(path: Path) -> None:
    with holder(path):
        old = QLockFile(str(path))
        old.setStaleLockTime(0)
        assert not old.tryLock(0)


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="when a process started is told in /proc")


@linux
@pytest.mark.usefixtures("without_locks")
def test_on_a_disk_without_locks_the_living_process_is_recognised(path: Path) -> None:
    with holder(path, "without locks") as process:
        assert ProcessLock.taken(path) is None
        os.kill(process.pid, signal.SIGKILL)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        lock = ProcessLock.taken(path)
        assert lock is not None, "dead, though not buried"
        assert ProcessLock.taken(path) is None
        lock.unlock()


@linux
@pytest.mark.usefixtures("without_locks")
def test_on_a_disk_without_locks_another_process_of_the_same_number_holds_nothing(path: Path) -> None:
    """The other process has another start time."""
    with holder(path, "without locks") as process:
        number, started, boot = path.read_text().split(" ")
        assert number == str(process.pid)
        for told in (
            f"{number} {int(started) - 1} {boot}",
            f"{number} {started} {boot.replace(boot[0], 'x')}",
            f"1999999 {started} {boot}",
            "no lock of this program",
            f"{'9' * 199} 1 1",
            "",
        ):
            path.write_text(told)
            assert taken_and_released(path)


OTHERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "pipe": (os.mkfifo, "it is a device or a pipe, not a file"),
    "folder": (Path.mkdir, "it is a folder"),
    "link": (lambda path: path.symlink_to("file"), "it is a link"),
    "link nowhere": (lambda path: path.symlink_to("nowhere"), "it is a link"),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_something_else_of_its_name_is_no_lock_and_stays(path: Path, kind: str) -> None:
    make, reason = OTHERS[kind]
    path.with_name("file").write_bytes(b"another's")
    make(path)
    with pytest.raises(ValueError, match=reason):
        ProcessLock.taken(path)
    assert path.with_name("file").read_bytes() == b"another's"
    assert not path.with_name("nowhere").exists()


def test_a_lock_that_another_process_removes_in_this_moment_is_not_taken(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    real = fcntl.flock

    def remove_first(descriptor: int, how: int) -> None:
        path.unlink(missing_ok=True)
        real(descriptor, how)

    monkeypatch.setattr("fcntl.flock", remove_first)
    assert ProcessLock.taken(path) is None
    assert not path.exists()


def test_an_own_lock_is_taken_though_another_start_locks_and_removes_its_new_file(path: Path) -> None:
    """The other start searches for dead processes and finds the file between its creation and its lock."""
    other = ProcessLock.taken(path)
    assert other is not None
    waits = []

    def let_go(seconds: float) -> None:
        if not waits:
            other.unlock()
        waits.append(seconds)

    lock = ProcessLock.own(path, wait=let_go)
    assert len(waits) == 1
    assert path.exists()
    assert ProcessLock.taken(path) is None, "it is locked"
    lock.unlock()


def test_an_own_lock_that_another_process_keeps_is_refused_in_a_sentence(path: Path) -> None:
    with holder(path), pytest.raises(ValueError, match="another process keeps it locked"):
        ProcessLock.own(path, wait=lambda _seconds: None)
