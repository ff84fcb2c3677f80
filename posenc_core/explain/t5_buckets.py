"""The buckets of T5's distances, exact: a logarithm's floor without the logarithm."""

import math
from functools import lru_cache

import numpy as np

from posenc_core.numerics import IntArray


@lru_cache(maxsize=64)
def bucket_starts(n_buckets: int, max_distance: int) -> IntArray:
    """The smallest distance of each bucket, int64 ``(n_buckets,)``, for distances of one sign.

    Half of the buckets, E, hold one distance each. Of the others, bucket E + k begins where
    ``floor(ln(n/E) / ln(max_distance/E) * (n_buckets - E))`` reaches k. As rounded logarithms may miss that by one,
    it is decided in whole numbers: ``n^(B - E) E^k >= E^(B - E) max_distance^k``. Two buckets that begin at the same
    distance leave the lower one empty. Read-only.

    Source: Raffel et al. 2020, section 2.1; ``_relative_position_bucket`` in mesh-tensorflow and transformers.
    """
    exact = n_buckets // 2
    wide = n_buckets - exact
    starts = [*range(exact + 1)]
    for k in range(1, wide):
        bound = exact ** (wide - k) * max_distance**k
        n = max(exact, math.ceil(exact * (max_distance / exact) ** (k / wide)))
        while n > exact and (n - 1) ** wide >= bound:
            n -= 1
        while n**wide < bound:
            n += 1
        starts.append(n)
    found = np.array(starts, np.int64)
    found.flags.writeable = False
    return found


def whole_logarithm(n: int, n_buckets: int, max_distance: int) -> int:
    """``floor(ln(n/E) / ln(max_distance/E) * (n_buckets - E))`` for n >= E, exact, before the last bucket's limit."""
    exact = n_buckets // 2
    wide = n_buckets - exact
    k = max(0, math.floor(math.log(n / exact) / math.log(max_distance / exact) * wide) - 1)
    while n**wide * exact ** (k + 1) >= exact**wide * max_distance ** (k + 1):
        k += 1
    return k
