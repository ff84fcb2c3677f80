"""Scores by distance of rotated queries and keys: a sum of cosines and sines over the pairs."""

import math
from functools import partial
from typing import Any, ClassVar

import numpy as np

from posenc_core.encodings.abilities.scores import Scores, distance_step, in_pieces
from posenc_core.encodings.base import Rotation
from posenc_core.explain import (
    Derivation,
    Step,
    Sum,
    Term,
    amplified_step,
    bracketed,
    listed,
    number_step,
    shown_number,
    turn_words,
)
from posenc_core.fields import check_vector
from posenc_core.numerics import FloatArray, IntArray


class RotationScores(Scores):
    """Scores of rotated queries and keys, a the attention factor.

    ``ones`` is ``2 a**2 sum_i cos(distance theta_i)``, the score of the rotated columns of ones; ``bound`` is
    RoFormer's bound; ``independent`` is the mean for independent standard normal queries and keys; in ``typed`` columns
    that are not rotated keep their product. Source: Su et al. 2021, sections 3.4.2 and 3.4.3.
    """

    vectors: ClassVar[tuple[str, ...]] = ("q", "k")
    is_bounded: ClassVar[bool] = True

    def __init__(self, rotation: Rotation) -> None:
        super().__init__(rotation.head_dim)
        self._rotation, self._pairs = rotation, rotation.pairs

    def by_distance(self, distances: IntArray, mode: str, q: Any, k: Any) -> FloatArray:
        """The score in each mode; 0, the mean, in the mode ``independent``."""
        if mode == "independent":
            return np.zeros(len(distances))
        with np.errstate(over="ignore", invalid="ignore"):
            square = np.square(self._pairs.amplitude)
            if mode == "ones":
                return np.asarray(2 * square * self._pairs.cosine_sums(distances))
            if mode == "bound":
                return self._pairs.decay_bound(distances)
            straight, crossed, passed = self.products(q, k)
            scores = in_pieces(distances, self._pairs.n_pairs, partial(waves, self._pairs.wrapped, straight, crossed))
            return np.asarray(square * scores + passed)

    def spread(self, distances: IntArray) -> FloatArray:
        """``a**2 sqrt(r)`` over the r rotated columns at every distance, exact: rotation alone brings no decay."""
        with np.errstate(over="ignore"):
            deviation = np.square(self._pairs.amplitude) * math.sqrt(self._pairs.n_columns)
            return np.full(len(distances), deviation)

    def logits(self, scores: FloatArray) -> FloatArray:
        """The scores over ``sqrt(d)``, times the scaling's factor of the softmax."""
        return scores * (self._rotation.softmax_scale_factor / math.sqrt(self.width))

    def products(self, q: Any, k: Any) -> tuple[FloatArray, FloatArray, float]:
        """Positional score of a query and a key: ``sum_i (A_i cos + B_i sin)(distance theta_i) + C``.

        A and B ``(n_pairs,)`` without the attention factor, C the product of the columns that are not rotated; the
        distance is key - query. ValueError for vectors of another length. Source: Su et al. 2021, eq. 16.
        """
        query, key = check_vector(q, "q", self.width), check_vector(k, "k", self.width)
        first, second = (each + self._rotation.first_column for each in self._pairs.columns)
        passed = np.ones(self.width, bool)
        passed[np.concatenate([first, second])] = False
        straight = query[first] * key[first] + query[second] * key[second]
        crossed = self._rotation.direction * (query[second] * key[first] - query[first] * key[second])
        return straight, crossed, float(query[passed] @ key[passed])

    def derivation(self, apart: int, mode: str, q: Any, k: Any, head: int) -> Derivation:
        """The pairs' products turned by the distance, the columns that are not rotated, the factor; or the bound."""
        return self._bound(-apart) if mode == "bound" else self._sum(-apart, mode, q, k)

    def _sum(self, apart: int, mode: str, q: Any, k: Any) -> Derivation:
        """The sum over the pairs; ``apart`` is query - key here and below."""
        n_pairs, frequencies, factor = self._pairs.n_pairs, self._pairs.wrapped, self._pairs.amplitude
        straight, crossed, passed = np.full(n_pairs, 2.0), np.zeros(n_pairs), 0.0
        if mode == "typed":
            straight, crossed, passed = self.products(q, k)
            crossed = -crossed  # sines of query - key
        terms = straight * np.cos(frequencies * apart) + crossed * np.sin(frequencies * apart)

        def written(pair: int) -> Term:
            turn = turn_words(float(frequencies[pair]), apart)
            a, b = shown_number(float(straight[pair])), shown_number(float(crossed[pair]))
            if mode == "ones":
                return f"2 cos({turn.text})", rf"2 \cos({turn.latex})", turn
            return (
                f"{a.factor} · cos({turn.text}) + {bracketed(b.text)} · sin({turn.text})",
                rf"{a.latex} \cos({turn.latex}) + {bracketed(b.latex)} \sin({turn.latex})", a, b, turn,
            )  # fmt: skip

        formula, latex = _formula(apart, mode, factor)
        total = Sum("pair", terms, written, formula, latex, self._steps(apart, mode))
        last, square, value = [], factor * factor, float(self.by_distance(np.array([-apart]), mode, q, k)[0])
        if square != 1:
            last.append(amplified_step(factor, total.total))
        if passed:
            words = f"plus {shown_number(passed).text} of the columns that are not rotated"
            last.append(number_step(words, r"+ \sum q_c k_c", value))
        lines = "".join(listed(*each) for each in (("theta", frequencies), ("A", straight), ("B", crossed)))
        code = f"sum(a * math.cos(t * {apart}) + b * math.sin(t * {apart}) for t, a, b in zip(theta, A, B))"
        python = f"import math\n\n{lines}print({square!r} * {code} + {passed!r})\n"
        return total.derivation(f"score({apart})", rf"s({apart})", python, *last)

    def _steps(self, apart: int, mode: str) -> tuple[Step, ...]:
        """The distance, and the products of the pairs."""
        distance = distance_step(-apart)
        if mode == "ones":
            return (distance,)
        is_reversed = self._pairs.is_reversed
        b = "q1 k0 - q0 k1, for direction -1" if is_reversed else "q0 k1 - q1 k0"
        b_latex = "q_1 k_0 - q_0 k_1" if is_reversed else "q_0 k_1 - q_1 k_0"
        text = f"from the two columns 0 and 1 of pair i of q and k: A = q0 k0 + q1 k1, B = {b}"
        return distance, Step(text, rf"A = q_0 k_0 + q_1 k_1, \quad B = {b_latex}", float(apart))

    def _bound(self, apart: int) -> Derivation:
        """RoFormer's bound: the mean of the absolute partial sums."""
        frequencies, distance = self._pairs.wrapped, bracketed(str(apart))
        sums = np.abs(np.cumsum(np.exp(1j * frequencies * apart)))

        def written(index: int) -> Term:
            return f"|S_{index + 1}|", f"|S_{{{index + 1}}}|"

        formula = f"mean of |S_j|, S_j = Σ_(i<j) exp(i · {distance} · θ_i)"
        latex = rf"\frac{{2}}{{r}} \sum_j |S_j|, \quad S_j = \sum_{{i<j}} e^{{\mathrm{{i}} \cdot {distance} \theta_i}}"
        total = Sum("partial sum", sums, written, formula, latex)
        last = number_step(f"mean: Σ/{len(sums)}", rf"\Sigma / {len(sums)}", total.total / len(sums))
        lines = listed("theta", frequencies)
        code = (
            f"sums = itertools.accumulate(cmath.exp(1j * t * {apart}) for t in theta)\n"
            f"print(sum(abs(s) for s in sums) / {len(sums)})\n"
        )
        python = f"import cmath\nimport itertools\n\n{lines}{code}"
        return total.derivation(f"bound({apart})", f"B({apart})", python, last)


def waves(frequencies: FloatArray, cosines: FloatArray, sines: FloatArray, distances: FloatArray) -> FloatArray:
    """``sum_i cosines_i cos(w_i d) + sines_i sin(w_i d)`` at each distance d, float64 ``(n_distances,)``."""
    angles = np.multiply.outer(distances, frequencies)
    return np.asarray(np.cos(angles) @ cosines + np.sin(angles) @ sines)


def _formula(apart: int, mode: str, factor: float) -> tuple[str, str]:
    """The sum of a score, as text and as LaTeX."""
    distance, angle = bracketed(str(apart)), rf"({apart}\,\theta_i)"
    words, latex = ("", "") if factor == 1 else ("a² · ", "a^2 ")
    if mode == "ones":
        return f"{words}Σ 2 cos({distance} · θ_i)", rf"{latex}\sum_i 2 \cos{angle}"
    return (
        f"{words}Σ A_i cos({distance} · θ_i) + B_i sin({distance} · θ_i)",
        rf"{latex}\sum_i A_i \cos{angle} + B_i \sin{angle}",
    )
