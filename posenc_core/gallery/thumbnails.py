"""The small picture of each family in a choice, as numbers, and the words by which the family is found."""

import numpy as np

from posenc_core.encodings import GROUPS, Effect, Encoding, group_of
from posenc_core.explain import GLOSSARY, glossary_words
from posenc_core.fields import SEQ_LEN, WIDTH_NAMES
from posenc_core.numerics import FloatArray
from posenc_core.text import Token, TokenVectors

ROWS, COLUMNS = 24, 40
"""Cells of a picture."""

_STEP = 3
_KEYS = range(0, _STEP * COLUMNS, _STEP)
_QUERIES = _KEYS[-ROWS:]
"""Positions of the pictures of token pairs: every third of 120 tokens, the last ones as queries."""

_WORDS = 8
"""Distinct tokens of the pictures."""

_TOKENS = tuple(Token(str(place % _WORDS), place, place + 1) for place in range(_KEYS.stop))

_WANTED = {**dict.fromkeys(WIDTH_NAMES, COLUMNS), SEQ_LEN.name: ROWS}


def thumbnail(kind: type[Encoding]) -> FloatArray:
    """The picture of the family with its own defaults, float64 ``(24, 40)`` from -1 to 1; nan for masked cells.

    An additive family shows its table, sines before cosines: 24 positions by 40 columns. All others show the
    numbers of token pairs, queries downwards. The least number is -1, the largest 1, and equal numbers are 0.
    """
    encoding = kind.suited(_WANTED).in_halves()
    if encoding.relative or encoding.effect in (Effect.ROTATES, Effect.REMAPS):
        numbers = _of_pairs(encoding)
    else:
        columns = np.linspace(0, encoding.n_columns - 1, COLUMNS).round().astype(np.int64)
        numbers = encoding.values(np.arange(ROWS), columns)
    known = np.isfinite(numbers)
    low, high = np.min(numbers, where=known, initial=np.inf), np.max(numbers, where=known, initial=-np.inf)
    if not low < high:
        return np.where(known, 0.0, np.nan)
    return np.asarray((numbers - (low / 2 + high / 2)) / (high / 2 - low / 2))


def search_words(kind: type[Encoding]) -> str:
    """The words of the family: name, title, year, group, summaries, parameters, and the glossary's on its title."""
    told = [GLOSSARY[word] for _, word in glossary_words(kind.title)]
    parts = (kind.family, kind.title, str(kind.year or ""), GROUPS[group_of(kind)], kind.brief, kind.summary)
    return " ".join((*parts, *(field.name for each in kind.FIELDS for field in each.every()), *told))


def _of_pairs(encoding: Encoding) -> FloatArray:
    """The numbers of token pairs, ``(24, 40)``: of the first head or column, by simulated vectors if text matters."""
    content = TokenVectors(_TOKENS) if encoding.needs_content else None
    numbers = encoding.pair_values(_QUERIES, _KEYS, 0, content)
    later = np.array(_KEYS) > np.array(_QUERIES)[:, None]
    return np.where(later, np.nan, numbers) if encoding.causal else numbers
