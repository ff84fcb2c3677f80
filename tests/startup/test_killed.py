"""Killed at two hundred moments while it edits and saves, the program always starts again with a whole session."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

DRIVER = Path(__file__).with_name("killed.py")

RUNS = (
    # kind, seed, moments, milliseconds between autosaves, longest life in seconds
    ("core", 1, 92, 30, 0.25),
    ("core", 2, 92, 30, 0.25),
    ("core", 3, 8, 1000, 3.0),  # the program's own interval
    ("window", 4, 8, 30, 0.6),
)
MOST_LOST_SECONDS = 2.0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither fork nor SIGKILL")
def test_whenever_it_is_killed_the_next_start_opens_a_whole_session(
    tmp_path: Path, count: Callable[[str, int], None]
) -> None:
    """The saved file is whole and never older than the last save, the work kept aside is whole and hardly older than
    the kill, and nothing else is left beside them once it was restored; all that is checked by the driver.
    """
    commands = [
        [sys.executable, str(DRIVER), kind, str(tmp_path / str(seed)), *map(str, (seed, moments, interval, longest))]
        for kind, seed, moments, interval, longest in RUNS
    ]
    drivers = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for command in commands]
    reports = []
    for driver in drivers:
        out, errors = driver.communicate(timeout=300)
        assert driver.returncode == 0, errors.decode()
        reports.append(json.loads(out))
    assert sum(report["moments"] for report in reports) == 200
    assert all(report["typed"] > 0 for report in reports)
    assert sum(report["saved"] for report in reports) > 100
    assert sum(report["restored"] for report in reports) > 40
    assert max(report["lost_seconds"] for report in reports) < MOST_LOST_SECONDS
    count("moments at which the program was killed", sum(report["moments"] for report in reports))
    count("starts after a kill that restored unsaved work", sum(report["restored"] for report in reports))
