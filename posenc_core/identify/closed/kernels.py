"""Kerple's two numbers of each head, fitted to biases by distance."""

from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Alibi, Kerple
from posenc_core.fields import N_HEADS
from posenc_core.identify.precision import Level
from posenc_core.numerics import FloatArray

_MOST, _FALLING = 512, 0.95
"""Distances that are fitted, and the least share of biases below 0."""

_SAME = 1e-3
"""Least difference of r2, as a share."""

_SEEDS = 16
"""Seeds among which simulated numbers of the heads from 1 on are sought."""

_STEPS, _HALVINGS, _FAR = 12, 60, 1e9
"""Steps of the fit and of its start, and the largest r2 times r1 that is tried."""

_DIGITS = (1, 2, 3, 4, 5, 6, 7)


class Kernel(Struct, frozen=True):
    """A kernel of the distance and of r2, and its derivative by ln r2, float64 ``(n_distances, n_heads)`` each."""

    name: str
    at: Callable[[FloatArray, FloatArray], FloatArray]
    slope: Callable[[FloatArray, FloatArray], FloatArray]


_KERNELS = (
    Kernel(
        "log",
        lambda distances, rates: np.log1p(np.multiply.outer(distances, rates)),
        lambda distances, rates: 1 - 1 / (1 + np.multiply.outer(distances, rates)),
    ),
    Kernel(
        "power",
        lambda distances, rates: distances[:, None] ** rates,
        lambda distances, rates: rates * np.log(distances)[:, None] * distances[:, None] ** rates,
    ),
)


def kernels(distances: FloatArray, biases: FloatArray, level: Level) -> Iterator[Kerple]:
    """Kerple with the r1 and r2 that fit biases ``(n_distances, n_heads)`` at these distances, query - key, in tokens.

    Distances may repeat. Nothing for biases that do not fall from 0.
    """
    apart, rows = np.unique(np.abs(distances), return_inverse=True)
    is_falling = (biases[distances != 0] < 0).mean() >= _FALLING if len(apart) > 3 else False
    if not is_falling or biases.shape[1] > N_HEADS.maximum:
        return
    kept = np.flatnonzero(apart > 0)
    kept = kept[np.unique(np.linspace(0, len(kept) - 1, _MOST).astype(np.int64))]
    middle = np.array([np.median(biases[rows == row], axis=0) for row in kept])
    for kernel in _KERNELS:
        yield from _fitted(kernel, apart[kept], -middle, level)


def _fitted(kernel: Kernel, distances: FloatArray, biases: FloatArray, level: Level) -> Iterator[Kerple]:
    """The kernel with the numbers of least squares, and with rounder ones of each head that fit as well."""
    allowed = np.maximum(level.rounding(biases) + level.angle * np.abs(biases), 1e-300)
    with np.errstate(all="ignore"):
        factors, rates = _least_squares(kernel, distances, biases, allowed, _started(kernel, distances, biases))
        if not (np.isfinite(factors) & (factors > 0) & (rates > 0)).all():
            return
        off = np.abs(biases - factors * kernel.at(distances, rates)) > 3 * allowed
        if off.mean() > 0.5 or _is_linear(kernel, factors, rates):
            return
        rounder = [_rounder(kernel, distances, biases, allowed, head, factors, rates) for head in range(len(rates))]
    n_heads, (r1, *others_r1), (r2, *others_r2) = len(rates), *zip(*rounder, strict=True)
    with suppress(ValueError):  # beyond the bounds of r1 or r2
        yield from _simulated(kernel.name, rounder, distances, biases, allowed)
        yield Kerple(kernel.name, r1, r2, n_heads, 0, tuple(others_r1), tuple(others_r2))


def differs(found: Kerple) -> bool:
    """Whether the heads have different r2; False for a single head."""
    rates = found.learned[1]
    return bool(np.ptp(rates) > _SAME * rates.max())


def is_learned(found: Kerple) -> bool:
    """Whether most r2 are no multiples of 1/2, by which a kernel is a square root, a line or ln(1 + d)."""
    rates = found.learned[1]
    return bool(np.mean(2 * rates == np.round(2 * rates)) <= 0.5)


def _is_linear(kernel: Kernel, factors: FloatArray, rates: FloatArray) -> bool:
    """Whether most heads have ALiBi's slopes, which are another formula."""
    return kernel.name == "power" and bool(
        (
            (np.abs(rates - 1) < 1e-4) & (np.abs(factors / Alibi(len(rates)).slopes(np.arange(len(rates))) - 1) < 1e-4)
        ).mean()
        > 0.4
    )


def _started(kernel: Kernel, distances: FloatArray, biases: FloatArray) -> FloatArray:
    """Rates by which the quotient of two biases is that of the kernel: the median over several pairs of distances."""
    n, found = len(distances), []
    for near, far in {(0, n - 1), (n // 8, n // 2), (n // 6, n - 1), (n // 4, 3 * n // 4), (1, max(2, n // 3))}:
        wanted = biases[far] / biases[near]
        some, low, high = distances[[near, far]], np.full(biases.shape[1], 1e-9), np.full(biases.shape[1], _FAR)
        if kernel.name == "power":
            found.append(np.log(wanted) / np.log(some[1] / some[0]))
            continue
        for _ in range(_HALVINGS):
            middle = np.sqrt(low * high)
            small, large = kernel.at(some, middle)
            is_above = large / small > wanted
            low, high = np.where(is_above, middle, low), np.where(is_above, high, middle)
        found.append(np.sqrt(low * high))
    return np.asarray(np.median(found, axis=0))


def _least_squares(
    kernel: Kernel, distances: FloatArray, biases: FloatArray, allowed: FloatArray, rates: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """r1 and r2 of each head by least squares without the biases that are far off, float64 ``(n_heads,)`` each."""
    kernels_at = kernel.at(distances, rates)
    factors = np.median(biases / kernels_at, axis=0)
    for _ in range(_STEPS):
        now = kernel.at(distances, rates)
        off = biases - factors * now
        near = np.abs(off) <= 5 * np.median(np.abs(off) / allowed, axis=0) * allowed + allowed
        weights = near / allowed**2
        one, other = factors * now, factors * kernel.slope(distances, rates)
        a, b, c = ((weights * x * y).sum(axis=0) for x, y in ((one, one), (one, other), (other, other)))
        p, q = (weights * one * off).sum(axis=0), (weights * other * off).sum(axis=0)
        size = a * c - b * b
        factors = factors * np.exp(np.clip((c * p - b * q) / size, -0.7, 0.7))
        rates = rates * np.exp(np.clip((a * q - b * p) / size, -0.7, 0.7))
    return factors, rates


def _rounder(
    kernel: Kernel, distances: FloatArray, biases: FloatArray, allowed: FloatArray, head: int, factors: FloatArray,
    rates: FloatArray,
) -> tuple[float, float]:  # fmt: skip
    """r1 and r2 of a head with the fewest digits that fit as many biases."""
    some, limit = biases[:, head], allowed[:, head]

    def n_wrong(factor: float, rate: float) -> int:
        return int((np.abs(some - factor * kernel.at(distances, np.array([rate]))[:, 0]) > 1.1 * limit).sum())

    factor, rate = float(factors[head]), float(rates[head])
    best = n_wrong(factor, rate)
    for digits in _DIGITS:
        rounded = float(f"{rate:.{digits}g}")
        again = float(np.median(some / kernel.at(distances, np.array([rounded]))[:, 0]))
        for each in (*(float(f"{again:.{count}g}") for count in _DIGITS), again):
            if n_wrong(each, rounded) <= best:
                return each, rounded
    return factor, rate


def _simulated(
    name: str, fitted: list[tuple[float, float]], distances: FloatArray, biases: FloatArray, allowed: FloatArray
) -> Iterator[Kerple]:
    """Kerple with the simulated numbers of a seed, if they fit the biases."""
    (r1, r2), *others = fitted
    for seed in range(_SEEDS if others else 0):
        encoding = Kerple(name, r1, r2, len(fitted), seed)
        exact = encoding.values(distances.astype(np.int64), np.arange(len(fitted)))
        if (np.abs(biases + exact) <= 2 * allowed).mean() > _FALLING:
            yield encoding
            return
