"""The folder and the files of an export by name; no Qt is imported here."""

from pathlib import Path

from posenc_core.fields import one_line
from posenc_gui.export.numbers import NUMBER_FORMATS
from posenc_gui.files import FileError, make_folder, remove_leftover
from posenc_gui.panels import PANELS

PICTURE_FORMATS = ("png", "svg", "pdf")
CAPTION_FORMAT = "txt"
NUMBERS_NAME = "vectors"


def named_path(text: str) -> Path:
    """The path that was typed, where ``~`` is the home folder; FileError for the home of an unknown user."""
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise FileError(f"cannot find {one_line(text)}: there is no such user") from error


def prepared_folder(text: str, base: Path) -> Path:
    """The folder that was typed, relative to ``base``; its last level is created if it is missing.

    FileError with one sentence if the folder does not exist and cannot be created.
    """
    if not text:
        raise FileError("there is no folder to write to; type one")
    folder = base / named_path(text)
    make_folder(folder)
    return folder


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files that exports into the folder left when they were killed, but none of a living one.

    Only those with an export's own names: other programs call their unfinished files ``.part`` too.
    """
    pictures = [f"{panel}.{format}" for panel in PANELS for format in (*PICTURE_FORMATS, CAPTION_FORMAT)]
    numbers = [f"{name}.{format}" for name in (NUMBERS_NAME, *PANELS) for format in NUMBER_FORMATS]
    for name in (*pictures, *numbers):
        remove_leftover(folder / name)
