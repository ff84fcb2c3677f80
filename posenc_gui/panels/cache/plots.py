"""Bases of cached keys, and errors of the keys' angles, as the lines of two plots."""

import math

import numpy as np
from msgspec.structs import replace

from posenc_core import Document
from posenc_gui.figures.lines import Line, Plot, Rule, named_look, value_text
from posenc_gui.look import counted
from posenc_gui.panels.cache.keys import Cache, CachedKeys
from posenc_gui.panels.cache.spec import CACHE_LENGTH
from posenc_gui.plotting import Scale

_LEAST_ANGLE = 1e-3
"""Radians; smaller angles are below the axis."""

_ROOM = 1.25
"""Factor by which the axes reach beyond the lines."""


def plots(document: Document) -> tuple[Plot, ...]:
    """The base of each cached key, and below it the error of the key's angle, on a logarithmic axis."""
    cache = Cache.of(document)
    keys, (least, most, angle) = cache.keys, cache.most
    x = keys[0].positions.astype(np.float64)
    letters, looks = cache.letters(document), [named_look(document, index)[1] for index in cache.indices]
    named = list(zip(letters, looks, keys, strict=True))
    bases = [Line(f"{letter} base when cached".strip(), each.bases, look) for letter, look, each in named]
    angles = [Line(f"{letter} largest of all pairs".strip(), each.largest, look) for letter, look, each in named]
    angles += _pair_lines(keys[0], letters[0])
    across = Scale("position of the key", 0.0, max(1.0, float(cache.reach)), whole=True)
    base = Scale.around("base", least, most, _ROOM)
    off = Scale("angle error (rad)", _LEAST_ANGLE, max(angle, math.pi) * _ROOM, logarithmic=True)
    n = Rule(f"n {counted(cache.length)}", cache.length, CACHE_LENGTH.name, upright=True)
    length = cache.trained[0]
    trained = Rule(f"L {counted(length)}", length, upright=True)
    now = Rule(f"{letters[0]} base now {value_text(keys[0].base)}".strip(), keys[0].base)
    half = Rule("half a turn", math.pi)
    return (
        Plot(x, tuple(bases), across, base, (now, trained, n), stretch=2),
        Plot(x, tuple(angles), across, off, (replace(n, text=""), half), stretch=3),
    )


def _pair_lines(keys: CachedKeys, letter: str) -> list[Line]:
    return [
        Line(f"{letter} pair {pair}".strip(), angles, look)
        for look, (pair, angles) in enumerate(zip(keys.pairs, keys.angles, strict=True), 1)
    ]
