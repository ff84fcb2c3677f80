"""Lines of a script that compute the table of RoPE on several axes."""

import numpy as np

from posenc_core.encodings.axes.cells import Cells
from posenc_core.encodings.axes.coordinates import TEXT
from posenc_core.explain import Dialect, Snippet, number_list


def axes_source(cells: Cells, pairing: str, code: Dialect) -> Snippet:
    """Coordinates of the positions on each axis, weights of the pairs, angles, then cosines and sines."""
    half = len(cells.axis_of_pairs)
    first, second = ("0::2", "1::2") if pairing == "interleaved" else (f":{half}", f"{half}:")
    terms = (f"{name}[:, None] * turns_{name}" for name in cells.names)
    return _coordinates(cells, code) + _weights(cells, code) + Snippet((
        f"angles = {' + '.join(terms)}",
        f"table = {code.zeros(str(2 * half))}  # pair i turns by (cos, sin)",
        f"table[:, {first}] = {code.module}.cos(angles)",
        f"table[:, {second}] = {code.module}.sin(angles)",
        *(() if cells.amplitude == 1 else (f"table = {cells.amplitude!r} * table  # the attention factor",)),
    ))  # fmt: skip


def _coordinates(cells: Cells, code: Dialect) -> Snippet:
    """A line for each axis that defines its coordinates, float64 ``(n_positions,)``."""
    grid, rule = cells.grid, cells.coordinates
    direction = dict(zip(cells.names, rule.text_direction(grid), strict=True))
    positions, cell = code.real("positions"), code.real("cells")
    if not grid.is_picture:
        return Snippet(tuple(f"{name} = {positions} * {direction[name]:g}" for name in cells.names))
    lines, stride = [f"cells = positions - {grid.n_text}" if grid.n_text else "cells = positions"], grid.n_patches
    strides = {}
    for name, size in zip(grid.names, grid.sizes, strict=True):
        stride //= size
        strides[name] = stride
    for name in cells.names:
        begun = grid.n_text * direction[name] if TEXT not in cells.names else 0.0
        picture = f"0 * {cell}"
        if name in strides:
            size = grid.size(name)
            index = code.real(f"(cells // {strides[name]} % {size})" if strides[name] > 1 else f"(cells % {size})")
            start, step = rule.affine(name, size)
            picture = f"{index} * {step!r} + {start + begun!r}"
        elif begun:
            picture = f"0 * {cell} + {begun!r}"
        if grid.n_text:
            text = f"{positions} * {direction[name]!r}"
            lines.append(f"{name} = {code.module}.where(cells >= 0, {picture}, {text})")
        else:
            lines.append(f"{name} = {picture}")
    return Snippet(tuple(lines))


def _weights(cells: Cells, code: Dialect) -> Snippet:
    """A line for each axis that lists how far each pair turns per unit of its coordinate."""
    found = zip(cells.names, np.asarray(cells.pairs.weights).tolist(), strict=True)
    lines = [f"turns_{name} = {code.numbers(number_list(weights))}" for name, weights in found]
    return Snippet((f"# the turn of each pair per unit of {', '.join(cells.names)}, in rad", *lines))
