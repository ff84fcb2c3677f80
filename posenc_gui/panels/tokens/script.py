"""The Matplotlib script of the tokens' vectors."""

from msgspec import Struct

from posenc_core.explain import MOST_NUMBERS, NUMPY, Snippet, number_list, template_lines
from posenc_core.long_context import TableDifference, difference_of
from posenc_core.numerics import FloatArray
from posenc_core.scripts import (
    MOST_NUMBERS_SHOWN,
    PYPLOT,
    drawn_positions,
    filled,
    plain_label,
    source_of,
    table_names,
)
from posenc_gui.panels.tokens.rows import SUMMED, strip_colors, strip_rows
from posenc_gui.panels.tokens.view import TokensView
from posenc_gui.plotting import shades_of, table_colors

_MOST_BOXES = 16
"""Boxes in a row."""


class _Row(Struct, frozen=True):
    """A row of the strips: its name, its colour, and the sum of ``table``'s row at a position and of numbers.

    Either may be None.
    """

    name: str
    colour: str
    position: int | None
    numbers: FloatArray | None = None
    table: str = "table"


def script(view: TokensView) -> str:
    """A script that draws the strips in view, as boxes with numbers or, for many columns, as profiles.

    ValueError with one sentence for a picture without tokens or columns, or with too many numbers.
    """
    document, columns, difference = view.document, range(*view.columns), difference_of(view.encoding)
    rows = _token_rows(view) if difference is None else _compared_rows(view, difference)
    at = [row.position for row in rows if row.position is not None] or [0]
    if sum(row.numbers.size for row in rows if row.numbers is not None) > MOST_NUMBERS:
        raise ValueError(f"more than {MOST_NUMBERS} numbers would have to be written out: show fewer columns or tokens")
    positions = drawn_positions(document.encoding, range(min(at), max(at) + 1), len(columns))
    written = []
    for row in rows:
        terms = [] if row.numbers is None else [f"np.array({number_list(row.numbers.tolist())})"]
        if row.position is not None:
            terms.append(f"{row.table}[{row.position - positions.start}, {columns.start}:{columns.stop}]")
        written.append(f"({plain_label(row.name)!r}, {row.colour!r}, {' + '.join(terms)}),")
    imports: tuple[str, ...] = (PYPLOT,)
    drawn = template_lines(__file__, "profiles")
    if len(columns) <= _MOST_BOXES and len(rows) * len(columns) <= MOST_NUMBERS_SHOWN:
        shades = shades_of(strip_colors(document, table_colors(document, view.style, shared=True)).scale)
        imports = (PYPLOT, *shades.imports)
        numbers = filled("numbers", shown="shown", place="column, row")
        drawn = template_lines(__file__, "boxes", shades=shades.lines, numbers=numbers)
    lines = template_lines(__file__, "script", rows=written, start=columns.start, stop=columns.stop, drawn=drawn)
    return source_of(document, positions, NUMPY, Snippet(lines, imports))


def _token_rows(view: TokensView) -> list[_Row]:
    """The rows of the strips in view; rows without a value are omitted."""
    document, axis = view.document, view.axis
    rows, found = strip_rows(document, axis, view.tokens, view.columns), []
    for index, token in enumerate(view.tokens):
        word, colour = document.token_list[token].shown, view.style.token(token).name()
        for row in rows:
            if row.has_value[index]:
                typed = rows[0] if row.name == SUMMED[2] else row  # the script adds the entries of a sum
                numbers = None if row.name in ("", SUMMED[1]) else typed.values[index]
                position = axis.tokens[token] if row.name in ("", *SUMMED[1:]) else None
                found.append(_Row(f"{word} {row.name}".strip(), colour, position, numbers))
    return found


def _compared_rows(view: TokensView, difference: TableDifference) -> list[_Row]:
    """Rows of two tables and of their difference, which the script computes."""
    words, style, positions = view.document.token_list, view.style, view.axis.tokens
    return [
        _Row(f"{words[token].shown} {name}", style.token(token).name(), positions[token], table=table)
        for token in view.tokens
        if difference.has_value(positions[token])
        for name, table in zip(view.names, table_names(difference), strict=True)
    ]
