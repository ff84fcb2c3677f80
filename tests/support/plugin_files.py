"""Python files with an encoding as people write them, and the ways in which such a file can be broken."""

from pathlib import Path

from posenc_core.encodings.plugins import EXAMPLE

MINIMAL = """\
from dataclasses import dataclass
import numpy as np
from posenc_core import Encoding

@dataclass(frozen=True)
class Ramp(Encoding):
    d_model: int = 8
    family = "ramp_of_mine"
    title = "Ramp of mine"

    def values(self, positions, columns):
        return np.multiply.outer(positions, columns + 1.0) / 100
"""
"""No more than an encoding must offer."""


def changed(before: str, after: str) -> str:
    """The minimal file with a part replaced."""
    assert MINIMAL.count(before) == 1
    return MINIMAL.replace(before, after)


VALUES = "np.multiply.outer(positions, columns + 1.0) / 100"
BROKEN = {
    "import error": (
        f"import no_such_library\n{MINIMAL}",
        "it cannot be run: ModuleNotFoundError: No module named 'no_such_library'",
    ),
    "syntax error": ("def f(:\n", "it cannot be run: SyntaxError: invalid syntax"),
    "exit": ("import sys\nsys.exit(3)\n", "it cannot be run: SystemExit: 3"),
    "no class": (
        "from posenc_core import Sinusoidal\n",
        "it defines no class that derives from Encoding and has a family",
    ),
    "no values": (changed("def values", "def numbers"), "Ramp does not define values"),
    "raises in values": (
        changed(VALUES, "[][3]"),
        "Ramp.values raises IndexError: list index out of range",
    ),
    "exit in values": (changed(VALUES, "exit(3)"), "Ramp.values raises SystemExit: 3"),
    "wrong shape": (
        changed(VALUES, "np.zeros(len(positions))"),
        "Ramp.values returns an array of shape (8,) instead of real numbers of shape (8, 8), positions by columns",
    ),
    "a list": (
        changed(VALUES, "[[1.0] * len(columns)] * len(positions)"),
        "Ramp.values returns a list instead of real numbers of shape (8, 8), positions by columns",
    ),
    "all columns": (
        changed(VALUES, "np.multiply.outer(positions, np.arange(len(columns)) + 1.0)"),
        "Ramp.values returns other numbers for some positions and columns than for all",
    ),
    "last position": (
        changed(VALUES, "np.multiply.outer(positions / positions.max(initial=1), columns + 1.0)"),
        "Ramp.values returns other numbers for some positions and columns than for all",
    ),
    "last column": (
        changed(VALUES, "np.multiply.outer(positions, columns / columns.max(initial=1))"),
        "Ramp.values returns other numbers for some positions and columns than for all",
    ),
    "transposed": (
        changed(VALUES, "np.multiply.outer(columns, positions + 1.0)"),
        "Ramp.values returns an array of shape (2, 3) instead of real numbers of shape (3, 2), positions by columns",
    ),
    "other alone": (
        changed(VALUES, "np.multiply.outer(positions, columns + 1.0) / min(len(positions), 2)"),
        "Ramp.values returns 7.0 for position 7, column 0 alone, and 3.5 for it among others",
    ),
    "two of a name": (
        f"{MINIMAL}\nclass Ramp2(Ramp):\n    family = 'ramp_of_mine'\n",
        "Ramp and Ramp2 have the same family, ramp_of_mine",
    ),
    "nan": (
        changed(VALUES, f"np.where(positions[:, None] == 3, np.nan, {VALUES})"),
        "Ramp.values returns nan at position 3",
    ),
    "name taken": (changed("ramp_of_mine", "rotary"), "rotary is the name of another kind, Rotary (RoPE)"),
    "odd name": (changed("ramp_of_mine", "Ramp of mine"), "Ramp.family must be a name of a-z, 0-9 and _"),
    "no title": (changed('title = "Ramp of mine"', "pass"), "Ramp.title must be a text of 1 to 60 characters"),
    "no dataclass": (
        changed("@dataclass(frozen=True)\n", ""),
        "Ramp must be a frozen dataclass whose fields are its FIELDS; it has none, and FIELDS are d_model",
    ),
    "raises in explain": (
        f"{MINIMAL}\n    def explain(self, position, column):\n        raise KeyError(column)\n",
        "Ramp.explain raises KeyError: 0",
    ),
}
"""By what is wrong: the file, and the sentence on it."""

SLOW = f"import threading\nthreading.Event().wait()\n{MINIMAL}"
"""A file that never ends."""


def installed(folder: Path, package: str, text: str, target: str = "Ramp") -> None:
    """Write a package with an encoding as pip installs it; its module is ``encodings_of_<package>``."""
    metadata = folder / f"{package}-1.0.dist-info"
    metadata.mkdir(parents=True)
    files = {
        folder / f"encodings_of_{package}.py": text,
        metadata / "METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n",
        metadata / "entry_points.txt": f"[posenc.encodings]\n{package}_encoding = encodings_of_{package}:{target}\n",
    }
    for path, content in files.items():
        path.write_text(content, encoding="utf-8")


__all__ = ["BROKEN", "EXAMPLE", "MINIMAL", "SLOW", "changed", "installed"]
