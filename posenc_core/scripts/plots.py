"""Parts of Matplotlib scripts: colours, tokens, axes, and the positions of tables."""

import math
from collections.abc import Sequence

from msgspec import Struct

from posenc_core.encodings import Encoding
from posenc_core.explain import number_list
from posenc_core.long_context import TableDifference

MOST_DRAWN = 20_000_000
"""Largest number of entries of the table that a script computes: 160 MB."""

MOST_WORDS = 24
"""Words beside a picture."""

MOST_NUMBERS_SHOWN = 200
"""Cells that show their number."""

CELLS_PX = 400
"""An axis of a picture of cells, in pixels of a window with text of the picture's size."""

COLOR_MAP = "from matplotlib.colors import LinearSegmentedColormap"

TokenMark = tuple[int, str, str]
TokenMarks = Sequence[TokenMark]
"""Tokens' positions, words and colours (``#rrggbb``)."""


class Shades(Struct, frozen=True):
    """Colours (``#rrggbb``) in equal steps from ``low`` to ``high``; of ``sign(x) log(1 + |x|/step)`` with a step."""

    colours: tuple[str, ...]
    low: float
    high: float
    step: float = 0.0

    @property
    def lines(self) -> list[str]:
        """The definition of ``colours``, and of ``ends``, its lowest and highest number."""
        first, *others = self.ends
        return [
            f"colours = LinearSegmentedColormap.from_list('values', {list(self.colours)})",
            f"ends = {first}",
            *others,
        ]

    @property
    def ends(self) -> list[str]:
        """The arguments of a picture that place its numbers among the colours."""
        if not self.step:
            return [f"{{'vmin': {self.low!r}, 'vmax': {self.high!r}}}"]
        return [
            "{'norm': FuncNorm((  # sign(x) log(1 + |x|/step), and its inverse",
            f"    lambda x: np.sign(x) * np.log1p(np.abs(x) / {self.step!r}),",
            f"    lambda y: np.sign(y) * np.expm1(np.abs(y)) * {self.step!r},",
            f"), {self.low!r}, {self.high!r})}}",
        ]

    @property
    def imports(self) -> tuple[str, ...]:
        """The imports that ``lines`` need."""
        return (COLOR_MAP, "from matplotlib.colors import FuncNorm") if self.step else (COLOR_MAP,)

    @property
    def ticks(self) -> str:
        """Arguments of a colour bar: zero and powers of ten of a logarithmic scale, and its ends if few; else empty."""
        if not self.step:
            return ""
        reach = max(abs(self.low), abs(self.high))
        powers = range(math.ceil(math.log10(self.step)), math.floor(math.log10(reach)) + 1)
        tens = [10.0**power for power in powers[:: len(powers) // 6 + 1]]
        shown = [value for value in (*(-each for each in tens[::-1]), 0.0, *tens) if self.low <= value <= self.high]
        if len(shown) < 2:
            shown = sorted({self.low, *shown, self.high})
        return f", ticks={number_list(shown)}, format='%g'"


def cell_lines(
    shown: str, counts: tuple[int, int], room: tuple[int, int] = (CELLS_PX, CELLS_PX), angles: bool = False
) -> dict[str, object]:
    """``means``, lines that average cells along an axis without room for all, and the picture's ``interpolation``.

    ``shown`` is the name of the cells, ``counts`` their rows and columns, ``room`` how many have a pixel. Matplotlib
    averages cells along both axes or neither: it would blur the few of the other axis. Means of angles are circular,
    which Matplotlib's are not.
    """
    if not angles and all(count > most for count, most in zip(counts, room, strict=True)):
        return {"means": [], "interpolation": ""}
    means = []
    for axis, (name, count, most) in enumerate(zip(("rows", "columns"), counts, room, strict=True)):
        if count > most:
            along = ", axis=1" if axis else ""
            parts = f"np.array_split({shown}, {-(-count // -(-count // most))}{along})"
            means.append(f"{shown} = np.stack([part.mean({axis}) for part in {parts}]{along})  # means of {name}")
    if means and angles:
        means = [f"{shown} = np.exp(1j * {shown})", *means, f"{shown} = np.angle({shown})  # circular means"]
    return {"means": means, "interpolation": ", interpolation='nearest'"}


def row_scale(ends: tuple[float, float]) -> tuple[float, float]:
    """The value in the middle of a row of stacked curves, and the height of a value of 1."""
    low, high = ends
    return ((low + high) / 2, 0.8 / (high - low)) if low < high else (low, 0.0)


def drawn_positions(encoding: Encoding, positions: range, n_drawn: int) -> range:
    """The positions that have values; ValueError for none, and for a table of too many numbers."""
    first, last = encoding.domain
    valued = range(int(max(positions.start, first)), int(min(positions.stop - 1, last)) + 1)
    if not valued or not n_drawn:
        raise ValueError("there is nothing to draw: no position or column in view has a value")
    check_size(len(valued) * encoding.n_columns)
    return valued


def common_positions(difference: TableDifference, positions: range, n_drawn: int) -> range:
    """The positions that have values in both tables; errors as for ``drawn_positions``."""
    for each in (difference.one, difference.other):
        positions = drawn_positions(each, positions, n_drawn)
    return positions


def table_names(difference: TableDifference) -> tuple[str, str, str]:
    """Names of the two tables and their difference in the scripts."""
    one, other = (f"table_{letter.lower()}" for letter in difference.letters)
    return one, other, "table"


def compared_tables(titles: Sequence[str], names: Sequence[str]) -> str:
    """Pairs of a title and the name of a table, separated by commas."""
    return ", ".join(f"({title!r}, {name})" for title, name in zip(titles, names, strict=True))


def check_size(count: int) -> None:
    """ValueError with one sentence for more numbers than a script computes."""
    if count > MOST_DRAWN:
        raise ValueError(f"the script would compute {count:,} numbers, at most {MOST_DRAWN:,} are drawn: zoom in first")


def position_words(encoding: Encoding) -> str:
    """The name of an axis of positions."""
    return "distance, query - key" if encoding.relative else encoding.row_noun


def turned_lines(axes: str, side: str) -> tuple[str, str]:
    """Lines that reverse an axis of positions key - query to show distances query - key."""
    formatter = "lambda place, _: f'{0 - place:g}'"
    return f"{axes}.invert_{side}axis()", f"{axes}.{side}axis.set_major_formatter({formatter})"


def ends_of(positions: range) -> tuple[float, float]:
    """The ends of an axis on which each position has its cell."""
    return (positions[0] - 0.5, positions[-1] + 0.5)


def tokens_lines(tokens: TokenMarks, positions: range, apart: float = 0.0) -> list[str]:
    """Lines that define ``tokens``: those at the positions, at least ``apart`` from each other, if there is room."""
    seen: list[TokenMark] = []
    for token in tokens:
        if token[0] in positions and (not seen or token[0] - seen[-1][0] >= apart):
            seen.append(token)
    kept = seen[:: max(1, -(-len(seen) // MOST_WORDS))]
    told = [f"    {(position, plain_label(word), colour)!r}," for position, word, colour in kept]
    return ["tokens = [  # position, word, colour", *told, "]"]


def plain_label(word: str) -> str:
    """The word with escapes for Matplotlib: a dollar sign would begin a formula, an underscore hide the label."""
    return word.replace("$", r"\$").replace("_", "\u200a_", int(word.startswith("_")))
