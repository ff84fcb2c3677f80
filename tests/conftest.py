"""How the property tests search: always bounded, and always the same in continuous integration."""

import os
from collections.abc import Callable

import pytest
import tried
from hypothesis import HealthCheck, settings

import posenc_gui.panels  # noqa: F401 - documents may hold their options from now on

settings.register_profile(
    "posenc",
    max_examples=40,
    deadline=None,  # a busy machine is no error
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("posenc")


@pytest.fixture(scope="session")
def count() -> Callable[[str, int], None]:
    """Adds to what the summary tells: ``count("files mutated", 2000)``."""

    def add(what: str, number: int) -> None:
        tried.COUNTED[what] += number

    return add


def pytest_configure(config: pytest.Config) -> None:
    """Let the summary tell what was tried."""
    config.pluginmanager.register(tried)
