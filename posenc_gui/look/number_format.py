"""Numbers as text: true minus signs, separated thousands, no sign at zero."""

import math
import re

import numpy as np
import numpy.typing as npt

NO_NUMBER = "–"

_TYPED = re.compile(r"(-?)(\d+)((?:\.\d+)?(?:e[+-]?\d+)?)")
_TOLD = re.compile(r"(?<![\w.)-])-?(?:\d{1,3}(?:,\d{3})+(?!,?\d)|\d+)(?:\.\d+)?(?:e[+-]?\d+)?(?!\.?\w)")
"""A number in a sentence, with or without separated thousands, which is no part of a word or of a range."""
_SIGN = re.compile(r"(?:(?<=[=≈*/^+−,] )|(?<=[(*/^])|^)-(?=[(\w])")
"""The sign before a bracket or a name in a formula."""

_SMALL, _LARGE = 1e-30, 1e30
_LONGEST_WHOLE = 1e7
"""Whole numbers below this are written without an exponent."""


def unit_over(low: float, high: float) -> float:
    """A power of two as divisor for numbers whose differences would overflow or vanish; 1 for ordinary numbers.

    ``low`` and ``high`` are the ends of the numbers, which become at most 2 in absolute value.
    """
    largest = max(abs(low), abs(high))
    if not largest or _SMALL <= largest <= _LARGE:
        return 1.0
    return float(2.0 ** (math.frexp(largest)[1] - 1))


def true_minus(text: str) -> str:
    """The text of a number with minus signs instead of hyphens."""
    return text.replace("-", "−")


def counted(number: int) -> str:
    """A whole number with separated thousands."""
    return true_minus(f"{number:,}")


def with_decimals(value: float, decimals: int) -> str:
    """The value with this number of decimals; zero has no sign."""
    text = f"{value:.{decimals}f}"
    return true_minus(text) if float(text) else f"{0:.{decimals}f}"


def as_written(text: str) -> str:
    """The text of a number formatted for typing, with thousands separators and true minus signs.

    ``10,000,000`` for ``10000000``, ``1e−16`` for ``1e-16``; any other text is unchanged.
    """
    found = _TYPED.fullmatch(text)
    if found is None:
        return text
    sign, whole, rest = found.groups()
    return _plain_exponent(f"{sign}{int(whole):,}{rest}")


def as_read(text: str) -> str:
    """A sentence with thousands separators in its numbers, and with true minus signs also between and before words.

    ``query − key = −4,096`` for ``query - key = -4096``, ``exp(−(p − 1))`` for ``exp(-(p - 1))``.
    """
    told = _TOLD.sub(lambda found: as_written(found[0].replace(",", "")), text).replace(" - ", " − ")
    return _SIGN.sub("−", told)


def signed(value: float) -> str:
    """The value with its sign and six decimals, which align in a column; a large one has fewer."""
    if abs(value) >= 1e9:
        return _plain_exponent(f"{value:+.7e}")
    decimals = min(6, 9 - len(f"{abs(value):.0f}"))
    text = f"{value:+.{decimals}f}"
    return true_minus(text if float(text) else text.replace("-", "+"))


def significant(value: float, digits: int = 4) -> str:
    """The value to this number of digits; whole numbers below ten million have all digits and no exponent."""
    if abs(value) < _LONGEST_WHOLE and (value == round(value) or abs(value) >= 10**digits):
        return counted(round(value))
    return _plain_exponent(f"{value:,.{digits}g}")


def with_exponent(value: float) -> str:
    """The value to one digit with an exponent, ``7e−3``."""
    return _plain_exponent(f"{value:.0e}")


def decimals_for(values: npt.NDArray[np.floating]) -> int:
    """The number of decimals of some values: none if all are whole, otherwise four digits of the largest."""
    largest = float(np.abs(values).max(initial=0.0))
    if not math.isfinite(largest) or (values == np.round(values)).all():
        return 0
    return max(0, 3 - int(math.log10(max(1.0, largest))))


def wavelength_text(wavelength: float | None) -> str:
    """A wavelength in positions with one decimal, or with three digits if it is very small or large."""
    if wavelength is None:
        return NO_NUMBER
    if math.isinf(wavelength):
        return "∞"
    return f"{wavelength:,.1f}" if 1 <= wavelength < 1e6 else _plain_exponent(f"{wavelength:.3g}")


def _plain_exponent(text: str) -> str:
    """``6.28e7`` for ``6.28e+07``."""
    if "e" not in text:
        return true_minus(text)
    return true_minus(re.sub(r"e([+-])0*(\d)", lambda found: f"e{found[1].strip('+')}{found[2]}", text))
