"""The lines of a script for T5's biases: the bucket of each distance, exact."""

from typing import TYPE_CHECKING

from posenc_core.explain import Dialect, Snippet

if TYPE_CHECKING:
    from posenc_core.encodings.t5 import T5Bias


def t5_buckets_source(encoding: "T5Bias", code: Dialect) -> Snippet:
    """``buckets``, the bucket of each position."""
    exact, wide = encoding.n_exact, encoding.n_sided - encoding.n_exact
    both = encoding.bidirectional
    later = (f"buckets[positions > 0] += {encoding.n_sided}  # keys after the query",) if both else ()
    return Snippet((
        f"exact, wide, max_distance = {exact}, {wide}, {encoding.max_distance}",
        "",
        "",
        "def first_distance(k):  # where exact + wide * log(n / exact) / log(max_distance / exact) reaches exact + k",
        "    n = max(exact, int(exact * (max_distance / exact) ** (k / wide)) - 2)",
        "    while n**wide < exact ** (wide - k) * max_distance**k:  # in whole numbers, as logarithms are rounded",
        "        n += 1",
        "    return n",
        "",
        "",
        f"starts = {code.integers('[*range(exact), *(first_distance(k) for k in range(wide))]')}",
        f"distances = {'abs(positions)' if both else '(-positions).clip(min=0)'}",
        f'buckets = {code.module}.searchsorted(starts, distances, side="right") - 1',
        *later,
    ))  # fmt: skip
