"""Fields of numbers: integers and real numbers, each with its bounds, and lists of real numbers."""

import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from msgspec import json
from msgspec.structs import force_setattr

from posenc_core.fields.field import Field, clipped, shortened

_LARGEST_EXPONENT = 30
"""Larger integers are out of every field's bounds, and 1e999999999 written out would fill the memory."""

_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)


class IntegerField(Field, frozen=True, kw_only=True):
    """An integer from ``minimum`` to ``maximum``, both included; ``step`` is the increment of its editor's arrows.

    ``slider`` are the ends of its editor's slider, None for no slider.
    """

    minimum: int
    maximum: int
    step: int = 1
    slider: tuple[int, int] | None = None

    kind: ClassVar[str] = "integer"
    bounds: ClassVar[str] = "a whole number from {0.minimum} to {0.maximum}"

    def check(self, value: Any, got: str | None = None) -> int:
        """The value as int; TypeError unless it is an integer, ValueError outside the bounds."""
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise TypeError(f"{self.display_name} must be an integer, got {got or _typed(value)}")
        number = int(value)
        if not self.minimum <= number <= self.maximum:
            bound = f">= {self.minimum}" if number < self.minimum else f"<= {self.maximum}"
            raise ValueError(f"{self.display_name} must be an integer {bound}, got {got or shortened(number)}")
        return number

    def parse(self, text: str) -> int:
        """The integer in the text, as 1000, 1e3 or 1000.0; ValueError with a sentence for anything else."""
        stripped = text.strip()
        if (number := _whole_number(_as_typed(stripped))) is None:
            raise ValueError(self.refusal(stripped))
        return self.check(number, got=clipped(stripped))


class RealField(Field, frozen=True, kw_only=True):
    """A finite number greater than ``above``, at most ``most``; ``slider`` are the ends of its editor's slider."""

    above: float
    slider: tuple[float, float]
    most: float = math.inf
    logarithmic: bool = False

    kind: ClassVar[str] = "real"
    bounds: ClassVar[str] = "a finite number > {0.above:g}{0.upper_bound}"

    @property
    def upper_bound(self) -> str:
        """The words for ``most``, empty without it."""
        return f" and <= {self.most:g}" if math.isfinite(self.most) else ""

    def check(self, value: Any, got: str | None = None) -> float:
        """The value as float; TypeError unless it is a number, ValueError if it is infinite or out of bounds."""
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError(f"{self.display_name} must be a number, got {got or _typed(value)}")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number) or not self.above < number <= self.most:
            raise ValueError(self.refusal(value, got))
        return number

    def parse(self, text: str) -> float:
        """The number in the text; ValueError with a sentence for anything else."""
        stripped = text.strip()
        try:
            number = float(_as_typed(stripped).replace("_", "?"))  # Python reads 4_096, other programs do not
        except ValueError:
            raise ValueError(self.refusal(stripped)) from None
        return self.check(number, got=clipped(stripped))

    def format(self, value: float) -> str:
        """The shortest text that is read as the same number."""
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


class FloorField(RealField, frozen=True, kw_only=True):
    """A finite number of at least ``floor``, which is allowed too."""

    floor: float
    above: float = -math.inf

    bounds: ClassVar[str] = "a finite number >= {0.floor:g}{0.upper_bound}"

    def __post_init__(self) -> None:
        """Numbers above the largest one below the floor are allowed."""
        super().__post_init__()
        force_setattr(self, "above", math.nextafter(self.floor, -math.inf))


class FreqScaleField(RealField, frozen=True, kw_only=True):
    """A finite number greater than 0, with llama.cpp's sentence for a smaller one."""

    def check(self, value: Any, got: str | None = None) -> float:
        """The value as float; TypeError unless it is a number, ValueError unless it is finite and > 0."""
        try:
            return super().check(value, got)
        except ValueError:
            if not -math.inf < value <= 0:
                raise
            raise ValueError(f"{self.display_name} must be > 0, got {got or shortened(value)}") from None


class ShareField(RealField, frozen=True, kw_only=True):
    """A share of a whole, more than 0 and at most 1."""

    above: float = 0.0
    most: float = 1.0

    bounds: ClassVar[str] = "in (0, 1]"


class FiniteField(FloorField, frozen=True, kw_only=True):
    """A number from ``floor`` to ``most``, which may be below 0."""

    floor: float = -1e100
    most: float = 1e100

    bounds: ClassVar[str] = "a number from {0.floor:g} to {0.most:g}"


class NumbersField(Field, frozen=True, kw_only=True):
    """A list of ``least`` to ``most`` numbers from ``lowest`` to ``highest``, kept as a tuple of floats."""

    least: int = 1
    most: int = 65536
    lowest: float = -1e100
    highest: float = 1e100

    kind: ClassVar[str] = "numbers"
    bounds: ClassVar[str] = "a list of {0.least} to {0.most} numbers"

    def check(self, value: Any, got: str | None = None) -> tuple[float, ...]:
        """The numbers as floats; TypeError unless it is a list of numbers, ValueError outside the bounds."""
        if not self._is_list(value):
            raise TypeError(self.refusal(value, got))
        together = self._allowed_floats(value) if {float, int}.issuperset(map(type, value)) else None
        numbers = together or tuple(self._number(index).check(each) for index, each in enumerate(value))
        return self._counted(numbers)

    def _allowed_floats(self, values: Iterable[Any]) -> tuple[float, ...] | None:
        """The values as floats if all are allowed, checked together, some hundred times faster than one by one."""
        try:
            numbers = tuple(map(float, values))
        except (OverflowError, ValueError):
            return None
        array, number = np.array(numbers), self._number(0)
        is_allowed = (array > number.above) & (array <= number.most) & np.isfinite(array)
        return numbers if is_allowed.all() else None

    def _is_list(self, value: Any) -> bool:
        """Whether the value is a list of anything."""
        return isinstance(value, Sequence) and not isinstance(value, str | bytes)

    def _counted(self, numbers: tuple[float, ...]) -> tuple[float, ...]:
        """The numbers; ValueError for too many or too few."""
        if not self.least <= len(numbers) <= self.most:
            counted = f"{len(numbers)} number{'s' * (len(numbers) > 1)}" if numbers else "none"
            raise ValueError(self.refusal(numbers, counted))
        return numbers

    def _number(self, index: int) -> RealField:
        """The field of the number at the index."""
        name, ends = f"{self.display_name}[{index}]", (self.lowest, self.highest)
        return FiniteField(
            name=name, label="", help="", default=ends[1], floor=ends[0], most=ends[1], slider=(-1.0, 1.0)
        )

    def parse(self, text: str) -> tuple[float, ...]:
        """The numbers that the text lists with commas or blanks between them, none for ``none``."""
        words = [] if text.strip().lower() == "none" else text.replace(",", " ").split()
        together = None if "_" in text else self._allowed_floats(words)  # Python reads 4_096, other programs do not
        return self._counted(together or tuple(self._number(index).parse(word) for index, word in enumerate(words)))

    def format(self, value: tuple[float, ...]) -> str:
        """The numbers with commas between them."""
        listed = json.encode(value).decode()[1:-1] + ","  # a tenth of repr's time
        return listed.replace(".0,", ",").replace(",", ", ")[:-2]


class FactorsField(NumbersField, frozen=True, kw_only=True):
    """A list of finite numbers > 0, one for each pair, kept as a tuple of floats."""

    least: int = 0

    bounds: ClassVar[str] = "a list of finite numbers > 0, one per pair"

    def _is_list(self, value: Any) -> bool:
        return super()._is_list(value) or (isinstance(value, np.ndarray) and value.ndim == 1)

    def _number(self, index: int) -> RealField:
        name = f"{self.display_name}[{index}]"
        return RealField(name=name, label="", help="", default=1.0, above=0.0, slider=(1.0, 64.0))


def _typed(value: Any) -> str:
    """The value and the name of its type."""
    return f"{shortened(value)} ({type(value).__name__})"


def _as_typed(text: str) -> str:
    """The text of a number without the separators of its thousands, and with hyphens for minus signs."""
    text = text.replace("−", "-")
    return text.replace(",", "") if _GROUPED.fullmatch(text) else text


def _whole_number(text: str) -> int | None:
    """The exact integer in the text, in any notation of numbers; None for anything else."""
    try:
        number = Decimal(text.replace("_", "?"))
    except InvalidOperation:
        return None
    if not number.is_finite():
        return None
    if number.adjusted() > _LARGEST_EXPONENT:
        number = Decimal(10**_LARGEST_EXPONENT).copy_sign(number)
    return int(number) if number.adjusted() >= -_LARGEST_EXPONENT and number == int(number) else None
