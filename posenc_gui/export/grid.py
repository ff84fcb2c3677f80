"""The places of several panels in one figure; no Qt is imported here."""

import math
import re
from collections.abc import Sequence
from string import ascii_lowercase

from msgspec import Struct

from posenc_core.fields import shortened
from posenc_gui.export.paper import MM_AN_INCH, NAMED_SIZES, PIXELS_AN_INCH, PageSize

FIGURE_NAME = "figure"
"""The name of the files of several panels."""

USUAL_PAGE = NAMED_SIZES["two-columns"]
"""The size of a figure of several panels for which no other one is chosen."""

_MOST = 6
_NARROWEST_MM, _LOWEST_MM = 50.0, 25.0
"""The least size of a panel in a figure of several."""


class Grid(Struct, frozen=True):
    """Rows and columns of a figure of several panels, which fill row after row."""

    rows: int
    columns: int

    @classmethod
    def square(cls, count: int) -> "Grid":
        """A grid for ``count`` panels, with as many columns as rows, or one more."""
        columns = math.ceil(math.sqrt(count))
        return cls(math.ceil(count / columns), columns)

    def check(self, panels: Sequence[str], page: PageSize) -> None:
        """ValueError with one sentence unless the panels differ, fill every row, and have room on the page."""
        count, places = len(panels), self.rows * self.columns
        twice = [panel for panel in panels if panels.count(panel) > 1]
        if twice:
            raise ValueError(f"a figure shows each panel once, got {twice[0]} {panels.count(twice[0])} times")
        if count < 2:
            raise ValueError(f"a figure of {self} needs at least two panels, got {count}")
        if count > places:
            raise ValueError(f"a figure of {self} has {places} places, too few for {count} panels")
        if self.rows > math.ceil(count / self.columns):
            raise ValueError(f"a figure of {self} has a row without a panel: there are {count} panels")
        width = page.width / self.columns
        if width < _NARROWEST_MM:
            least = math.ceil(_NARROWEST_MM * self.columns)
            raise ValueError(f"{self.columns} columns of panels need a picture {least} mm wide, got {page.width:g} mm")
        if page.height is not None and page.height / self.rows < _LOWEST_MM:
            least = math.ceil(_LOWEST_MM * self.rows)
            raise ValueError(f"{self.rows} rows of panels need a picture {least} mm high, got {page.height:g} mm")

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"


LOWEST_PX = 15.0 / MM_AN_INCH * PIXELS_AN_INCH
"""The least height of a figure, without its letter, in logical pixels."""


def letter_of(index: int) -> str:
    """The letter of a panel of that index: (a), (b), ..."""
    return f"({ascii_lowercase[index]})"


def parsed_grid(text: str) -> Grid:
    """The grid that was typed, rows first, such as ``1x2``; ValueError with one sentence for anything else."""
    match = re.fullmatch(r"\s*([0-9]{1,3})\s*[xX×]\s*([0-9]{1,3})\s*", text)
    rows, columns = map(int, match.groups()) if match else (0, 0)
    if not (1 <= rows <= _MOST and 1 <= columns <= _MOST):
        raise ValueError(f"--layout must be rows x columns like 1x2, each from 1 to {_MOST}, got {shortened(text)}")
    return Grid(rows, columns)
