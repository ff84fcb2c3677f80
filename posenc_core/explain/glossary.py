"""The field's words, each in one plain sentence of ``glossary.json``."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec

_FILE = Path(__file__).with_suffix(".json")

GLOSSARY: Mapping[str, str] = msgspec.json.decode(_FILE.read_bytes(), type=dict[str, str])


_OTHERWISE = frozenset({"cosine", "factor", "length"})
"""Words that derivations use in another sense as well: a pair's cosine, any factor, a vector's length."""


def glossary_words(text: str) -> Iterator[tuple[range, str]]:
    """The places of the glossary's words in a derivation's text, each with its entry; a plural counts as its word."""
    for found in _pattern().finditer(text):
        yield range(*found.span()), found[1]


@cache
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(GLOSSARY.keys() - _OTHERWISE, key=len, reverse=True)
    return re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, longest_first))})s?(?![\w(])")
