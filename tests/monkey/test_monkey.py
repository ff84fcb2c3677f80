"""Random actions in a window, some hundreds and ten thousand, in thorough runs."""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from posenc_gui.panels import PANELS

DRIVER = Path(__file__).with_name("monkey.py")
WARM_UP = 3_000
"""Actions after which caches are full, and every part of the program was loaded."""
MOST_MEGABYTES = 5
"""Growth per thousand actions, as the median: what is loaded or torn to pieces once raises a single step by tens of
megabytes, at another thousand in each run; what leaks raises each step."""
KEPT_BY_QT = 2
"""Helpers of layouts (``_is_a_layouts``) that may be left after ten thousand actions."""
KEPT_BY_SHIBOKEN = 4
"""Figures of exported pictures whose wrappers may outlive them, of about a thousand: Shiboken holds one now and then,
without a reference that Python's collector can see."""
KEPT_BY_A_THREAD = 1
"""Windows, with a figure for each panel and a document for each step of undo: a worker thread holds the reporter of
errors of the window that started it."""
KEPT_IN_CACHES = 20
"""Documents, of thousands of edits: caches of the last ones hold some more or fewer at each measurement."""
MOST_STEPS = 1_000
"""Steps of undo in a window, which lives for a thousand actions."""


pytestmark = pytest.mark.thorough

Count = Callable[[str, int], None]


def _reports(folder: Path, seeds: tuple[int, ...], n_actions: int) -> Iterator[dict[str, Any]]:
    """Final report of each window, after asserting that no error and no message of Qt came up."""
    with ExitStack() as running:
        for monkey in [_monkey(folder / str(seed), seed, n_actions, running) for seed in seeds]:
            out, errors = monkey.communicate()
            assert monkey.returncode == 0, errors.decode()[-4000:]
            report = json.loads(out)
            assert not report["problems"], "\n".join(report["problems"])
            assert report["actions"] == n_actions
            yield report


def _monkey(folder: Path, seed: int, n_actions: int, running: ExitStack) -> subprocess.Popen[bytes]:
    """A process that ends, at the latest, when ``running`` is left."""
    monkey = subprocess.Popen(
        [sys.executable, "-W", "error", str(DRIVER), str(folder), str(seed), str(n_actions)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "MALLOC_ARENA_MAX": "1"},  # pieces of each thread's heap are no growth
    )
    running.enter_context(monkey)
    running.callback(monkey.kill)
    return monkey


def test_hundreds_of_random_actions_harm_nothing(tmp_path: Path, count: Count) -> None:
    for _ in _reports(tmp_path, (3,), 300):
        count("random actions in the window", 300)


def test_thousands_of_random_actions_harm_nothing_and_leave_nothing(tmp_path: Path, count: Count) -> None:
    """No memory grows, and nothing is left of a window that was closed."""
    for report in list(_reports(tmp_path, (1, 2), 10_000)):
        assert len(report["families"]) >= 0.8 * len(report["all_families"]), report["families"]
        _holds_no_more(report["measured"])
        count("random actions in the window", 10_000)


def _holds_no_more(measured: list[dict[str, int]]) -> None:
    """Assert that after the warm-up every new window has as many objects as the first window."""
    warm = [each for each in measured if each["action"] >= WARM_UP]
    assert len(warm) >= 5
    first = warm[0]
    growth = statistics.median(after["megabytes"] - before["megabytes"] for before, after in pairwise(warm))
    assert growth <= MOST_MEGABYTES, measured
    for each in warm[1:]:
        kept = each["windows"] - first["windows"]
        assert kept <= KEPT_BY_A_THREAD, measured
        assert each["figures"] <= first["figures"] + KEPT_BY_SHIBOKEN + max(0, kept) * len(PANELS), measured
        assert each["widgets"] <= first["widgets"] + KEPT_BY_QT, measured
        assert each["documents"] <= first["documents"] + KEPT_IN_CACHES + max(0, kept) * MOST_STEPS, measured
