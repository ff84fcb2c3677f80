"""A view of a derivation: plain text while the cursor moves, typeset formulas once it rests."""

import re
from collections.abc import Sequence
from functools import lru_cache, partial

from msgspec import structs
from PySide6.QtWidgets import QWidget

from posenc_core import Derivation
from posenc_core.explain import GLOSSARY, glossary_words
from posenc_gui.look import LABEL_PX, Paragraph, Run, TextView, as_read

REST_MS = 150

MARGIN = 10
"""Logical pixels around the steps."""

_HEADLINE_PX, _FORMULA_PX = 20, 15
_STEP_GAP, _FORMULA_GAP = 9, 3

_MATHEMATICS = re.compile(r"(?:.*[\d=≈<(){}\[\]·^/√∞θλγφπδ].*|[-+*,]|[A-Za-z]'?|ln|mod|cos|sin|if|else|>|Σ)[,:]?")
"""A part of an equation: a number, a sign, a variable or a function."""

_UNITS = ("tokens", "rad/token")


class RestingDerivation(TextView):
    """The formula with its numbers, then the steps."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(MARGIN, parent)
        self._derivation: Derivation | None = None
        self.setAccessibleName("Derivation")

    def show_derivation(self, derivation: Derivation, at_once: bool) -> None:
        """Show the derivation as text, and typeset it at once or after a rest of ``REST_MS``."""
        if derivation != self._derivation:
            self._derivation = derivation
            texts = [(derivation.formula, None), *((step.text, None) for step in derivation.steps)]
            self.show_paragraphs(paragraphs_of(texts), partial(_typeset, derivation), REST_MS)
            self.setAccessibleDescription(derivation.to_text())
        if at_once:
            self.typeset_soon()


def _typeset(derivation: Derivation) -> list[Paragraph]:
    """The formula and the steps as formulas, equivalent to their texts except for the words."""
    words = ((step_words(step.text), step.latex) for step in derivation.steps)
    first, *others = paragraphs_of([("", derivation.formula_latex), *words])
    formula = structs.replace(first.runs[0], plain=as_read(derivation.formula))
    return [structs.replace(first, runs=(formula,)), *others]


def paragraphs_of(steps: Sequence[tuple[str, str | None]]) -> list[Paragraph]:
    """The steps, each a sentence with its formula below; the first formula is the largest.

    A step has a text, which may be empty, and its LaTeX or None.
    """
    found, formula_px = [], _HEADLINE_PX
    for index, (text, latex) in enumerate(steps):
        is_result = index == len(steps) - 1
        if text:
            found.append(Paragraph(_runs(as_read(text)), LABEL_PX, "ink" if is_result else "muted", gap=_STEP_GAP))
        if latex:
            gap = _FORMULA_GAP if text else _STEP_GAP
            formula = (Run(latex, is_formula=True),)
            found.append(Paragraph(formula, LABEL_PX, gap=gap, formula_px=formula_px, is_result=is_result))
            formula_px = _FORMULA_PX
    return found


@lru_cache(maxsize=256)
def _runs(text: str) -> tuple[Run, ...]:
    """The words of a text, glossary words with their sentences as tool tips."""
    runs, end = [], 0
    for part, word in glossary_words(text):
        runs += [Run(text[end : part.start]), Run(text[part.start : part.stop], GLOSSARY[word])]
        end = part.stop
    return (*runs, Run(text[end:]))


def step_words(text: str) -> str:
    """Text of a step beside its formula: ``angle ≈ 5.72958°`` from ``angle 1/10 = 0.1 rad ≈ 5.72958°``.

    It is the text without the longest of its equations.
    """
    words = text.split(" ")
    equations = [run for run in _equations(words) if any(words[place] in ("=", "≈", "<") for place in run)]
    if not equations:
        return text
    longest = max(equations, key=len)
    sign = words[longest[-1]][-1] if words[longest[-1]][-1] in ",:" else ""
    before, after = " ".join(words[: longest[0]]), " ".join(words[longest[-1] + 1 :])
    after = re.sub(r"^rad(?![^ ,]) ?", "", after)
    between = ", in " if after in _UNITS else f"{sign} "
    return f"{before.rstrip(':')}{between if before and after else ''}{after}".strip(" ,:")


def _equations(words: list[str]) -> list[range]:
    """The runs of words that are mathematics; one ends at a colon, or at a comma outside of all parentheses."""
    runs, start, depth = [], 0, 0
    for place, word in enumerate(words):
        depth += sum(map(word.count, "([")) - sum(map(word.count, ")]"))
        if not _MATHEMATICS.fullmatch(word) or word in _UNITS or "°" in word:
            runs.append(range(start, place))
            start = place + 1
        elif word[-1] == ":" or (word[-1] == "," and depth == 0):
            runs.append(range(start, place + 1))
            start = place + 1
    return [run for run in (*runs, range(start, len(words))) if run]


def result_text(derivation: Derivation) -> str:
    """The entry and its number, with the digits of the last step and a true minus sign."""
    results = re.findall(r"[=≈] [^\s,]+(?=,|$)", derivation.steps[-1].text)
    return f"{derivation.symbol} {as_read(results[-1])}" if results else derivation.formula
