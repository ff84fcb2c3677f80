"""Pairs that a scaling keeps, blends and slows, in words."""

import numpy as np

from posenc_core import Encoding
from posenc_core.long_context import pair_shares, slowdowns
from posenc_gui.look import counted, significant


def shares_words(encoding: Encoding) -> str:
    """``64 pairs; 29 kept, 6 blended, 29 slowed 8 times``."""
    own = _own_shares(encoding)
    if own:
        return own
    shares, n_pairs = pair_shares(encoding), len(encoding.frequencies())
    pairs = f"{counted(n_pairs)} pair{'s' if n_pairs > 1 else ''}"
    if not shares.blended and not shares.slowed:
        return f"{pairs}, none scaled"
    slowed = f"slowed {significant(shares.factor)} times"
    told = ((shares.kept, "kept"), (shares.blended, "blended"), (shares.slowed, slowed))
    return f"{pairs}; {', '.join(f'{counted(count)} {what}' for count, what in told if count)}"


def _own_shares(encoding: Encoding) -> str:
    """The shares without a common factor: pairs that do not turn, and pairs with separate divisors."""
    slower = slowdowns(encoding)
    still = np.isinf(slower)
    if still.any():
        turning, half = int((~still).sum()), encoding.n_columns // 2
        where = f"columns 0-{turning - 1} and {half}-{half + turning - 1}"
        return f"{counted(turning)} pairs turn ({where}), {counted(int(still.sum()))} do not turn"
    if pair_shares(encoding).are_separate:
        least, most = (significant(float(each), 3) for each in (slower.min(), slower.max()))
        return f"{counted(len(slower))} pairs; each pair has its own divisor, {least} to {most}"
    return ""
