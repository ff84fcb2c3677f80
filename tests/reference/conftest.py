"""Comparisons with torch and transformers: run where ``pip install -e ".[test,reference]"`` has brought them.

Without them nothing here is collected, so that the tests of a plain installation neither skip nor fail.
"""

from collections import defaultdict
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from comparing import Compare

if find_spec("torch") is None or find_spec("transformers") is None:
    collect_ignore_glob = ["test_*.py"]

_found: dict[str, list[tuple[int, float]]] = defaultdict(list)


@pytest.fixture
def compare() -> Compare:
    """Asserts that ours is theirs within ``tolerance`` and keeps the largest difference for the summary."""

    def compared(kind: str, ours: Any, theirs: Any, tolerance: Any, *, relative: bool = False) -> None:
        ours, theirs = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
        assert ours.shape == theirs.shape
        difference = np.abs(ours - theirs)
        if relative:
            difference = difference / np.where(ours == 0, 1, np.abs(ours))
        _found[kind].append((ours.size, float(difference.max())))
        assert np.all(difference <= tolerance), f"{kind}: differs by {difference.max():.3g}"

    return compared


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many comparisons ran, and the largest difference of each kind."""
    if not _found:
        return
    runs = sum(len(found) for found in _found.values())
    numbers = sum(size for found in _found.values() for size, _ in found)
    terminalreporter.section("comparisons with torch and transformers")
    terminalreporter.write_line(f"{runs} comparisons of {numbers} numbers; the largest difference of each kind:")
    for kind, found in _found.items():
        largest = max(difference for _, difference in found)
        terminalreporter.write_line(f"  {kind:<72}{len(found):4}  {largest:.2g}")
