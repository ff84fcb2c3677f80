"""How the property tests search: always bounded, and always the same in continuous integration."""

import os
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "posenc",
    max_examples=40,
    deadline=None,  # a busy machine is no error
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("posenc")

_COUNTED: Counter[str] = Counter()


@pytest.fixture(scope="session")
def count() -> Callable[[str, int], None]:
    """Adds to what the summary tells: ``count("files mutated", 2000)``."""

    def add(what: str, number: int) -> None:
        _COUNTED[what] += number

    return add


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How much was tried, beside how many tests passed."""
    if _COUNTED:
        terminalreporter.section("tried")
    for what, number in sorted(_COUNTED.items()):
        terminalreporter.write_line(f"{number:>9,} {what}")
