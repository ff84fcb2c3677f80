"""The scorecard: measured properties of each family on the document's sentence and length."""

import math
from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from msgspec import Struct
from typing_extensions import override

from posenc_core.encodings import Encoding
from posenc_core.gallery import measures
from posenc_core.gallery.families import STORY, StoryFamily, story_families
from posenc_core.gallery.properties import NONE, PROPERTIES, SIGNS, Property
from posenc_core.gallery.setting import Setting, Unmeasured
from posenc_core.progressive import Arrays, Flags, PartialWork
from posenc_core.session import Document
from posenc_core.tables import Cancelled, ProgressCallback, UnreadableError

_LARGE = 1e7
_THOUSAND = 999.5
"""The smallest number that three digits round to 1,000."""


class Score(Struct, frozen=True):
    """A cell: the number or None, its text, its grade, and a sentence on it, with the reason for a missing number."""

    number: float | None
    text: str
    grade: str
    detail: str

    @property
    def sign(self) -> str:
        """The sign of its grade."""
        return SIGNS[self.grade]


_PLACES: Mapping[str, Property] = {each.name: each for each in PROPERTIES}
_COLUMNS = range(len(PROPERTIES))

_COST, _COST_PER_COLUMN, _COST_PER_POSITION = 60_000, 2_000, 40
"""The cost of a row of the card, beside reading a table's entries."""

_MOST_POSITIONS = 4096
"""A longer text costs no more."""

Scores = tuple[tuple[Score | None, ...], ...]
"""A row for each family, a score for each property; None if not measured yet."""


class Scorecard(Struct, frozen=True):
    """A scorecard to measure: the families, and the setting."""

    families: tuple[StoryFamily, ...]
    setting: Setting

    @classmethod
    def of(cls, document: Document, page: str = STORY) -> "Scorecard":
        """The scorecard of a document."""
        tokens = document.token_list
        count = len(tokens)
        query, key = (tokens[count - 1].text, tokens[0].text) if count else ("", "")
        seed, lengths = document.view.pair_seed, document.lengths
        setting = Setting(
            document.seq_len, count, lengths.trained, query, key, seed, lengths.longest_distance, lengths.target
        )
        return cls(story_families(document, page), setting)

    def score(self, row: int, column: int) -> Score:
        """The score of a family in a property, measured now; IndexError outside the card."""
        seen = self.families[row].encoding.seen_from(self.setting.length - 1)
        return _score(seen, PROPERTIES[column].name, self.setting)

    @property
    def work(self) -> int:
        """The cost of measuring all of it; ``LONG_WORK`` is about 0.1 s."""
        return sum(self.costs)

    @property
    def costs(self) -> list[int]:
        """The cost of each row."""
        by_length = _COST + _COST_PER_POSITION * min(self.setting.length, _MOST_POSITIONS)
        return [by_length + _COST_PER_COLUMN * each.encoding.n_columns for each in self.families]

    def compute(self) -> Scores:
        """All scores, a row for each family."""
        return tuple(tuple(self.score(row, column) for column in _COLUMNS) for row in range(len(self.families)))

    def begin(self) -> "PartialScores":
        """The scores, to be measured one by one."""
        return PartialScores(self)

    def assemble(self, arrays: Arrays, known: Flags) -> Scores:
        """The scores that are known, and None for the others."""
        cells = [score if there else None for score, there in zip(arrays[0].tolist(), known.tolist(), strict=True)]
        return tuple(tuple(cells[first : first + len(_COLUMNS)]) for first in range(0, len(cells), len(_COLUMNS)))


class PartialScores(PartialWork):
    """The scores of a card, measured one by one; each is a part."""

    def __init__(self, card: Scorecard) -> None:
        costs = np.repeat(np.array(card.costs, np.int64) // len(_COLUMNS), len(_COLUMNS))
        super().__init__((np.full(len(costs), None),), costs)
        self._card = card

    @override
    def grow(self, progress: ProgressCallback) -> None:
        for index in np.flatnonzero(~self.known).tolist():
            if not progress(self.percent / 100):
                raise Cancelled
            self.arrays[0][index] = self._card.score(*divmod(index, len(_COLUMNS)))
            self.known[index] = True  # last: another thread reads the known parts

    @override
    def adopt(self, other: PartialWork) -> None:
        pass  # scores that cards share are kept separately


@lru_cache(maxsize=4096)
def _score(encoding: Encoding, name: str, setting: Setting) -> Score:
    measured = _PLACES[name]
    try:
        if encoding.needs_content:
            raise Unmeasured("its numbers depend on the tokens' queries and keys")
        with np.errstate(over="ignore", invalid="ignore"):
            number = measured.measure(encoding, setting)
        if not math.isfinite(number):
            raise Unmeasured("its numbers are beyond float64, which ends at 1.8e308")
        grade = measured.grade(encoding, setting, number)
    except (Unmeasured, UnreadableError) as why:
        return Score(None, SIGNS[NONE], NONE, f"{why}")
    text = number_text(number, measured.is_share)
    if measured.total is not None:
        total = measured.total(encoding)
        text = f"{round(number * total):,} of {total:,}"
    length = "" if measured.length is None else f"{measured.length(setting):,}"
    return Score(number, text, grade, measured.words.format(text, length=length) + _limits(encoding, name, setting))


def _limits(encoding: Encoding, name: str, setting: Setting) -> str:
    """Additions to the sentence on a score: the number of positions, and the simulated parts."""
    parts = []
    if name == "unique":
        parts.append(f"among {measures.n_compared(encoding, setting):,} rows")
    if name == "score":
        parts.append("query and key simulated")
    if name == "trained" and encoding.trained_beside:
        parts.append(encoding.trained_beside)
    if name in ("bounded", "unique", "shift", "score") and encoding.label:
        parts.append(encoding.label)
    return f" ({', '.join(parts)})" if parts else ""


def number_text(number: float, is_share: bool = False) -> str:
    """The number in few characters: three digits, all of those from 1,000 to ten million; shares in per cent."""
    if is_share:
        share = 100 * number
        if 0 < share < 1:
            return "< 1 %"
        return "> 99 %" if 99 < share < 100 else f"{share:.0f} %"  # 0 % only for none, 100 % only for all
    if (number == int(number) and abs(number) < _LARGE) or _THOUSAND <= abs(number) < _LARGE:
        return f"{number:,.0f}"
    text = f"{number:.2g}" if abs(number) < 1e-3 or abs(number) >= _LARGE else f"{number:.3g}"
    return text.replace("e+", "e").replace("e-0", "e-").replace("e0", "e")
