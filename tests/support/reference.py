"""The definitions of Vaswani, tensor2tensor and the one-based form in arithmetic of any precision.

Written from the papers, not from ``posenc_core``, and with none of its code: what the core is compared with.
"""

import math

import mpmath

from posenc_core import Sinusoidal


def exact_entry(encoding: Sinusoidal, position: int, column: int) -> float:
    """PE(position, column), rounded once."""
    d, i, is_cosine = encoding.d_model, None, None
    if encoding.spacing == "tensor2tensor":
        half = d // 2
        if column == 2 * half:
            return 0.0
    else:
        half = math.ceil(d / 2)
    if encoding.layout == "interleaved":
        i, is_cosine = column // 2, column % 2 == 1
    else:
        i, is_cosine = (column, False) if column < half else (column - half, True)
    exponent = {
        "paper": (2 * i, d),
        "one_based": (2 * (i + 1), d),
        "tensor2tensor": (i, half - 1),
    }[encoding.spacing]
    largest = max(0.0, -math.log10(encoding.base)) * exponent[0] / exponent[1]
    with mpmath.workdps(50 + int(largest)):  # pi to as many digits as the angle has, and 40 more
        base = mpmath.mpf(encoding.base)
        angle = (position + encoding.offset) * mpmath.power(base, -mpmath.mpf(exponent[0]) / exponent[1])
        return float(mpmath.cos(angle) if is_cosine else mpmath.sin(angle))
