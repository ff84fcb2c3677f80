"""Columns that are too fast for a picture: those with fewer than two samples per wave."""

from functools import lru_cache

import numpy as np

from posenc_core.encodings import Encoding, n_whole_pairs, pair_members
from posenc_core.progressive import runs_of

SAMPLES_PER_WAVE = 2
"""Fewer samples cannot show a wave (Nyquist 1928, Shannon 1949)."""


@lru_cache(maxsize=4)
def aliased_columns(encoding: Encoding, step: float) -> tuple[tuple[int, int], ...]:
    """The ranges (first, stop) of columns whose waves are shorter than two samples, ``step`` positions apart."""
    if encoding.column_info(0).wavelength is None:
        return ()
    is_fast = np.zeros(encoding.n_columns, bool)
    alone = np.ones(encoding.n_columns, bool)
    fast = _is_fast(encoding, step)[: n_whole_pairs(encoding)]
    if len(fast):
        for members in pair_members(encoding, np.arange(len(fast))):
            is_fast[members], alone[members] = fast, False
    for column in np.flatnonzero(alone).tolist():
        is_fast[column] = (encoding.column_info(column).wavelength or np.inf) < SAMPLES_PER_WAVE * step
    return tuple(runs_of(is_fast))


@lru_cache(maxsize=4)
def aliased_pairs(encoding: Encoding, step: float) -> tuple[tuple[int, int], ...]:
    """The ranges (first, stop) of whole pairs whose waves are shorter than two samples."""
    return tuple(runs_of(_is_fast(encoding, step)[: n_whole_pairs(encoding)]))


def _is_fast(encoding: Encoding, step: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether each pair's wave is that short, bool ``(n_pairs,)``."""
    return np.asarray(np.abs(encoding.frequencies()) > 2 * np.pi / (SAMPLES_PER_WAVE * step))
