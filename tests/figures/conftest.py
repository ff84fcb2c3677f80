"""The application that figures are drawn with: without a window, with the program's fonts."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def application(qapp) -> None:
    """Makes the application before the first figure."""
