"""The steps of undo: what each keeps of the documents before and after it, within a bound for all of them."""

import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from weakref import WeakMethod

from msgspec import Struct
from PySide6.QtGui import QUndoCommand, QUndoStack
from typing_extensions import override

from posenc_core import Document
from posenc_core.text import TextChange
from posenc_gui.look.plain_text import menu_text

MAXIMUM_STEPS = 10_000
MAXIMUM_BYTES = 64 * 2**20
"""Memory for all steps together; beyond it the oldest are dropped."""

_STEP_BYTES = 2048
BRIEF = 40


class Origin:
    """The session file of a document, None before it is first saved, and the document that was saved there.

    ``digest`` is that of the file as it was last read or written, empty if unknown. ``guest`` is None for the person's
    own document.
    """

    def __init__(
        self, path: Path | None, saved: Document | None, digest: str = "", guest: "Guest | None" = None
    ) -> None:
        self.path = path
        self.saved = saved
        self.digest = digest
        self.guest = guest


class Guest(Struct):
    """What a lesson or a question shows in place of the person's ``own`` document, whose file is ``origin``.

    ``shown`` is the document as it was last shown. ``left`` is the one with which the lesson was left, None while it
    goes on: who edits it afterwards makes it a document of their own.
    """

    own: Document
    origin: Origin
    shown: Document
    left: Document | None = None

    @property
    def is_own_saved(self) -> bool:
        """Whether the own document needs no saving."""
        return self.origin.saved == self.own


def brief(text: str) -> str:
    """The text, shortened to fit into a menu."""
    return text if len(text) <= BRIEF else f"{text[: BRIEF - 1]}…"


class State(Struct, frozen=True):
    """A document without its sentence, and its origin. Sentences follow from the changes between states."""

    rest: Document
    origin: Origin

    @classmethod
    def of(cls, document: Document, origin: Origin, like: "State | None" = None) -> "State":
        """The state of a document; it shares the document of ``like`` where the two are equal."""
        rest = replace(document, sentence="")
        if like is not None and like.rest == rest:
            rest = like.rest
        return cls(rest, origin)


Show = Callable[[State, TextChange], None]
"""Shows the document of a state, with the present sentence changed."""


class Step(QUndoCommand):
    """One step of undo: the states before and after it, and the change of the sentence."""

    def __init__(
        self, text: str, states: tuple[State, State], change: TextChange, gesture: object, show: "WeakMethod[Show]"
    ) -> None:
        """``show`` is weak: Python would collect a step and its store in any order, and Qt would crash."""
        super().__init__(menu_text(text))
        self.before, self.after = states
        self.change, self.gesture, self._show = change, gesture, show
        self.is_shown = True
        """Whether the document is already the one after; pushing a step does not show it again."""

    def copy(self) -> "Step":
        """An equal step: Qt deletes the steps of a stack that is cleared."""
        copied = Step("", (self.before, self.after), self.change, self.gesture, self._show)
        copied.setText(self.text())
        return copied

    @property
    def bytes(self) -> int:
        """Approximate memory in bytes, without what the step shares with the one before."""
        text = sys.getsizeof(self.change.before) + sys.getsizeof(self.change.after)
        return _STEP_BYTES + text + (0 if self.after.rest is self.before.rest else _size_of(self.after.rest))

    def absorb(self, later: "Step", sentence: str) -> None:
        """Add a later step to this one; ``sentence`` is the sentence after it."""
        self.change = self.change.followed_by(later.change, sentence)
        self.after = later.after
        unchanged = self.change.before == self.change.after and self.after.origin is self.before.origin
        self.setObsolete(unchanged and self.after.rest == self.before.rest)
        self.setText(_merged_text(self.text(), later.text()))

    @override
    def redo(self) -> None:
        if self.is_shown:
            self.is_shown = False
        else:
            self._go_to(self.after, self.change)

    @override
    def undo(self) -> None:
        if not self.isObsolete():
            self._go_to(self.before, self.change.inverse)

    def _go_to(self, state: State, change: TextChange) -> None:
        show = self._show()
        assert show is not None
        show(state, change)


class BoundedHistory:
    """Pushes steps on an undo stack, and drops the oldest when all together need too much memory."""

    def __init__(self, stack: QUndoStack, maximum_bytes: int = MAXIMUM_BYTES) -> None:
        self._stack, self._maximum = stack, maximum_bytes
        stack.setUndoLimit(MAXIMUM_STEPS)
        self._at_most = 0
        """An upper bound of ``bytes``, which is summed only when the bound exceeds the maximum."""

    @property
    def bytes(self) -> int:
        """Memory of all steps."""
        return sum(step.bytes for step in self._steps())

    def push(self, step: Step, sentence: str) -> None:
        """Add a step after the present one, in place of undone steps; ``sentence`` is the sentence after it."""
        self._at_most += step.bytes
        if not self._merged(step, sentence):
            self._stack.push(step)
        if self._at_most > self._maximum:
            self._at_most = self.bytes
            if self._at_most > self._maximum:
                self._drop_oldest()

    @property
    def newest(self) -> Step | None:
        """The step that would be undone now."""
        command = self._stack.command(self._stack.index() - 1) if self._stack.index() else None
        return command if isinstance(command, Step) else None

    def fold(self, is_part: Callable[[Step], bool], sentence: str) -> None:
        """Make one step of the newest steps that are parts; ``sentence`` is the present one.

        Steps that can be made again stay.
        """
        stack = self._stack
        parts = list(takewhile(is_part, reversed(self._steps()[: stack.index()])))[::-1]
        if len(parts) < 2:
            return
        was_clean, (first, *later) = stack.isClean(), parts
        sentences = [sentence]
        for step in later[:0:-1]:
            sentences.insert(0, step.change.inverse.applied_to(sentences[0]))
        for step, text in zip(later, sentences, strict=True):
            first.absorb(step, text)
        for step in reversed(later):
            step.setObsolete(True)
            stack.undo()  # removes the step from the stack without effect on the document
        if was_clean:
            stack.setClean()
        elif stack.isClean():
            stack.resetClean()

    def _merged(self, step: Step, sentence: str) -> bool:
        """Whether the step was merged into the newest one, which is of the same gesture.

        Qt would merge steps with an ``id``, but PySide never frees the memory of a step that Qt merged.
        """
        stack, index = self._stack, self._stack.index()
        newest = stack.command(index - 1) if 0 < index == stack.count() else None
        if not isinstance(newest, Step) or step.gesture is None or step.gesture != newest.gesture or stack.isClean():
            return False
        newest.absorb(step, sentence)
        if newest.isObsolete():
            stack.undo()  # removes the step from the stack without effect on the document
        else:
            stack.indexChanged.emit(index)
            stack.undoTextChanged.emit(newest.actionText())
        return True

    def _steps(self) -> list[Step]:
        commands = [self._stack.command(index) for index in range(self._stack.count())]
        return [command for command in commands if isinstance(command, Step)]

    def _drop_oldest(self) -> None:
        """Keep the newest steps, up to half of the maximum and at least one. Qt can only clear the whole stack."""
        steps, kept, size = self._steps(), list[Step](), 0
        for step in reversed(steps):
            size += step.bytes
            if kept and size > self._maximum // 2:
                break
            kept.append(step.copy())
        first, clean = len(steps) - len(kept), self._stack.cleanIndex()
        was_blocked = self._stack.blockSignals(True)  # what can be undone next is the same as before
        try:
            self._rebuild(kept[::-1], clean - first)
        finally:
            self._stack.blockSignals(was_blocked)
        self._at_most = self.bytes

    def _rebuild(self, steps: list[Step], clean: int) -> None:
        self._stack.clear()
        if clean != 0:
            self._stack.resetClean()
        for index, step in enumerate(steps, 1):
            self._stack.push(step)
            if index == clean:
                self._stack.setClean()


def _size_of(document: Document) -> int:
    parameters = (value for each in document.encodings for value in each.encoding.parameters().values())
    values = (*parameters, *vars(document.embedding).values(), document.unknown.text)
    return sum(32 * len(value) if isinstance(value, tuple) else sys.getsizeof(value) for value in values)


def _merged_text(first: str, last: str) -> str:
    """``base 10 → 20`` and ``base 20 → 30`` make ``base 10 → 30``."""
    start, arrow, _ = first.partition(" → ")
    return start + arrow + last.rpartition(" → ")[2] if arrow else first
