"""The proof of each property: the panel that shows it, and the cell of the family with the number."""

import numpy as np

from posenc_core import Encoding
from posenc_core.encodings import Effect
from posenc_core.gallery import Setting
from posenc_core.long_context import slowdowns, unseen_angles
from posenc_gui.model import compares_rows, pair_column

_MOST_ROWS, _MOST_COLUMNS = 256, 1024
"""Entries among which the largest is looked for."""

_PROOFS = {
    "bounded": ("vectors", "waves"),
    "unique": ("relations", "similarity"),
    "step": ("vectors", "heatmap"),
    "shift": ("relations", "shift"),
    "defined": ("vectors", "heatmap"),
    "unseen": ("long_context", "unseen"),
    "trained": ("vectors", "heatmap"),
}


def proof_of(name: str, encoding: Encoding) -> tuple[str, str]:
    """The workspace and the panel that show a property of an encoding."""
    if encoding.effect is Effect.NONE and name != "score":
        return ("vectors", "heatmap")
    if name == "unique" and not compares_rows(encoding):
        return ("relations", "pairs")
    if name == "score":
        return ("relations", "pairs" if encoding.scores is None else "scores")
    if name == "scaled":
        return ("long_context", "spectrum") if encoding.rotation is not None else ("vectors", "heatmap")
    return _PROOFS[name]


def proved_cell(name: str, encoding: Encoding, setting: Setting) -> tuple[int, int] | None:
    """The position and the column that show a property best; None if all cells show it equally.

    For a bound it is the largest entry of the text's first rows, for unseen angles their first position, for a
    scaling the most slowed pair.
    """
    if name == "bounded" and not encoding.relative:
        return _largest_entry(encoding, setting)
    if name == "unseen":
        first = unseen_angles(encoding, setting.trained, setting.reach, setting.longest_distance).first
        found = np.flatnonzero(first >= 0)
        pair = int(found[first[found].argmin()]) if len(found) else len(first) - 1
        return int(first[pair]) if len(found) else 0, pair_column(encoding, pair)
    if name == "scaled" and encoding.rotation is not None:
        return 0, pair_column(encoding, int(slowdowns(encoding).argmax()))
    return None


def _largest_entry(encoding: Encoding, setting: Setting) -> tuple[int, int] | None:
    """The place of the largest absolute entry of the first rows."""
    rows = np.array([row for row in range(min(setting.length, _MOST_ROWS)) if encoding.has_value(row)], np.int64)
    if not len(rows):
        return None
    values = np.abs(encoding.values(rows, np.arange(min(encoding.n_columns, _MOST_COLUMNS))))
    row, column = divmod(int(values.argmax()), values.shape[1])
    return int(rows[row]), column
