"""The field's words, each in one plain sentence of ``glossary.json``."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import msgspec

_FILE = Path(__file__).with_suffix(".json")

GLOSSARY: Mapping[str, str] = msgspec.json.decode(_FILE.read_bytes(), type=dict[str, str])


_OTHERWISE = frozenset({"cosine", "factor", "length"})
"""Words that derivations use in another sense as well: a pair's cosine, any factor, a vector's length."""

_LONGEST_FIRST = sorted(GLOSSARY.keys() - _OTHERWISE, key=len, reverse=True)


def glossary_words(text: str) -> Iterator[tuple[range, str]]:
    """The places of the glossary's words in a derivation's text, each with its entry; a plural counts as its word."""
    if words := tuple(word for word in _LONGEST_FIRST if word in text):
        for found in _pattern(words).finditer(text):
            yield range(*found.span()), found[1]


@lru_cache(maxsize=64)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """The pattern of these words only: one of the whole glossary would need as long as the rest of a derivation."""
    return re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, words))})s?(?![\w(])")
