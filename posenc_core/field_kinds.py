"""Kinds of parameters beside the common ones: numbers from a floor on, shares, lists, and what may be left out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from posenc_core.fields import Field, IntegerField, RealField, shortened


@dataclass(frozen=True, kw_only=True)
class FloorField(RealField):
    """A finite number of at least ``floor``, which is allowed itself."""

    floor: float

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        return f"a finite number >= {self.floor:g}"


@dataclass(frozen=True, kw_only=True)
class FreqScaleField(RealField):
    """llama.cpp's number greater than 0, with the sentence for what is not."""

    def check(self, value: Any, got: str | None = None) -> float:
        """The value as float; TypeError for anything but a number, ValueError unless it is finite and > 0."""
        try:
            return super().check(value, got)
        except ValueError:
            if not math.isfinite(value):
                raise
            raise ValueError(f"{self.said} must be > 0, got {got or shortened(value)}") from None


@dataclass(frozen=True, kw_only=True)
class ShareField(RealField):
    """A share of a whole: more than 0, at most 1."""

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        return "in (0, 1]"

    def check(self, value: Any, got: str | None = None) -> float:
        """The value as float; TypeError for anything but a number, ValueError outside (0, 1]."""
        number = super().check(value, got)
        if number > 1:
            raise ValueError(f"{self.said} must be in (0, 1], got {got or shortened(value)}")
        return number


@dataclass(frozen=True, kw_only=True)
class OptionalIntegerField(Field):
    """A whole number from ``minimum`` to ``maximum``, both included, or None for none."""

    minimum: int
    maximum: int
    step: int = 1

    kind: ClassVar[str] = "optional integer"

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        return f"a whole number from {self.minimum} to {self.maximum}, or none"

    def check(self, value: Any, got: str | None = None) -> int | None:
        """The value as int or None. TypeError for anything else, ValueError outside the bounds."""
        return None if value is None else self._integer.check(value, got)

    def parse(self, text: str) -> int | None:
        """None for ``none`` or an empty text, else the integer that is written in it."""
        return None if text.strip().lower() in ("", "none") else self._integer.parse(text)

    def format(self, value: int | None) -> str:
        """The number, or ``none``."""
        return "none" if value is None else str(value)

    @property
    def _integer(self) -> IntegerField:
        """The field of the number, where there is one."""
        return IntegerField(**{each.name: getattr(self, each.name) for each in fields(IntegerField)})


@dataclass(frozen=True, kw_only=True)
class OptionalField(Field):
    """What another field allows, or None; None is typed as nothing."""

    of: Field

    kind: ClassVar[str] = "optional"

    @property
    def allowed(self) -> str:
        """The other field's bounds, or nothing."""
        return f"{self.of.allowed}, or nothing"

    def check(self, value: Any, got: str | None = None) -> Any:
        """None, or the value as the other field has it; errors as there."""
        return None if value is None else self.of.check(value, got)

    def parse(self, text: str) -> Any:
        """None for an empty text, else the value that the other field reads."""
        return self.of.parse(text) if text.strip() else None

    def format(self, value: Any) -> str:
        """The text to type for a value, nothing for None."""
        return "" if value is None else self.of.format(value)


@dataclass(frozen=True, kw_only=True)
class FactorsField(Field):
    """A list of finite numbers > 0, one a pair; kept as a tuple of floats."""

    kind: ClassVar[str] = "numbers"

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        return "a list of finite numbers > 0, one a pair"

    def check(self, value: Any, got: str | None = None) -> tuple[float, ...]:
        """The numbers as floats; TypeError for anything but a list of numbers, ValueError for one out of bounds."""
        if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray):
            raise TypeError(f"{self.said} must be {self.allowed}, got {got or shortened(value)}")
        return tuple(self._number(index).check(each) for index, each in enumerate(value))

    def _number(self, index: int) -> RealField:
        return RealField(name=f"{self.said}[{index}]", label="", help="", default=1.0, above=0.0, slider=(1.0, 64.0))

    def parse(self, text: str) -> tuple[float, ...]:
        """The numbers that are written in the text, with commas or blanks between them."""
        words = text.replace(",", " ").split()
        return tuple(self._number(index).parse(word) for index, word in enumerate(words))

    def format(self, value: tuple[float, ...]) -> str:
        """The numbers with commas between them."""
        return ", ".join(self._number(0).format(each) for each in value)


def optional(field: Field) -> OptionalField:
    """The field with None allowed, and None for its default."""
    return OptionalField(
        name=field.name, label=field.label, help=field.help, default=None, unit=field.unit, spoken=field.spoken,
        synonyms=field.synonyms, of=field,
    )  # fmt: skip
