"""The check of Qt's variables for the size of a window's contents, which Qt does not check."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

SCALES = {"QT_SCALE_FACTOR": (0.1, 16), "QT_SCREEN_SCALE_FACTORS": (0.1, 16), "QT_FONT_DPI": (10, 1000)}
"""The least and the largest number of each with which a window can be drawn."""

_PLAIN = re.compile(r"[ \t]*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[ \t]*")
"""Numbers that Qt reads; Python also reads 1_0, and digits of other scripts."""


def scale_problem(variables: Mapping[str, str]) -> str | None:
    """The sentence for a variable with another number, or with something else; None if all are in range."""
    for name, (lowest, highest) in SCALES.items():
        numbers = [text.rpartition("=")[2] for text in variables.get(name, "").split(";")]  # screen=2;other=1
        wrong = [text for text in numbers if text and not lowest <= _number(text) <= highest]
        if wrong:
            return (
                f"The environment variable {name} must be a number from {lowest} to {highest}, got {wrong[0][:32]!r}: "
                "set another one, or remove it."
            )
    return None


def _number(text: str) -> float:
    """The number, nan for another text, which is within no bounds."""
    return float(text) if _PLAIN.fullmatch(text) else float("nan")
