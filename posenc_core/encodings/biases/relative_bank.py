"""Trained profiles of distance that a token's state weighs: the relative bank of Inkling."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings.abilities.computed import Computed
from posenc_core.encodings.abilities.effect import HeadBiases
from posenc_core.encodings.abilities.stored_rows import Reading
from posenc_core.encodings.base import Encoding
from posenc_core.encodings.biases.fields import HEADS, WeightsField, real_array, sizes
from posenc_core.explain import MOST_NUMBERS, Derivation, Dialect, Snippet, Step, Sum, listed
from posenc_core.fields import TABLE_SEED, IntegerField
from posenc_core.numerics import FloatArray, IntArray, normal_entries

D_REL = IntegerField(
    name="d_rel",
    help="Number of profiles: the length of a token's state in each head.",
    default=16,
    minimum=1,
    maximum=1024,
    unit="profiles",
)
REL_EXTENT = IntegerField(
    name="rel_extent",
    label="rel_e&xtent",
    help="Number of distances with a bias, 0 among them; farther keys have the bias 0.",
    default=1024,
    minimum=1,
    maximum=65536,
    unit="positions",
)
STATES = WeightsField(
    name="states",
    help="States of a token, d_rel numbers per head; in a model each token has its own. None uses simulated states.",
    default=(),
)
BANK = replace(
    STATES,
    name="bank",
    label="&bank",
    help="The profiles, rel_extent numbers each, one after the other. None uses simulated profiles.",
)

_HELD = 1 << 20
"""Profiles' numbers or biases up to which all are held; of more, each reading computes those of its distances."""

_SEEN_NEAR, _SEEN, _SEEN_HEADS = 64, 128, 1024
"""Distances from 0 on, all distances, and heads that are seen for the range of biases that are not held."""


@dataclass(frozen=True)
class RelativeBank(HeadBiases, Encoding):
    """The bias ``sum_m r_m P[m][d]`` at d = query - key in 0..rel_extent-1, else 0; a column is a head.

    ``bank`` is P, ``d_rel`` profiles of ``rel_extent`` numbers in one list, and ``states`` are the r, ``d_rel`` numbers
    per head. In a model, r is computed from the token and P is trained. Empty lists are replaced by simulated numbers:
    normal states of deviation 1 for ``n_heads`` heads, and profiles of normal numbers over ``sqrt(d_rel) (1 + d)``.
    Source: transformers, ``modeling_inkling``, ``rel_logits_proj``.
    """

    d_rel: Annotated[int, D_REL] = D_REL.default
    rel_extent: Annotated[int, REL_EXTENT] = REL_EXTENT.default
    bank: Annotated[tuple[float, ...], BANK] = ()
    states: Annotated[tuple[float, ...], STATES] = ()
    n_heads: Annotated[int, HEADS] = HEADS.default
    table_seed: Annotated[int, TABLE_SEED] = 0

    family: ClassVar[str] = "relative_bank"
    title: ClassVar[str] = "Relative bank"
    in_story: ClassVar[bool] = False
    year: ClassVar[int] = 2026
    summary: ClassVar[str] = "A bias made of trained profiles of distance, which each token weighs by its state."
    brief: ClassVar[str] = "bias of profiles"
    trained_beside: ClassVar[str] = "the profiles"
    citation: ClassVar[str] = "transformers 5.23.0, modeling_inkling, rel_logits_proj"

    def __post_init__(self) -> None:
        super().__post_init__()
        needed = self.d_rel * self.rel_extent
        if self.bank and len(self.bank) != needed:
            raise ValueError(
                f"bank must have d_rel x rel_extent = {self.d_rel} x {self.rel_extent} = {needed} numbers, "
                f"got {len(self.bank)}"
            )
        if len(self.states) % self.d_rel:
            raise ValueError(f"states must have d_rel = {self.d_rel} numbers per head, got {len(self.states)}")

    @classmethod
    def from_arrays(cls, bank: Any, states: Sequence[float] | FloatArray = (), **parameters: Any) -> "RelativeBank":
        """The bank of an array ``(d_rel, rel_extent)``; states as an array ``(d_rel,)`` or ``(n_heads, d_rel)``.

        An empty list stands for simulated states; ValueError for an array without heads.
        """
        profiles, weights = real_array("bank", bank), real_array("states", states)
        if profiles.ndim != 2:
            raise ValueError(f"bank must be an array d_rel x rel_extent, got {sizes(profiles)}")
        d_rel, extent = profiles.shape
        if weights.shape != (0,) and (weights.ndim > 2 or weights.shape[-1:] != (d_rel,) or not weights.size):
            raise ValueError(f"states must be an array n_heads x d_rel, with d_rel = {d_rel}, got {sizes(weights)}")
        numbers = tuple(weights.ravel().tolist())
        return cls(d_rel, extent, tuple(profiles.ravel().tolist()), numbers, **parameters)

    @property
    def n_columns(self) -> int:
        """Number of heads: of the given states, else ``n_heads``."""
        return len(self.states) // self.d_rel or self.n_heads

    @property
    def label(self) -> str:
        """The seed of simulated numbers; empty if all are given."""
        return "" if self.bank and self.states else f"simulated (seed {self.table_seed})"

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence on simulated parts, and on states that are the same for every token."""
        parts = " and the ".join(
            name for name, given in (("profiles", self.bank), ("states", self.states)) if not given
        )
        told = (f"the {parts} are {self.label}: a model trains its profiles and computes its states",) if parts else ()
        return (*told, "every token has the same states here; in a model each has its own")

    @cached_property
    def profiles(self) -> FloatArray:
        """P, float64 ``(d_rel, rel_extent)``."""
        if self.bank:
            return np.reshape(self.bank, (self.d_rel, self.rel_extent))
        return self._drawn(np.arange(self.rel_extent))

    def _drawn(self, distances: IntArray) -> FloatArray:
        drawn = normal_entries(self.table_seed, "bank", np.arange(self.d_rel), distances)
        return np.asarray(drawn / (1.0 + distances) / np.sqrt(self.d_rel))

    def heights(self, distances: IntArray) -> FloatArray:
        """The profiles at distances in 0..rel_extent-1, float64 ``(d_rel, n_distances)``."""
        held = self.bank or self.d_rel * self.rel_extent <= _HELD
        return self.profiles[:, distances] if held else self._drawn(distances)

    @cached_property
    def weights(self) -> FloatArray:
        """r, float64 ``(n_columns, d_rel)``."""
        if self.states:
            return np.reshape(self.states, (-1, self.d_rel))
        return normal_entries(self.table_seed, "states", np.arange(self.n_heads), np.arange(self.d_rel))

    @cached_property
    def biases(self) -> FloatArray:
        """The bias at each distance and 0 for those beyond, float64 ``(rel_extent + 1, n_columns)``."""
        return np.vstack([(self.weights @ self.profiles).T, np.zeros(self.n_columns)]) + 0.0

    @property
    def _is_held(self) -> bool:
        return max(self.d_rel, self.n_columns) * self.rel_extent <= _HELD

    def biases_at(self, distances: IntArray, columns: IntArray) -> FloatArray:
        """The biases of some heads at distances from 0 to rel_extent, float64 ``(n_distances, n_columns)``."""
        if self._is_held:
            return np.asarray(self.biases[np.ix_(distances, columns)])
        found, near = np.zeros((len(distances), len(columns))), distances < self.rel_extent
        apart, place = np.unique(distances[near], return_inverse=True)
        found[near] = (self.weights[columns] @ self.heights(apart)).T[place]
        return found + 0.0

    @cached_property
    def _ends(self) -> tuple[float, float]:
        distances, columns = np.arange(self.rel_extent + 1), np.arange(self.n_columns)
        if not self._is_held:
            far = np.linspace(0, self.rel_extent, _SEEN - _SEEN_NEAR).astype(np.int64)
            distances = np.unique(np.r_[distances[:_SEEN_NEAR], far])
            columns = np.unique(np.linspace(0, self.n_columns - 1, _SEEN_HEADS).astype(np.int64))
        biases = self.biases_at(distances, columns)
        return float(biases.min()), float(biases.max())

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """The smallest and the largest bias at any distance; of many biases only some, near distances first."""
        return self._ends

    @property
    def reading(self) -> Reading[Encoding]:
        """The evaluation position by position, slow for many positions."""
        return Computed(self) if self._is_held else Computed(self, 1 + self.d_rel // 16, self.d_rel)

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The biases in float64 ``(n_positions, n_columns)``."""
        distances = np.where((positions > 0) | (positions <= -self.rel_extent), self.rel_extent, -positions)
        return self.biases_at(distances, columns)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """The bias at each distance up to the farthest one, then the rows of the distances."""
        reach = int(np.clip(1 - positions.min(), 1, self.rel_extent))
        if (reach + 1) * self.n_columns > MOST_NUMBERS:
            return super().source(positions, code)
        near = self.biases_at(np.arange(reach), np.arange(self.n_columns))
        biases = np.vstack([near, np.zeros(self.n_columns)])
        outside = f"(positions > 0) | (positions <= -{reach})"
        return Snippet((
            f"biases = {code.numbers(repr(biases.tolist()))}  # of the distances 0 to {reach - 1}, and 0 beyond",
            f"distances = {code.module}.where({outside}, {reach}, -positions)",
            "table = biases[distances]",
        ))  # fmt: skip

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the bias: distance, the products of states and profiles, and their sum."""
        apart, states = -position, self.weights[column]
        start = Step(f"distance d = query - key = {apart}", rf"d = i - j = {apart}", float(apart))
        if not 0 <= apart < self.rel_extent:
            zero = Step(f"d is outside 0..{self.rel_extent - 1}: the bias is 0", "b = 0", 0.0)
            return Derivation.of_entry("b", (apart, column), "0", "0", "print(0.0)\n", (start, zero))
        heights = self.heights(np.array([apart]))[:, 0]
        formula, latex = f"Σ r_m P[m][{apart}]", rf"\sum_m r_m P_{{m, {apart}}}"
        total = Sum.of_products("profile", states, heights, formula, latex, (start,))
        lines = listed("r", states) + listed("profile", heights)
        python = f"{lines}print(sum(a * b for a, b in zip(r, profile)))\n"
        return total.derivation(f"b({apart}, {column})", rf"b_{{({apart}, {column})}}", python)
