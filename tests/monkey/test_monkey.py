"""Two windows of one person, in each of which ten thousand random things are done."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from posenc_gui.panels import PANELS

DRIVER = Path(__file__).with_name("monkey.py")
SEEDS = (1, 2)
ACTIONS = 10_000
WARM_UP = 3_000
"""Actions after which caches are full, and every part of the program was loaded."""
MOST_MEGABYTES = 30
KEPT_BY_QT = 2
"""Helpers of layouts (``_is_a_layouts``) that may be left after ten thousand actions."""
KEPT_BY_SHIBOKEN = 4
"""Figures of exported pictures whose wrappers may outlive them, of about a thousand: Shiboken holds one now and then,
without a reference that Python's collector can see."""
KEPT_BY_A_THREAD = 1
"""Windows, with a figure for each panel: a worker thread holds the reporter of errors of the window that started it."""


def test_twenty_thousand_random_actions_harm_nothing(tmp_path: Path, count: Callable[[str, int], None]) -> None:
    """No error and no complaint of Qt, no memory that grows, and nothing left of a window that was closed."""
    monkeys = [
        subprocess.Popen(
            [sys.executable, "-W", "error", str(DRIVER), str(tmp_path / str(seed)), str(seed), str(ACTIONS)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for seed in SEEDS
    ]
    for monkey in monkeys:
        out, errors = monkey.communicate(timeout=900)
        assert monkey.returncode == 0, errors.decode()[-4000:]
        report = json.loads(out)
        assert not report["problems"], "\n".join(report["problems"])
        assert report["actions"] == ACTIONS
        assert report["families"] == report["all_families"]
        _holds_no_more(report["measured"])
        count("random actions in the window", ACTIONS)


def _holds_no_more(measured: list[dict[str, int]]) -> None:
    """After the warm-up every new window holds what the first one held."""
    warm = [each for each in measured if each["action"] >= WARM_UP]
    assert len(warm) >= 5
    first = warm[0]
    for each in warm[1:]:
        assert each["megabytes"] - first["megabytes"] <= MOST_MEGABYTES, measured
        kept = each["windows"] - first["windows"]
        assert kept <= KEPT_BY_A_THREAD, measured
        assert each["figures"] <= first["figures"] + KEPT_BY_SHIBOKEN + max(0, kept) * len(PANELS), measured
        assert each["widgets"] <= first["widgets"] + KEPT_BY_QT, measured
        assert each["documents"] <= first["documents"] + 5, measured
