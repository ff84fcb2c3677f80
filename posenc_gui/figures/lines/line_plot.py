"""Content of a plot of lines, as values: lines, bands, straight lines that can be dragged, and the table of numbers.

No Qt is imported here.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from posenc_core import Document, Encoding
from posenc_core.encodings import at_length
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.session import COMPARED_SCALINGS, LETTERS, Compared, Comparison, compared_encodings, compared_titles
from posenc_gui.look import NO_NUMBER, counted, significant
from posenc_gui.model import turns_pairs
from posenc_gui.plotting import Extents, Range, Scale

LINES_SHARE = 2
"""Share of the height of lines above a matrix."""

_SPREAD = 256
"""Positions at equal distances on a logarithmic axis, beside those at which a line rises."""

_SAME = 1e-12
"""Largest relative difference of rates of pairs that turn alike."""

_OWN_LOOKS = {"none": 0, "present": -1}
"""The looks of an encoding as trained, and with its own scaling."""

FIRST_ENCODING, FIRST_CHOSEN = 100, 200
"""Looks from here on belong to the encodings A to D, thin and thick."""

FIRST_SHADE, LAST_SHADE = 300, 400
"""Looks of lines in order, from one end of a scale of colours to the other."""


def compared_look(name: str) -> int:
    """The look of an encoding as trained (``none``), with its own scaling (``present``), or with a compared one."""
    return _OWN_LOOKS[name] if name in _OWN_LOOKS else 1 + COMPARED_SCALINGS.values.index(name)


def encoding_look(index: int, is_chosen: bool = False) -> int:
    """The look of encoding A, B, C or D, in its colour and dash; thick for the chosen one."""
    return index + (FIRST_CHOSEN if is_chosen else FIRST_ENCODING)


def shade_look(share: float) -> int:
    """The look of one of many lines in order, by its share of the way from the first to the last."""
    return FIRST_SHADE + round(share * (LAST_SHADE - FIRST_SHADE))


def named_look(document: Document, index: int) -> tuple[str, int]:
    """The name and the look of an encoding's line: its letter and its own look if there are several."""
    title, is_chosen = compared_titles(document.encodings)[index], index == document.current
    if len(document.encodings) == 1:
        return title, 0
    return f"{LETTERS[index]} {title}", encoding_look(index, is_chosen)


_SHORTER = {
    "Position interpolation": "PI", "Frequency scale": "freq_scale", "Listed divisors": "Listed",
    "largest of all pairs": "largest", "as trained": "trained", ", present": " now",
}  # fmt: skip


def shorter_names(name: str) -> tuple[str, str, str, str]:
    """The name of a line, and shorter ones: without a factor, with a shorter title, and its letter A to D."""
    bare = shorter = name.partition(" ×")[0]
    for long, short in _SHORTER.items():
        shorter = shorter.replace(long, short)
    has_letter = name[0] in LETTERS and name[1:2] == " " and ", " not in name
    return name, bare, shorter, name[0] if has_letter else shorter


class TurningEncoding(Struct, frozen=True, eq=False):
    """An encoding whose pairs turn, with the title and the look of its line.

    ``index`` is that of an encoding of the document, ``scaling`` the name of a compared scaling in place of its
    own, "" for its own.
    """

    title: str
    look: int
    index: int
    scaling: str
    encoding: Encoding


def turning_encodings(
    document: Document, turns: Callable[[Encoding], bool] = turns_pairs
) -> tuple[tuple[TurningEncoding, ...], tuple[str, ...], tuple[str, ...]]:
    """The chosen encoding's scalings, then the others of A to D that turn pairs, and sentences on omitted encodings.

    The first sentences are on encodings that cannot be drawn, the others on encodings with equal lines.

    All are those of a text of the target length, not of the rows in view.
    Compared scalings that turn the pairs as the document's own encoding does, or another of A to D, have no separate
    line.
    The titles of the document's encodings begin with a letter if there are several. All are empty for a chosen encoding
    without pairs, by ``turns``.
    """
    chosen, is_one = document.encoding, len(document.encodings) == 1
    if not turns(chosen):
        return (), (), ()
    comparison = compared_encodings(chosen, document.view.compared_scalings, document.lengths)
    distinct, same = _distinct(comparison)
    beside, left_out = _others(document, turns)
    found = list[TurningEncoding]()
    for each in distinct:
        own = each == comparison.present
        equal = next((one for one in beside if _turn_alike(one.encoding, each.encoding)), None)
        if equal is not None and each.name not in ("none", "present"):
            same = (*same, f"{each.title}: the same as {equal.title}")
            continue
        title, look = each.title, compared_look(each.name)
        if own and not is_one:
            name, own_look = named_look(document, document.current)
            title = name if len(distinct) == 1 else f"{document.letter} {title}"  # beside its scalings, its own
            look = own_look if document.current or each.name == "none" else look  # A's pen is that of "as trained"
        found.append(TurningEncoding(title, look, document.current, "" if own else each.name, each.encoding))
    return (*found, *beside), (*comparison.refusals, *left_out), same


def _others(document: Document, turns: Callable[[Encoding], bool]) -> tuple[list[TurningEncoding], list[str]]:
    """The encodings beside the chosen one that turn pairs, and a sentence on each of the others."""
    found, left_out = list[TurningEncoding](), list[str]()
    for index, named in enumerate(document.encodings):
        if not turns(named.encoding):
            left_out.append(f"{LETTERS[index]} has no pairs that turn")
        elif index != document.current:
            title = f"{LETTERS[index]} {compared_titles(document.encodings)[index]}"
            turning = at_length(named.encoding, document.lengths.target)
            found.append(TurningEncoding(title, encoding_look(index), index, "", turning))
    return found, left_out


@lru_cache(maxsize=8)
def _distinct(comparison: Comparison) -> tuple[tuple[Compared, ...], tuple[str, ...]]:
    """The encodings that differ, and a sentence on the others.

    The encoding with the document's own scaling is always among them.
    """
    kept, same = list[Compared](), dict[str, list[str]]()
    for each in comparison.encodings:
        equal = next((one for one in kept if _turn_alike(one.encoding, each.encoding)), None)
        if equal is None or each == comparison.present:
            kept.append(each)
        else:
            same.setdefault(equal.title, []).append(each.title)
    told = (f"{', '.join(titles)}: the same as {title.removeprefix('as ')}" for title, titles in same.items())
    return tuple(kept), tuple(told)


def _turn_alike(one: Encoding, other: Encoding) -> bool:
    """Whether two encodings turn all pairs alike."""
    factors = [1.0 if each.rotation is None else each.rotation.attention_factor for each in (one, other)]
    before, after = one.frequencies(), other.frequencies()
    is_alike = before.shape == after.shape and np.allclose(before, after, rtol=_SAME, atol=0.0)
    return is_alike and math.isclose(*factors, rel_tol=_SAME)


class Line(Struct, frozen=True, eq=False):
    """A line: its name, its values, and its look.

    Look 0 is thick in the colour of text, -1 thick in the accent colour, and looks from 1 on have colours and dashes;
    ``encoding_look`` returns those of the encodings A to D. ``spread`` is the height of a tinted band above and below
    the line. ``scale`` is a separate vertical axis of the line, in place of the plot's; both are linear.
    """

    name: str
    y: FloatArray
    look: int = 0
    spread: FloatArray | None = None
    scale: Scale | None = None


class Rule(Struct, frozen=True):
    """A straight line across the plot at a value; dragging it edits the document's ``field``, if it has one."""

    text: str
    value: float
    field: str = ""
    upright: bool = False


class Band(Struct, frozen=True):
    """A part of the plot from one value of x to another, with its name and the strength of its tint from 0 to 1."""

    first: float
    last: float
    text: str
    tint: float


class Plot(Struct, frozen=True, eq=False):
    """One plot: the values of x in ascending order, and the lines and marks over them.

    ``stretch`` is its share of the figure's height.
    """

    x: FloatArray
    lines: tuple[Line, ...]
    x_scale: Scale
    y_scale: Scale
    rules: tuple[Rule, ...] = ()
    bands: tuple[Band, ...] = ()
    stretch: int = 1

    def heights(self, line: Line) -> FloatArray:
        """The values of a line on the plot's upright axis."""
        own = line.scale
        if own is None:
            return line.y
        return self.y_scale.first + (line.y - own.first) * self.y_scale.span / own.span

    def own_value(self, own: Scale, height: float) -> float:
        """The value of a line's own axis at a height on the plot's."""
        return own.first + (height - self.y_scale.first) * own.span / self.y_scale.span

    def scales(self, index: int) -> Iterator[tuple[str, Range]]:
        """The names and the ends of its axes, for the plot at an index."""
        for scale in (self.x_scale, self.y_scale, *(line.scale for line in self.lines)):
            if scale is not None:
                yield f"{index} {scale.title}", (scale.first, scale.last)

    def widened(self, least: Extents, index: int) -> "Plot":
        """The plot with axes that have these ranges in them, by the names of ``scales``."""

        def wide(scale: Scale) -> Scale:
            return scale.widened(least.get(f"{index} {scale.title}"))

        lines = tuple(replace(line, scale=line.scale and wide(line.scale)) for line in self.lines)
        return replace(self, x_scale=wide(self.x_scale), y_scale=wide(self.y_scale), lines=lines)

    def nearest(self, x: float) -> int:
        """The index of the value of x that is nearest."""
        after = int(np.clip(np.searchsorted(self.x, x), 1, max(1, len(self.x) - 1)))
        before = after - 1
        return after if after < len(self.x) and self.x[after] - x < x - self.x[before] else before


def positions_around(rises: Sequence[IntArray], last: int, more: Sequence[int] = ()) -> FloatArray:
    """Positions from 1 to ``last``: some in equal ratios, ``more``, and both sides of every rise of a line."""
    spread = np.rint(np.geomspace(1, last, _SPREAD)).astype(np.int64)
    sides = (beside for each in rises for beside in (each, each - 1))
    found = np.unique(np.concatenate([spread, [last], *sides, np.array(more, np.int64)]))
    return found[(found >= 1) & (found <= last)].astype(np.float64)


def padded(values: FloatArray, count: int) -> FloatArray:
    """The values as the first of ``count`` numbers, nan for those that another line alone has."""
    return np.append(values, np.full(count - len(values), np.nan))


def numbers_of(plots: Sequence[Plot]) -> Mapping[str, FloatArray]:
    """The columns of a table of the plots' numbers: x first, then each line under its own and its axis' name."""
    columns: dict[str, FloatArray] = {}
    for plot in plots:
        across, upright = (scale.title.partition(",")[0] for scale in (plot.x_scale, plot.y_scale))
        columns.setdefault(across, plot.x)
        for line in plot.lines:
            columns[f"{upright}: {line.name}"] = line.y
            if line.spread is not None:
                columns[f"{upright}: {line.name}, spread"] = line.spread
    return columns


def value_texts(value: float) -> tuple[str, ...]:
    """A value in the legend, then with fewer digits, for less room."""
    return value_text(value), *(significant(value, digits) for digits in (3, 2, 1) if np.isfinite(value))


def value_text(value: float) -> str:
    """A value in the legend; a dash for a missing one."""
    if np.isnan(value):
        return NO_NUMBER
    if np.isinf(value):
        return "∞"
    return counted(round(value)) if 1000 <= abs(value) < 1e7 else significant(value, 4)
