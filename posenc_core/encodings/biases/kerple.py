"""Kernels of distance as biases, with two learned numbers per head (Chi et al. 2022)."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np

from posenc_core.encodings.abilities.computed import Computed
from posenc_core.encodings.abilities.effect import HeadBiases
from posenc_core.encodings.abilities.stored_rows import Reading
from posenc_core.encodings.base import Encoding
from posenc_core.encodings.biases.fields import HEADS, R1, R1_HEADS, R2, R2_HEADS
from posenc_core.explain import Derivation, Dialect, Snippet, Step, number_list, number_step, shown_number
from posenc_core.fields import TABLE_SEED, ChoiceField
from posenc_core.numerics import FloatArray, IntArray, normal_entries

KERNEL = ChoiceField(
    name="kernel",
    help="The function of the distance d: -r1 ln(1 + r2 d), or -r1 d^r2, which is ALiBi for r2 = 1.",
    default="log",
    choices=(("log", "logarithmic"), ("power", "power")),
)
_LEAST, _STEEPEST = 0.01, 2.0


@dataclass(frozen=True)
class Kerple(HeadBiases, Encoding):
    """The bias ``-r1 ln(1 + r2 d)`` or ``-r1 d^r2`` on the logit of a key at d = |key - query|; a column is a head.

    ``r1`` > 0 and ``r2`` > 0 are those of head 0, with r2 at most 2 in the power kernel. A model learns both for each
    head: ``r1_heads`` and ``r2_heads`` are those of the heads from 1 on. By default these heads have simulated numbers,
    uniform in (0, 2) and (0, 1) as at the start of training, at least 0.01. Sources: Chi et al. 2022, section 4;
    chijames/KERPLE, ``ParallelKerpleLog`` and ``ParallelKerplePower``.
    """

    kernel: Annotated[str, KERNEL] = KERNEL.default
    r1: Annotated[float, R1] = R1.default
    r2: Annotated[float, R2] = R2.default
    n_heads: Annotated[int, HEADS] = HEADS.default
    table_seed: Annotated[int, TABLE_SEED] = 0
    r1_heads: Annotated[tuple[float, ...], R1_HEADS] = ()
    r2_heads: Annotated[tuple[float, ...], R2_HEADS] = ()

    family: ClassVar[str] = "kerple"
    title: ClassVar[str] = "Kerple"
    in_story: ClassVar[bool] = False
    year: ClassVar[int] = 2022
    summary: ClassVar[str] = "A bias that falls with the logarithm or a power of the distance, learned for each head."
    brief: ClassVar[str] = "bias by kernel"
    citation: ClassVar[str] = "Chi et al. 2022, KERPLE: Kernelized Relative Positional Embedding, section 4"
    trained_beside: ClassVar[str] = "two numbers per head"

    def __post_init__(self) -> None:
        super().__post_init__()
        steepest = max((self.r2, *self.r2_heads))
        if self.kernel == "power" and steepest > _STEEPEST:
            raise ValueError(f"r2 of the power kernel must be at most {_STEEPEST:g}, got {R2.format(steepest)}")
        for name, given in ((R1_HEADS.name, self.r1_heads), (R2_HEADS.name, self.r2_heads)):
            if given and len(given) != self.n_heads - 1:
                raise ValueError(f"{name} must have n_heads - 1 = {self.n_heads - 1} numbers, got {len(given)}")

    def edited(self, name: str, value: Any) -> "Kerple":
        """As for every family; another number of heads drops the lists of their numbers."""
        if name == HEADS.name and HEADS.check(value) != self.n_heads:
            return replace(self, n_heads=value, r1_heads=(), r2_heads=())
        return super().edited(name, value)

    @property
    def label(self) -> str:
        """The source of simulated numbers of the heads from 1 on; empty if there are none."""
        is_given = self.n_heads == 1 or (self.r1_heads and self.r2_heads)
        return "" if is_given else f"simulated (seed {self.table_seed})"

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence on the simulated parameters of the heads from 1 on."""
        names = " and ".join(name for name, given in (("r1", self.r1_heads), ("r2", self.r2_heads)) if not given)
        verb = "are" if "and" in names else "is"
        return (f"{names} of the heads from 1 on {verb} {self.label}: a model learns them",) if self.label else ()

    @cached_property
    def learned(self) -> tuple[FloatArray, FloatArray]:
        """r1 and r2 of each head, float64 ``(n_heads,)`` each."""
        normal = normal_entries(self.table_seed, "Kerple", np.arange(2), np.arange(self.n_heads))
        shares = np.array([[(1 + math.erf(each / math.sqrt(2))) / 2 for each in row] for row in normal.tolist()])
        factors, rates = np.maximum(shares * np.array([[2.0], [1.0]]), _LEAST)
        factors[0], rates[0] = self.r1, self.r2
        for learned, given in ((factors, self.r1_heads), (rates, self.r2_heads)):
            learned[1:] = given or learned[1:]
        return factors, rates

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """From the lowest bias at the farthest distance to 0."""
        farthest = np.array([max(abs(first), abs(stop - 1))])
        return float(self.values(farthest, np.arange(self.n_heads)).min()), 0.0

    @property
    def reading(self) -> Reading[Encoding]:
        """The evaluation position by position, slow for many positions."""
        return Computed(self)

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The biases in float64 ``(n_positions, n_columns)``."""
        factors, rates = (each[columns] for each in self.learned)
        distances = np.abs(positions).astype(np.float64)[:, None]
        kernel = np.log1p(distances * rates) if self.kernel == "log" else distances**rates
        return np.asarray(0.0 - factors * kernel)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """The two numbers of each head, then the kernel."""
        factors, rates = (code.numbers(number_list(each.tolist())) for each in self.learned)
        distances = f"{code.real('abs(positions)')}[:, None]"
        kernel = f"{code.module}.log1p(r2 * {distances})" if self.kernel == "log" else f"{distances} ** r2"
        return Snippet((f"r1 = {factors}  # one per head", f"r2 = {rates}", f"table = -r1 * {kernel}"))

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the bias: distance, the head's two numbers, the kernel, and the product."""
        factor, rate = (float(each[column]) for each in self.learned)
        apart, is_log = abs(position), self.kernel == "log"
        (value,) = self.values(np.array([position]), np.array([column])).ravel().tolist()
        origins = ["as given" if column == 0 or given else self.label for given in (self.r1_heads, self.r2_heads)]
        kernel = math.log1p(rate * apart) if is_log else float(np.float64(apart) ** rate)
        r1, r2, k = (shown_number(each) for each in (factor, rate, kernel))
        text = f"ln(1 + {r2.text} · {apart})" if is_log else f"{apart}^{r2.factor}"
        latex = rf"\ln(1 + {r2.latex} \cdot {apart})" if is_log else rf"{apart}^{{{r2.latex}}}"
        code = f"math.log1p({rate!r} * {apart})" if is_log else f"{float(apart)!r} ** {rate!r}"
        steps = (
            Step(f"distance d = |{-position}| = {apart}", rf"d = |{-position}| = {apart}", float(apart)),
            number_step(f"r1 of head {column}, {origins[0]}", f"r_{{1, {column}}}", factor),
            number_step(f"r2 of head {column}, {origins[1]}", f"r_{{2, {column}}}", rate),
            number_step(f"kernel {text}", latex, kernel),
            number_step(f"bias -{r1.factor} · {k.factor}", rf"b = -{r1.latex} \cdot {k.latex}", value, r1, k),
        )
        python = f"import math\n\nprint(0.0 - {factor!r} * {code})\n"
        return Derivation.of_entry(
            "b", (-position, column), f"-{r1.factor} · {text}", rf"-{r1.latex} \cdot {latex}", python, steps
        )
