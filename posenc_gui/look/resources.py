"""Where the files that travel with the program are: fonts, icons, presets."""

from pathlib import Path

_INSTALLED = Path(__file__).parents[1] / "resources"
_CHECKOUT = Path(__file__).parents[2] / "resources"


def resource(*parts: str) -> Path:
    """Path of a shipped file, inside the wheel or beside the packages in a checkout."""
    root = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
    return root.joinpath(*parts)
