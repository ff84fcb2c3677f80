"""How a T5 bias comes about: the distance's sign, its bucket by counting or by a logarithm, the bias."""

import math
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from posenc_core.explain.derivation import Derivation, Step, significant
from posenc_core.explain.t5_buckets import whole_logarithm

if TYPE_CHECKING:
    from posenc_core.encodings import T5Bias


def t5_steps(encoding: "T5Bias", distance: int, head: int) -> Derivation:
    """The derivation of a head's bias for a distance key - query."""
    magnitude = abs(distance) if encoding.bidirectional else max(-distance, 0)
    first = encoding.n_sided if encoding.bidirectional and distance > 0 else 0
    bucket = encoding.bucket(distance)
    (bias,) = encoding.values(np.array([distance]), np.array([head])).ravel().tolist()
    shown = significant(Decimal(bias), 10)
    near = magnitude < encoding.n_exact
    steps = (
        _sign_step(encoding, distance, magnitude, first),
        *((_exact_step(encoding, magnitude),) if near else _logarithm_steps(encoding, magnitude, bucket - first)),
        Step(f"bucket {first} + {bucket - first} = {bucket}", f"{first} + {bucket - first} = {bucket}", float(bucket)),
        Step(
            f"head {head}'s bias for bucket {bucket} {shown.sign} {shown.text}, {encoding.label}",
            rf"b_{{{bucket}, {head}}} {shown.sign_latex} {shown.latex}",
            bias,
        ),
    )
    return Derivation(
        symbol=f"bias({distance}, {head})",
        formula=f"bias({distance}, {head}) = b[bucket({distance}), {head}]",
        formula_latex=rf"\mathrm{{bias}}_{{{head}}}({distance}) = b_{{\mathrm{{bucket}}({distance}), {head}}}",
        python=_SCRIPT.format(
            n=magnitude,
            first=first,
            exact=encoding.n_exact,
            sided=encoding.n_sided,
            most=encoding.max_distance,
            bucket=bucket,
            bias=repr(bias),
            head=head,
            label=encoding.label,
        ),
        steps=steps,
    )


def _sign_step(encoding: "T5Bias", distance: int, magnitude: int, first: int) -> Step:
    """Which distances share their buckets with this one, and what is looked up."""
    bracketed = f"({distance})" if distance < 0 else f"{distance}"
    if encoding.bidirectional:
        side = "later" if distance > 0 else "the same or an earlier"
        n = f"n = |{distance}| = {magnitude}"
        text = f"distance key - query = {distance}, {side} key: buckets from {first} on, for {n}"
        return Step(text, rf"n = |{distance}| = {magnitude}", float(magnitude))
    text = f"distance key - query = {distance}, one direction: n = max(-{bracketed}, 0) = {magnitude}"
    return Step(text, rf"n = \max(-{bracketed}, 0) = {magnitude}", float(magnitude))


def _exact_step(encoding: "T5Bias", magnitude: int) -> Step:
    exact = encoding.n_exact
    text = f"{magnitude} < E = {exact}, the number of exact buckets: bucket n = {magnitude} of this direction"
    return Step(text, f"{magnitude} < E = {exact}", float(magnitude))


def _logarithm_steps(encoding: "T5Bias", magnitude: int, bucket: int) -> tuple[Step, ...]:
    """The logarithm's share of the wide buckets, its floor, and the last bucket's limit."""
    exact, sided, most = encoding.n_exact, encoding.n_sided, encoding.max_distance
    wide = sided - exact
    share = math.log(magnitude / exact) / math.log(most / exact) * wide
    shown = significant(Decimal(share), 8)
    floor = whole_logarithm(magnitude, sided, most)
    place = f"{exact} + {floor} = {exact + floor}"
    near, far = f"ln({magnitude}/{exact})", f"ln({most}/{exact})"
    steps = [
        Step(
            f"{magnitude} >= E = {exact}: {near} / {far} · ({sided} - {exact}) ≈ {shown.text}",
            rf"\frac{{\{near}}}{{\{far}}} \cdot ({sided} - {exact}) \approx {shown.latex}",
            share,
        ),
        Step(
            f"floor, decided in whole numbers: {floor}, so bucket {place} of this direction",
            rf"\lfloor {shown.latex} \rfloor = {floor}, \quad {place}",
            float(exact + floor),
        ),
    ]
    if exact + floor > bucket:
        text = f"but the last bucket of this direction is {sided} - 1 = {bucket}"
        steps.append(Step(text, rf"\min({exact + floor}, {sided} - 1) = {bucket}", float(bucket)))
    return tuple(steps)


_SCRIPT = """\
n, first, exact, sided, most = {n}, {first}, {exact}, {sided}, {most}
wide = sided - exact
k = 0  # the floor of ln(n/exact) / ln(most/exact) * wide, in whole numbers
while n >= exact and k + 1 < wide and n**wide >= exact ** (wide - k - 1) * most ** (k + 1):
    k += 1
bucket = first + (n if n < exact else exact + k)
print({{{bucket}: {bias}}}[bucket])  # head {head}'s bias for that bucket, {label}
"""
