"""Lines of the test summary: numbers of tried cases, and largest differences from reference numbers.

Each worker sends its counts to the process that prints the summary.
"""

from collections import Counter, defaultdict
from typing import Any

import pytest

COUNTED: Counter[str] = Counter()
"""Number of tries by kind."""

COMPARED: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
"""For each kind of comparison with another library, how many numbers and the largest difference, run by run."""


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the counts to the process that prints the summary."""
    output = getattr(session.config, "workeroutput", None)  # pytest-xdist's, in its workers
    if output is not None:
        output["tried"] = (dict(COUNTED), dict(COMPARED))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take what was tried in another process."""
    counted, compared = getattr(node, "workeroutput", {}).get("tried", ({}, {}))
    COUNTED.update(counted)
    for kind, found in compared.items():
        COMPARED[kind] += [tuple(run) for run in found]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell."""
    if COUNTED:
        terminalreporter.section("tried")
    for what, number in sorted(COUNTED.items()):
        terminalreporter.write_line(f"{number:>9,} {what}")
    if not COMPARED:
        return
    runs = [run for found in COMPARED.values() for run in found]
    terminalreporter.section("comparisons with torch and transformers")
    terminalreporter.write_line(
        f"{len(runs)} comparisons of {sum(size for size, _ in runs)} numbers; the largest difference of each kind:"
    )
    for kind, found in sorted(COMPARED.items()):
        largest = max(difference for _, difference in found)
        terminalreporter.write_line(f"  {kind:<72}{len(found):4}  {largest:.2g}")
