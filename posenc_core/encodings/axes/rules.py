"""The rules for the axes and frequencies of pairs: the formulas of RoPE on several axes.

Sources: transformers 5.23.0 ``modeling_{pixtral,qwen2_vl,qwen3_vl,dinov3_vit,ernie4_5_vl_moe}.py``; diffusers 0.42.1
``transformer_{flux,flux2,wan,hunyuan_video}.py``; rope-vit ``models/vit_rope.py`` (Heo et al. 2024, arXiv 2403.13298).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from msgspec import Struct

from posenc_core.numerics import FloatArray, IntArray
from posenc_core.rope_scaling import RopeScaling, rope_frequencies

FASTEST = 100.0
"""Rad per cell: a faster pair leaves float64 too few digits for its angle at the farthest position."""

Numbers = tuple[int, ...] | None


class Division(Struct, frozen=True):
    """The parameters that divide pairs among axes; ``names`` are those of the axes, in the order of coordinates.

    ``width`` is the number of columns that turn, ``width_name`` the parameter that sets it. ``scaling`` is that of the
    one list of frequencies that sections divide.
    """

    rule: str
    names: tuple[str, ...]
    width: int
    base: float
    bases: tuple[float, ...] | None = None
    widths: Numbers = None
    sections: Numbers = None
    direction: float = 0.0
    width_name: str = "head_dim"
    scaling: RopeScaling | None = None

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return self.width // 2


@dataclass(frozen=True, eq=False)
class PairAxes:
    """The axis and the frequency of each pair.

    ``axes`` are indices of axes, int64 ``(n_pairs,)``, -1 for a mixture of all. The frequency before a mixture is
    ``factor * bases ** (-2 numerators / denominators)``, and ``weights``, float64 ``(n_axes, n_pairs)`` in rad per unit
    of each coordinate, define the angle of a pair at a place: ``place @ weights``.
    """

    axes: IntArray
    numerators: IntArray
    denominators: IntArray
    bases: FloatArray
    weights: FloatArray
    factor: float = 1.0


def default_widths(width: int, n_axes: int, name: str = "head_dim") -> tuple[int, ...]:
    """The number of columns of each axis in Wan: ``2 floor(D / 2n)`` for all but the first axis, which has the rest.

    ValueError for fewer than two columns per axis.
    """
    least = 2 * (width // (2 * n_axes))
    if not least:
        raise ValueError(f"{n_axes} axes need at least {2 * n_axes} columns, got {name} = {width}")
    return (width - (n_axes - 1) * least, *(least,) * (n_axes - 1))


def default_sections(rule: str, n_pairs: int, n_axes: int) -> tuple[int, ...]:
    """Numbers of pairs of each axis, as even as possible; for ``ernie_3d`` those of h, w and t."""
    least = n_pairs // n_axes
    if rule == "ernie_3d":
        return (least + (n_pairs - 3 * least) // 2, least, n_pairs - 2 * least - (n_pairs - 3 * least) // 2)
    return (n_pairs - (n_axes - 1) * least, *(least,) * (n_axes - 1))


def section_axes(sections: Sequence[int], n_axes: int, *, interleaved: bool = False) -> IntArray:
    """The index of the axis of each pair, int64 ``(sum(sections),)``.

    Contiguous sections follow each other (Qwen2-VL). With ``interleaved``, pair i belongs to axis i mod n as long as i
    is below n times the number of pairs of that axis, all others to the first axis (Qwen3-VL).
    """
    if not interleaved:
        return np.repeat(np.arange(n_axes), sections)
    pairs = np.arange(sum(sections))
    axes = pairs % n_axes
    return np.where(pairs < n_axes * np.array(sections)[axes], axes, 0)


@lru_cache(maxsize=64)
def pair_axes(division: Division) -> PairAxes:
    """The axis and the frequency of each pair; ValueError with one sentence for parameters that contradict."""
    if division.width % 2:
        raise ValueError(f"RoPE rotates pairs: rotary dimension must be even, got {division.width}")
    found = _RULES[division.rule](division)
    if not np.abs(found.weights).max() <= FASTEST:
        base = f"base (rope_theta) {min(division.bases or (division.base,)):g} is too small"
        raise ValueError(
            f"{base if division.scaling is None else 'the scaled frequencies are too large'}: a pair would turn by "
            f"more than {FASTEST:g} rad from one cell to the next"
        )
    for each in (found.axes, found.numerators, found.denominators, found.bases, found.weights):
        each.flags.writeable = False
    return found


def _made(
    division: Division, axes: IntArray, numerators: IntArray, denominators: IntArray | int, factor: float = 1.0
) -> PairAxes:
    """The pairs with one axis each."""
    bases = np.array(division.bases or (division.base,) * len(division.names))[axes]
    widths = np.broadcast_to(denominators, axes.shape).copy()
    with np.errstate(over="ignore"):
        frequencies = factor * bases ** (-2 * numerators / widths)
    if division.scaling is not None:
        frequencies = rope_frequencies(division.base, division.n_pairs, division.scaling)[numerators]
    weights = np.where(np.arange(len(division.names))[:, np.newaxis] == axes, frequencies, 0.0)
    return PairAxes(axes, numerators, widths, bases, weights, factor)


def _blocks(division: Division) -> PairAxes:
    n_axes = len(division.names)
    widths = division.widths or default_widths(division.width, n_axes, division.width_name)
    for width in widths:
        if width < 2 or width % 2:
            raise ValueError(f"an axis needs an even number of columns, got {width}")
    if len(widths) != n_axes:
        raise ValueError(f"axis_widths needs a number for each axis of {', '.join(division.names)}, got {len(widths)}")
    if sum(widths) != division.width:
        listed = " + ".join(map(str, widths))
        raise ValueError(
            f"the columns of the axes, {listed} = {sum(widths)}, must sum to {division.width_name} = {division.width}"
        )
    halves = np.array(widths) // 2
    axes = np.repeat(np.arange(n_axes), halves)
    return _made(division, axes, np.concatenate([np.arange(half) for half in halves]), np.array(widths)[axes])


def _shared(division: Division, factor: float = 1.0) -> PairAxes:
    each = _pairs_of_each(division)
    axes = np.repeat(np.arange(len(division.names)), each)
    return _made(division, axes, np.arange(division.n_pairs) % each, 2 * each, factor)


def _shared_in_turns(division: Division) -> PairAxes:
    n_axes, each, pairs = len(division.names), _pairs_of_each(division), np.arange(division.n_pairs)
    return _made(division, pairs % n_axes, pairs // n_axes, 2 * each)


def _even_odd(division: Division) -> PairAxes:
    n_axes, each = len(division.names), _pairs_of_each(division)
    axes = np.repeat(np.arange(n_axes), each)
    return _made(division, axes, axes + n_axes * (np.arange(division.n_pairs) % each), division.width)


def _sections(division: Division, interleaved: bool = False) -> PairAxes:
    n_axes = len(division.names)
    sections = division.sections or default_sections(division.rule, division.n_pairs, n_axes)
    if len(sections) != n_axes:
        raise ValueError(
            f"mrope_section needs a number for each axis of {', '.join(division.names)}, got {len(sections)}"
        )
    _check_sum(sections, division)
    axes = section_axes(sections, n_axes, interleaved=interleaved)
    return _made(division, axes, np.arange(division.n_pairs), division.width)


def _ernie(division: Division) -> PairAxes:
    if set(division.names) != {"t", "h", "w"}:
        raise ValueError(f"ernie_3d turns pairs by time, height and width, got the axes {', '.join(division.names)}")
    sections = division.sections or default_sections(division.rule, division.n_pairs, 3)
    if len(sections) != 3:
        raise ValueError(f"the sections of ernie_3d are those of h, w and t, got {len(sections)} numbers")
    _check_sum(sections, division)
    high, wide, _ = sections
    if high - wide not in (0, 1):
        raise ValueError(f"in ernie_3d pairs alternate between h and w: as many of each, got {high} and {wide}")
    pairs, index = np.arange(division.n_pairs), division.names.index
    spatial = np.where(pairs % 2, index("w"), index("h"))
    return _made(division, np.where(pairs < high + wide, spatial, index("t")), pairs, division.width)


def _mixed(division: Division) -> PairAxes:
    if set(division.names) != {"h", "w"}:
        raise ValueError(f"mixed turns pairs by height and width, got the axes {', '.join(division.names)}")
    each = _pairs_of_each(division)
    plain = _made(division, np.zeros(division.n_pairs, np.int64), np.arange(division.n_pairs) % each, 2 * each)
    turned = division.direction + np.where(np.arange(division.n_pairs) < each, 0.0, math.pi / 2)
    parts = {"w": np.cos(turned), "h": np.sin(turned)}
    weights = plain.weights[0] * np.array([parts[name] for name in division.names])
    axes = np.full(division.n_pairs, -1)
    return PairAxes(axes, plain.numerators, plain.denominators, plain.bases, weights)


def _pairs_of_each(division: Division) -> int:
    """The number of pairs of every axis; ValueError unless the axes can have equally many."""
    n_axes = len(division.names)
    if division.n_pairs % n_axes:
        raise ValueError(
            f"{division.width_name} must be divisible by {2 * n_axes} for {n_axes} axes with equally many pairs, "
            f"got {division.width}"
        )
    return division.n_pairs // n_axes


def _check_sum(sections: Sequence[int], division: Division) -> None:
    if min(sections) < 0:
        raise ValueError(f"mrope_section must be integers >= 0, got {min(sections)}")
    if sum(sections) != division.n_pairs:
        raise ValueError(f"mrope_section must sum to rotary_dim/2 = {division.n_pairs}, got {sum(sections)}")


_RULES: dict[str, Callable[[Division], PairAxes]] = {
    "blocks": _blocks,
    "shared": _shared,
    "shared_in_turns": _shared_in_turns,
    "even_odd": _even_odd,
    "normalised": lambda division: _shared(division, 2 * math.pi),
    "sections": _sections,
    "interleaved_sections": lambda division: _sections(division, interleaved=True),
    "ernie_3d": _ernie,
    "mixed": _mixed,
}
"""The rules by name."""
