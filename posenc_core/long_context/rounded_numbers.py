"""The numbers from a position to its cosine and sine as a model rounds them, with their bits."""

import math

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Encoding
from posenc_core.fields import check_one_of, check_position
from posenc_core.long_context.precision import rotary_of, rounded_stages, theta_scale

_DIGITS = {"float32": 8, "bfloat16": 4, "float16": 4}
"""Hexadecimal digits of each format."""


class RoundedNumber(Struct, frozen=True):
    """One number of the chain: its name, its format, its value, the exact value, and its bits as ``0x3F80``.

    ``contribution`` is the error of this rounding alone: in the angle (rad) for the numbers up to the angle, in
    the entry for cosine and sine.
    """

    name: str
    number_format: str
    value: float
    exact: float
    hexadecimal: str
    contribution: float


def rounding_chain(
    encoding: Encoding, position: int, pair: int, arithmetic: str = "float32"
) -> tuple[RoundedNumber, ...]:
    """Position, inv_freq, angle, cos and sin of a pair as a model in that arithmetic rounds them.

    ``exact`` are the numbers without any rounding. For ``llama_cpp`` the second number is ``theta_scale``, the factor
    from pair to pair, whose powers the running product computes. Arithmetics and errors as in ``precision_error``;
    IndexError for a pair outside the table.
    """
    rotary, place = rotary_of(encoding), check_position(position)
    pair = check_one_of(pair, "pair", rotary.pairs.n_pairs)
    stages = rounded_stages(rotary, np.array([place]), arithmetic)
    row, angle = float(stages.positions[0, 0]), float(stages.angles[0, pair])
    cosine, sine = (float(part[0, pair]) for part in stages.parts)
    frequency = float(rotary.pairs.frequencies[pair])
    early = "bfloat16" if arithmetic == "bfloat16" else "float32"
    late = next((short for short in ("bfloat16", "float16") if f"_to_{short}" in arithmetic), early)
    if arithmetic == "llama_cpp":
        scale, exact_scale = float(theta_scale(rotary)), rotary.rope_theta ** (-2 / rotary.n_columns)
        used = scale**pair * frequency / exact_scale**pair if exact_scale else 0.0
        second = _number("theta_scale", "float32", scale, exact_scale, abs(row * (used - frequency)))
    else:
        used = float(stages.inverse[pair])
        stored = "bfloat16" if arithmetic == "bfloat16_inv_freq" else early
        second = _number("inv_freq", stored, used, frequency, abs(row * (used - frequency)))
    exact = place * frequency
    return (
        _number("position", early, row, float(place), abs(row - place) * frequency),
        second,
        _number("angle", early, angle, exact, abs(angle - row * used)),
        _number("cos", late, cosine, math.cos(exact), abs(cosine - math.cos(angle))),
        _number("sin", late, sine, math.sin(exact), abs(sine - math.sin(angle))),
    )


def _number(name: str, number_format: str, value: float, exact: float, contribution: float) -> RoundedNumber:
    return RoundedNumber(name, number_format, value, exact, _bits(value, number_format), contribution)


def _bits(value: float, number_format: str) -> str:
    """The bits of a number in the format, in hexadecimal."""
    if number_format == "float16":
        bits = int(np.float16(value).view(np.uint16))
    else:
        bits = int(np.float32(value).view(np.uint32)) >> (16 if number_format == "bfloat16" else 0)
    return f"0x{bits:0{_DIGITS[number_format]}X}"
