"""An encoding as HTML for a notebook: a heatmap as SVG, a caption and the first numbers, without a script."""

import math
from html import escape
from typing import Any

import numpy as np

from posenc_core.encodings.abilities.rows import Rows
from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.numerics import FloatArray

MOST_CELLS = 64
"""Rows and columns of the heatmap; where a table has more columns, a cell is the mean of several."""

_CELL, _ROWS, _COLUMNS = 6, 4, 8
_LOW, _ZERO, _HIGH = np.array([(33, 102, 172), (247, 247, 247), (178, 24, 43)], float)
"""Colours of the smallest number, of 0 and of the largest number (ColorBrewer's RdBu, reversed)."""


def html_of(sampler: Sampler[Any], parameters: str, is_backward: bool) -> str:
    """A figure of the first 64 positions, or of 64 distances, of the table that the sampler draws.

    ``parameters`` are words for the caption. Distances end at 0 if ``is_backward``, else 0 is in the middle. A sentence
    replaces the picture if a table cannot be drawn.
    """
    table: Rows = sampler.table
    caption = f"<figcaption>{escape(caption_of(table, parameters))}</figcaption>"
    rows = shown_positions(table, is_backward)
    columns = min(MOST_CELLS, table.n_columns)
    try:
        cells = sampler.tile((rows.start, rows.stop), (0, table.n_columns), (len(rows), columns))
        drawn = heatmap(np.asarray(cells, float)) + caption + _first_numbers(table, rows)
    except ValueError as error:  # of a family that needs the tokens' vectors
        drawn = f"{caption}<p>{escape(str(error))}</p>"
    return f'<figure style="font: 13px sans-serif; margin: 0">{drawn}</figure>'


def caption_of(table: Rows, parameters: str) -> str:
    """The title, the parameters, and an explanation of the heatmap's rows and cells."""
    rows = "a row per distance, query - key, the past at the top" if table.relative else "a row per position"
    share = table.n_columns / MOST_CELLS
    means = f"; a cell is the mean of {share:.3g} columns" if share > 1 else ""
    return f"{table.title}: {parameters}; {rows}{means}"


def shown_positions(table: Rows, is_backward: bool) -> range:
    """At most 64 positions with a value, from 0 on; or distances, up to 0 if ``is_backward``."""
    first, last = table.domain
    wanted = 0 if not table.relative else 1 - MOST_CELLS if is_backward else -MOST_CELLS // 2
    start = int(max(first, wanted))
    return range(start, int(min(last, start + MOST_CELLS - 1)) + 1)


def heatmap(cells: FloatArray) -> str:
    """The cells ``(n_rows, n_columns)`` as SVG, blue below 0 and red above; cells without a value are left out."""
    height, width = cells.shape
    largest = float(np.abs(cells[np.isfinite(cells)]).max(initial=0.0)) or 1.0
    shares = np.clip(cells / largest, -1, 1)[..., None]
    colours = np.where(shares < 0, _ZERO + shares * (_ZERO - _LOW), _ZERO + shares * (_HIGH - _ZERO))
    drawn = "".join(
        f'<rect x="{column}" y="{row}" width="1" height="1" fill="{_hexadecimal(colour)}"/>'
        for row, line in enumerate(colours.tolist())
        for column, colour in enumerate(line)
        if math.isfinite(cells[row, column])
    )
    size = f'width="{width * _CELL}" height="{height * _CELL}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} shape-rendering="crispEdges" role="img">{drawn}</svg>'


def _hexadecimal(colour: list[float]) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in colour)


def _first_numbers(table: Rows, rows: range) -> str:
    """A table of the numbers of up to 4 positions, from 0 on, and of up to 8 columns."""
    start = max(rows.start, min(0, rows.stop - _ROWS)) if 0 in rows else rows.start
    shown = range(start, min(rows.stop, start + _ROWS))
    columns = np.arange(min(_COLUMNS, table.n_columns))
    entries = table.values(np.array(shown), columns).tolist()
    more = "<td>…</td>" if table.n_columns > _COLUMNS else ""
    lines = (
        f"<tr><th>{row}</th>{''.join(f'<td>{number:.6g}</td>' for number in line)}{more}</tr>"
        for row, line in zip(shown, entries, strict=True)
    )
    return f"<table>{''.join(lines)}</table>"
