"""The windows of an engine's layers, by the rules that the facts name."""

from collections.abc import Sequence

from msgspec import Struct

from posenc_core.engines.question import Question


def within(window: int | None, length: int) -> int | None:
    """The window; None for one that hides nothing at the length."""
    return None if window is None or window >= length else window


_KEYS = ("sliding_window", "sliding_window_size", "attention_window_size", "window_size", "attention_chunk_size")
"""Keys of a file that may give a window."""


class Window(Struct, frozen=True):
    """Tokens that a query sees, itself included, None for all of them; ``is_read``: the engine's source says so.

    ``is_fixed``: no key of the file changes it. ``note`` is a sentence where only some of the layers have it.
    """

    tokens: int | None = None
    is_read: bool = True
    is_fixed: bool = False
    note: str = ""

    def differs(self, question: Question) -> bool:
        """Whether it is known to be another than that of the model's class."""
        own = within(question.window, question.length)
        return self.is_read and within(self.tokens, question.length) != own


NO_WINDOW = Window(is_fixed=True)
"""The window of a class that passes none to its attention."""


def window_by(rule: str | None, question: Question) -> Window:
    """The window by the rule of an engine's class (``tools/read_engine_facts.py`` lists them)."""
    name, _, more = (rule or "").partition("+")
    own = question.layer.ahead is not None  # windows to both sides are compared without the query's own token
    return NO_WINDOW if name == "none" else sized(_slides(name, question), question, int(more or 0) - own)


def sized(slides: Sequence[bool] | None, question: Question, more: int = 0) -> Window:
    """The window of layers that slide, with ``more`` tokens than the file's key; ``slides`` is None if not read.

    If the layers are not alike in it, the one that differs from the class's counts.
    """
    given = question.values.find("sliding_window")
    size = given if type(given) is int else question.window
    if slides is None or (any(slides) and size is None):
        return unread(question)
    found = [None if size is None or not each else size + more for each in slides]
    own = within(question.window, question.length)
    tokens = next((each for each in found if within(each, question.length) != own), found[0])
    has, count = "no window" if tokens is None else f"a window of {tokens:,} tokens", found.count(tokens)
    verb = "has" if count == 1 else "have"
    return Window(tokens, note="" if count == len(found) else f"{count} of these {len(found)} layers {verb} {has}")


def unread(question: Question) -> Window:
    """The window by a rule that was not read: None if neither the class nor the file has one within the length."""
    given = {**question.values.unread, **question.given}
    sizes = [each for each in (question.window, *map(given.get, _KEYS)) if type(each) is int]
    return Window(is_read=not any(0 < each < question.length for each in sizes))


def _slides(name: str, question: Question) -> Sequence[bool] | None:
    """Whether each of the question's layers has a window; None if that was not read."""
    form, _, number = name.partition(" ")
    indices, kinds = question.indices, layer_types(question)
    if form == "even":
        return [index % 2 == 0 for index in indices]
    if form == "every":
        return [True] * len(indices)
    if kinds is not None and form in ("listed", "typed", "either"):
        return [kinds[index] == "sliding_attention" for index in indices]
    if form in ("typed", "either"):
        return [form == "either"] * len(indices)
    if form == "layer" and "layer_types" not in question.values.unread:
        return [question.window is not None] * len(indices)
    period = question.values.find("sliding_window_pattern")
    return by_period(question, int(number)) if number and period in (None, int(number)) else None


def layer_types(question: Question) -> Sequence[str] | None:
    """The types of layers that the file lists, also where the model's class ignores them; None without a full list."""
    found = question.given.get("layer_types", question.values.unread.get("layer_types"))
    return found if isinstance(found, list) and len(found) > max(question.indices) else None


def by_period(question: Question, period: int, *, full_first: bool = False) -> Sequence[bool]:
    """Whether each layer has a window where of ``period`` layers one, the last or the first, has none."""
    return [period < 1 or (index + (0 if full_first else 1)) % period != 0 for index in question.indices]
