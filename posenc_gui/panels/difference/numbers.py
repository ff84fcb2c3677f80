"""Two tables and their difference at the tokens."""

from collections.abc import Mapping

import numpy as np

from posenc_core import Document
from posenc_core.numerics import FloatArray
from posenc_core.tables import ProgressCallback
from posenc_gui.model import position_noun
from posenc_gui.panels.difference.compared import Compared
from posenc_gui.panels.difference.spec import wants_angles


def numbers(document: Document, progress: ProgressCallback) -> Mapping[str, FloatArray]:
    """The three tables at the tokens, or at the distances from the last one to them, query - key."""
    compared, count = Compared.of(document, wants_angles(document)), len(document.token_list)
    places = np.arange(min(compared.widths))
    positions = np.arange(1 - count, 1) if compared.one.relative else np.arange(count)
    held = [each.has_value(int(position)) for position in positions for each in (compared.one, compared.other)]
    positions = positions[np.array(held, bool).reshape(-1, 2).all(axis=1)]
    shown = -positions if compared.one.relative else positions
    columns = {position_noun(compared.one): shown.astype(np.float64)}
    noun, unit = ("angle of pair", " (rad)") if compared.angles else (compared.noun, "")
    for name, table in zip(compared.names, compared.numbers(positions, places), strict=True):
        columns |= {f"{name}: {noun} {place}{unit}": table[:, place] for place in places.tolist()}
    return columns
