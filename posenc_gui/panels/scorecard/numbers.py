"""The scores of the families as a table."""

from collections.abc import Mapping

import numpy as np

from posenc_core import Document
from posenc_core.gallery import PROPERTIES, Scorecard
from posenc_core.numerics import FloatArray
from posenc_core.tables import ProgressCallback
from posenc_gui.figures import computed
from posenc_gui.panels.scorecard.spec import SCORECARD_PAGE


def numbers(document: Document, progress: ProgressCallback) -> Mapping[str, FloatArray]:
    """The numbers by the titles of their columns, a row for each family in the order of the story, from 1; else nan."""
    scores = computed(Scorecard.of(document, document.option(SCORECARD_PAGE)), progress)
    columns = {"family": np.arange(1.0, len(scores) + 1)}
    for column, each in enumerate(PROPERTIES):
        cells = (row[column] for row in scores)
        columns[each.title] = np.array(
            [np.nan if cell is None or cell.number is None else cell.number for cell in cells], np.float64
        )
    return columns
