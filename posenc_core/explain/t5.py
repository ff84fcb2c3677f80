"""Derivation of a T5 bias, and its exact buckets: a logarithm's floor without the logarithm."""

import math
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

import numpy as np

from posenc_core.explain.derivation import Derivation, Step, significant
from posenc_core.explain.script import template_lines
from posenc_core.numerics import IntArray


@dataclass(frozen=True)
class BucketEntry:
    """A head's ``bias`` for the bucket of a distance query - key.

    ``n_sided`` buckets contain the distances of one sign, up to ``max_distance``; ``label`` names the source
    of the numbers.
    """

    distance: int
    head: int
    bias: float
    label: str
    n_sided: int
    max_distance: int
    is_bidirectional: bool

    def derivation(self) -> Derivation:
        """The sign, the bucket by counting or by a logarithm, the bias."""
        first, within = self._first, self._bucket
        bucket, shown = first + within, significant(Decimal(self.bias), 10)
        steps = (
            self._sign_step(),
            *self._bucket_steps(),
            Step(f"bucket {first} + {within} = {bucket}", f"{first} + {within} = {bucket}", float(bucket)),
            Step(
                f"head {self.head}'s bias for that bucket {shown.sign} {shown.text}, {self.label}",
                rf"b_{{{bucket}, {self.head}}} {shown.sign_latex} {shown.latex}",
                self.bias,
            ),
        )
        cell = f"({self.distance}, {self.head})"
        looked_up = rf"b_{{\mathrm{{bucket}}({self.distance}), {self.head}}}"
        return Derivation(
            symbol=f"bias{cell}",
            formula=f"bias{cell} = b[bucket({self.distance}), {self.head}]",
            formula_latex=rf"\mathrm{{bias}}_{{{self.head}}}({self.distance}) = {looked_up}",
            python=self._python(first, bucket),
            steps=steps,
        )

    def _python(self, first: int, bucket: int) -> str:
        sizes = {"exact": self._n_exact, "sided": self.n_sided, "most": self.max_distance}
        bias = {"bucket": bucket, "bias": self.bias, "head": self.head, "label": self.label}
        return "\n".join((*template_lines(__file__, "t5", n=self._magnitude, first=first, **sizes, **bias), ""))

    @property
    def _n_exact(self) -> int:
        return self.n_sided // 2

    @property
    def _magnitude(self) -> int:
        """The distance looked up among the buckets of one sign."""
        return abs(self.distance) if self.is_bidirectional else max(self.distance, 0)

    @property
    def _first(self) -> int:
        """The first bucket of this sign."""
        return self.n_sided if self.is_bidirectional and self.distance < 0 else 0

    @property
    def _bucket(self) -> int:
        """The bucket among those of one sign."""
        return int(np.searchsorted(bucket_starts(self.n_sided, self.max_distance), self._magnitude, side="right")) - 1

    def _sign_step(self) -> Step:
        """The side of the key, and the distance that is looked up."""
        start, n = f"distance query - key = {self.distance}", self._magnitude
        if self.is_bidirectional:
            side = "later" if self.distance < 0 else "the same or an earlier"
            text = f"{start}, {side} key: buckets from {self._first} on, n = |{self.distance}| = {n}"
            return Step(text, rf"n = |{self.distance}| = {n}", float(n))
        largest = f"({self.distance}, 0) = {n}"
        return Step(f"{start}, one direction: n = max{largest}", rf"n = \max{largest}", float(n))

    def _bucket_steps(self) -> tuple[Step, ...]:
        """The bucket of this sign: by counting, or by a logarithm, its floor, and the last bucket's limit."""
        n, exact, sided, most = self._magnitude, self._n_exact, self.n_sided, self.max_distance
        if n < exact:
            text = f"bucket n = {n} of this direction, as n is below the number of exact buckets: {n} < E = {exact}"
            return (Step(text, f"{n} < E = {exact}", float(n)),)
        share = math.log(n / exact) / math.log(most / exact) * (sided - exact)
        shown = significant(Decimal(share), 8)
        floor, bucket = _whole_logarithm(n, sided, most), self._bucket
        place = f"{exact} + {floor} = {exact + floor}"
        near, far = f"ln({n}/{exact})", f"ln({most}/{exact})"
        steps = (
            shown.step(
                f"{n} >= E = {exact}: {near} / {far} · ({sided} - {exact})",
                rf"\frac{{\{near}}}{{\{far}}} \cdot ({sided} - {exact})",
                share,
            ),
            Step(
                f"floor, decided in whole numbers: {floor}; bucket of this direction: {place}",
                rf"\lfloor {shown.latex} \rfloor = {floor}, \quad {place}",
                float(exact + floor),
            ),
        )
        if exact + floor <= bucket:
            return steps
        text = f"limited to the last bucket of this direction: {sided} - 1 = {bucket}"
        return *steps, Step(text, rf"\min({exact + floor}, {sided} - 1) = {bucket}", float(bucket))


@lru_cache(maxsize=64)
def bucket_starts(n_buckets: int, max_distance: int) -> IntArray:
    """The smallest distance of each bucket, int64 ``(n_buckets,)``, for distances of one sign.

    Half of the buckets, E, contain one distance each. Of the others, bucket E + k begins where
    ``floor(ln(n/E) / ln(max_distance/E) * (n_buckets - E))`` reaches k. Rounded logarithms may be wrong by one, so
    whole numbers decide: ``n^(B - E) E^k >= E^(B - E) max_distance^k``, B = ``n_buckets``. If two buckets begin at the
    same distance, the lower one is empty. Read-only.

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


def _whole_logarithm(n: int, n_buckets: int, max_distance: int) -> int:
    """``floor(ln(n/E) / ln(max_distance/E) * (n_buckets - E))`` for n >= E, exact, without the last bucket's limit."""
    exact = n_buckets // 2
    wide = n_buckets - exact
    k = max(0, math.floor(math.log(n / exact) / math.log(max_distance / exact) * wide) - 1)
    while n**wide * exact ** (k + 1) >= exact**wide * max_distance ** (k + 1):
        k += 1
    return k
