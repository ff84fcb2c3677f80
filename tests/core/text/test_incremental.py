"""Characters that are found around a change alone are those of the whole text, and a change leads there and back."""

import random
from itertools import accumulate

import numpy as np
import pytest
import regex
from amounts import draws
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import tokenize
from posenc_core.text import TextChange, graphemes, incremental
from posenc_core.text.incremental import TOKENIZERS, Spans, characters_after
from posenc_core.text.tokens import SENTENCE, KnownTokens

KINDS_OF_CHARACTERS = {
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
"""The kinds of characters that the rules of grapheme clusters tell apart, and one of each."""

SAMPLES = [*KINDS_OF_CHARACTERS.values(), "a", "b", " ", "\u3000", "é", "字"]
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


def pieces() -> st.SearchStrategy[str]:
    characters = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    kinds = [regex.findall(pattern, characters, flags=regex.VERSION1) for pattern in KINDS_OF_CHARACTERS]
    runs = st.builds(str.__mul__, st.sampled_from(SAMPLES), st.integers(2, 9))
    return st.one_of(st.sampled_from(SAMPLES), st.sampled_from(CLUSTERS), *map(st.sampled_from, kinds), runs)


HOSTILE = st.lists(st.deferred(pieces), max_size=12).map("".join)
"""Texts of every kind of character, with long runs of one kind, at whose borders no text may be divided."""


def pairs(spans: Spans) -> list[tuple[int, int]]:
    assert spans.starts.dtype == spans.stops.dtype == "int32"
    return list(zip(spans.starts.tolist(), spans.stops.tolist(), strict=True))


def by_the_library(text: str, tokens: str) -> list[tuple[int, int]]:
    if tokens == "words":
        return [found.span() for found in regex.finditer(r"\S+", text)]
    if tokens == "characters":
        return [found.span() for found in regex.finditer(r"\X", text)]
    return [(k, k + 1) for k, character in enumerate(text) for _ in character.encode()]


@draws(25, 800)
@given(text=HOSTILE, tokens=st.sampled_from(list(TOKENIZERS)))
def test_tokens_of_a_text_are_those_of_the_library(text: str, tokens: str) -> None:
    assert pairs(TOKENIZERS[tokens](text)) == by_the_library(text, tokens)


@draws(25, 800)
@given(ends=st.tuples(HOSTILE, HOSTILE), change=st.tuples(HOSTILE, HOSTILE))
def test_characters_after_a_change_are_those_of_the_whole(ends: tuple[str, str], change: tuple[str, str]) -> None:
    before, after = (ends[0] + middle + ends[1] for middle in change)
    for found in (TextChange.between(before, after), TextChange(len(ends[0]), *change)):
        spans = characters_after(found, TOKENIZERS["characters"](before), after)
        assert pairs(spans) == by_the_library(after, "characters")


@draws(25, 800)
@given(HOSTILE)
def test_clusters_of_a_text_divided_at_a_safe_pair_are_those_of_its_parts(text: str) -> None:
    for found in regex.finditer(graphemes.SAFE_PAIR, text, overlapped=True):
        place = found.start() + 1
        halves = by_the_library(text[:place], "characters"), by_the_library(text[place:], "characters")
        assert by_the_library(text, "characters") == halves[0] + [(a + place, b + place) for a, b in halves[1]]


@pytest.mark.parametrize("piece", [*SAMPLES, *CLUSTERS])
@pytest.mark.parametrize("around", [("", ""), ("a", ""), ("", "a"), ("ab ", " cd")])
def test_a_key_before_in_and_after_a_cluster(piece: str, around: tuple[str, str]) -> None:
    text = "xyz".join((around[0] + piece * 3 + around[1],) * 2)
    known = TOKENIZERS["characters"](text)
    for place in range(len(text) + 1):
        change = TextChange(place, "", "e")
        after = change.applied_to(text)
        assert pairs(characters_after(change, known, after)) == by_the_library(after, "characters")
        assert pairs(characters_after(change.inverse, TOKENIZERS["characters"](after), text)) == pairs(known)


@pytest.mark.parametrize("piece", ["🇩", "\u0301", "\u200d", "क\u094d", "字", "\r\n", "👩‍", "x", " "])
@pytest.mark.parametrize("tokens", TOKENIZERS)
def test_long_runs_of_one_kind_take_no_minutes(piece: str, tokens: str) -> None:
    """``\\X`` alone takes minutes for the flags; every prefix of an even number of them ends a cluster."""
    text = f"a{piece * (SENTENCE.maximum // len(piece) - 2)}b"
    found = pairs(tokenize(text, tokens).spans)
    if piece == "🇩" and tokens == "characters":
        n_flags = len(text) - 2
        assert found == [(0, 1), *((k, k + 2) for k in range(1, n_flags, 2)), (n_flags + 1, n_flags + 2)]
    else:
        assert found == by_the_library(text, tokens)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("tokens", TOKENIZERS)
def test_known_tokens_after_keys_in_a_long_text_are_those_of_a_fresh_text(tokens: str) -> None:
    text = "Dan lövès 👩‍👧 icecream\r\n" * 7000
    draw, known = random.Random(0), KnownTokens()
    for place in (0, len(text), *(draw.randrange(len(text)) for _ in range(20))):
        known.of(text, tokens)
        for change in (
            TextChange(place, "", "e"),
            TextChange(place, text[place : place + 1], ""),
            TextChange(place, text[place : place + 9], "\u0301 "),
        ):
            new = change.applied_to(text)
            fresh = tokenize(new, tokens).spans
            for handed_on in (change, None, TextChange(3, "wrong", "")):
                known.of(text, tokens)
                assert all(map(np.array_equal, known.of(new, tokens, handed_on).spans, fresh))
                known.of("forget", tokens)
                known.of("these", tokens)


def test_only_the_neighbourhood_of_a_change_is_searched(monkeypatch) -> None:
    searched: list[int] = []
    whole = incremental.cluster_stops

    def counted(text: str):
        searched.append(len(text))
        return whole(text)

    monkeypatch.setattr(incremental, "cluster_stops", counted)
    for text in ("नमस्ते 👩‍👧 world " * 9000, "e\u0301" * 90_000, "\u1112\u1161\u11ab" * 50_000):
        known, change = TOKENIZERS["characters"](text), TextChange(70_001, "", "x")
        searched.clear()
        characters_after(change, known, change.applied_to(text))
        assert sum(searched) < 50


@given(*[st.text("ab", max_size=6)] * 2)
def test_a_change_is_the_smallest_that_leads_from_one_text_to_the_other_and_back(one: str, other: str) -> None:
    change = TextChange.between(one, other)
    assert change.applied_to(one) == other
    assert change.inverse.applied_to(other) == one
    start = sum(accumulate((a == b for a, b in zip(one, other, strict=False)), lambda a, b: a and b))
    assert change.start == (start if one != other else 0)
    assert not change.before or not change.after or change.before[-1] != change.after[-1]


@given(*[st.text("ab", max_size=6)] * 3)
def test_two_changes_that_follow_each_other_are_one(first: str, second: str, third: str) -> None:
    one, other = TextChange.between(first, second), TextChange.between(second, third)
    both = one.followed_by(other, third)
    assert both.applied_to(first) == third
    assert both.inverse.applied_to(third) == first
    assert (both.before == both.after) == (first == third)
