"""One truth for every parameter: its label, unit, bounds, step, scale and help.

Editors are built from these fields, values are checked by them; flags and property tests are made from them.
"""

import math
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, ClassVar

from msgspec import Struct

from posenc_core.fields.whole_numbers import whole_number


class Field(Struct, frozen=True, kw_only=True):
    """What is known of one parameter, whatever its kind.

    ``spoken`` is the name used in error sentences (``base (rope_theta)``), ``synonyms`` the names that other
    programs and papers give to the same thing.
    """

    name: str
    label: str
    help: str
    default: Any
    unit: str = ""
    spoken: str = ""
    synonyms: str = ""

    kind: ClassVar[str]

    @property
    def display_name(self) -> str:
        """The name for a sentence."""
        return self.spoken or self.name

    @property
    def allowed(self) -> str:
        """What may be entered, as words for a tool tip."""
        raise NotImplementedError

    def check(self, value: Any, got: str | None = None) -> Any:
        """The value, made canonical; raises TypeError or ValueError with one plain sentence.

        ``got`` is what the sentence quotes instead of the value, where the value came from a text.
        """
        raise NotImplementedError

    def parse(self, text: str) -> Any:
        """The value that a typed text stands for; raises ValueError with one plain sentence."""
        raise NotImplementedError

    def format(self, value: Any) -> str:
        """The text to type for a value: ``parse(format(value)) == value``."""
        return str(value)

    def visible_fields(self, parameters: Mapping[str, Any]) -> tuple["Field", ...]:
        """The fields to edit when the parameters have these values by name: itself, unless it holds a part."""
        return (self,)

    def every(self) -> tuple["Field", ...]:
        """The fields to edit for any values."""
        return (self,)

    def flat(self, value: Any) -> dict[str, Any]:
        """The value as parameters by name; ``from_parameters`` makes it again."""
        return {self.name: value}

    def from_parameters(self, parameters: Mapping[str, Any]) -> Any:
        """The value that the parameters give by name, the default where they give none."""
        return parameters.get(self.name, self.default)

    def edited_in(self, parameters: Mapping[str, Any], name: str, value: Any) -> Any:
        """The value that the parameters give once the one of that name has another value."""
        return self.from_parameters({**parameters, name: value})

    @property
    def tool_tip(self) -> str:
        """Help, bounds, unit and synonyms, a line each."""
        unit = f" ({self.unit})" if self.unit else ""
        lines = [self.help, f"Allowed: {self.allowed}{unit}"]
        if self.synonyms:
            lines.append(f"Also called: {self.synonyms}")
        return "\n".join(lines)


class IntegerField(Field, frozen=True, kw_only=True):
    """A whole number from ``minimum`` to ``maximum``, both included."""

    minimum: int
    maximum: int
    step: int = 1

    kind: ClassVar[str] = "integer"

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        return f"a whole number from {self.minimum} to {self.maximum}"

    def check(self, value: Any, got: str | None = None) -> int:
        """The value as int. TypeError for anything but an integer, ValueError outside the bounds."""
        if isinstance(value, bool) or not isinstance(value, Integral):
            quoted = got or f"{shortened(value)} ({type(value).__name__})"
            raise TypeError(f"{self.display_name} must be an integer, got {quoted}")
        number = int(value)
        quoted = got or shortened(number)
        if number < self.minimum:
            raise ValueError(f"{self.display_name} must be an integer >= {self.minimum}, got {quoted}")
        if number > self.maximum:
            raise ValueError(f"{self.display_name} must be an integer <= {self.maximum}, got {quoted}")
        return number

    def parse(self, text: str) -> int:
        """The integer that is written in the text, as 1000, 1e3 or 1000.0; ValueError with a sentence for others."""
        stripped = text.strip()
        if (number := whole_number(stripped)) is None:
            raise ValueError(f"{self.display_name} must be {self.allowed}, got {shortened(stripped)}")
        return self.check(number, got=_cut(stripped))


class RealField(Field, frozen=True, kw_only=True):
    """A finite number greater than ``above``; ``slider`` gives the ends of its slider."""

    above: float
    slider: tuple[float, float]
    logarithmic: bool = False

    kind: ClassVar[str] = "real"

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        return f"a finite number > {self.above:g}"

    def check(self, value: Any, got: str | None = None) -> float:
        """The value as float. TypeError for anything but a number, ValueError if infinite or out of bounds."""
        if isinstance(value, bool) or not isinstance(value, Real):
            quoted = got or f"{shortened(value)} ({type(value).__name__})"
            raise TypeError(f"{self.display_name} must be a number, got {quoted}")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number) or number <= self.above:
            raise ValueError(f"{self.display_name} must be {self.allowed}, got {got or shortened(value)}")
        return number

    def parse(self, text: str) -> float:
        """The number that is written in the text; ValueError with a sentence for anything else."""
        stripped = text.strip()
        try:
            number = float(stripped.replace("_", "?"))  # Python's 4_096, which other programs do not read
        except ValueError:
            raise ValueError(f"{self.display_name} must be {self.allowed}, got {shortened(stripped)}") from None
        return self.check(number, got=_cut(stripped))

    def format(self, value: float) -> str:
        """The shortest text that gives the same number again."""
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


class ChoiceField(Field, frozen=True, kw_only=True):
    """One of a few named values; ``choices`` maps each value to the words that explain it."""

    choices: tuple[tuple[str, str], ...]

    kind: ClassVar[str] = "choice"

    @property
    def values(self) -> tuple[str, ...]:
        """The allowed values, in the order to offer them."""
        return tuple(value for value, _ in self.choices)

    @property
    def allowed(self) -> str:
        """The values in words."""
        *first, last = self.values
        return f"{', '.join(first)} or {last}" if first else last

    def check(self, value: Any, got: str | None = None) -> str:
        """The value; ValueError for one that is not among the choices."""
        if not isinstance(value, str) or value not in self.values:
            raise ValueError(f"{self.display_name} must be {self.allowed}, got {got or shortened(value)}")
        return value

    def parse(self, text: str) -> str:
        """The choice named in the text, whatever its case."""
        return self.check(text.strip().lower(), got=shortened(text))


class FlagField(Field, frozen=True, kw_only=True):
    """Yes or no."""

    kind: ClassVar[str] = "flag"

    @property
    def allowed(self) -> str:
        """The values in words."""
        return "true or false"

    def check(self, value: Any, got: str | None = None) -> bool:
        """The value; TypeError for anything but a bool."""
        if not isinstance(value, bool):
            raise TypeError(f"{self.display_name} must be true or false, got {got or shortened(value)}")
        return value

    def parse(self, text: str) -> bool:
        """The truth value that is written in the text: true/false, yes/no, on/off, 1/0."""
        word = text.strip().lower()
        if word in ("true", "yes", "on", "1"):
            return True
        if word in ("false", "no", "off", "0"):
            return False
        raise ValueError(f"{self.display_name} must be true or false, got {shortened(text)}")

    def format(self, value: bool) -> str:
        """The word for the value."""
        return "true" if value else "false"


class TextField(Field, frozen=True, kw_only=True):
    """Any text of Unicode characters up to ``maximum`` characters long."""

    maximum: int

    kind: ClassVar[str] = "text"

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        return f"any text of at most {self.maximum} characters"

    def check(self, value: Any, got: str | None = None) -> str:
        """The text; TypeError if it is none, ValueError if it is too long or holds half a character or a NUL."""
        if not isinstance(value, str):
            raise TypeError(f"{self.display_name} must be a text, got {shortened(value)}")
        if len(value) > self.maximum:
            raise ValueError(f"{self.display_name} must be at most {self.maximum} characters long, got {len(value)}")
        try:
            value.encode("utf-8")
        except UnicodeEncodeError as error:
            code = f"U+{ord(value[error.start]):04X}"
            raise ValueError(
                f"{self.display_name} holds half of a character (the lone surrogate {code} at character "
                f"{error.start}); delete it, or type the character again"
            ) from None
        if "\0" in value:
            nul = f"a NUL (U+0000) at character {value.index(chr(0))}"
            raise ValueError(f"{self.display_name} holds {nul}, which cannot be shown; delete it")
        return value

    def parse(self, text: str) -> str:
        """The text itself, checked."""
        return self.check(text)


def shortened(value: Any) -> str:
    """The value as a sentence quotes it, cut where it would fill the window; a text in quotes."""
    if isinstance(value, str):
        return _cut(repr(value[:40])) if value else "nothing"
    if isinstance(value, int) and abs(value) >= 10**30:
        return f"a number of {len(str(abs(value))) if abs(value) < 10**4000 else 'over 4000'} digits"
    try:
        return _cut(repr(value))
    except ValueError:  # Python refuses to write out integers of more than 4300 digits, in a list as well
        return f"a {type(value).__name__}"


def one_line(text: str) -> str:
    """The text with every character that is no printable one, such as a line break, as its escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _cut(text: str) -> str:
    return text if len(text) <= 32 else f"{text[:29]}..."
