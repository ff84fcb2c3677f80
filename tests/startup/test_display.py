"""Linux machines on which no window opens: one sentence, status 2, no stack trace, from the real process."""

from collections.abc import Callable
from pathlib import Path

import pytest

Refusal = Callable[..., str]


@pytest.fixture
def unreadable(tmp_path: Path) -> Callable[[str], str]:
    """A function that returns a LD_LIBRARY_PATH on which the loader meets this library and cannot use it."""

    def hide(library: str) -> str:
        folder = tmp_path / "unreadable"
        folder.mkdir()
        (folder / library).touch()
        return str(folder)

    return hide


def test_without_a_display_the_export_command_is_offered(refusal: Refusal) -> None:
    sentence = refusal()
    assert "no display" in sentence
    assert 'python main.py export --sentence "Dan loves icecream" --out pictures' in sentence


@pytest.mark.parametrize("display", [":4321", "127.0.0.1:59000", "nonsense"])
def test_a_display_at_which_nothing_answers_is_named(refusal: Refusal, display: str) -> None:
    sentence = refusal(DISPLAY=display)
    assert display in sentence
    assert "No X server answers" in sentence


def test_a_wayland_display_at_which_nothing_answers_is_named(refusal: Refusal, tmp_path: Path) -> None:
    sentence = refusal(WAYLAND_DISPLAY="wayland-7", XDG_RUNTIME_DIR=str(tmp_path))
    assert str(tmp_path / "wayland-7") in sentence


def test_x11_without_a_display_is_refused(refusal: Refusal) -> None:
    assert "no display" in refusal(QT_QPA_PLATFORM="xcb")
    assert "no display" in refusal("-platform", "xcb")


def test_a_missing_xcb_cursor_names_its_package(
    refusal: Refusal, unreadable: Callable[[str], str], answering_display: str
) -> None:
    sentence = refusal(DISPLAY=answering_display, LD_LIBRARY_PATH=unreadable("libxcb-cursor.so.0"))
    assert "libxcb-cursor.so.0" in sentence
    assert "sudo apt install libxcb-cursor0" in sentence
    assert "sudo dnf install xcb-util-cursor" in sentence


def test_a_library_that_qt_itself_misses_names_its_package(
    refusal: Refusal, unreadable: Callable[[str], str], tmp_path: Path
) -> None:
    sentence = refusal(
        *("export", "--sentence", "Dan", "--format", "png", "--out", str(tmp_path / "pictures")),
        LD_LIBRARY_PATH=unreadable("libEGL.so.1"),
    )
    assert "libEGL.so.1" in sentence
    assert "sudo apt install libegl1" in sentence
