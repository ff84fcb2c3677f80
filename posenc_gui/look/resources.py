"""The paths of the program's own files: fonts, icons and presets."""

from pathlib import Path

DESKTOP_ID = "io.github.posenc.PosEnc"
"""The name of the desktop's files about the program, by which a desktop finds the icon of its windows."""

_INSTALLED = Path(__file__).parents[1] / "resources"
_CHECKOUT = Path(__file__).parents[2] / "resources"


def resource(*parts: str) -> Path:
    """The path of a resource, in the installed package or beside the packages of a checkout."""
    root = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
    return root.joinpath(*parts)
