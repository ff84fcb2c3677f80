"""The grid, the rule, the base and the coordinates of RoPE on several axes, from the turning of its pairs."""

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core.encodings import RopeAxes
from posenc_core.identify.closed.grids import Phasors, Seen, begun_pictures, pictures, text_turns
from posenc_core.identify.closed.scalings import rotations_of
from posenc_core.identify.forms import Form
from posenc_core.identify.measured import Measured, phasors_of
from posenc_core.identify.precision import Level, falling
from posenc_core.numerics import FloatArray, IntArray

_BASES = (1e4, 100.0, 5e5, 1e6, 256.0, 2e3, 5e6, 10.0)
_MOST_CELLS = 1 << 15
"""Cells that are seen."""

_STILL = 1e-5
"""Rad per cell below which a pair does not turn along an axis."""

_TOP = 256
"""Cells in which ends of rows are sought first."""

_MOST_TURNS = 4096
"""Cells whose turns refine those of a text: each of many forms is measured, and more cells take seconds."""

_TURNED = 2.5
"""Rad per cell above which the turns of a pair may have been more."""

_DUST = 1e-12
"""Rad per cell that rounding has left of no turn."""

_CLOSE = 1e-4
"""Largest difference of a frequency, as a share, from that of a rule."""

SECTIONED = ("sections", "interleaved_sections", "ernie_3d")
"""The rules that divide one list of frequencies, which can be scaled."""

_PLAIN = ("h,w", "w,h", "t,h,w", "h,w,t", "t,h,w,l")
_RULES = (
    "shared", "blocks", "even_odd", "shared_in_turns", "sections", "interleaved_sections", "ernie_3d", "normalised",
    "mixed",
)  # fmt: skip


def cell_encodings(form: Form, positions: IntArray, level: Level) -> Iterator[tuple[RopeAxes, float]]:
    """RoPE on several axes with costs, for the cosines and sines, or rotated vectors, of all cells of a grid."""
    n_cells = len(form.numbers)
    is_whole = positions[0] == 0 and n_cells == int(positions[-1]) + 1 and 3 < n_cells <= _MOST_CELLS
    if not is_whole or form.n_pairs < 2 or form.width != 2 * form.n_pairs:
        return
    top = phasors_of(form)(np.arange(min(n_cells, _TOP)))
    if top.shape[1] != form.n_pairs or _is_uneven(top, form, level):
        return
    turns = text_turns(top)
    if not (np.diff(turns) > _STILL).any() and pictures(top[:, ::-1], level) == []:  # one list of frequencies
        return
    phasors = phasors_of(form)(np.arange(n_cells))
    found = pictures(phasors, level)
    if not found:
        yield from text_encodings(form, text_turns(phasors[:_MOST_TURNS]))
    for seen, rule in product((*found, *begun_pictures(phasors, level)), _RULES):
        yield from _of_rule(rule, form, seen, level)


def _is_uneven(phasors: Phasors, form: Form, level: Level) -> bool:
    """Whether many phasors have another length than the rest."""
    lengths = np.abs(phasors)
    amplitude = float(np.median(lengths))
    near = 8 * (level.wave + level.relative + level.absolute) * max(1.0, amplitude)
    return bool((np.abs(lengths - amplitude) <= near + 1e-3 * (form.before is not None)).mean() < 0.9)


def _of_rule(rule: str, form: Form, seen: Seen, level: Level) -> Iterator[tuple[RopeAxes, float]]:
    frames = seen.sizes[0] > 1
    for rank, axes in enumerate(_PLAIN):
        names = tuple(axes.split(","))
        if frames and "t" not in names and np.abs(seen.turns[0]).max() > _STILL:
            continue
        turns = seen.turns_of(names)
        for lists, extra in _divided(rule, names, turns):
            for coordinate in ("index", "scaled") if rule != "normalised" else ("index",):
                given = {"rule": rule, "axes": axes, "pairing": form.layout, "grid": seen.grid, **lists}
                with suppress(ValueError):
                    made = RopeAxes(form.width, **given)
                    if made.rule != "mixed" and len(np.unique(made.cells.pairs.axes)) < 2:  # any positions have these
                        continue
                    for each, cost in _solved(made, seen, turns, coordinate, form, level):
                        yield each, 0.6 + 0.02 * rank + extra + cost + 0.3 * (coordinate == "scaled")


def _divided(rule: str, names: tuple[str, ...], turns: FloatArray) -> Iterator[tuple[dict[str, Any], float]]:
    """The lists of sections or widths that a rule may have: none, and those of the pairs that turn."""
    yield {}, 0.0
    axes = np.where(np.abs(turns) > _DUST, np.abs(turns), 0.0).argmax(axis=0)
    counts = [int((axes == axis).sum()) for axis in range(len(names))]
    if rule in ("sections", "interleaved_sections"):
        yield {"sections": tuple(counts)}, 0.05
    elif rule == "ernie_3d" and {"t", "h", "w"} == set(names):
        yield {"sections": tuple(counts[names.index(name)] for name in "hwt")}, 0.05
    elif rule == "blocks" and min(counts) > 0:
        yield {"axis_widths": tuple(2 * count for count in counts)}, 0.05


def _solved(
    made: RopeAxes, seen: Seen, turns: FloatArray, coordinate: str, form: Form, level: Level
) -> Iterator[tuple[RopeAxes, float]]:
    """The encoding with the base, the direction and the coordinates that give these turns."""
    pairs, sizes = made.cells.pairs, dict(zip("thw", seen.sizes, strict=True))
    if made.rule == "mixed":
        yield from _mixed(made, turns)
        return
    axes = pairs.axes
    own = turns[axes, np.arange(turns.shape[1])]
    others = np.abs(turns).sum(axis=0) - np.abs(own)
    factors = np.full(len(axes), pairs.factor)
    if made.rule == "normalised":
        factors *= np.array([2 / sizes.get(name, 1) if name in "hw" else 1.0 for name in made.axes.split(",")])[axes]
    idle = np.isin(axes, [place for place, name in enumerate(made.axes.split(",")) if sizes.get(name, 1) == 1])
    telling = ~idle & (own > _STILL) & (own < _TURNED)
    if (others > _STILL).any() or not (telling & (pairs.numerators > 0)).any():
        return
    bases = _base_sizes(made, own, telling, sizes) if coordinate == "scaled" else {}
    if bases is None:
        return
    for name, key in (("h", "base_height"), ("w", "base_width")) if bases else ():
        factors *= np.where(axes == made.axes.split(",").index(name), bases[key] / sizes[name], 1.0)
    plain = ~idle & (pairs.numerators == 0)
    wrapped = np.angle(np.exp(1j * factors))
    is_slowed = bool((np.abs(own - wrapped)[plain] > 1e-3).any())  # by a scaling of one list of frequencies
    if is_slowed and made.rule not in SECTIONED:
        return
    telling &= pairs.numerators > 0
    powers = (pairs.denominators / (2 * pairs.numerators.clip(1)))[telling]
    logs = -np.log(own[telling] / factors[telling]) * powers
    kinds = ("index", "centred") if coordinate == "index" and made.rule != "normalised" else (coordinate,)
    for kind in kinds:
        placed = made if made.rule == "normalised" else _placed(made, kind, bases)
        extra = 0.1 * (kind == "centred")
        chosen = [] if is_slowed else list(_one_base(logs, powers, own[telling]))
        yield from ((placed.edited("rope_theta", base), cost + extra) for base, cost in chosen)
        if made.rule in SECTIONED and kind == "index" and not _fits(chosen, logs, powers, own[telling]):
            yield from _scaled(placed, np.where(idle, np.nan, own), form, level)
        if made.rule == "blocks":
            yield from (
                (each, cost + extra) for each, cost in _bases(placed, axes[telling], logs, powers, own[telling])
            )


def _base_sizes(
    made: RopeAxes, own: FloatArray, telling: npt.NDArray[np.bool_], sizes: dict[str, int]
) -> dict[str, int] | None:
    """The base sizes of scaled coordinates, from the turns of the slow pairs; None for those of the index itself."""
    pairs, found = made.cells.pairs, dict[str, int]()
    for name, key in (("h", "base_height"), ("w", "base_width")):
        some = (pairs.axes == made.axes.split(",").index(name)) & telling
        if some.sum() < 2:
            return None
        line = np.polyfit(2 * pairs.numerators[some] / pairs.denominators[some], np.log(own[some]), 1)
        found[key] = round(math.exp(min(float(line[1]), 30.0)) * sizes[name])
    is_index = (found["base_height"], found["base_width"]) == (sizes["h"], sizes["w"])
    return None if is_index or min(found.values()) < 1 else found


def _scaled(made: RopeAxes, rates: FloatArray, form: Form, level: Level) -> Iterator[tuple[RopeAxes, float]]:
    """The base and the scaling of the one list of frequencies that sections divide."""
    measured = Measured(
        rates, (level.angle + 2 * level.relative + 2 * level.absolute + 1e-9) / np.maximum(rates, 1e-300)
    )
    known = measured.known
    for rotary, cost, wrong in rotations_of(form, measured):
        off = np.abs(rotary.frequencies()[known] - rates[known]) if not wrong else np.full(len(known), np.inf)
        if (off <= _CLOSE * rates[known] + _STILL).mean() > 0.9:
            with suppress(ValueError):
                yield replace(made, rope_theta=rotary.rope_theta, scaling=rotary.scaling), cost


def _placed(made: RopeAxes, coordinate: str, bases: dict[str, int]) -> RopeAxes:
    """The encoding with these coordinates."""
    return type(made).from_parameters({**made.parameters(), "coordinate": coordinate, **bases})


def _one_base(logs: FloatArray, powers: FloatArray, rates: FloatArray) -> Iterator[tuple[float, float]]:
    """The base, with costs, whose logarithm each pair has found; the fast ones have most of its digits."""
    unsure = powers * 1e-7 / rates
    middle = float(np.median(logs))
    near = np.abs(logs - middle) <= _CLOSE * abs(middle) + 20 * unsure
    if abs(middle) > 600 or near.mean() <= 0.5:
        return
    best = np.flatnonzero(near)[np.argsort(unsure[near])[: max(1, int(near.sum()) // 2)]]
    middle, wide = float(np.median(logs[best])), float(np.median(unsure[best])) * 8 + 1e-9
    yield from falling((math.exp(middle - wide), math.exp(middle + wide)), _BASES)


def _fits(bases: list[tuple[float, float]], logs: FloatArray, powers: FloatArray, rates: FloatArray) -> bool:
    """Whether nearly all pairs have the rate of the first base; slow pairs of a scaling have not."""
    if not bases:
        return False
    off = np.abs(np.expm1((logs - math.log(bases[0][0])) / powers))
    return bool((off * rates <= _CLOSE * rates + _STILL).mean() > 0.9)


def _bases(
    made: RopeAxes, axes: IntArray, logs: FloatArray, powers: FloatArray, rates: FloatArray
) -> Iterator[tuple[RopeAxes, float]]:
    """Blocks with a base for each axis, if all axes turn pairs and their bases differ."""
    found = []
    for axis in range(len(made.axes.split(","))):
        own = axes == axis
        bases = list(_one_base(logs[own], powers[own], rates[own])) if own.any() else []
        if not bases:
            return
        found.append(bases[0])
    if len({base for base, _ in found}) > 1:
        yield made.edited("bases", tuple(base for base, _ in found)), 0.1 + max(cost for _, cost in found)


def _mixed(made: RopeAxes, turns: FloatArray) -> Iterator[tuple[RopeAxes, float]]:
    """Pairs that turn by both axes: the base from the lengths, the direction from the first pair."""
    names = made.axes.split(",")
    x, y = turns[names.index("w")], turns[names.index("h")]
    lengths, half = np.hypot(x, y), turns.shape[1] // 2
    if half < 2 or abs(lengths[0] - 1) > 1e-3 or (np.minimum(np.abs(x), np.abs(y)) < _STILL).all():
        return
    pairs = np.arange(1, half)
    powers = half / pairs
    for base, cost in _one_base(-np.log(lengths[1:half]) * powers, powers, lengths[1:half]):
        direction = float(np.median(np.arctan2(y[:half], x[:half])))
        for digits in (2, 4, 6, 17):
            yield made.edited("rope_theta", base).edited("direction_rad", float(f"{direction:.{digits}g}")), 0.3 + cost


def text_encodings(form: Form, turns: FloatArray) -> Iterator[tuple[RopeAxes, float]]:
    """Rules of axes in a text, in which each token has its index on every axis; several rules have the same numbers."""
    for rank, axes in enumerate((*_PLAIN[:3], "t")):
        names = axes.split(",")
        for rule in ("blocks", "shared", "shared_in_turns", "even_odd"):
            for lists, extra in _text_lists(rule, len(names), turns):
                with suppress(ValueError):
                    made = RopeAxes(form.width, 10000.0, rule, axes, form.layout, **lists)
                    for each, cost in _text_bases(made, turns):
                        yield each, 1.0 + 0.02 * rank + extra + cost


def _text_lists(rule: str, n_axes: int, turns: FloatArray) -> Iterator[tuple[dict[str, Any], float]]:
    yield {}, 0.0
    begins = np.append(np.flatnonzero(np.abs(turns - 1) < 1e-3), len(turns))
    if rule == "blocks" and begins[0] == 0 and len(begins) == n_axes + 1:
        yield {"axis_widths": tuple((2 * np.diff(begins)).tolist())}, 0.05


def _text_bases(made: RopeAxes, turns: FloatArray) -> Iterator[tuple[RopeAxes, float]]:
    pairs = made.cells.pairs
    telling = (pairs.numerators > 0) & (np.abs(turns) > _STILL)
    if not telling.any() or (np.abs(turns[pairs.numerators == 0] - 1) > 1e-3).any() or (turns < 0).any():
        return
    powers = (pairs.denominators / (2 * pairs.numerators.clip(1)))[telling]
    logs = -np.log(turns[telling]) * powers
    yield from ((made.edited("rope_theta", base), cost) for base, cost in _one_base(logs, powers, turns[telling]))
    if made.rule == "blocks":
        yield from _bases(made, pairs.axes[telling], logs, powers, turns[telling])
