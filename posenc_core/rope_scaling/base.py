"""The interface of a scaling of rotary frequencies, and the frequencies of pairs after their scaling."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import MISSING, fields
from functools import lru_cache
from typing import ClassVar, Self

import numpy as np

from posenc_core.explain import Dialect, Digits, Snippet, Step, number_list
from posenc_core.fields import Spec
from posenc_core.numerics import FloatArray, geometric_frequencies, wrapped_frequencies
from posenc_core.rope_scaling.fields import FACTOR, ORIGINAL_LENGTH, SEQUENCE_LENGTH


class RopeScaling(Spec, ABC):
    """One way to stretch rotary frequencies for a longer context."""

    rope_type: ClassVar[str]
    title: ClassVar[str]
    citation: ClassVar[str]

    has_base: ClassVar[bool] = False
    """Whether scaling is equivalent to another ``base``."""

    grows_with_length: ClassVar[bool] = False
    """Whether the base grows with the length of the sequence, so that cached keys become stale."""

    remark: ClassVar[str] = ""
    """Difference from another scaling with a similar title."""

    brief: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    """RoPE with the scaling in a few words and in a sentence, for a scaling with a separate card in the gallery."""

    @classmethod
    def between(cls, trained: int, target: int) -> "Self | None":
        """The scaling from the trained length to the target length, in tokens; None if it needs further parameters.

        Only a scaling with a result is compared with the others.
        """
        given = {FACTOR.name: target / trained, ORIGINAL_LENGTH.name: trained, SEQUENCE_LENGTH.name: target}
        needed = [each.name for each in fields(cls) if each.default is MISSING]
        return cls(**{name: given[name] for name in needed}) if given.keys() >= set(needed) else None

    @property
    def original_length(self) -> int | None:
        """The trained length in positions, if it is among the scaling's parameters."""
        length: int | None = self.parameters().get(ORIGINAL_LENGTH.name)
        return length

    def at_length(self, seq_len: int) -> "RopeScaling":
        """The scaling of a sequence of this length in positions: itself if the base is the same for all lengths."""
        return self

    def base(self, rotary_dim: int, rope_theta: float) -> float:
        """The base of the scaled frequencies, ``rope_theta`` if the scaling keeps it."""
        return rope_theta

    @abstractmethod
    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """Frequencies after scaling, float64 ``(n_pairs,)`` in rad per token.

        ``unscaled`` are ``rope_theta ** (-2i/rotary_dim)``, with rotary_dim = 2 n_pairs. ValueError with a sentence
        if the scaling is not defined for this number of pairs or this base.
        """

    @property
    def amplitude(self) -> float:
        """The attention factor, which multiplies cosines and sines."""
        return 1.0

    @property
    def softmax_scale_factor(self) -> float:
        """The factor of the model's softmax scale."""
        return 1.0

    def warnings(self, n_pairs: int) -> tuple[str, ...]:
        """Plain sentences about parameters that are allowed but surprising."""
        return ()

    @abstractmethod
    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """The steps from the pair's unscaled frequency to the scaled one, which is the last step's number."""

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """Lines of a script that scale its ``frequencies`` and define ``attention_factor`` if ``amplitude`` is not 1.

        The script defines ``base``, ``r`` (columns) and ``pairs`` (from 0). These lines list ``scaled``.
        """
        written = Snippet((f"frequencies = {code.numbers(number_list(scaled.tolist()))}  # scaled",))
        return written + self.amplitude_source(repr(self.amplitude))

    def amplitude_source(self, formula: str, *imports: str) -> Snippet:
        """The line that defines the attention factor; empty if it is 1."""
        return Snippet(() if self.amplitude == 1 else (f"attention_factor = {formula}",), imports)

    def amplitude_steps(self, digits: Digits) -> tuple[Step, ...]:
        """The steps to the attention factor; the last step's number is ``amplitude``."""
        if self.amplitude == 1:
            return ()
        return (digits.step("attention factor a", "a", self.amplitude, ", as given"),)


def divided_step(beginning: str, pair: int, theta: float, divisor: float, digits: Digits, named: str = "s") -> Step:
    """The step ``beginning θ' = θ/named`` of a pair whose frequency ``theta`` is divided by a number."""
    frequency, shown = digits(theta), digits(divisor)
    return digits.frequency_step(
        f"{beginning} θ' = θ/{named} = {frequency.factor}/{shown.text}",
        rf"\theta'_{{{pair}}} = \frac{{{frequency.latex}}}{{{shown.latex}}}",
        theta / divisor,
    )


def check_one_per_pair(name: str, listed: Sequence[float], n_pairs: int) -> None:
    """ValueError with a sentence unless the list has a number for each pair."""
    if len(listed) != n_pairs:
        raise ValueError(f"{name} must list rotary_dim/2 = {n_pairs} numbers, got {len(listed)}")


def check_ramp(name: str, value: float, other_name: str, other: float) -> None:
    """ValueError with a sentence if value < other; equal ends are an empty ramp, which public models have."""
    if value < other:
        raise ValueError(f"{name} ({value:g}) must be greater than {other_name} ({other:g})")


@lru_cache(maxsize=64)
def rope_frequencies(rope_theta: float, n_pairs: int, scaling: RopeScaling | None) -> FloatArray:
    """``rope_theta ** (-2i/r)`` for all pairs, then scaled; float64 ``(n_pairs,)`` in rad per token, read-only."""
    frequencies = geometric_frequencies(rope_theta, 0, 2, n_pairs, 2 * n_pairs)
    if scaling is not None:
        with np.errstate(all="ignore"):  # Rotary refuses infinite frequencies with a sentence
            frequencies = scaling.frequencies(frequencies, rope_theta)
    frequencies.flags.writeable = False
    return frequencies


@lru_cache(maxsize=16)
def wrapped_rope_frequencies(rope_theta: float, n_pairs: int, scaling: RopeScaling | None) -> FloatArray:
    """The frequencies modulo whole turns, equal at whole positions; float64 represents their angles. Read-only."""
    if scaling is None:
        return wrapped_frequencies(rope_theta, 0, 2, n_pairs, 2 * n_pairs)
    frequencies = rope_frequencies(rope_theta, n_pairs, scaling).copy()
    fast = np.abs(frequencies) > math.pi
    frequencies[fast] = np.arctan2(np.sin(frequencies[fast]), np.cos(frequencies[fast]))
    frequencies.flags.writeable = False
    return frequencies
