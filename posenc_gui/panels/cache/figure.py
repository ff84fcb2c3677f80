"""CACHE TIMELINE: with which base each cached key was rotated, and how far it is off at the present length."""

import math
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import Qt
from typing_extensions import override

from posenc_core import Document, Encoding, Rotary
from posenc_core.long_context import cache_bases, stale_angles
from posenc_core.rope_scaling import DynamicNtk
from posenc_core.session import CACHE_LENGTH, FAMILY, LETTERS
from posenc_gui.figures import Need
from posenc_gui.figures.lines import LegendLayer, Line, LineFigure, Plot, Rule, named_look, value_text
from posenc_gui.layers import cursor_pair, pair_column
from posenc_gui.look import Style, counted, significant
from posenc_gui.model import Cursor, even_stops, field_course
from posenc_gui.panels.cache.keys import Cache, CachedKeys, cache_length
from posenc_gui.plotting import Scale

_FACTOR, _HEAD_DIM = 4.0, 64
_LEAST_ANGLE = 1e-3
"""Radians; smaller angles are below the axis."""

_STOPS = 241
_ROOM = 1.25
"""Factor by which the axes reach beyond the lines."""


def _stops(document: Document, cursor: Cursor) -> Sequence[int]:
    return even_stops(1, document.lengths.target, _STOPS)


class CacheFigure(LineFigure):
    """The base of each cached key above, and below it by what angle the key is off, on a logarithmic axis."""

    name = "cache"
    title = "Cache timeline"
    hint = "keys that were rotated with another base"
    explanation = (
        "Dynamic NTK changes the base of RoPE while the sequence grows beyond the trained length L. Implementations "
        "such as transformers keep each key as it was rotated when it came, with the base of that length; queries have "
        "the present base. Above, the base of each key in a cache of n keys, and the base now. Below, by how much the "
        "angles of each key are off. What this does to a model is not said here."
    )
    handling = "Drag the line n, type it, or let it play (Space). Left and Right move the key, Up and Down the pair."
    more = (
        "Below are the largest of all pairs, and a few pairs, whole turns included. Keys are taken to come one at a "
        "time: those of a prompt share the base of its length. A cache of keys before their rotation, or one base for "
        "all lengths, leaves no key off. Other panels show the base of seq_len. Sources: Peng et al. 2023 (YaRN), "
        "section 3.3; “Inconsistent Rotation Base for Dynamic NTK Scaling RoPE”, transformers, 2023."
    )
    least_size = (280, 240)
    export_size = (720, 560)
    n_plots = 2
    controls = ("cache_length",)
    needs = Need(
        "Cache timeline needs RoPE with dynamic NTK, whose base grows with the sequence.",
        "Show dynamic NTK",
        Rotary.family,
    )
    course = field_course(CACHE_LENGTH.name, ("n", "cached keys n", "keys"), 80, _stops, cache_length)

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._legends.append(LegendLayer(self.areas[1], partial(self._view, 1)))  # its lines are not those above

    @classmethod
    @override
    def missing(cls, document: Document) -> Need | None:
        return None if Cache.of(document).indices else replace(cls.needs, encoding=_with_dynamic(document))

    @classmethod
    @override
    def plots(cls, document: Document) -> tuple[Plot, ...]:
        cache = Cache.of(document)
        keys, (least, most, angle) = cache.keys, cache.most
        x = keys[0].positions.astype(np.float64)
        letters, looks = cache.letters(document), [named_look(document, index)[1] for index in cache.indices]
        named = list(zip(letters, looks, keys, strict=True))
        bases = [Line(f"{letter} base when cached".strip(), each.bases, look) for letter, look, each in named]
        angles = [Line(f"{letter} largest of all pairs".strip(), each.largest, look) for letter, look, each in named]
        angles += _pair_lines(keys[0], letters[0])
        across = Scale("position of the key", 0.0, max(1.0, float(cache.reach)), whole=True)
        base = Scale("base", least / _ROOM, most * _ROOM, logarithmic=True)
        off = Scale("angle off (rad)", _LEAST_ANGLE, max(angle, math.pi) * _ROOM, logarithmic=True)
        n = Rule(f"n {counted(cache.length)}", cache.length, CACHE_LENGTH.name, upright=True)
        length = cache.trained[0]
        trained = Rule(f"L {counted(length)}", length, upright=True)
        now = Rule(f"{letters[0]} base now {value_text(keys[0].base)}".strip(), keys[0].base)
        half = Rule("half a turn", math.pi)
        return (
            Plot(x, tuple(bases), across, base, (now, trained, n), stretch=2),
            Plot(x, tuple(angles), across, off, (replace(n, text=""), half), stretch=3),
        )

    @override
    def note(self, scale: float = 1.0) -> str:
        cache = Cache.of(self.document)
        if self.problem or not cache.indices:
            return self.problem
        keys = cache.keys[0]
        parts = [self._worst_words(cache, keys), self._key_words(cache)]
        if len(keys.positions) < cache.length:
            parts.append(f"{len(keys.positions)} of {counted(cache.length)} keys drawn")
        without = [LETTERS[each] for each in range(len(self.document.encodings)) if each not in cache.indices]
        parts.append(f"{' and '.join(without)} without dynamic NTK" if without else "")
        return " · ".join([*filter(None, parts), "cached keys are not rotated again"])

    def _worst_words(self, cache: Cache, keys: CachedKeys) -> str:
        """Which of the drawn keys is off most."""
        letter = cache.letters(self.document)[0]
        subject, index = f"{letter}: " if letter else "", int(keys.largest.argmax())
        if not keys.largest[index]:
            return f"{subject}no key is off up to n = L = {counted(cache.trained[0])}"
        most = f"{significant(float(keys.largest[index]), 4)} rad, pair {keys.worst[index]}"
        return f"{subject}key {counted(int(keys.positions[index]))} is off most: {most}"

    def _key_words(self, cache: Cache) -> str:
        """The key at the cursor: its base, and its angle off in the cursor's pair."""
        key = self.cursor_x()
        if key is None:
            return ""
        base = float(cache_bases(cache.encodings[0], [int(key) + 1])[0])
        words = f"key {counted(int(key))}: base {significant(base, 7)}"
        off = self.number()
        return words if off is None else f"{words}, pair {self._pair()} off by {significant(off, 4)} rad"

    @override
    def number(self) -> float | None:
        """The angle of the cursor's key and pair when it was cached, minus its present one, in rad."""
        cache, key, pair = Cache.of(self.document), self.cursor_x(), self._pair()
        if key is None or pair is None or pair >= len(cache.encodings[0].frequencies()):
            return None
        return float(stale_angles(cache.encodings[0], [int(key)], cache.length)[0, pair])

    def _pair(self) -> int | None:
        """The cursor's pair in the chosen encoding; None for a column that no pair has."""
        return cursor_pair(self.document.encoding, self.cursor)

    @override
    def cursor_x(self) -> float | None:
        cache = Cache.of(self.document)
        if self.cursor is None or self.document.encoding.relative or not cache.indices:
            return None
        return self.cursor.position if 0 <= self.cursor.position < cache.length else None

    @override
    def _point_x(self, x: float, pinned: bool) -> None:
        if not self.document.encoding.relative:
            self.cursorMoved.emit(Cursor(int(x), 0 if self.cursor is None else self.cursor.column, pinned))

    @override
    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        step = {Qt.Key.Key_Left: -times, Qt.Key.Key_Right: times}.get(key, 0)
        pair_step = {Qt.Key.Key_Up: -times, Qt.Key.Key_Down: times}.get(key, 0)
        encoding, cache = self.document.encoding, Cache.of(self.document)
        if not (step or pair_step) or encoding.relative or not cache.indices:
            return None
        cursor = self.cursor or Cursor(0, 0)
        position = min(max(cursor.position + step, 0), cache.length - 1)
        if not pair_step or encoding.pairs is None:
            return Cursor(position, cursor.column, True)
        pair = min(max((self._pair() or 0) + pair_step, 0), encoding.pairs.n_pairs - 1)
        return Cursor(position, pair_column(encoding, pair), True)


def _pair_lines(keys: CachedKeys, letter: str) -> list[Line]:
    return [
        Line(f"{letter} pair {pair}".strip(), angles, look)
        for look, (pair, angles) in enumerate(zip(keys.pairs, keys.angles, strict=True), 1)
    ]


def _with_dynamic(document: Document) -> Encoding:
    """The document's encoding with dynamic NTK, as RoPE; a wider one where it has too few columns for that."""
    scaling = DynamicNtk(_FACTOR, document.lengths.trained, document.seq_len)
    rotation = document.edited(FAMILY.name, Rotary.family).encoding.rotation
    with suppress(ValueError):
        if rotation is not None:
            return rotation.scaled_by(scaling)
    return Rotary(_HEAD_DIM, scaling=scaling)
