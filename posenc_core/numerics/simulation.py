"""Normal random numbers that depend on a seed and a text alone."""

import numpy as np

from posenc_core.numerics.harmonics import FloatArray


def normal_numbers(seed: int, text: str, count: int) -> FloatArray:
    """Standard normal numbers, float64 ``(count,)``, that depend on ``seed`` and ``text`` alone."""
    from hashlib import blake2b  # loads OpenSSL, which the window does not need at its start

    digest = blake2b(text.encode(), key=seed.to_bytes(4, "little"), digest_size=32).digest()
    # numpy guarantees that RandomState gives the same numbers in all versions
    return np.random.RandomState(np.frombuffer(digest, "<u4").copy()).standard_normal(count)
