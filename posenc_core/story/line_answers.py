"""Values of the lines that *Show* draws over a column; each is a pure function of the document."""

import numpy as np

from posenc_core.long_context import to_bfloat16
from posenc_core.session import Document
from posenc_core.story.lesson_answers import Value, column_values, entry


def rounded_values(document: Document, column: int, stop: int) -> Value:
    """The entries of a column at the positions 0..stop-1, rounded to bfloat16."""
    return tuple(to_bfloat16(np.array(column_values(document, column, stop))).tolist())


def level_values(document: Document, column: int, position: int, stop: int) -> Value:
    """A column's entry at one position, repeated for the positions 0..stop-1."""
    return (entry(document, position, column),) * len(column_values(document, column, stop))


LINE_ANSWERS = {function.__name__: function for function in (rounded_values, level_values)}
