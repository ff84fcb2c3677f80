"""The lines of a script for tables of sines and cosines."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from posenc_core.explain import Dialect, Snippet
from posenc_core.numerics import digits_for

if TYPE_CHECKING:
    from posenc_core.encodings.sinusoidal import Sinusoidal

_TERM_DIGITS = math.log10(4)
"""Digits that each term of the series for pi brings."""


def sinusoidal_source(encoding: "Sinusoidal", positions: str, code: Dialect) -> Snippet:
    """The table of sinusoids of what the expression ``positions`` gives."""
    d_model, n_pairs = encoding.d_model, encoding.n_pairs
    n_cosines = min(n_pairs, d_model - n_pairs)
    if encoding.layout == "interleaved":
        stop = "" if n_pairs + n_cosines == d_model else str(2 * n_pairs)
        sines, cosines = f"0:{stop}:2", f"1:{stop}:2"
    else:
        sines, cosines = f":{n_pairs}", f"{n_pairs}:{n_pairs + n_cosines}"
    paired = "angles" if n_cosines == n_pairs else f"angles[:, :{n_cosines}]"
    lines = [
        f"angles = {positions}[:, None] * frequencies",
        f"table = {code.zeros(str(d_model))}",
        f"table[:, {sines}] = {code.module}.sin(angles)",
    ]
    if n_cosines:
        lines.append(f"table[:, {cosines}] = {code.module}.cos({paired})")
    return frequency_source(encoding.base, n_pairs, encoding.exponent, code) + Snippet(tuple(lines))


def frequency_source(base: float, n_pairs: int, exponent: Callable[[int], tuple[int, int]], code: Dialect) -> Snippet:
    """``pairs`` and their ``frequencies``; ``exponent`` gives a pair's as (numerator, denominator)."""
    (first, denominator), (second, _) = exponent(0), exponent(1)
    pair = _progression("pair" if base < 1 else "pairs", first, second - first)
    if base < 1:
        return _whole_turns_off(base, n_pairs, exponent(n_pairs - 1), f"{pair} / {denominator}", code)
    return Snippet((
        f"base, pairs = {base!r}, {code.counted(str(n_pairs))}",
        f"frequencies = base ** (-{pair} / {denominator})  # rad per position",
    ))  # fmt: skip


def _progression(pair: str, first: int, step: int) -> str:
    """``first + step pair``, where the first is a multiple of the step."""
    counted = f"({pair} + {first // step})" if first else pair
    return counted if step == 1 else f"{step} * {counted}"


def _whole_turns_off(base: float, n_pairs: int, last: tuple[int, int], exponent: str, code: Dialect) -> Snippet:
    """Frequencies of a base below 1: float64 would lose the angle among the turns, so decimals take them off."""
    with digits_for(base, last[0] / last[1]) as digits:
        terms = math.ceil(digits / _TERM_DIGITS) + 10
    return Snippet((
        "# A base below 1 makes many turns a position: whole ones are taken off, in as many digits as they have.",
        "with localcontext() as context:",
        f"    context.prec = {digits}",
        "    half_pi = term = Decimal(3) / 2",
        f"    for k in range(1, {terms}):  # half pi is three times the arcsine of one half",
        "        term *= Decimal((2 * k - 1) ** 2) / (8 * k * (2 * k + 1))",
        "        half_pi += term",
        f"    base, pairs = Decimal({base!r}), [Decimal(pair) for pair in range({n_pairs})]",
        f"    frequencies = [(base ** (-{exponent})).remainder_near(4 * half_pi) for pair in pairs]",
        f"frequencies = {code.numbers('[float(frequency) for frequency in frequencies]')}  # rad per position",
    ), ("from decimal import Decimal, localcontext",))  # fmt: skip
