"""The desktop on which the real-window tests work."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from desktop import Desktop


@pytest.fixture
def desktop(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desktop]:
    """A screen of 1440 x 900, or of the size given by indirect parametrization, with nothing on it yet."""
    screen = Desktop(tmp_path, getattr(request, "param", (1440, 900)))
    yield screen
    screen.end()
