"""Content of the patch map, as values: the patches in view and their scores."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from posenc_core import Document, Encoding
from posenc_core.encodings import Cells
from posenc_core.numerics import FloatArray
from posenc_core.tables import ProgressCallback
from posenc_gui.panels.patches.spec import axis_of


class PatchScores(Struct, frozen=True):
    """The scores of a query position with the patches in some ``rows`` and ``columns`` of a frame."""

    encoding: Encoding
    axis: str
    query: int
    frame: int
    rows: range
    columns: range

    @property
    def cells(self) -> Cells:
        """The cells of the encoding; ValueError for an encoding without a grid."""
        if self.encoding.cells is None:
            raise ValueError("the encoding turns no pairs by the rows and columns of a grid")
        return self.encoding.cells

    def compute(self) -> FloatArray:
        """The scores, float64 ``(n_rows, n_columns)``; the same array for an equal request."""
        return _scores(self)


@lru_cache(maxsize=4)
def _scores(request: PatchScores) -> FloatArray:
    cells = request.cells
    *_, width = cells.grid.sizes
    first = cells.grid.position({"t": request.frame})
    keys = np.add.outer(first + width * np.array(request.rows), np.array(request.columns))
    return cells.scores(request.query, keys.ravel(), request.axis).reshape(keys.shape)


def numbers(document: Document, progress: ProgressCallback) -> Mapping[str, FloatArray]:
    """The score of every patch of the first frame with the patch in its middle, by row and column."""
    request = PatchScores(document.encoding, axis_of(document), 0, 0, range(0), range(0))
    grid = request.cells.grid
    *_, tall, wide = grid.sizes
    query = grid.position({"h": tall // 2, "w": wide // 2})
    scores = replace(request, query=query, rows=range(tall), columns=range(wide)).compute()
    rows, columns = np.indices(scores.shape).astype(np.float64)
    return {"row": rows.ravel(), "column": columns.ravel(), "score": scores.ravel()}
