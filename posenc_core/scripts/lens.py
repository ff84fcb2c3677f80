"""A Matplotlib script that draws pairs as clocks with their trails, and the bits of the position over their turns."""

import math

import numpy as np
from msgspec import Struct

from posenc_core.analysis import head_columns, turned_angles
from posenc_core.encodings import Encoding, Pairs, pair_members, turning_pairs
from posenc_core.explain import NUMPY, Snippet, number_list
from posenc_core.numerics import IntArray
from posenc_core.scripts.snippets import PYPLOT, filled, source_of
from posenc_core.session import Document

_ACROSS = 4
"""Clocks in a row, whose labels do not overlap in a part of a figure."""

_UNITS = {"turns": (" / (2 * np.pi)", " turns"), "degrees": (" * 180 / np.pi", "°"), "radians": ("", " rad")}
"""The factor of an angle in rad for each unit, and the unit's sign."""


class ClockColours(Struct, frozen=True):
    """Colours as ``#rrggbb``: of the hands, and of the tokens, which repeat."""

    hand: str
    tokens: tuple[str, ...]


def lens_script(
    document: Document, unit: str, position: int, first: int, pairs: IntArray, colours: ClockColours
) -> str:
    """A script that draws each of the pairs as a clock at a position, and the binary digits of the position.

    ``unit`` is the unit of the angles: turns, degrees or radians. The trail has the positions from ``first`` on.
    ValueError with one sentence for a family without pairs that turn.
    """
    encoding, turning = document.encoding, turning_pairs(document.encoding)
    if turning is None and encoding.cells is None:
        raise ValueError(f"the clocks need pairs that turn with the position: {encoding.title} has none")
    factor, sign = _UNITS[unit]
    places = (pairs, *pair_members(encoding, pairs), *head_columns(encoding, pairs))
    rows = math.ceil(len(pairs) / _ACROSS)
    lines = filled(
        "lens",
        clocks=[f"{row}," for row in zip(*(each.tolist() for each in places), strict=True)],
        turned=_turned_lines(encoding, turning, position, pairs),
        palette=list(colours.tokens),
        height=f"{2.1 * rows + 1.6:.1f}",
        clock_height=f"{2.1 * rows:.1f}",
        rows=rows,
        columns=math.ceil(len(pairs) / rows),
        hand=repr(colours.hand),
        factor=factor,
        sign=sign,
        position=position,
    )
    return source_of(document, range(first, position + 1), NUMPY, Snippet(lines, (PYPLOT,)))


def _turned_lines(encoding: Encoding, turning: Pairs | None, position: int, shown: IntArray) -> list[str]:
    """The definition of ``turned``, angles at the position with all whole turns.

    Also defines ``frequencies`` if the lines of the table do not.
    """
    table = encoding.source(np.array([position]), NUMPY).lines
    rates = number_list(encoding.frequencies().tolist())
    listed_rates = [f"frequencies = np.array({rates})  # rad per {'position' if turning else 'cell'}"]
    if turning is None:
        return [*listed_rates, "turned = angles[-1, shown]  # rad, with whole turns"]
    if not any(line.startswith("angles =") for line in table):
        listed = number_list((turned_angles(turning, position)[shown] + 0.0).tolist())
        return [*listed_rates, f"turned = np.array({listed})  # rad, with whole turns"]
    if np.array_equal(turning.frequencies[shown], turning.wrapped[shown]):
        return ["turned = angles[-1, shown]  # rad, with whole turns"]
    listed = number_list((turned_angles(turning, position)[shown] + 0.0).tolist()).replace("inf", "np.inf")
    return [f"turned = np.array({listed})  # rad, with the whole turns that the frequencies above leave out"]
