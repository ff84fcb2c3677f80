"""A view of a derivation: plain text while the cursor moves, typeset formulas once it rests."""

import re
from collections.abc import Iterator
from contextlib import suppress

from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from posenc_core import Derivation
from posenc_gui.look.formula_view import DerivationView
from posenc_gui.look.style import LIGHT, Style
from posenc_gui.look.typeset import ready
from posenc_gui.look.typeset import typeset as prepare

REST_MS = 150
_MATHEMATICS = re.compile(r"(?:.*[\d=≈<(){}\[\]·^/√∞θλγφπδ].*|[-+*,]|[A-Za-z]'?|ln|mod|cos|sin)[,:]?")
"""A part of an equation: a number, a sign, a variable or a function."""

_UNITS = ("tokens", "rad/token")

LOAD_MS = 30
"""Milliseconds between checks whether the typesetter, which loads in a thread of its own, is ready."""


class RestingDerivation(DerivationView):
    """The formula with its numbers, then the steps.

    Typesetting takes 10 to 30 ms a formula. Each turn of the event loop typesets one, so that the window stays
    responsive, and the next movement of the cursor ends the work.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ink = LIGHT.ink
        self._derivation: Derivation | None = None
        self._unprepared: Iterator[tuple[str, int]] = iter(())
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self._begin)
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._prepare_next)
        self.is_typeset = False

    def show_derivation(self, derivation: Derivation, at_once: bool) -> None:
        """Show the derivation as text, and typeset it at once or after a rest of ``REST_MS``."""
        if derivation != self._derivation:
            self._derivation = derivation
            self._show(typeset=False)
            self._turn.stop()
            self._rest.start(REST_MS)
        if at_once and self._rest.isActive():
            self._begin()

    def show_style(self, style: Style) -> None:
        """Apply the style's font and colours."""
        self._ink = style.ink
        self.setFont(style.font())
        self.set_scale(style.text_scale)
        self.set_colors(style.ink, style.muted, style.accent)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._derivation is not None and not self.is_typeset:
            self._rest.start(REST_MS)

    def _begin(self) -> None:
        self._rest.stop()
        if self._derivation is None or not self.isVisible():
            return
        if not ready():
            self._rest.start(LOAD_MS)
            return
        first, *others = [self._derivation.formula_latex, *(step.latex for step in self._derivation.steps)]
        self._unprepared = iter([(first, self.headline_px), *((latex, self.formula_px) for latex in others)])
        self._turn.start()

    def _prepare_next(self) -> None:
        """Typeset one formula, which the typesetter keeps; after the last one, show them all."""
        formula = next(self._unprepared, None)
        if formula is None:
            self._turn.stop()
            self._show(typeset=True)
            return
        with suppress(ValueError):  # the view shows the source of such a formula
            prepare(*formula, self._ink)

    def _show(self, typeset: bool) -> None:
        assert self._derivation is not None
        shown = self._derivation
        self.is_typeset = typeset
        # A typeset formula says what its text says, but for the words.
        steps = [(step_words(step.text) if typeset else step.text, step.latex) for step in shown.steps]
        self.show_steps([("" if typeset else shown.formula, shown.formula_latex), *steps], typeset)
        self.setAccessibleDescription(shown.to_text())


def step_words(text: str) -> str:
    """What a step says beside its formula: ``angle ≈ 5.72958°`` of ``angle 1/10 = 0.1 rad ≈ 5.72958°``.

    That is the text without the longest of its equations.
    """
    words = text.split(" ")
    equations = [run for run in _runs(words) if any(words[place] in ("=", "≈", "<") for place in run)]
    if not equations:
        return text
    longest = max(equations, key=len)
    sign = words[longest[-1]][-1] if words[longest[-1]][-1] in ",:" else ""
    before, after = " ".join(words[: longest[0]]), " ".join(words[longest[-1] + 1 :])
    after = re.sub(r"^rad(?![^ ,]) ?", "", after)
    between = ", in " if after in _UNITS else f"{sign} "
    return f"{before.rstrip(':')}{between if before and after else ''}{after}".strip(" ,:")


def _runs(words: list[str]) -> list[range]:
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
    """The entry and its number, with the digits of the last step."""
    result = re.search(r"[=≈] \S+$", derivation.steps[-1].text)
    return f"{derivation.symbol} {result.group()}" if result else derivation.formula
