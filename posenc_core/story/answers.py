"""Answers: pure functions of the core by name, which lessons and questions call; no answer is stored."""

import math
from collections.abc import Callable, Mapping
from functools import cache
from inspect import Signature, isfunction, signature
from typing import Any

import numpy as np
from msgspec import Struct

from posenc_core.fields import one_line, shortened
from posenc_core.session import Document
from posenc_core.story import check_answers, lesson_answers, question_answers, rotary_answers, shift_answers
from posenc_core.story.asked_documents import edited

Value = bool | int | float | str | tuple[float, ...]
AnswerFunction = Callable[..., Value]

JsonValue = Any
"""None, a bool, a number, a text, or a list or an object of these."""

ANSWERS: Mapping[str, AnswerFunction] = {
    name: function
    for module in (lesson_answers, shift_answers, rotary_answers, question_answers, check_answers)
    for name, function in vars(module).items()
    if isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_")
}
"""The public functions of the modules of answers by name."""

_LONGEST_LIST, _LONGEST_REASON = 256, 200

EDITS = "edits"
"""The argument that every call may have: fields of the document, edited in order before the function is called."""


class Call(Struct, frozen=True, forbid_unknown_fields=True):
    """A function of ``ANSWERS`` and its arguments beside the document."""

    name: str
    arguments: Mapping[str, JsonValue] = {}


def compute(call: Call, document: Document) -> Value:
    """Result of the function of that name for the document.

    ValueError with one sentence for an unknown name, for arguments that the function does not accept, and
    for a number that is not finite.
    """
    function = check_call(call)
    arguments = dict(call.arguments)
    edits = arguments.pop(EDITS, {})
    _check_lists(arguments)
    try:
        with np.errstate(all="ignore"):  # a number that is not finite is refused below
            answer = function(edited(document, edits), **arguments)
    except MemoryError:
        raise ValueError(f"{shortened(call.name)} has no answer: it needs more memory than there is") from None
    except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError) as error:
        raise ValueError(f"{shortened(call.name)} has no answer: {_brief(error)}") from None
    if not all(math.isfinite(each) for each in _numbers(answer)):
        raise ValueError(f"{shortened(call.name)} has no answer: its result is not finite")
    return answer


def _check_lists(arguments: Mapping[str, JsonValue]) -> None:
    """ValueError with one sentence for a list that is too long for an answer."""
    for name, value in arguments.items():
        if isinstance(value, list | tuple) and len(value) > _LONGEST_LIST:
            raise ValueError(f"an answer takes lists of at most {_LONGEST_LIST} numbers, got {len(value):,} in {name}")


def _brief(error: Exception) -> str:
    """The sentence of an error in at most 200 characters of one line."""
    text = one_line(str(error))
    return text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON]}…"


def check_call(call: Call) -> AnswerFunction:
    """The function of the call; ValueError with one sentence for an unknown name or wrong arguments."""
    if call.name not in ANSWERS:
        raise ValueError(f"there is no answer function {shortened(call.name)}")
    function = ANSWERS[call.name]
    own = {name: value for name, value in call.arguments.items() if name != EDITS}
    try:
        _signature(function).bind(None, **own)
    except TypeError as error:
        raise ValueError(f"the answer function {call.name} cannot be called: {error}") from None
    return function


@cache
def _signature(function: AnswerFunction) -> Signature:
    return signature(function)


def _numbers(answer: Value) -> tuple[float, ...]:
    if isinstance(answer, tuple):
        return answer
    return () if isinstance(answer, str) else (answer,)
