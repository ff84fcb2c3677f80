"""HEATMAP: position by column, exact at every zoom."""

from typing import TYPE_CHECKING

from posenc_core import Document, Encoding
from posenc_core.encodings import MOST_CELLS, ROW_NOUNS, Grid
from posenc_core.fields import ChoiceField, FlagField, IntegerField
from posenc_gui.look import counted
from posenc_gui.model import Need, PanelSpec, texts_beside

if TYPE_CHECKING:
    from posenc_core.analysis import AxisRows

TRANSPOSE = FlagField(
    name="transpose",
    label="&Positions across",
    help="Draw the heatmap with positions across and columns down, as in some books.",
    default=False,
)

HALVES = FlagField(
    name="halves",
    label="Sines | c&osines",
    help="Draw the sines and the cosines of an interleaved table in two halves of the heatmap. The table is "
    "unchanged: the numbers beside the axis are those of its columns.",
    default=False,
)


ROWS = ChoiceField(
    name="heatmap_rows",
    label="rows",
    help="The cells of a picture's grid that are the rows of the heatmap: all of them in their order, or those along "
    "one axis, with an index of each other axis.",
    default="cells",
    choices=(
        ("cells", "all cells in their order"),
        ("t", "the patches of all frames at one place"),
        ("h", "the patches of one column"),
        ("w", "the patches of one row"),
    ),
    titles=("all cells", "along t", "along h", "along w"),
)


def _index(axis: str, name: str) -> IntegerField:
    about = f"Index along the axis {axis}, from 0, of the {ROW_NOUNS[axis]} in which patches are drawn."
    return IntegerField(name=name, label=axis, help=about, default=0, minimum=0, maximum=MOST_CELLS - 1, slider=(0, 63))


INDICES = {
    "t": _index("t", "heatmap_frame"),
    "h": _index("h", "heatmap_row"),
    "w": _index("w", "heatmap_column"),
}
"""The options that fix an index along each axis that is not drawn."""


def _grid(document: Document) -> Grid:
    """The grid of the encoding; a text without one."""
    cells = document.encoding.cells
    return Grid() if cells is None else cells.grid


def _fixed(document: Document) -> dict[str, IntegerField]:
    """The options of the axes that are not drawn, by their names; none if the rows are all cells."""
    axis, names = document.option(ROWS), _grid(document).names
    return {name: INDICES[name] for name in names if name != axis} if axis in names else {}


def has_all_cells(document: Document) -> bool:
    """Whether the rows are those of all positions."""
    if document.encoding.row_noun != Encoding.row_noun:  # a difference that is drawn along an axis
        return False
    return document.option(ROWS) == ROWS.default or not _grid(document).is_picture


def axis_rows(document: Document) -> "AxisRows | None":
    """The patches along the chosen axis of the document's picture; None if the rows are all cells."""
    axis, grid = document.option(ROWS), _grid(document)
    if axis not in grid.names or _missing(document) is not None:
        return None
    from posenc_core.analysis import AxisRows  # imported on first use

    through = grid.position({name: document.option(field) for name, field in _fixed(document).items()})
    return AxisRows(document.encoding, axis, through)


def _used(document: Document) -> tuple[str, ...]:
    grid = _grid(document)
    names = [TRANSPOSE.name]
    if document.encoding.in_halves() != document.encoding:
        names.append(HALVES.name)
    if grid.is_picture:
        names.append(ROWS.name)
        names += [field.name for name, field in _fixed(document).items() if grid.size(name) > 1]
    return tuple(names)


def _ends(document: Document) -> dict[str, tuple[int, int]]:
    grid = _grid(document)
    return {field.name: (0, grid.size(name) - 1) for name, field in _fixed(document).items()}


def _missing(document: Document) -> Need | None:
    axis, grid = document.option(ROWS), _grid(document)
    if grid.is_picture and axis not in (ROWS.default, *grid.names):
        return Need(f"The grid {grid} has no frames.", "Show all cells", edit=(ROWS.name, ROWS.default))
    for name, field in _fixed(document).items():
        index, last = document.option(field), grid.size(name) - 1
        if index > last:
            sentence = f"The grid {grid} has no {ROW_NOUNS[name]} {counted(index)}: the last is {counted(last)}."
            return Need(sentence, f"Show {ROW_NOUNS[name]} {counted(last)}", edit=(field.name, last))
    return None


SPEC = PanelSpec(
    **texts_beside(__package__),
    least_size=(240, 180),
    export_size=(640, 520),
    options=(TRANSPOSE, HALVES, ROWS, *INDICES.values()),
    controls=(ROWS.name, *(field.name for field in INDICES.values())),
    find_used=_used,
    slider_ends=_ends,
    find_missing=_missing,
    rows=axis_rows,
)
