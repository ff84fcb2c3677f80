"""The table of a page: its entries, or means over equal parts, with their steps of colour."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core.encodings import pair_of
from posenc_core.tables import Cancelled, ProgressCallback
from posenc_gui.files import FileError
from posenc_gui.look import DARK, LIGHT, counted, significant
from posenc_gui.model import column_facts_words, column_noun, column_words, position_noun, value_title
from posenc_gui.plotting import ColorScale, TableColors, table_colors
from posenc_gui.webpage.packing import packed
from posenc_gui.webpage.plan import MOST_CELLS, PagePart

_BLOCK, _KEY_STEPS, _MOST_PAIRS = 32, 128, 1 << 14

Record = dict[str, Any]
"""Values that become JSON."""


def table_record(part: PagePart, progress: ProgressCallback) -> Record:
    """The numbers and their steps of colour; FileError without a finite number, Cancelled by ``progress``."""
    values = np.concatenate(list(_blocks(part, progress)))
    if not np.isfinite(values).any():
        raise FileError("the table has no finite number: there is nothing to show in a page")
    colors = table_colors(part.document, LIGHT)
    return {
        "rows": part.shape[0],
        "columns": part.shape[1],
        "isMean": part.is_mean,
        "values": packed(values),
        "levels": packed(levels_of(colors, values, part.columns)),
    }


def _blocks(part: PagePart, progress: ProgressCallback) -> Iterator[npt.NDArray[Any]]:
    """The table in blocks of rows: float64 entries, or exact means."""
    (rows, _), encoding, positions, columns = part.shape, part.encoding, part.positions, part.columns
    ends = (positions.start, positions.stop), (columns.start, columns.stop)
    row_spans, column_spans = encoding.sampler.pixels(*ends, part.shape)
    for start in range(0, rows, _BLOCK):
        block = slice(start, min(start + _BLOCK, rows))
        if part.is_mean:
            yield encoding.sampler.means(row_spans[block], column_spans)
        else:
            yield encoding.values(np.array(positions[block]), np.array(columns))
        if not progress(block.stop / rows):
            raise Cancelled


def levels_of(colors: TableColors, values: npt.NDArray[Any], columns: range) -> npt.NDArray[np.uint8]:
    """The step 0 to 255 of each number in the map of its theme; 0 for a missing number."""
    finite = np.where(np.isfinite(values), values, 0.0)
    return colors.scale.levels(colors.shares(finite, columns.start, columns.stop))


def map_of(part: PagePart, is_dark: bool) -> str:
    """The 256 colours of the table's map in a theme, ``rrggbb`` each."""
    name = table_colors(part.document, DARK if is_dark else LIGHT).scale.name
    colours = ColorScale(name, -1.0, 1.0).colours(np.linspace(-1.0, 1.0, 256))
    return "".join(f"{int(each) & 0xFFFFFF:06x}" for each in colours)


def heatmap_record(part: PagePart) -> Record:
    """The key of the colours, and a note on means."""
    colors = table_colors(part.document, LIGHT)
    unit = " of each head's largest" if colors.per_row else ""
    return {
        "key": packed(colors.scale.levels(colors.scale.values(_KEY_STEPS))),
        "low": significant(colors.scale.low, 3),
        "high": significant(colors.scale.high, 3),
        "note": f"{value_title(part.encoding)}{unit}",
    }


def axis_record(part: PagePart) -> Record:
    """The positions of the table."""
    noun, relative = position_noun(part.encoding), part.encoding.relative
    title = "distance key − query" if relative else noun
    first, count = part.positions.start, len(part.positions)
    return {"noun": noun, "title": title, "isRelative": relative, "first": first, "count": count}


def columns_record(part: PagePart) -> Record:
    """The columns of the table: how each is named, unless they are too many, and the pair of each, -1 for none."""
    encoding, columns = part.encoding, part.columns
    named = columns if len(columns) <= MOST_CELLS else ()
    facts = {column: encoding.column_info(column) for column in named}
    pairs = [pair_of(encoding, column) for column in columns[:_MOST_PAIRS]]
    return {
        "noun": column_noun(encoding),
        "first": columns.start,
        "count": len(columns),
        "words": [
            f"{column_words(encoding, column)} {column_facts_words(facts[column], column)}".strip() for column in named
        ],
        "pairs": packed(np.array([-1 if pair is None else pair for pair in pairs], np.int32)),
    }


def mean_note(part: PagePart) -> str:
    """A sentence on means; empty for a table of entries."""
    if not part.is_mean:
        return ""
    count, width = len(part.positions), len(part.columns)
    return (
        f"The table has {counted(count)} × {counted(width)} numbers, more than {MOST_CELLS} × {MOST_CELLS}: "
        f"Heatmap shows the exact means of {part.shape[0]} × {part.shape[1]} equal parts."
    )
