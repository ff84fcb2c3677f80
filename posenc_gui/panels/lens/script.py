"""The Matplotlib script of the pair lens."""

import math

import numpy as np

from posenc_core.analysis import head_columns
from posenc_core.encodings import pair_members, turning_pairs
from posenc_core.explain import NUMPY, Snippet, number_list, template_lines
from posenc_core.scripts import PYPLOT, source_of
from posenc_gui.panels.lens.pointing import LensShown
from posenc_gui.panels.lens.spec import ANGLE_UNIT
from posenc_gui.panels.lens.view import LensView

_ACROSS = 4
"""Clocks in a row, whose labels do not overlap in a part of a figure."""

_UNITS = {"turns": (" / (2 * np.pi)", " turns"), "degrees": (" * 180 / np.pi", "°"), "radians": ("", " rad")}
"""The factor of an angle in rad for each unit, and the unit's sign."""


def script(view: LensShown) -> str:
    """A script that draws the clocks with their trails, and the binary digits of the position over their turns."""
    lens, style, document, encoding = view.lens, view.style, view.document, view.encoding
    assert lens is not None  # the panel needs pairs
    factor, sign = _UNITS[document.option(ANGLE_UNIT)]
    places = (lens.pairs, *pair_members(encoding, lens.pairs), *head_columns(encoding, lens.pairs))
    rows = math.ceil(len(lens.pairs) / _ACROSS)
    lines = template_lines(
        __file__,
        "script",
        clocks=[f"{row}," for row in zip(*(each.tolist() for each in places), strict=True)],
        turned=_turned_lines(lens),
        palette=list(style.token_cycle),
        height=f"{2.1 * rows + 1.6:.1f}",
        clock_height=f"{2.1 * rows:.1f}",
        rows=rows,
        columns=math.ceil(len(lens.pairs) / rows),
        hand=repr(style.ink if lens.token is None else style.token(lens.token).name()),
        factor=factor,
        sign=sign,
        position=lens.position,
    )
    shown = range(lens.position - len(lens.trail), lens.position + 1)
    return source_of(document, shown, NUMPY, Snippet(lines, (PYPLOT,)))


def _turned_lines(lens: LensView) -> list[str]:
    """The definition of ``turned``, angles at the position with all whole turns.

    Also defines ``frequencies`` if the lines of the table do not.
    """
    encoding = lens.document.encoding
    turning, table = turning_pairs(encoding), encoding.source(np.array([lens.position]), NUMPY).lines
    rates = number_list(encoding.frequencies().tolist())
    listed_rates = [f"frequencies = np.array({rates})  # rad per {'position' if turning else 'cell'}"]
    if turning is None:
        return [*listed_rates, "turned = angles[-1, shown]  # rad, with whole turns"]
    listed = number_list((lens.turned + 0.0).tolist())
    if not any(line.startswith("angles =") for line in table):
        return [*listed_rates, f"turned = np.array({listed})  # rad, with whole turns"]
    if np.array_equal(turning.frequencies[lens.pairs], turning.wrapped[lens.pairs]):
        return ["turned = angles[-1, shown]  # rad, with whole turns"]
    listed = listed.replace("inf", "np.inf")
    return [f"turned = np.array({listed})  # rad, with the whole turns that the frequencies above leave out"]
