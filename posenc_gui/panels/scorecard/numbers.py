"""The scores of the families as a table."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core import Document
from posenc_core.gallery import PROPERTIES, Scorecard
from posenc_core.tables import ProgressCallback
from posenc_gui.figures import computed
from posenc_gui.panels.scorecard.spec import SCORECARD_PAGE


def numbers(document: Document, progress: ProgressCallback) -> Mapping[str, npt.NDArray[Any]]:
    """The titles of the families, a row for each, and the numbers by the titles of their columns; else nan."""
    card = Scorecard.of(document, document.option(SCORECARD_PAGE))
    scores = computed(card, progress)
    columns: dict[str, npt.NDArray[Any]] = {"family": np.array([each.title for each in card.families])}
    for column, each in enumerate(PROPERTIES):
        cells = (row[column] for row in scores)
        columns[each.title] = np.array(
            [np.nan if cell is None or cell.number is None else cell.number for cell in cells], np.float64
        )
    return columns
