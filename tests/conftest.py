"""The surroundings of every test: the same fonts, screen and draws on every machine, and nothing left in memory."""

import locale
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import blas  # noqa: F401 - before numpy, which reads it once
import pytest
import tried
from amounts import is_usual_combination, rare_cases
from hypothesis import HealthCheck, settings
from hypothesis.internal.detection import is_hypothesis_test
from memory import delete_what_waits, forget, keep_one_heap, spare_what_stays
from patience import PatientBot
from PySide6.QtWidgets import QApplication

import posenc_gui.panels  # noqa: F401 - documents may hold the options of panels from now on

_HERE = Path(__file__).parent
_SCREEN = _HERE / "screen.json"

# Before Qt starts, here and in the processes that tests start: the program's fonts, a screen large enough for the
# window, with text of the usual size, and a folder for caches that can be written to, whatever the machine has. The
# colon after a drive's letter would end the screen's name: relative there.
for variable in [name for name in os.environ if name.startswith("QT_")]:
    del os.environ[variable]
os.environ["XDG_CACHE_HOME"] = str(Path(tempfile.gettempdir(), f"posenc-tests-{getattr(os, 'getuid', int)()}"))
if not locale.getencoding().lower().startswith("utf"):
    os.environ["LC_ALL"] = "C.UTF-8"  # of other encodings Qt complains in every process
os.environ["FONTCONFIG_FILE"] = os.environ.get("POSENC_TEST_FONTS", str(_HERE / "fonts.conf"))
os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={_SCREEN if os.sep == '/' else os.path.relpath(_SCREEN)}"

# Compiled code is kept, though the machine may ask for none: every process of the program would compile all of it anew,
# and every worker all tests.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

for profile, examples in (("quick", 4), ("thorough", 60)):
    settings.register_profile(
        profile,
        max_examples=examples,
        deadline=None,  # a busy machine is no error
        derandomize="CI" in os.environ,
        suppress_health_check=[HealthCheck.too_slow],
    )


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    """The program's own application: its fonts, its style, its options of pyqtgraph.

    The typesetter is loaded here: the window does that in a thread, to which pytest's turning of warnings into
    errors would come in the middle.
    """
    from posenc_gui.look.qt import make_application
    from posenc_gui.look.typeset import load

    application = make_application([])
    load()
    return application


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:
    """User input, and waiting without a limit that a slow machine could reach."""
    return PatientBot(request)


@pytest.fixture(scope="session")
def amount(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """Selects an amount of work: ``amount(30, 1000)`` is 30 in usual runs and 1000 in thorough runs."""
    return lambda usual, thorough: thorough if _is_thorough(request.config) else usual


@pytest.fixture(scope="session")
def count() -> Callable[[str, int], None]:
    """Adds a number to a line of the summary: ``count("files mutated", 2000)``."""

    def add(what: str, number: int) -> None:
        tried.COUNTED[what] += number

    return add


def pytest_configure(config: pytest.Config) -> None:
    """Keep the memory small, let the summary list what was tried, and draw as many examples as the tests need."""
    keep_one_heap()
    config.pluginmanager.register(tried)
    settings.load_profile("thorough" if _is_thorough(config) else "quick")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave most combinations of parameters to thorough runs, which draw more examples and try larger amounts too."""
    for item in items:
        if not is_usual_combination(item):
            item.add_marker(pytest.mark.thorough)
    for item in rare_cases(items):
        item.add_marker(pytest.mark.thorough)
    if _is_thorough(config):
        for item in items:
            if is_hypothesis_test(getattr(item, "obj", None)) or "amount" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.thorough)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep the garbage collections between tests from going through all that was collected.

    The report of a worker, which nobody sees, would keep the 5,000 tests that it leaves out.
    """
    report = session.config.pluginmanager.get_plugin("terminalreporter")
    if report is not None and "PYTEST_XDIST_WORKER" in os.environ:
        report.stats.pop("deselected", None)
    spare_what_stays()


def _is_thorough(config: pytest.Config) -> bool:
    return config.option.markexpr == "thorough"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Leave nothing of a test in memory, and of a file's tests no caches."""
    yield
    delete_what_waits()
    if nextitem is None or nextitem.path != item.path:
        forget()
