"""Kinds of parameters beside the common ones: numbers from a floor on, shares, lists, and what may be left out."""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar

import numpy as np

from posenc_core.fields.field import ChoiceField, Field, RealField, shortened


class FloorField(RealField, frozen=True, kw_only=True):
    """A finite number of at least ``floor``, which is allowed itself."""

    floor: float

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        return f"a finite number >= {self.floor:g}"


class FreqScaleField(RealField, frozen=True, kw_only=True):
    """llama.cpp's number greater than 0, with the sentence for what is not."""

    def check(self, value: Any, got: str | None = None) -> float:
        """The value as float; TypeError for anything but a number, ValueError unless it is finite and > 0."""
        try:
            return super().check(value, got)
        except ValueError:
            if not math.isfinite(value):
                raise
            raise ValueError(f"{self.display_name} must be > 0, got {got or shortened(value)}") from None


class ShareField(RealField, frozen=True, kw_only=True):
    """A share of a whole: more than 0, at most 1."""

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        return "in (0, 1]"

    def check(self, value: Any, got: str | None = None) -> float:
        """The value as float; TypeError for anything but a number, ValueError outside (0, 1]."""
        number = super().check(value, got)
        if number > 1:
            raise ValueError(f"{self.display_name} must be in (0, 1], got {got or shortened(value)}")
        return number


class OptionalField(Field, frozen=True, kw_only=True):
    """What another field allows, or None; None is typed as ``none`` or as nothing."""

    of: Field

    kind: ClassVar[str] = "optional"

    @property
    def allowed(self) -> str:
        """The other field's bounds, or none."""
        return f"{self.of.allowed}, or none"

    def check(self, value: Any, got: str | None = None) -> Any:
        """None, or the value as the other field has it; errors as there."""
        return None if value is None else self.of.check(value, got)

    def parse(self, text: str) -> Any:
        """None for ``none`` or an empty text, else the value that the other field reads."""
        return None if text.strip().lower() in ("", "none") else self.of.parse(text)

    def format(self, value: Any) -> str:
        """The text to type for a value."""
        return "none" if value is None else self.of.format(value)


class FiniteField(RealField, frozen=True, kw_only=True):
    """A number of either sign, at most ``largest`` in size."""

    above: float = -math.inf
    largest: float = 1e100

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        return f"a number from -{self.largest:g} to {self.largest:g}"

    def check(self, value: Any, got: str | None = None) -> float:
        """The value as float; TypeError for anything but a number, ValueError for one too large."""
        number = super().check(value, got)
        if abs(number) > self.largest:
            raise ValueError(f"{self.display_name} must be {self.allowed}, got {got or shortened(value)}")
        return number


class NumbersField(Field, frozen=True, kw_only=True):
    """A list of numbers, at least ``least`` and at most ``most``; kept as a tuple of floats."""

    least: int = 1
    most: int = 65536

    kind: ClassVar[str] = "numbers"

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        return f"a list of {self.least} to {self.most} numbers"

    def check(self, value: Any, got: str | None = None) -> tuple[float, ...]:
        """The numbers as floats; TypeError for anything but a list of numbers, ValueError for one out of bounds."""
        if not self._is_list(value):
            raise TypeError(f"{self.display_name} must be {self.allowed}, got {got or shortened(value)}")
        return self._counted(tuple(self._number(index).check(each) for index, each in enumerate(value)))

    def _is_list(self, value: Any) -> bool:
        """Whether the value is a list, whatever is in it."""
        return isinstance(value, Sequence) and not isinstance(value, str | bytes)

    def _counted(self, numbers: tuple[float, ...]) -> tuple[float, ...]:
        """The numbers; ValueError for too many or too few."""
        if not self.least <= len(numbers) <= self.most:
            count = f"{len(numbers)} numbers" if numbers else "none"
            raise ValueError(f"{self.display_name} must be {self.allowed}, got {count}")
        return numbers

    def _number(self, index: int) -> RealField:
        """The field of the number at the index, for its check and its sentence."""
        return FiniteField(name=f"{self.display_name}[{index}]", label="", help="", default=1.0, slider=(-1.0, 1.0))

    def parse(self, text: str) -> tuple[float, ...]:
        """The numbers that are written in the text, with commas or blanks between them."""
        words = text.replace(",", " ").split()
        return self._counted(tuple(self._number(index).parse(word) for index, word in enumerate(words)))

    def format(self, value: tuple[float, ...]) -> str:
        """The numbers with commas between them."""
        return ", ".join(self._number(0).format(each) for each in value)


class FactorsField(NumbersField, frozen=True, kw_only=True):
    """A list of finite numbers > 0, one a pair; kept as a tuple of floats."""

    least: int = 0

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        return "a list of finite numbers > 0, one a pair"

    def _is_list(self, value: Any) -> bool:
        return super()._is_list(value) or (isinstance(value, np.ndarray) and value.ndim == 1)

    def _number(self, index: int) -> RealField:
        return RealField(
            name=f"{self.display_name}[{index}]", label="", help="", default=1.0, above=0.0, slider=(1.0, 64.0)
        )


class PartField(Field, frozen=True, kw_only=True):
    """Another frozen value with FIELDS of its own; edited as the choice of its kind and that kind's fields.

    Sessions, editors and the command line see the choice and the fields of the chosen kind side by side with the
    other parameters, each by its own name.
    """

    kind: ClassVar[str] = "part"

    @property
    def choice(self) -> ChoiceField:
        """The choice among the kinds."""
        raise NotImplementedError

    def fields_of(self, choice: str) -> tuple[Field, ...]:
        """The fields of the kind of that name."""
        raise NotImplementedError

    def make_part(self, choice: str, parameters: Mapping[str, Any]) -> Any:
        """The part of that kind with these parameters."""
        raise NotImplementedError

    def visible_fields(self, parameters: Mapping[str, Any]) -> tuple[Field, ...]:
        """The choice, then the fields of what is chosen."""
        choice = self.choice
        return (choice, *self.fields_of(choice.parse(str(parameters.get(self.name, choice.default)))))

    def every(self) -> tuple[Field, ...]:
        """The choice, then the fields of all kinds."""
        choice = self.choice
        return (choice, *(field for name in choice.values for field in self.fields_of(name)))

    def from_parameters(self, parameters: Mapping[str, Any]) -> Any:
        """The part that the choice and the parameters give; errors as the kind's own."""
        choice = self.choice.check(parameters.get(self.name, self.choice.default))
        own = {field.name: parameters.get(field.name, field.default) for field in self.fields_of(choice)}
        return self.make_part(choice, own)

    def edited_in(self, parameters: Mapping[str, Any], name: str, value: Any) -> Any:
        """As every field; a part of another kind keeps what both kinds have, but for what the new one refuses."""
        if name != self.name:
            return super().edited_in(parameters, name, value)
        kept: dict[str, Any] = {name: self.choice.check(value)}
        with suppress(TypeError, ValueError):
            return self.from_parameters({**parameters, **kept})
        part = self.from_parameters(kept)
        for field in self.fields_of(kept[name]):
            if field.name in parameters:
                with suppress(TypeError, ValueError):
                    part = self.from_parameters({**kept, field.name: parameters[field.name]})
                    kept[field.name] = parameters[field.name]
        return part


def optional(field: Field) -> OptionalField:
    """The field with None allowed, and None for its default."""
    return OptionalField(
        name=field.name, label=field.label, help=field.help, default=None, unit=field.unit, spoken=field.spoken,
        synonyms=field.synonyms, of=field,
    )  # fmt: skip
