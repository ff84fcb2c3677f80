"""Each check of the machine by itself, on described machines."""

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from posenc_gui.start import environment, scales

ROOT = Path(__file__).parents[2]


def lacking(*names: str) -> Callable[[str], object]:
    """A loader on a machine where these libraries, and Qt's plugins with them, cannot be loaded."""

    def load(name: str) -> object:
        if name in names or "/" in name:
            raise OSError(f"{names[0]}: cannot open shared object file: No such file or directory")
        return NoServer()

    return load


class NoServer:
    """A libxcb whose connection is accepted."""

    def __init__(self) -> None:
        self.xcb_connect = lambda name, screen: 1
        self.xcb_connection_has_error = lambda connection: 0
        self.xcb_disconnect = lambda connection: None


@pytest.mark.parametrize(
    ("python", "pyside", "words"),
    [
        (
            (3, 11),
            (6, 12),
            ["PySide6 6.12", "Python 3.11", "PySide6-Essentials>=6.10.3,<6.11", "Python 3.12"],
        ),
        ((3, 11), (7, 0), ["PySide6 7.0"]),
        ((3, 10), (6, 10), ["Python 3.11 or newer", "Python 3.10"]),
    ],
)
def test_a_pair_of_versions_that_crashes_is_refused(
    python: tuple[int, int], pyside: tuple[int, int], words: list[str]
) -> None:
    sentence = environment.python_problem(python, pyside)
    assert sentence is not None
    assert all(word in sentence for word in words)


@pytest.mark.parametrize(
    ("python", "pyside"), [((3, 11), (6, 10)), ((3, 11), (6, 11)), ((3, 12), (6, 12)), ((3, 11), None)]
)
def test_a_pair_of_versions_that_works_is_accepted(python: tuple[int, int], pyside: tuple[int, int] | None) -> None:
    assert environment.python_problem(python, pyside) is None


@pytest.mark.parametrize(
    ("folder", "version"),
    [
        ("PySide6_Essentials-6.12.0.dist-info", (6, 12)),
        ("pyside6_essentials-6.10.3.dist-info", (6, 10)),
        ("PySide6-6.9.1.dist-info", (6, 9)),
        ("PySide6-6.8.2.1-py3.11.egg-info", None),
        ("PySide6_Addons-6.12.0.dist-info", None),
    ],
)
def test_the_version_is_read_from_the_distribution(
    tmp_path: Path, folder: str, version: tuple[int, int] | None
) -> None:
    (tmp_path / folder).mkdir()
    assert environment.pyside_version([str(tmp_path / "none.zip"), str(tmp_path)]) == version


def test_the_first_distribution_on_the_path_counts(tmp_path: Path) -> None:
    for number in (12, 10):
        (tmp_path / str(number) / f"PySide6_Essentials-6.{number}.0.dist-info").mkdir(parents=True)
    assert environment.pyside_version([str(tmp_path / "12"), str(tmp_path / "10")]) == (6, 12)


def test_this_machine_can_run_the_program() -> None:
    assert environment.problem(["export"], needs_display=False) is None
    assert environment.problem(["-platform", "offscreen"], needs_display=True) is None


def test_missing_dependencies_are_named_together() -> None:
    sentence = environment.dependency_problem(lambda name: None if name in ("msgspec", "regex") else object())
    assert sentence is not None
    assert sentence.startswith("PosEnc needs msgspec and regex, which")
    assert "pip install -e ." in sentence


@pytest.mark.parametrize(
    "text", ["nan", "inf", "-inf", "0", "-1", "abc", "1e9", "0.01", "2,5", "1 2", "1_0", "\uff12", "\udcff"]
)
@pytest.mark.parametrize("name", scales.SCALES)
def test_a_scale_at_which_no_window_can_be_drawn_is_refused(name: str, text: str) -> None:
    sentence = scales.scale_problem({name: text})
    assert sentence is not None
    assert sentence.startswith(f"The environment variable {name} must be a number from ")
    assert f"got {text!r}:" in sentence


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"QT_SCALE_FACTOR": ""},
        {"QT_SCALE_FACTOR": "1.25", "QT_FONT_DPI": "120"},
        {"QT_SCREEN_SCALE_FACTORS": "eDP-1=2;HDMI-1=1.5;"},
        {"QT_SCREEN_SCALE_FACTORS": "2;1"},
    ],
)
def test_other_scales_are_qts_to_use(variables: dict[str, str]) -> None:
    assert scales.scale_problem(variables) is None


@pytest.mark.parametrize(
    ("arguments", "variables", "names"),
    [
        ([], {}, []),
        ([], {"DISPLAY": ":0"}, ["xcb"]),
        ([], {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, ["wayland", "xcb"]),
        ([], {"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}, ["offscreen"]),
        ([], {"QT_QPA_PLATFORM": "wayland;vnc:size=800x600"}, ["wayland", "vnc"]),
        (["-platform", "minimal"], {"QT_QPA_PLATFORM": "xcb"}, ["minimal"]),
        (["--platform", "vnc"], {"DISPLAY": ":0"}, ["vnc"]),
        (["-platform"], {"DISPLAY": ":0"}, ["xcb"]),
    ],
)
def test_platforms_are_those_that_qt_tries(arguments: list[str], variables: dict[str, str], names: list[str]) -> None:
    assert environment.platforms(arguments, variables) == names


@pytest.mark.parametrize("name", ["offscreen", "minimal", "vnc:size=800x600", "linuxfb", "wayland;offscreen"])
def test_a_platform_with_a_screen_of_its_own_needs_no_display(tmp_path: Path, name: str) -> None:
    variables = {"QT_QPA_PLATFORM": name, "XDG_RUNTIME_DIR": str(tmp_path)}
    assert environment.display_problem([], variables, tmp_path) is None


@pytest.mark.parametrize("flag", ["-h", "--help", "--version"])
def test_help_and_version_need_no_display(tmp_path: Path, flag: str) -> None:
    assert environment.display_problem([flag], {}, tmp_path) is None


def test_every_missing_library_is_named_at_once(tmp_path: Path) -> None:
    load = lacking("libxcb-cursor.so.0", "libxcb-icccm.so.4", "libEGL.so.1")
    sentence = environment.display_problem([], {"DISPLAY": ":0"}, tmp_path, load)
    assert sentence is not None
    assert "libEGL.so.1, libxcb-cursor.so.0 and libxcb-icccm.so.4" in sentence
    assert "apt install libegl1 libxcb-cursor0 libxcb-icccm4`" in sentence
    assert "dnf install libglvnd-egl xcb-util-cursor xcb-util-wm`" in sentence


def test_a_plugin_with_its_own_libraries_is_accepted(tmp_path: Path) -> None:
    def load(name: str) -> object:
        if name == "libxcb-cursor.so.0":
            raise OSError
        return NoServer()

    assert environment.display_problem([], {"DISPLAY": ":0"}, tmp_path, load) is None


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ModuleNotFoundError("No module named 'ziafont'", name="ziafont.font"), "needs ziafont"),
        (ImportError("libGL.so.1: cannot open shared object file: No such file or directory"), "libgl1"),
        (ImportError("/lib/libEGL.so.1: file too short"), "libegl1"),
        (ImportError("libnew.so.5: cannot open shared object file: No such file"), "libnew.so.5"),
    ],
)
def test_an_import_that_fails_names_the_missing_library(error: ImportError, words: str) -> None:
    sentence = environment.import_problem(error, load=lambda name: None)
    assert sentence is not None
    assert words in sentence


@pytest.mark.parametrize(
    "error",
    [
        ModuleNotFoundError("No module named 'posenc_gui.nowhere'", name="posenc_gui.nowhere"),
        ModuleNotFoundError("No module named 'tkinter'", name="tkinter"),
        ImportError("cannot import name 'Document'"),
    ],
)
def test_an_error_of_the_program_is_not_reported_as_a_missing_library(error: ImportError) -> None:
    assert environment.import_problem(error) is None


@pytest.mark.parametrize(
    ("plugin", "known"),
    [
        ("libqxcb.so", {*environment.QT_LIBRARIES, *environment.XCB_LIBRARIES}),
        ("libqwayland.so", {*environment.QT_LIBRARIES, *environment.WAYLAND_LIBRARIES}),
    ],
)
def test_the_tables_hold_all_that_the_plugins_name(plugin: str, known: set[str]) -> None:
    named = re.findall(rb"(?<=\0)lib[\w.+-]+\.so\.\d+(?=\0)", (environment.plugin_folder() / plugin).read_bytes())
    everywhere = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6"}
    needed = {name.decode() for name in named if not name.startswith(b"libQt6")} - everywhere
    assert needed
    assert needed <= known


@pytest.mark.parametrize(
    "path",
    [
        "main.py",
        "posenc_gui/__init__.py",
        "posenc_gui/cli/terminal.py",
        *(f"posenc_gui/start/{name}.py" for name in ("launch", "environment", "scales", "signals")),
    ],
)
def test_a_python_that_is_too_old_can_read_the_refusal(path: str) -> None:
    ast.parse((ROOT / path).read_text(encoding="utf-8"), feature_version=(3, 8))
