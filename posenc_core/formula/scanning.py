"""Words of a typed formula: numbers, names and signs, each with its place in the text."""

import keyword
import math
import re

from msgspec import Struct

LONGEST = 500
"""Characters of a formula."""

_WORD = (
    r"(?P<space>\s+)"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*|π)"
    r"|(?P<sign>\*\*|//|<=|>=|==|!=|[-+*/%^()<>,·×−])"
)
_PYTHON_SIGNS = {"^": "**", "·": "*", "×": "*", "−": "-"}
_KEYWORDS = {"if", "else"}


class FormulaError(ValueError):
    """A fault of a formula: a sentence, and the ``place`` (start, stop) of the characters at fault."""

    def __init__(self, sentence: str, place: tuple[int, int]) -> None:
        super().__init__(sentence)
        self.place = place


class Word(Struct, frozen=True):
    """A word as Python writes it, with its place in the text; ``number`` is a number's value."""

    text: str
    start: int
    stop: int
    number: float | None = None


def words_of(text: str) -> list[Word]:
    """The words of a formula; FormulaError for a long or empty text and for other characters."""
    if len(text) > LONGEST:
        sentence = f"at most {LONGEST} characters are allowed, got {len(text)}"
        raise FormulaError(sentence, (LONGEST, len(text)))
    found: list[Word] = []
    word, start = re.compile(_WORD, re.ASCII), 0
    while start < len(text):
        match = word.match(text, start)
        if match is None:
            raise FormulaError(f"character {start + 1}, {text[start]!r}, has no meaning here", (start, start + 1))
        if match.lastgroup != "space":
            found.append(_checked(match, found[-1] if found else None))
        start = match.end()
    if not found:
        raise FormulaError("nothing is typed", (0, len(text)))
    return found


def _checked(match: re.Match[str], before: Word | None) -> Word:
    """The word of a match; FormulaError for a number out of range, a keyword, and two operands without a sign."""
    text, (start, stop) = match.group(), match.span()
    follows_number = before is not None and (before.number is not None or before.text == ")")
    if match.lastgroup == "sign":
        if text == "(" and before is not None and follows_number:
            raise FormulaError("a sign is missing before the bracket, such as *", (before.start, stop))
        return Word(_PYTHON_SIGNS.get(text, text), start, stop)
    if match.lastgroup == "name" and text in _KEYWORDS:
        return Word(text, start, stop)
    if match.lastgroup == "name" and keyword.iskeyword(text):
        raise FormulaError(f"{text} cannot be a name: it is a word of Python", (start, stop))
    if before is not None and (follows_number or (before.text.isidentifier() and before.text not in _KEYWORDS)):
        raise FormulaError(f"a sign is missing before {text}, such as *{text}", (before.start, stop))
    if match.lastgroup == "name":
        return Word("pi" if text == "π" else text, start, stop)
    number = float(text)
    if not math.isfinite(number):
        raise FormulaError(f"the number {text[:20]} is beyond float64, which ends at 1.8e308", (start, stop))
    return Word(repr(number), start, stop, number)
