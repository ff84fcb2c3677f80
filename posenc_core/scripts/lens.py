"""A Matplotlib script that draws pairs as clocks with their trails, and the bits of the position over their turns."""

import math

import numpy as np
from msgspec import Struct

from posenc_core.analysis import head_columns, turned_angles
from posenc_core.encodings import Encoding, Pairs, pair_members, turning_pairs
from posenc_core.explain import NUMPY, Snippet, number_list
from posenc_core.numerics import IntArray
from posenc_core.scripts.snippets import PYPLOT, source_of
from posenc_core.session import Document

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
    rows = math.ceil(len(pairs) / 8)
    lines = [
        "clocks = [  # pair, columns of its sine and cosine in the table, and its columns in the head",
        *(f"    {row}," for row in zip(*(each.tolist() for each in places), strict=True)),
        "]",
        "shown, sines, cosines = (list(each) for each in list(zip(*clocks))[:3])",
        "hands = np.arctan2(table[:, sines], table[:, cosines])  # rad; a row for each position",
        *_turned_lines(encoding, turning, position, pairs),
        f"palette = {list(colours.tokens)}",
        "ages = np.linspace(0.18, 0.75, len(positions))  # the oldest dot is the faintest",
        "dots = [(palette[each % len(palette)], age) for each, age in zip(positions[:-1], ages[1:])]",
        "",
        f"fig = plt.figure(figsize=(10, {2.1 * rows + 1.6:.1f}), layout='constrained')",
        f"above, below = fig.subfigures(2, 1, height_ratios=[{2.1 * rows:.1f}, 1.6])",
        f"axes = above.subplots({rows}, {math.ceil(len(pairs) / rows)}, squeeze=False)",
        "circle = np.linspace(0, 2 * np.pi, 200)",
        "for ax in axes.flat:",
        "    ax.set_axis_off()",
        "for ax, clock, angle, speed, hand in zip(axes.flat, clocks, turned, frequencies[shown], hands.T):",
        "    x, y = np.cos(hand), np.sin(hand)",
        "    ax.plot(np.cos(circle), np.sin(circle), color='#5b6470', linewidth=1, linestyle='-' if speed else ':')",
        "    ax.scatter(x[:-1], y[:-1], s=8, c=dots, linewidths=0)",
        f"    ax.plot([0, x[-1]], [0, y[-1]], color={colours.hand!r}, marker='o', markevery=[1])",
        "    middle = -0.5 if y[-1] >= 0 else 0.5",
        f"    ax.text(0, middle, f'{{angle{factor}:.3g}}{sign}', ha='center', va='center', fontsize=8)",
        "    ax.set_aspect('equal')",
        "    ax.set_title(f'pair {clock[0]}\\ncolumns {clock[3]}, {clock[4]}', fontsize=8)",
        *_ODOMETER,
        f"fig.suptitle('position {position}')",
        "plt.show()",
    ]
    return source_of(document, range(first, position + 1), NUMPY, Snippet(("", *lines), (PYPLOT,)))


_ODOMETER = (
    "",
    "size = abs(int(positions[-1]))",
    "bits = [size >> bit & 1 for bit in range(max(8, size.bit_length()))]  # that of 1 first",
    "digits, levels = below.subplots(2, 1)",
    "digits.imshow([bits], cmap='gray_r', vmin=0, vmax=1, aspect='auto')",
    "for place, bit in enumerate(bits):",
    "    digits.text(place, 0, bit, ha='center', va='center', color='white' if bit else 'black')",
    "digits.set(title='bits of the position, and turns of the pairs less whole ones', xticks=[], yticks=[])",
    "levels.bar(range(len(shown)), hands[-1] / (2 * np.pi) % 1, color='#8aa6c8')",
    "levels.set(ylim=(0, 1), xticks=range(len(shown)), xticklabels=shown, xlabel='pair')",
)


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
