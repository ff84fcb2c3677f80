"""A text cut slice by slice, or only around a change, has the tokens that it has when it is cut as a whole."""

import random
from itertools import accumulate

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_core import tokenize
from posenc_core.text import graphemes as clusters
from posenc_core.text import incremental as cutting
from posenc_core.text.incremental import SLICE, TOKENIZERS, Cuts, spans_after_change, spans_in_slices
from posenc_core.text.text_change import shared_end, shared_start
from posenc_core.text.tokens import TOKENS, tokens_in_slices

EVERY_CHARACTER = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
KINDS = [regex.findall(pattern, EVERY_CHARACTER, flags=regex.VERSION1) for pattern in clusters._SAMPLES]
SAMPLES = [*clusters._SAMPLES.values(), "a", "b", " ", "\u3000", "é", "字"]
CLUSTERS = [
    "🇩🇰",
    "👩‍👩‍👧‍👦",
    "👍🏽",
    "\u1112\u1161\u11ab",
    "क्ष",
    "क़्‍ष",
    "\r\n",
    "e\u0301\u0323",
    "नि",
    "กำ",
    "\u0600१",
    "1\ufe0f\u20e3",
]
PIECES = st.one_of(
    st.sampled_from(SAMPLES),
    st.sampled_from(CLUSTERS),
    *map(st.sampled_from, KINDS),
    st.builds(str.__mul__, st.sampled_from(SAMPLES), st.integers(2, 9)),
)
HOSTILE = st.lists(PIECES, max_size=12).map("".join)
"""Texts of every kind of character, with long runs of one kind, whose borders no rule may look across."""


def finished(slices):
    """What a generator returns, and what it gave."""
    given = []
    while True:
        try:
            given.append(next(slices))
        except StopIteration as end:
            return end.value, given


def pairs(spans: Cuts) -> list[tuple[int, int]]:
    assert spans.starts.dtype == spans.stops.dtype == "int32"
    return list(zip(spans.starts.tolist(), spans.stops.tolist(), strict=True))


def by_the_library(text: str, tokens: str) -> list[tuple[int, int]]:
    if tokens == "words":
        return [found.span() for found in regex.finditer(r"\S+", text)]
    if tokens == "characters":
        return [found.span() for found in regex.finditer(r"\X", text)]
    return [(k, k + 1) for k, character in enumerate(text) for _ in character.encode()]


@settings(max_examples=400)
@given(text=HOSTILE, tokens=st.sampled_from(TOKENS.values), size=st.integers(1, 7))
def test_slices_make_the_whole(text: str, tokens: str, size: int) -> None:
    spans, given = finished(spans_in_slices(text, TOKENIZERS[tokens], size))
    assert pairs(spans) == by_the_library(text, tokens)
    assert given == sorted(given)
    assert given[-1:] == ([1.0] if text else [])
    if tokens == "bytes":
        assert len(given) == -(-len(text) // size)


@settings(max_examples=400)
@given(
    ends=st.tuples(HOSTILE, HOSTILE),
    change=st.tuples(HOSTILE, HOSTILE),
    tokens=st.sampled_from(TOKENS.values),
    size=st.integers(1, 7),
)
def test_after_a_change_they_are_those_of_the_whole(
    ends: tuple[str, str], change: tuple[str, str], tokens: str, size: int
) -> None:
    before, after = (ends[0] + middle + ends[1] for middle in change)
    known, _ = finished(spans_in_slices(before, TOKENIZERS[tokens]))
    assert pairs(finished(spans_after_change(before, known, after, TOKENIZERS[tokens], size))[0]) == by_the_library(
        after, tokens
    )


@settings(max_examples=400)
@given(HOSTILE.filter(len), st.sampled_from(TOKENS.values))
def test_where_it_is_cut_no_rule_looks_across(text: str, tokens: str) -> None:
    way = TOKENIZERS[tokens]
    places = [k for k, apart in enumerate(way.apart(text), 1) if apart]
    for place in places:
        halves = by_the_library(text[:place], tokens), by_the_library(text[place:], tokens)
        assert by_the_library(text, tokens) == halves[0] + [(a + place, b + place) for a, b in halves[1]]


@pytest.mark.parametrize("piece", [*SAMPLES, *CLUSTERS])
@pytest.mark.parametrize("around", [("", ""), ("a", ""), ("", "a"), ("ab ", " cd")])
def test_at_the_borders_of_slices(piece: str, around: tuple[str, str]) -> None:
    """The piece lies in every way across the place where the first slice would end; runs of it are longer than one."""
    size = 16
    for text in (
        *("".join(["x" * (size - k), around[0], piece, around[1], "y" * 30]) for k in range(len(piece) + 3)),
        around[0] + piece * (40 // len(piece)) + around[1],
    ):
        for tokens in TOKENS.values:
            assert pairs(finished(spans_in_slices(text, TOKENIZERS[tokens], size))[0]) == by_the_library(text, tokens)


@pytest.mark.parametrize("piece", ["🇩", "\u0301", "\u200d", "क\u094d", "字", "\r\n", "👩‍", "x", " "])
@pytest.mark.parametrize("tokens", TOKENS.values)
def test_long_runs_of_one_kind(piece: str, tokens: str) -> None:
    """The library would take minutes for some of these, which have no place to cut at."""
    text = "a" + piece * (2 * SLICE) + "b"
    assert pairs(tokenize(text, tokens).spans) == pairs(TOKENIZERS[tokens].spans(text))


@pytest.mark.parametrize("tokens", TOKENS.values)
def test_a_key_in_a_long_text_cuts_its_neighbourhood(tokens: str) -> None:
    text = "Dan lövès 👩‍👧 icecream\r\n" * 20_000
    known = text, tokenize(text, tokens)
    draw = random.Random(0)
    for place in (0, len(text), *(draw.randrange(len(text)) for _ in range(20))):
        for new in (
            text[:place] + "e" + text[place:],
            text[:place] + text[place + 1 :],
            text[:place] + "\u0301 " + text[place + 9 :],
        ):
            found, given = finished(tokens_in_slices(new, tokens, like=known))
            assert all(map(np.array_equal, found.spans, tokenize(new, tokens).spans))
            assert len(given) <= 1


def test_only_what_is_near_a_change_is_cut(monkeypatch) -> None:
    cut: list[int] = []

    def counted(text: str) -> Cuts:
        cut.append(len(text))
        return cutting._characters(text)

    way = TOKENIZERS["characters"]._replace(spans=counted)
    text = "नमस्ते 👩‍👧 world " * 30_000
    known, _ = finished(spans_in_slices(text, way))
    assert max(cut) < SLICE + 100
    assert sum(cut) == len(text)
    cut.clear()
    finished(spans_after_change(text, known, f"{text[:200_000]}x{text[200_000:]}", way))
    assert sum(cut) < 50


def test_each_slice_tells_how_far_it_is() -> None:
    text = "one two " * 30_000
    told = list(tokens_in_slices(text, "characters"))
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(told) == -(-len(text) // SLICE)


@given(*[st.text("ab", max_size=6)] * 2)
def test_what_two_texts_share(one: str, other: str) -> None:
    start = shared_start(one, other)
    assert start == sum(accumulate((a == b for a, b in zip(one, other, strict=False)), lambda a, b: a and b))
    end = shared_end(one, other, start)
    rests = one[start:][::-1], other[start:][::-1]
    assert end == sum(accumulate((a == b for a, b in zip(*rests, strict=False)), lambda a, b: a and b))
