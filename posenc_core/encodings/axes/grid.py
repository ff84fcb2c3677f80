"""Grids of tokens: a text, the patches of a picture, the frames of a video, or a text and then one of these."""

import math
import re
from functools import lru_cache
from typing import Any, ClassVar

from msgspec import Struct

from posenc_core.fields import TextField, shortened

PATCH_NOUNS = {"t": "frame", "h": "row", "w": "column"}
"""Noun of an index along each axis of a picture."""

ROW_NOUNS = {"t": "frame", "h": "patch row", "w": "patch column"}
"""The same nouns beside a table, which has rows and columns of its own."""

AXIS_NAMES = {"t": "time", "h": "height", "w": "width", "l": "text"}
"""The names of axes, and their words."""

MOST_CELLS = 10_000_000

_GRID = re.compile(r"(?:(\d{1,9})\+)?(\d{1,9})x(\d{1,9})(?:x(\d{1,9}))?")


class Grid(Struct, frozen=True):
    """Tokens in row-major order: ``n_text`` tokens of text, then a picture of ``sizes``, the fastest axis last.

    ``sizes`` are the numbers of cells along height and width, or along time, height and width; without sizes the grid
    is an endless text, and ``n_text`` is 0. ``Grid.of`` parses a grid and checks its bounds.
    """

    n_text: int = 0
    sizes: tuple[int, ...] = ()

    @classmethod
    def of(cls, text: str) -> "Grid":
        """The grid that a text names: ``text``, ``14x14``, ``4x14x14`` or ``5+14x14``; ValueError otherwise."""
        return _grid_of(text)

    def __str__(self) -> str:
        """The text that names the grid."""
        if not self.sizes:
            return "text"
        return (f"{self.n_text}+" if self.n_text else "") + "x".join(map(str, self.sizes))

    @property
    def names(self) -> tuple[str, ...]:
        """The axes of the picture, ``("h", "w")`` or ``("t", "h", "w")``; none for a text."""
        return ("t", "h", "w")[3 - len(self.sizes) :] if self.sizes else ()

    @property
    def is_picture(self) -> bool:
        """Whether the grid has patches."""
        return bool(self.sizes)

    @property
    def n_patches(self) -> int:
        """Number of cells of the picture; 0 for a text."""
        return math.prod(self.sizes) if self.sizes else 0

    @property
    def n_cells(self) -> int | None:
        """Number of all cells, None for a text without end."""
        return self.n_text + self.n_patches if self.sizes else None

    def size(self, axis: str) -> int:
        """Number of cells along an axis; 1 along an axis that the picture does not have."""
        return dict(zip(self.names, self.sizes, strict=True)).get(axis, 1)

    def indices(self, position: int) -> dict[str, int] | None:
        """The index of a patch along each axis of the picture, from 0; None for a token of the text."""
        cell = position - self.n_text
        if not 0 <= cell < self.n_patches:
            return None
        found = {}
        for name, size in zip(reversed(self.names), reversed(self.sizes), strict=True):
            cell, found[name] = divmod(cell, size)
        return dict(reversed(found.items()))

    def position(self, indices: dict[str, int]) -> int:
        """The position of the patch with these indices, 0 along an axis that is left out."""
        cell = 0
        for name, size in zip(self.names, self.sizes, strict=True):
            cell = cell * size + indices.get(name, 0)
        return self.n_text + cell

    def words(self, position: int) -> str:
        """The place of a position, such as ``row 2, column 11``; empty for a text without end."""
        if not self.sizes:
            return ""
        indices = self.indices(position)
        if indices is None:
            return f"text token {position}" if 0 <= position < self.n_text else ""
        return ", ".join(f"{PATCH_NOUNS[name]} {index}" for name, index in indices.items())

    def short_words(self, position: int) -> str:
        """A label of a patch, such as ``h2 w11``; empty for a token of the text."""
        return " ".join(f"{name}{index}" for name, index in (self.indices(position) or {}).items())


@lru_cache(maxsize=256)
def _grid_of(text: str) -> Grid:
    plain = re.sub(r"\s", "", text.lower().replace("×", "x"))
    if plain == "text":
        return Grid()
    found = _GRID.fullmatch(plain)
    if found is None:
        raise ValueError(GRID.refusal(text))
    n_text, *sizes = (int(each) for each in found.groups(default="0") if each is not None)
    grid = Grid(n_text, tuple(sizes if found[4] else sizes[:2]))
    if min(grid.sizes) < 1 or not 1 <= (grid.n_cells or 0) <= MOST_CELLS:
        raise ValueError(GRID.refusal(text))
    return grid


class GridField(TextField, frozen=True, kw_only=True):
    """A grid as its text, ``text``, ``14x14``, ``4x14x14`` or ``5+14x14``, in the form that ``str(Grid)`` has."""

    maximum: int = 40

    bounds: ClassVar[str] = (
        "text, HxW patches, TxHxW frames of patches, or a number of text tokens before these as in 5+14x14, with whole "
        f"numbers from 1 and at most {MOST_CELLS:,} cells"
    )

    def check(self, value: Any, got: str | None = None) -> str:
        """The text of the grid; TypeError unless it is a text, ValueError with one sentence for any other text."""
        if not isinstance(value, str):
            raise TypeError(f"{self.display_name} must be a text, got {shortened(value)}")
        return str(Grid.of(value))


GRID = GridField(
    name="grid",
    help="Arrangement of the tokens: a text, a picture's patches, a video's frames, or a text and then one of these. "
    "Position p is the index in row-major order. Only RoPE on several axes reads the rows and columns.",
    default="text",
    synonyms="grid_thw, patch grid, img_ids",
)
