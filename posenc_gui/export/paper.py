"""Sizes of whole pictures on paper and on slides; no Qt is imported here."""

import math
import re

from msgspec import Struct

MM_AN_INCH = 25.4
PIXELS_AN_INCH = 96.0
"""Logical pixels, in which figures are laid out."""

PAPER_DPI = 300.0
"""Dots per inch of a PNG of a size on paper, unless another number is chosen."""

NARROWEST_MM, SHORTEST_MM, LARGEST_MM = 60.0, 40.0, 1200.0

MOST_PIXELS = 45_000_000
"""Pixels of a picture: a heatmap with as many cells needs up to 1.5 GB while its file is made."""

UNITS = ("mm", "in", "px")


def size_problem(width: float, height: float) -> str:
    """A sentence on a picture of too many pixels that names the largest one of its shape, else ""."""
    if width * height <= MOST_PIXELS:
        return ""
    fits = math.sqrt(MOST_PIXELS / (width * height))
    largest = f"{int(width * fits)} x {int(height * fits)}"
    return f"a picture of {width:.0f} x {height:.0f} pixels is too large: the largest of this shape has {largest}"


class PageSize(Struct, frozen=True):
    """The size of a whole picture, its caption included, in millimetres; no ``height`` is the figure's own."""

    width: float
    height: float | None = None

    @classmethod
    def of(cls, width: float, height: float | None, unit: str, dpi: float) -> "PageSize":
        """The size in ``mm``, ``in`` or ``px``, which are pixels of the PNG at ``dpi``; ValueError out of bounds."""
        mm = {"mm": 1.0, "in": MM_AN_INCH, "px": MM_AN_INCH / dpi}[unit]
        size = cls(width * mm, None if height is None else height * mm)
        for name, side, least in (("width", size.width, NARROWEST_MM), ("height", size.height, SHORTEST_MM)):
            if side is not None and not least - 1e-6 <= side <= LARGEST_MM + 1e-6:
                ends = " to ".join(f"{end / mm:.{2 if unit == 'in' else 0}f}" for end in (least, LARGEST_MM))
                raise ValueError(f"the {name} of the picture must be from {ends} {unit}, got {side / mm:g} {unit}")
        return size

    @property
    def width_px(self) -> float:
        """The width in logical pixels."""
        return self.width / MM_AN_INCH * PIXELS_AN_INCH

    @property
    def height_px(self) -> float | None:
        """The height in logical pixels, None for the figure's own."""
        return None if self.height is None else self.height / MM_AN_INCH * PIXELS_AN_INCH


NAMED_SIZES = {"column": PageSize(85.0), "two-columns": PageSize(174.0), "slide": PageSize(160.0, 90.0)}
"""Columns of a journal's page, and a slide of 16:9 on which 11 pt is the size of the text."""


def parsed_page(text: str, dpi: float) -> PageSize:
    """The typed size: a name, or ``120mm``, ``120x80mm``, ``4.5x3in`` or ``1200x800px``.

    ValueError with one sentence for anything else.
    """
    word = text.strip().lower()
    if word in NAMED_SIZES:
        return NAMED_SIZES[word]
    match = re.fullmatch(r"([0-9]{1,5}(?:\.[0-9]{1,4})?)(?:[x×]([0-9]{1,5}(?:\.[0-9]{1,4})?))?\s*(mm|in|px)", word)
    if match is None:
        names = ", ".join(NAMED_SIZES)
        raise ValueError(f"--page must be {names}, or like 120mm, 120x80mm, 4.5x3in or 1200x800px, got {text[:32]!r}")
    return PageSize.of(float(match[1]), float(match[2]) if match[2] else None, match[3], dpi)
