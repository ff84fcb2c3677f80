"""Choices that a figure offers in its panel's header, as values. No Qt is imported here."""

from msgspec import Struct

SENTENCE, ALL = "sentence", "all"


class Choice(Struct, frozen=True):
    """A value of a switch, its word, and its tool tip."""

    value: str
    text: str
    tip: str


class Switch(Struct, frozen=True):
    """A choice that a figure offers. ``chosen`` is the value of the checked one, empty for none.

    ``number`` is the number, from 0 to ``largest``, that belongs to the last choice; None for no number.
    """

    name: str
    choices: tuple[Choice, ...]
    chosen: str
    number: int | None = None
    largest: int = 0


_POSITIONS = (
    Choice(SENTENCE, "Sentence", "Fit the positions to the sentence, also while it is typed"),
    Choice(ALL, "All", "Show all positions (Ctrl+0)"),
)


def position_switch(chosen: str) -> Switch:
    """The switch of a figure whose positions are the sentence's, all, or where the person zoomed (empty)."""
    return Switch("positions", _POSITIONS, chosen)
