"""Killed at many moments while it edits and saves, the program always starts again with a whole session."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from processes import wait_for

from posenc_core import Document
from posenc_gui.files.recovery import Recovery

DRIVER = Path(__file__).with_name("killed.py")
WINDOW = Path(__file__).with_name("edited_window.py")

RUNS = (
    # kind, seed, moments, milliseconds between autosaves, longest life in seconds
    ("core", 1, 92, 30, 0.25),
    ("core", 2, 92, 30, 0.25),
    ("core", 3, 8, 1000, 3.0),  # the program's own interval
    ("window", 4, 8, 30, 0.6),
)


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither fork nor SIGKILL")
def test_whenever_it_is_killed_the_next_start_opens_a_whole_session(
    tmp_path: Path, count: Callable[[str, int], None]
) -> None:
    """The saved file is whole and never older than the last save, what was written aside is there and whole, and
    nothing else is left beside them once it was restored; all that is checked by the driver.
    """
    commands = [
        [sys.executable, str(DRIVER), kind, str(tmp_path / str(seed)), *map(str, (seed, moments, interval, longest))]
        for kind, seed, moments, interval, longest in RUNS
    ]
    drivers = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for command in commands]
    reports = []
    for driver in drivers:
        out, errors = driver.communicate()
        assert driver.returncode == 0, errors.decode()
        reports.append(json.loads(out))
    moments = sum(run[2] for run in RUNS)
    assert sum(report["moments"] for report in reports) == moments
    for what, least in (("typed", moments // 5), ("saved", moments // 5), ("written", moments // 5), ("restored", 0)):
        assert sum(report[what] for report in reports) > least, reports  # a busy machine saves before it is killed
    count("moments at which the program was killed", sum(report["moments"] for report in reports))
    count("starts after a kill that restored unsaved work", sum(report["restored"] for report in reports))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_killed_in_a_lesson_the_own_document_is_kept_with_the_lessons(tmp_path: Path) -> None:
    """The real window edits, takes a lesson, edits its document, and is killed once both are on the disk."""
    folders = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_DATA_HOME": str(tmp_path / "data")}
    process = subprocess.Popen(
        [sys.executable, str(WINDOW), "lesson", str(tmp_path)],
        env={**os.environ, **folders},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    wait_for(lambda: any((tmp_path / "data").rglob("recovery/*.posenc")), process)
    process.kill()
    process.communicate()
    (kept,) = (tmp_path / "data").rglob("recovery/*.posenc")
    assert Document.from_json(kept.read_bytes()).sentence == "1 typed"  # earlier versions restore it too
    (left,) = Recovery(kept.parent).left()
    assert left.document == Document("1 typed")
    assert left.lesson is not None
    assert left.lesson.sentence == "tried"
    left.discard()
