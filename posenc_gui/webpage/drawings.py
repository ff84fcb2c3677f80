"""Drawings of a page beside its table: waves, the vectors of tokens, and plots of lines."""

from itertools import chain

import numpy as np

from posenc_core.numerics import Traces
from posenc_core.tables import Cancelled, ProgressCallback
from posenc_gui.figures.lines import Line, Plot, line_pen
from posenc_gui.layers import column_info_of, curve_range, spread_columns
from posenc_gui.look import DARK, LIGHT, THEMES
from posenc_gui.panels import PANELS, spec_of
from posenc_gui.plotting import Scale, table_colors
from posenc_gui.webpage.packing import packed
from posenc_gui.webpage.plan import LINE_PANELS, MOST_CELLS, PagePart
from posenc_gui.webpage.table import Record, levels_of

_ROWS, _PIXELS = 32, 900
"""Rows of waves, and the width in pixels for which they are computed: at most four numbers a pixel and row."""


def waves_record(part: PagePart, progress: ProgressCallback) -> Record:
    """The curves of columns that are evenly spread over the table, from the bottom row up, and their labels."""
    encoding, positions, named = part.encoding, part.positions, spec_of("waves").part("labels")
    order = [column for column in spread_columns(encoding, _ROWS).tolist() if column in part.columns]
    order = order or list(part.columns[:_ROWS])
    extent = positions[0] - 0.5, positions[-1] + 0.5
    window = curve_range(encoding, extent, positions[0], positions[-1])
    traced = []
    for done, column in enumerate(order, 1):
        traced.append(encoding.sampler.traces(np.array([column]), window, _PIXELS))
        if not progress(done / len(order)):
            raise Cancelled
    low, high = encoding.range_over(positions.start, positions.stop)
    banded = {column for traces in traced for band in traces.bands for column in band.columns.tolist()}
    assert named is not None
    info = column_info_of(encoding)
    return {
        "columns": order,
        "labels": ["".join(named.wave_label(info(column), column, column in banded)) for column in order],
        "parts": [{"sin": "sine", "cos": "cosine"}.get(info(each).part, "muted") for each in order],
        "extent": extent,
        "low": low,
        "high": high,
        **_curves(traced),
    }


def _curves(traced: list[Traces]) -> Record:
    lines = chain.from_iterable(each.lines for each in traced)
    bands = chain.from_iterable(each.bands for each in traced)
    return {
        "lines": [
            {"columns": each.columns.tolist(), "count": each.x.shape[1], "x": packed(each.x), "y": packed(each.y)}
            for each in lines
            if each.columns.size
        ],
        "bands": [
            {"columns": each.columns.tolist(), "count": each.low.shape[1]}
            | {name: packed(getattr(each, name)) for name in ("x", "low", "high")}
            for each in bands
            if each.columns.size
        ],
    }


def shown_tokens(part: PagePart) -> range:
    """The tokens of a page, limited so that their vectors have at most as many numbers as the largest table."""
    rows = spec_of("tokens").part("rows")
    assert rows is not None
    numbers = len(rows.row_names(part.document)) * rows.strip_columns(part.document)
    return part.tokens[: max(1, MOST_CELLS**2 // numbers)]


def tokens_record(part: PagePart) -> Record:
    """The vectors of the tokens, row by row, and the rows' names; ``shift`` maps the table's columns to theirs."""
    rows = spec_of("tokens").part("rows")
    assert rows is not None
    document, every = part.document, len(part.columns) == part.encoding.n_columns
    some = None if every else (part.columns.start, part.columns.stop)
    found = rows.strip_rows(document, part.axis, shown_tokens(part), some)
    values = np.stack([np.where(row.has_value[:, None], row.values, np.nan) for row in found], axis=1)
    values = values.reshape(-1, values.shape[-1])
    colors = rows.strip_colors(document, table_colors(document, LIGHT))
    first = part.columns.start
    return {
        "names": [row.name for row in found],
        "count": values.shape[1],
        "shift": rows.strip_column(document, first) - first if every else 0,
        "values": packed(values),
        "levels": packed(levels_of(colors, values, range(first, first + values.shape[1]))),
    }


def token_list(part: PagePart) -> list[Record]:
    """The tokens of a page: text, position, and colour in each theme."""
    return [
        {
            "text": part.document.token_list[index].shown,
            "position": part.axis.tokens[index],
            "colours": {name: style.token(index).name() for name, style in THEMES.items()},
        }
        for index in shown_tokens(part)
    ]


def lines_record(name: str, part: PagePart) -> Record:
    """The plots of a panel of lines; ValueError with one sentence if they cannot be drawn."""
    module = spec_of(name).part("plots")
    assert module is not None
    plots: tuple[Plot, ...] = module.plots(part.document)
    return {
        "name": name,
        "title": PANELS[name].title,
        "follows": LINE_PANELS[name],
        "plots": [_plot_record(plot) for plot in plots],
    }


def _plot_record(plot: Plot) -> Record:
    return {
        "x": packed(plot.x),
        "across": _scale_record(plot.x_scale),
        "upright": _scale_record(plot.y_scale),
        "lines": [_line_record(line) for line in plot.lines],
        "rules": [{"text": each.text, "value": float(each.value), "upright": each.upright} for each in plot.rules],
        "bands": [
            {"first": each.first, "last": each.last, "text": each.text, "tint": each.tint} for each in plot.bands
        ],
        "stretch": min(5, plot.stretch + 1),
    }


def _scale_record(scale: Scale) -> Record:
    ends = {"first": float(scale.first), "last": float(scale.last)}
    return {"title": scale.title, "logarithmic": scale.logarithmic, "whole": scale.whole, **ends}


def _line_record(line: Line) -> Record:
    pens = {style.name: line_pen(style, line.look) for style in (LIGHT, DARK)}
    pen = pens[LIGHT.name]
    return {
        "name": line.name,
        "y": packed(line.y),
        "spread": None if line.spread is None else packed(line.spread),
        "colours": {name: each.color().name() for name, each in pens.items()},
        "width": pen.widthF(),
        "dash": [length * pen.widthF() for length in pen.dashPattern()],
    }
