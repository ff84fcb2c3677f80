"""The turns of the pairs that the lens shows, for each token."""

import math
from collections.abc import Mapping

import numpy as np

from posenc_core import Document, Encoding
from posenc_core.analysis import full_angles, head_columns
from posenc_core.encodings import n_whole_pairs
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.tables import ProgressCallback
from posenc_gui.model import PositionAxis
from posenc_gui.panels.lens.spec import N_CLOCKS


def shown_pairs(encoding: Encoding, count: int, marked: int | None = None) -> IntArray:
    """Up to ``count`` pairs, evenly spread from the first to the last, the marked one in the place of the nearest."""
    n_pairs = n_whole_pairs(encoding)
    pairs = np.unique(np.linspace(0, n_pairs - 1, min(count, n_pairs)).round().astype(np.int64))
    if marked is not None and marked not in pairs:
        pairs[np.abs(pairs - marked).argmin()] = marked
    return pairs


def numbers(document: Document, progress: ProgressCallback) -> Mapping[str, FloatArray]:
    """Position, and the turns of each pair that is shown, for each token; the columns of a table by their heads."""
    encoding, axis = document.encoding, PositionAxis.of(document)
    positions = np.arange(max(1, axis.n_tokens))
    pairs = shown_pairs(encoding, document.option(N_CLOCKS))
    turned = np.array([full_angles(encoding, int(position))[pairs] for position in positions]) / (2 * math.pi)
    columns = {"position": positions.astype(np.float64)}
    for index, (pair, one, other) in enumerate(zip(pairs, *head_columns(encoding, pairs), strict=True)):
        columns[f"turns of pair {pair} (columns {one} and {other})"] = turned[:, index]
    return columns
