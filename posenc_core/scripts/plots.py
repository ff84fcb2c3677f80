"""Matplotlib scripts that draw a table as waves, as a heatmap, and as the tokens' vectors."""

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Encoding, n_whole_pairs, pair_members
from posenc_core.explain import MOST_NUMBERS, NUMPY, Snippet, number_list
from posenc_core.numerics import FloatArray
from posenc_core.scripts.snippets import PYPLOT, filled, source_of
from posenc_core.session import Document

MOST_DRAWN = 20_000_000
"""Largest number of entries of the table that a script computes: 160 MB."""

_MOST_POINTS, _FINEST = 4000, 16
"""Most points of a whole curve, and from one position to the next."""

MOST_WORDS, _MOST_LINES_OF_WORDS = 24, 30
"""Words beside a picture, and lines of words that an axis has room for."""

_MOST_BOXES, MOST_NUMBERS_SHOWN = 16, 200
"""Boxes in a row, and cells that show their number."""

COLOR_MAP = "from matplotlib.colors import LinearSegmentedColormap"

ColumnTicks = Sequence[tuple[float, str]]
"""Places of columns on their axis, and their numbers."""

TokenMark = tuple[int, str, str]
TokenMarks = Sequence[TokenMark]
"""Tokens' positions, words and colours (``#rrggbb``)."""


class Curve(Struct, frozen=True):
    """A column of the table as a curve: its label and colour (``#rrggbb``)."""

    column: int
    label: str
    colour: str


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
        """Arguments of a colour bar: powers of ten and zero for a logarithmic scale; else empty."""
        if not self.step:
            return ""
        reach = max(abs(self.low), abs(self.high))
        powers = range(math.ceil(math.log10(self.step)), math.floor(math.log10(reach)) + 1)
        tens = [10.0**power for power in powers[:: len(powers) // 6 + 1]]
        shown = [value for value in (*(-each for each in tens[::-1]), 0.0, *tens) if self.low <= value <= self.high]
        return f", ticks={number_list(shown)}, format='%g'"


def waves_script(
    document: Document, positions: range, curves: Sequence[Curve], ends: tuple[float, float], tokens: TokenMarks
) -> str:
    """A script that draws columns as stacked curves between the ``ends`` of a row, and the tokens as lines and dots.

    ValueError with one sentence for a picture without positions, columns, or with too many numbers.
    """
    encoding = document.encoding
    positions = drawn_positions(encoding, positions, len(curves))
    lines = filled(
        "waves",
        **curve_values(encoding, curves, ends, tokens, positions),
        turned=_turned(encoding, "x"),
    )
    return source_of(
        document, positions, NUMPY, Snippet(lines, (PYPLOT,)), curve_parts(encoding, positions, encoding.n_columns)
    )


def curve_parts(encoding: Encoding, positions: range, widest: int) -> int:
    """Points of the curves from one position to the next, of tables with at most that many columns."""
    parts = min(_FINEST, _MOST_POINTS // len(positions)) if encoding.continuous else 1
    return max(1, min(parts, MOST_DRAWN // (len(positions) * widest)))


def curve_values(
    encoding: Encoding, curves: Sequence[Curve], ends: tuple[float, float], tokens: TokenMarks, positions: range
) -> dict[str, object]:
    """Values for the templates of stacked curves: curves, tokens, the scale of a row, and the axis."""
    middle, scale = row_scale(ends)
    return {
        "curves": [f"{(each.column, each.label, each.colour)!r}," for each in curves],
        "tokens": tokens_lines(tokens, positions),
        "middle": middle,
        "scale": scale,
        "step": "" if encoding.continuous else ", drawstyle='steps-mid'",
        "across": position_words(encoding),
        "ends": ends_of(positions),
    }


def row_scale(ends: tuple[float, float]) -> tuple[float, float]:
    """The value in the middle of a row of stacked curves, and the height of a value of 1."""
    low, high = ends
    return ((low + high) / 2, 0.8 / (high - low)) if low < high else (low, 0.0)


def heatmap_script(
    document: Document,
    positions: range,
    columns: range,
    shades: Shades,
    tokens: TokenMarks,
    transpose: bool = False,
    ticks: ColumnTicks = (),
) -> str:
    """A script that draws positions by columns, or by pairs if the document shows angles, as colours.

    With ``transpose`` positions are on the horizontal axis. ``ticks`` are those of the columns, if they have numbers of
    another order. ValueError with one sentence for no positions or columns,
    or too many.
    """
    positions = drawn_positions(encoding := document.encoding, positions, len(columns))
    across, down = ((columns.start - 0.5, columns.stop - 0.5), (positions.stop - 0.5, positions.start - 0.5))
    angles = document.view.angles and n_whole_pairs(encoding) > 0
    names = ["pair" if angles else "column", position_words(encoding)]
    shown = f"table[:, {columns.start}:{columns.stop}]"
    if angles:
        sines, cosines = (number_list(each.tolist()) for each in pair_members(encoding, np.array(columns)))
        shown = f"np.arctan2(table[:, {sines}], table[:, {cosines}])"
    if transpose:
        across, down, names, shown = down[::-1], across[::-1], names[::-1], f"{shown}.T"
    lines = filled(
        "heatmap",
        tokens=tokens_lines(tokens, positions, len(positions) / _MOST_LINES_OF_WORDS),
        shades=shades.lines,
        shown=shown,
        extent=(*across, *down),
        label="angle (rad)" if angles else "value",
        ticked=shades.ticks,
        across=names[0],
        down=names[1],
        turned=(*_turned(encoding, "x" if transpose else "y"), *tick_lines("ax", "y" if transpose else "x", ticks)),
        axis="x" if transpose else "y",
        side="top" if transpose else "right",
        slanted=", rotation=45, ha='left'" if transpose else "",
    )
    return source_of(document, positions, NUMPY, Snippet(lines, (PYPLOT, *shades.imports)))


class TokenRow(Struct, frozen=True):
    """A row of the tokens' strips: its name, its colour, and the sum of ``table``'s row at a position and of numbers.

    Either may be None.
    """

    name: str
    colour: str
    position: int | None
    numbers: FloatArray | None = None
    table: str = "table"


def tokens_script(document: Document, rows: Sequence[TokenRow], columns: range, shades: Shades) -> str:
    """A script that draws the tokens' vectors, as boxes with numbers or, for many columns, as profiles.

    ValueError with one sentence for a picture without tokens or columns, or with too many numbers.
    """
    encoding = document.encoding
    at = [row.position for row in rows if row.position is not None] or [0]
    if sum(row.numbers.size for row in rows if row.numbers is not None) > MOST_NUMBERS:
        raise ValueError(f"more than {MOST_NUMBERS} numbers would have to be written out: show fewer columns or tokens")
    positions = drawn_positions(encoding, range(min(at), max(at) + 1), len(columns))
    written = []
    for row in rows:
        terms = [] if row.numbers is None else [f"np.array({number_list(row.numbers.tolist())})"]
        if row.position is not None:
            terms.append(f"{row.table}[{row.position - positions.start}, {columns.start}:{columns.stop}]")
        written.append(f"({plain_label(row.name)!r}, {row.colour!r}, {' + '.join(terms)}),")
    imports: tuple[str, ...] = (PYPLOT,)
    drawn = filled("profiles")
    if len(columns) <= _MOST_BOXES and len(rows) * len(columns) <= MOST_NUMBERS_SHOWN:
        imports = (PYPLOT, *shades.imports)
        drawn = filled("boxes", shades=shades.lines, numbers=filled("numbers", shown="shown", place="column, row"))
    lines = filled("tokens", rows=written, start=columns.start, stop=columns.stop, drawn=drawn)
    return source_of(document, positions, NUMPY, Snippet(lines, imports))


def drawn_positions(encoding: Encoding, positions: range, n_drawn: int) -> range:
    """The positions that have values; ValueError for none, and for a table of too many numbers."""
    first, last = encoding.domain
    valued = range(int(max(positions.start, first)), int(min(positions.stop - 1, last)) + 1)
    if not valued or not n_drawn:
        raise ValueError("there is nothing to draw: no position or column in view has a value")
    check_size(len(valued) * encoding.n_columns)
    return valued


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


def tick_lines(axes: str, side: str, ticks: ColumnTicks) -> tuple[str, ...]:
    """A line that writes the columns' numbers at their places on an axis; none without ticks."""
    if not ticks:
        return ()
    return (f"{axes}.set_{side}ticks({[place for place, _ in ticks]}, {[text for _, text in ticks]})",)


def _turned(encoding: Encoding, side: str) -> tuple[str, ...]:
    return turned_lines("ax", side) if encoding.relative else ()


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
