"""Where the characters of a text end, as people see them: the extended grapheme clusters of Unicode Annex 29.

The library ``regex`` knows the kind of every character and all the rules, but cuts a book in seconds. Here the rules
are followed for all boundaries at once; which kinds part from which is the library's word.
"""

from functools import cache

import numpy as np
import numpy.typing as npt
import regex  # type: ignore[import-untyped]  # it ships no types

from posenc_core.numerics import IntArray

BoolArray = npt.NDArray[np.bool_]
Kinds = npt.NDArray[np.uint8]
CodePoints = npt.NDArray[np.uint32]

_SAMPLES = {
    r"\p{GCB=CR}": "\r",
    r"\p{GCB=LF}": "\n",
    r"\p{GCB=Control}": "\x01",
    r"\p{GCB=Extend}": "\u0301",
    r"\p{GCB=ZWJ}": "\u200d",
    r"\p{GCB=Prepend}": "\u0600",
    r"\p{GCB=SpacingMark}": "\u0903",
    r"\p{GCB=Regional_Indicator}": "\U0001f1e6",
    r"\p{GCB=L}": "\u1100",
    r"\p{GCB=V}": "\u1160",
    r"\p{GCB=T}": "\u11a8",
    r"\p{GCB=LV}": "\uac00",
    r"\p{GCB=LVT}": "\uac01",
    r"\p{Extended_Pictographic}": "☺",
    r"\p{InCB=Consonant}": "क",
    r"[\p{InCB=Linker}&&\p{GCB=Extend}]": "\u094d",
    r"[[\p{GCB=Extend}--\p{InCB=Extend}]--\p{InCB=Linker}]": "\u200c",
}
"""The kinds of characters, and one of each; what is none of them is of the kind 0. The later overrules the earlier."""

_EXTEND, _ZWJ, _FLAG = 4, 5, 8
_PICTURE, _CONSONANT, _LINKER, _APART = 14, 15, 16, 17

_LOOKED_ACROSS = (_EXTEND, _ZWJ, _FLAG, _LINKER, _APART)
"""The kinds beyond which a rule can look; all others it looks at most up to."""

_PAGE = 256
_UNKNOWN = 255


def code_points(text: str) -> CodePoints:
    """The text's Unicode numbers, uint32 ``(len(text),)``."""
    return np.frombuffer(text.encode("utf-32-le"), "<u4")


def cluster_stops(text: str) -> IntArray:
    """The index behind the last code point of each cluster."""
    if not text:
        return np.zeros(0, np.int64)
    kinds = _kinds_of(code_points(text))
    parted = np.ones(len(kinds), bool)
    if kinds.any():
        _by_pairs(_parted(), kinds, out=parted[:-1])
    if kinds.max() >= _ZWJ:
        _part_flags(kinds, parted)
        _join_pictures(kinds, parted)
        _join_conjuncts(kinds, parted)
    return np.flatnonzero(parted) + 1


def clusters_apart(text: str) -> BoolArray:
    """Between which two neighbours, ``(len(text) - 1,)``, a cluster ends whatever is before them and behind them.

    The clusters on both sides are then those of either part by itself.
    """
    kinds = _kinds_of(code_points(text))
    return _by_pairs(_apart(), kinds, out=np.empty(len(kinds) - 1, bool))


def _by_pairs(table: BoolArray, kinds: Kinds, out: BoolArray) -> BoolArray:
    """The entry of each kind and the next one."""
    pairs = kinds[:-1] * np.uint16(len(table)) + kinds[1:]
    return table.take(pairs, out=out, mode="wrap")  # none is beyond the end; to prove that numpy would need a copy


def _part_flags(kinds: Kinds, parted: BoolArray) -> None:
    """GB12 and GB13: two letters make a flag, and the next two another."""
    letters = np.flatnonzero(kinds == _FLAG)
    if len(letters):
        place = np.arange(len(letters))
        begins = np.r_[True, np.diff(letters) != 1]
        in_row = place - np.maximum.accumulate(np.where(begins, place, 0))
        parted[letters[(in_row > 0) & (in_row % 2 == 0)] - 1] = True


def _join_pictures(kinds: Kinds, parted: BoolArray) -> None:
    """GB11: a joiner joins two pictographs, whatever modifies the first."""
    joiners = np.flatnonzero((kinds[:-1] == _ZWJ) & (kinds[1:] == _PICTURE))
    if len(joiners):
        modifying = (kinds == _EXTEND) | (kinds == _LINKER) | (kinds == _APART)
        base = _last_before(joiners, np.flatnonzero(~modifying))
        parted[joiners[(base >= 0) & (kinds[base] == _PICTURE)]] = False


def _join_conjuncts(kinds: Kinds, parted: BoolArray) -> None:
    """GB9c: a virama joins two consonants, whatever other marks are there."""
    marks = (kinds == _EXTEND) | (kinds == _LINKER) | (kinds == _ZWJ)
    ends = np.flatnonzero(marks[:-1] & (kinds[1:] == _CONSONANT))
    if len(ends) and _joins_conjuncts():
        base = _last_before(ends, np.flatnonzero(~marks))
        virama = _last_before(ends + 1, np.flatnonzero(kinds == _LINKER))
        # The library joins a consonant to what no consonant is before as well; its word counts.
        suits = (base >= 0) & (kinds[base] == _CONSONANT) | ~_parted()[_LINKER, _CONSONANT]
        parted[ends[suits & (virama > base)]] = False


def _last_before(places: IntArray, among: IntArray) -> IntArray:
    """For each place the last one before it of those ``among``, in order; -1 where there is none."""
    return np.append(-1, among)[np.searchsorted(among, places)]


def _kinds_of(codes: CodePoints) -> Kinds:
    """The kind of each character; 256 neighbours are looked up when the first of them is met."""
    known = _known()
    kinds = known.take(codes)
    if kinds.max() == _UNKNOWN:
        for page in np.unique(codes[kinds == _UNKNOWN] // _PAGE).tolist():
            known[page * _PAGE : (page + 1) * _PAGE] = _page(page)
        kinds = known.take(codes)
    return kinds


@cache
def _known() -> Kinds:
    """The kinds found so far, by code point."""
    return np.full(0x110000, _UNKNOWN, np.uint8)


def _page(page: int) -> Kinds:
    first = page * _PAGE
    signs = "".join(map(chr, range(first, first + _PAGE)))
    kinds = np.zeros(_PAGE, np.uint8)
    for kind, pattern in enumerate(_patterns(), 1):
        kinds[[ord(sign) - first for sign in pattern.findall(signs)]] = kind
    return kinds


@cache
def _patterns() -> tuple["regex.Pattern[str]", ...]:
    return tuple(regex.compile(pattern, regex.VERSION1) for pattern in _SAMPLES)


@cache
def _parted() -> BoolArray:
    """Whether there is a boundary between two characters of these kinds, ``(n_kinds, n_kinds)``."""
    every = ("a", *_SAMPLES.values())
    return np.array([[len(regex.findall(r"\X", one + other)) == 2 for other in every] for one in every])


@cache
def _apart() -> BoolArray:
    """Where ``_parted`` holds whatever else is there: no rule looks across two characters of these kinds."""
    apart = _parted().copy()
    apart[list(_LOOKED_ACROSS), :] = apart[:, list(_LOOKED_ACROSS)] = False
    return apart


@cache
def _joins_conjuncts() -> bool:
    """Whether the library follows GB9c, which came with Unicode 15.1."""
    return len(regex.findall(r"\X", "क्ष")) == 1
