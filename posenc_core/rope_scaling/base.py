"""What every scaling of rotary frequencies offers: frequencies in, frequencies out, and how each comes about."""

import math
from abc import ABC, abstractmethod
from functools import lru_cache
from typing import ClassVar

import numpy as np

from posenc_core.explain import Dialect, Digits, Snippet, Step, number_list
from posenc_core.fields import Spec
from posenc_core.numerics import FloatArray, geometric_frequencies, residue_of


class RopeScaling(Spec, ABC):
    """One way to stretch rotary frequencies for a longer context."""

    rope_type: ClassVar[str]
    title: ClassVar[str]
    citation: ClassVar[str]

    @abstractmethod
    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """Frequencies after scaling, float64 ``(n_pairs,)`` in rad per token.

        ``unscaled`` are ``rope_theta ** (-2i/rotary_dim)``, with rotary_dim = 2 n_pairs. ValueError with a sentence
        where the scaling is not defined for so many pairs, or for such a base.
        """

    @property
    def amplitude(self) -> float:
        """The attention factor that comes of the parameters: what cosines and sines are multiplied by."""
        return 1.0

    @property
    def softmax_scale_factor(self) -> float:
        """What the model multiplies the scale of its softmax by."""
        return 1.0

    def warnings(self, n_pairs: int) -> tuple[str, ...]:
        """Plain sentences about parameters that are allowed but surprising."""
        return ()

    @abstractmethod
    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """How the pair's frequency comes of its unscaled one; the last step's number is the frequency."""

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """Lines of a script that scale its ``frequencies`` and, where ``amplitude`` is not 1, say ``attention_factor``.

        There are ``base``, ``r`` columns and ``pairs`` from 0. These lines write the ``scaled`` frequencies out.
        """
        written = Snippet((f"frequencies = {code.numbers(number_list(scaled.tolist()))}  # scaled",))
        return written + self.amplitude_source(repr(self.amplitude))

    def amplitude_source(self, formula: str, *imports: str) -> Snippet:
        """The line for the attention factor, if there is one."""
        return Snippet(() if self.amplitude == 1 else (f"attention_factor = {formula}",), imports)

    def amplitude_steps(self, digits: Digits) -> tuple[Step, ...]:
        """How the attention factor comes about; the last step's number is ``amplitude``."""
        if self.amplitude == 1:
            return ()
        return (digits.step("attention factor a", "a", self.amplitude, ", as given"),)


def check_above(name: str, value: float, other_name: str, other: float) -> None:
    """ValueError with a sentence unless value > other."""
    if not value > other:
        raise ValueError(f"{name} ({value:g}) must be greater than {other_name} ({other:g})")


@lru_cache(maxsize=64)
def rope_frequencies(rope_theta: float, n_pairs: int, scaling: RopeScaling | None) -> FloatArray:
    """``rope_theta ** (-2i/r)`` for all pairs, then scaled; float64 ``(n_pairs,)`` in rad per token, read-only."""
    frequencies = geometric_frequencies(rope_theta, 0, 2, n_pairs, 2 * n_pairs)
    if scaling is not None:
        with np.errstate(all="ignore"):  # what is infinite is refused, in a sentence
            frequencies = scaling.frequencies(frequencies, rope_theta)
    frequencies.flags.writeable = False
    return frequencies


@lru_cache(maxsize=16)
def scaled_wrapped_frequencies(rope_theta: float, n_pairs: int, scaling: RopeScaling) -> FloatArray:
    """The frequencies less whole turns: at whole positions they are the same, and float64 can hold their angles."""
    frequencies = rope_frequencies(rope_theta, n_pairs, scaling).copy()
    fast = np.flatnonzero(np.abs(frequencies) > math.pi)
    frequencies[fast] = [float(residue_of(each)) for each in frequencies[fast].tolist()]
    frequencies.flags.writeable = False
    return frequencies
