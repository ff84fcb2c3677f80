"""The lines of likeness by distance, of all encodings of a document, and of the rows of one position."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from msgspec import structs

from posenc_core import Document
from posenc_core.analysis import MEASURES, is_toeplitz, similarity_reach
from posenc_core.numerics import FloatArray
from posenc_core.session import LETTERS
from posenc_core.tables import ProgressCallback
from posenc_gui.figures.lines import LINES_SHARE, Line, Plot, named_look
from posenc_gui.model import PositionAxis
from posenc_gui.panels.similarity.beside import DistanceLines
from posenc_gui.panels.similarity.distances import distances_of, n_meant
from posenc_gui.panels.similarity.spec import SIMILARITY_MEASURE, compared
from posenc_gui.plotting import Scale

MEASURE_WORDS = {"dot": "dot product", "cosine": "cosine", "euclidean": "Euclidean distance"}

_LOOKS = {"dot": 1, "cosine": 5, "euclidean": 6}
"""Looks in colours that no encoding has."""

_ROOM = 0.06
_LARGEST, _SMALLEST = 1e100, 1e-100
"""Numbers between these have a place on the axis."""


def drawn_lines(document: Document, likeness: FloatArray) -> tuple[Line, ...]:
    """The lines by the document's measure, and the chosen encoding's by the others, on separate axes."""
    several = len(document.encodings) > 1
    by_measure = lines_of(document, document.option(SIMILARITY_MEASURE), likeness)
    lines = list(by_measure) if several else [structs.replace(by_measure[0], name=MEASURE_WORDS[_measure(document)])]
    for measure, look in _LOOKS.items():
        if measure != _measure(document):
            y = _line_of(document, document.current, measure, likeness).y
            name = f"{document.letter} {MEASURE_WORDS[measure]}".strip()
            lines.append(Line(name, y, look, scale=scale_of(document, measure, [y])))
    return tuple(lines)


def plots(document: Document) -> tuple[Plot, ...]:
    """The measures by distance, the document's on the vertical axis, the others on separate axes."""
    return plots_of(document, _likeness(DistanceLines.of(document)))


def plots_of(document: Document, likeness: FloatArray) -> tuple[Plot, ...]:
    """The same of the numbers of ``DistanceLines``, some of which may be missing."""
    distances, lines = distances_of(document), drawn_lines(document, likeness)
    x = distances.astype(np.float64)
    across = Scale("distance, p′ − p", min(float(x[0]), -1.0), max(float(x[-1]), 1.0), whole=True)
    upright = scale_of(document, _measure(document), [line.y for line in lines if line.scale is None])
    return (Plot(x, lines, across, upright, stretch=LINES_SHARE),)


def numbers(document: Document, progress: ProgressCallback) -> Mapping[str, FloatArray]:
    """The table of all measures: the distances from 0 on, then each measure of each encoding."""
    distances, likeness = distances_of(document), _likeness(DistanceLines.of(document))
    half = distances >= 0
    columns = {"distance": distances[half].astype(np.float64)}
    for measure in MEASURES:
        for line in lines_of(document, measure, likeness):
            columns[f"{MEASURE_WORDS[measure]}: {line.name}"] = line.y[half]
    return columns


def lines_of(document: Document, measure: str, likeness: FloatArray) -> tuple[Line, ...]:
    """The likeness by distance of the chosen encoding, and of the others beside it, of ``DistanceLines``' numbers."""
    order = sorted(compared(document), key=document.current.__ne__)
    return tuple(_line_of(document, index, measure, likeness) for index in order)


def scale_of(document: Document, measure: str, values: Sequence[FloatArray]) -> Scale:
    """The upright axis of these numbers and 0, and the rows of a table in which they differ."""
    encoding, ends = document.encoding, list(values)
    if not is_toeplitz(encoding):
        reach = reach_of(encoding, PositionAxis.of(document).shown, measure)
        ends.append(np.array([0.0 if measure == "euclidean" else -reach, reach]))
    known = np.concatenate(ends)
    known = known[np.abs(known) <= _LARGEST]
    low, high = float(known.min(initial=0.0)), float(known.max(initial=0.0))
    if high - low <= _SMALLEST:
        low, high = low - 1, high + 1
    room = _ROOM * (high - low)
    return Scale(MEASURE_WORDS[measure], low - room, high + room)


reach_of = lru_cache(maxsize=8)(similarity_reach)
"""The largest number of a measure, for axes and colours."""


def mean_words(document: Document) -> list[str]:
    """Sentence on lines that are means, of encodings whose similarity differs by position."""
    several = len(document.encodings) > 1
    lines = ((i, document.encodings[i].encoding) for i in compared(document))
    return [
        f"{LETTERS[i] + ' ' if several else ''}line: mean over the first {n_meant(encoding)} positions"
        for i, encoding in lines
        if not is_toeplitz(encoding)
    ]


def _measure(document: Document) -> str:
    return document.option(SIMILARITY_MEASURE)


@lru_cache(maxsize=8)
def _likeness(request: DistanceLines) -> FloatArray:
    return request.compute()


def _line_of(document: Document, index: int, measure: str, likeness: FloatArray) -> Line:
    """The line of an encoding by a measure, at the distances of both signs."""
    half = likeness[index, MEASURES.index(measure)]
    name, look = named_look(document, index)
    return Line(name, np.concatenate([half[:0:-1], half]), look)
