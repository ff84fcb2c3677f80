"""Cached keys under dynamic NTK as values: the base of each key, and the present errors of its angles."""

from functools import lru_cache

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from posenc_core import Document, Encoding
from posenc_core.long_context import cache_bases, stale_angles
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.session import LETTERS
from posenc_gui.panels.cache.spec import cache_length, has_dynamic

_SPREAD = 240
"""Keys that are drawn, beside those around the trained length and the last one."""

_MOST_ANGLES = 1 << 18
"""Angles that are computed at a time: 2 MB."""

_MOST_PAIRS = 4


class CachedKeys(Struct, frozen=True, eq=False):
    """Keys of one encoding at ``length`` n: their positions, bases, and absolute errors of angles in rad.

    ``largest`` is the largest error of all pairs, ``worst`` its pair, and ``pairs`` are some pairs with
    their errors ``(n_pairs, n_keys)``. ``base`` is the base at n.
    """

    positions: IntArray
    bases: FloatArray
    base: float
    largest: FloatArray
    worst: IntArray
    pairs: tuple[int, ...]
    angles: FloatArray

    @classmethod
    def of(cls, encoding: Encoding, length: int, positions: IntArray) -> "CachedKeys":
        """The keys at these positions in a cache of ``length``; ``encoding`` has dynamic NTK."""
        n_pairs = len(encoding.frequencies())
        chosen = shown_pairs(n_pairs)
        largest, worst = np.zeros(len(positions)), np.zeros(len(positions), np.int64)
        angles = np.zeros((len(chosen), len(positions)))
        block = max(1, _MOST_ANGLES // n_pairs)
        for first in range(0, len(positions), block):
            part = slice(first, first + block)
            off = np.abs(stale_angles(encoding, positions[part], length))
            worst[part] = off.argmax(axis=1)
            largest[part] = off.max(axis=1)
            angles[:, part] = off[:, chosen].T
        bases = cache_bases(encoding, positions + 1)
        return cls(positions, bases, float(cache_bases(encoding, [length])[0]), largest, worst, chosen, angles)


class Cache(Struct, frozen=True):
    """The cache of a document: the encodings with dynamic NTK by their indices, the drawn one first.

    ``length`` is the number of keys n, ``reach`` the largest shown number.
    """

    indices: tuple[int, ...]
    encodings: tuple[Encoding, ...]
    length: int
    reach: int

    @classmethod
    def of(cls, document: Document) -> "Cache":
        """The cache of a document; without ``indices`` if no encoding has dynamic NTK."""
        count = len(document.encodings)
        order = sorted(range(count), key=lambda index: (index != document.current, index))
        found = [(index, has_dynamic(document, index)) for index in order]
        kept = [(index, encoding) for index, encoding in found if encoding is not None]
        length, target = cache_length(document), document.lengths.target
        indices, encodings = tuple(index for index, _ in kept), tuple(each for _, each in kept)
        return cls(indices, encodings, length, max(length, target))

    @property
    def keys(self) -> tuple[CachedKeys, ...]:
        """The keys of each encoding at the present length, all at the same positions."""
        return _keys(self)

    @property
    def trained(self) -> list[int]:
        """The trained length L of each encoding."""
        scalings = (each.rotation.scaling for each in self.encodings if each.rotation is not None)
        lengths = (None if each is None else each.original_length for each in scalings)
        return [each for each in lengths if each is not None]

    @property
    def most(self) -> tuple[float, float, float]:
        """The least and the largest base, and the largest angle in rad, of all keys once the cache is full."""
        full = _keys(replace(self, length=self.reach))
        bases = np.concatenate([np.append(each.bases, each.base) for each in full])
        return float(bases.min()), float(bases.max()), max(float(each.largest.max()) for each in full)

    def letters(self, document: Document) -> list[str]:
        """The letter of each encoding; empty for the only one of the document."""
        return [LETTERS[index] if len(document.encodings) > 1 else "" for index in self.indices]


def shown_pairs(n_pairs: int) -> tuple[int, ...]:
    """Up to four pairs, evenly spread to the last one; not the fastest, which no base changes."""
    spread = np.linspace(0, n_pairs, _MOST_PAIRS + 1).astype(int)[1:]
    return tuple(dict.fromkeys(min(int(pair), n_pairs - 1) for pair in spread if pair))


@lru_cache(maxsize=8)
def _keys(cache: Cache) -> tuple[CachedKeys, ...]:
    spread = np.linspace(0, cache.length - 1, min(cache.length, _SPREAD)).round().astype(np.int64)
    trained = np.array(cache.trained, np.int64)
    found = np.unique(np.concatenate([spread, trained - 1, trained]))
    positions = found[found < cache.length]
    return tuple(CachedKeys.of(each, cache.length, positions) for each in cache.encodings)
