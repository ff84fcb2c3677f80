"""Undo: a list of documents and an index, within a bound for the memory of all of them."""

import sys
from collections.abc import Callable
from dataclasses import replace

from msgspec import Struct, structs

from posenc_core import Document
from posenc_core.text import NO_CHANGE, TextChange
from posenc_gui.model.origin import Origin

MAXIMUM_STEPS = 10_000
MAXIMUM_BYTES = 64 * 2**20
"""Memory for all steps together; beyond it the oldest are dropped."""

OWN_TEXT = "return to my document"
"""The words of a step that leads from a lesson back to the user's own document."""

_STEP_BYTES = 2048
BRIEF = 40


def brief(text: str) -> str:
    """The text, shortened to fit into a menu."""
    return text if len(text) <= BRIEF else f"{text[: BRIEF - 1]}…"


class Step(Struct, frozen=True):
    """A document without its sentence, the change of the sentence from the previous step, its words and its gesture.

    Sentences are rebuilt from the changes, since thousands of long sentences would not fit into memory.
    """

    rest: Document
    origin: Origin
    change: TextChange = NO_CHANGE
    text: str = ""
    gesture: object = None
    n_bytes: int = 0
    """Approximate memory, without the parts shared with the previous step."""


class History:
    """The documents since the start. ``document`` is the present one, at ``index``; later ones can be made again."""

    def __init__(self, document: Document, origin: Origin, maximum_bytes: int = MAXIMUM_BYTES) -> None:
        self.document = document
        self.index = 0
        self.n_bytes = 0
        self._maximum = maximum_bytes
        self._steps = [Step(replace(document, sentence=""), origin)]

    @property
    def present(self) -> Step:
        """The step that led to the present document."""
        return self._steps[self.index]

    @property
    def earlier(self) -> Step | None:
        """The step to which undo would return, None at the start."""
        return self._steps[self.index - 1] if self.index else None

    @property
    def texts(self) -> list[str]:
        """The words of all steps, those that were undone included."""
        return [step.text for step in self._steps[1:]]

    @property
    def undo_text(self) -> str:
        """The words of the step that undo would revert; empty if there is none."""
        return self.present.text if self.index else ""

    @property
    def redo_text(self) -> str:
        """The words of the step that redo would repeat; empty if there is none."""
        return self._steps[self.index + 1].text if self.can_redo else ""

    @property
    def can_undo(self) -> bool:
        """Whether there is an earlier document."""
        return self.index > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is a document that was undone."""
        return self.index + 1 < len(self._steps)

    def push(
        self, document: Document, change: TextChange, text: str, gesture: object = None, origin: Origin | None = None
    ) -> None:
        """Add a document after the present one, in place of undone ones; ``change`` is the sentence's.

        A document of the same gesture replaces the present one, and both steps are dropped if the document
        is the one from before the gesture.
        """
        place, newest = self.index + 1, self.present
        origin = origin or newest.origin
        if self.index and gesture is not None and gesture == newest.gesture and not self.can_redo:
            place -= 1
            change = newest.change.followed_by(change, document.sentence)
            text = _merged_text(newest.text, text)
        step, before = self._step(place, document, origin, change, text, gesture), self._steps[place - 1]
        is_same = step.rest is before.rest and origin is before.origin and change.before == change.after
        self.document = document
        self._put(place, len(self._steps), [] if is_same else [step])
        self._drop_oldest()

    def move(self, by: int) -> TextChange:
        """Move to the previous document (-1) or the next (1); returns the change of the sentence."""
        change = self.present.change.inverse if by < 0 else self._steps[self.index + 1].change
        self.index += by
        sentence = change.applied_to(self.document.sentence)
        self.document = replace(self.present.rest, sentence=sentence)
        return change

    def fold(self, is_part: Callable[[Step], bool], own: Document, origin: Origin) -> None:
        """Fold the newest steps that are parts into one step; steps that can be redone stay.

        Parts that edit an earlier part stay with it, below a step that leads back to ``own``: undo shows
        ``own`` first, and then these edits.
        """
        first = self.index
        while first > 0 and is_part(self._steps[first]):
            first -= 1
        parts = self._steps[first + 1 : self.index + 1]
        if len(parts) < 2:
            return
        n_kept = max((place for place in range(2, len(parts) + 1) if _is_edit(*parts[place - 2 : place])), default=0)
        document, sentence = self.document, self.document.sentence
        for step in reversed(parts[n_kept:]):
            sentence = step.change.inverse.applied_to(sentence)
        place = first + 1 + n_kept
        if n_kept:
            home = self._step(place, own, origin, TextChange.between(sentence, own.sentence), OWN_TEXT, None)
            self._put(place, self.index + 1, [home])
            place, sentence = place + 1, own.sentence
        change, text = TextChange.between(sentence, document.sentence), _merged_text(parts[0].text, parts[-1].text)
        folded = self._step(place, document, parts[-1].origin, change, text, parts[0].gesture)
        self._put(place, max(place, self.index + 1), [folded])
        self._drop_oldest()

    def end_gesture(self) -> None:
        """Make the next document a separate step, even in the same gesture."""
        self._steps[self.index] = structs.replace(self.present, gesture=None)

    def _step(
        self, place: int, document: Document, origin: Origin, change: TextChange, text: str, gesture: object
    ) -> Step:
        """A step for this place; it shares the document of the previous step if both are equal."""
        before, rest = self._steps[place - 1].rest, replace(document, sentence="")
        is_shared = rest == before
        n_bytes = _STEP_BYTES + sys.getsizeof(change.before) + sys.getsizeof(change.after)
        n_bytes += 0 if is_shared else _size_of(rest)
        return Step(before if is_shared else rest, origin, change, text, gesture, n_bytes)

    def _put(self, start: int, stop: int, steps: list[Step]) -> None:
        """Replace steps; the last new step becomes the present one."""
        self.n_bytes += sum(step.n_bytes for step in steps)
        self.n_bytes -= sum(step.n_bytes for step in self._steps[start:stop])
        self._steps[start:stop] = steps
        self.index = start + len(steps) - 1

    def _drop_oldest(self) -> None:
        """Keep the newest steps: those in half of the memory if all need too much, and at least one."""
        dropped = max(0, len(self._steps) - 1 - MAXIMUM_STEPS)
        if self.n_bytes > self._maximum:
            kept, size = len(self._steps) - 1, self._steps[-1].n_bytes
            while kept > 1 and size + self._steps[kept - 1].n_bytes <= self._maximum // 2:
                kept -= 1
                size += self._steps[kept].n_bytes
            dropped = max(dropped, kept - 1)
        if dropped:
            start = Step(self._steps[dropped].rest, self._steps[dropped].origin)
            self._put(0, dropped + 1, [start])
            self.index = len(self._steps) - 1


def _is_edit(before: Step, step: Step) -> bool:
    """Whether the step edits the previous step's document: documents of another page or lesson have another origin."""
    return step.origin is before.origin


def _size_of(document: Document) -> int:
    parameters = (value for each in document.encodings for value in each.encoding.parameters().values())
    values = (*parameters, *vars(document.embedding).values(), document.unknown.text)
    return sum(32 * len(value) if isinstance(value, tuple) else sys.getsizeof(value) for value in values)


def _merged_text(first: str, last: str) -> str:
    """``base 10 → 20`` and ``base 20 → 30`` make ``base 10 → 30``."""
    start, arrow, _ = first.partition(" → ")
    return start + arrow + last.rpartition(" → ")[2] if arrow else first
