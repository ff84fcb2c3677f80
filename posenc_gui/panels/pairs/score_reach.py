"""The largest score of a sentence's rotated queries and keys, for the colours."""

import numpy as np

from posenc_core import Document
from posenc_core.analysis import affordable_rows
from posenc_gui.model import scores_of

_TRIED = 256
"""Tokens that are tried of a longer sentence."""


def is_sampled(document: Document) -> bool:
    """Whether not all of the sentence's tokens are tried."""
    return len(document.token_list) > _most(document)


def sampled_reach(document: Document) -> float:
    """The largest absolute score of the tokens that are tried, > 0; 1 if all scores are 0."""
    count = len(document.token_list)
    tokens = range(0, count, max(1, -(-count // _most(document))))
    reach = float(np.nanmax(np.abs(scores_of(document, 0, tokens, tokens)), initial=0.0)) if tokens else 0.0
    return reach if reach > 0 else 1.0


def _most(document: Document) -> int:
    return min(_TRIED, affordable_rows(document.encoding, has_sides=True))
