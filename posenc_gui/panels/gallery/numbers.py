"""Numbers of the gallery: some columns of every family over the tokens of the sentence."""

from collections.abc import Mapping

import numpy as np

from posenc_core import Document
from posenc_core.encodings import known_values
from posenc_core.gallery import story_families
from posenc_core.numerics import FloatArray
from posenc_core.tables import ProgressCallback
from posenc_gui.layers import spread_columns
from posenc_gui.model import seen_by
from posenc_gui.panels.gallery.spec import GALLERY_PAGE

_MOST_POSITIONS, _COLUMNS = 512, 8


def numbers(document: Document, progress: ProgressCallback) -> Mapping[str, FloatArray]:
    """Columns by their heads: the position, then up to eight columns of each family.

    Positions are those of the tokens, at most 512 at even distances. In families of distances the key is at the
    position and the query at the last position. A position without a value has nan.
    """
    count = max(1, len(document.token_list))
    positions = np.unique(np.linspace(0, count - 1, min(count, _MOST_POSITIONS)).round().astype(np.int64))
    columns: dict[str, FloatArray] = {"position": positions.astype(np.float64)}
    for family in story_families(document, document.option(GALLERY_PAGE)):
        encoding = seen_by(document.with_encoding(family.encoding), None).encoding
        places = positions - (count - 1) if encoding.relative else positions
        chosen = np.sort(spread_columns(encoding, _COLUMNS))
        for column, values in zip(chosen.tolist(), known_values(encoding, places, chosen).T, strict=True):
            columns[f"{family.title}: {column}"] = values
    return columns
