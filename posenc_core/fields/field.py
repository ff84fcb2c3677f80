"""One description of every parameter: its name, label, unit, bounds, step, scale and help.

Editors, checks, command line flags and property tests are all made from these descriptions.
"""

import re
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import force_setattr

_LONG = re.compile(r"(?<![\w.])-?\d{4,}(?![\w.])")
"""A whole number of four digits or more."""


class Field(Struct, frozen=True, kw_only=True):
    """The description of one parameter of any kind.

    ``display_name`` is the name in sentences, ``spoken`` if it is given (``base (rope_theta)``). ``synonyms`` are
    the names that other programs and papers use. ``unit`` is the unit of the parameter, in the plural.
    ``label`` is by default the name with its first letter as the mnemonic, ``short`` the label where the whole one has
    no room, if it is given.
    Each kind has its ``bounds`` in words, in which ``{0.maximum}`` is replaced by the field's own value.
    """

    name: str
    label: str = ""
    help: str
    default: Any
    unit: str = ""
    spoken: str = ""
    synonyms: str = ""
    short: str = ""

    kind: ClassVar[str]
    bounds: ClassVar[str]

    def __post_init__(self) -> None:
        """Label the field by its name where no label is given."""
        force_setattr(self, "label", self.label or f"&{self.name}")

    @property
    def display_name(self) -> str:
        """The name for a sentence."""
        return self.spoken or self.name

    @property
    def allowed(self) -> str:
        """The values that are allowed, in words."""
        return self.bounds.format(self)

    def check(self, value: Any, got: str | None = None) -> Any:
        """The value in its canonical form; raises TypeError or ValueError with one sentence.

        ``got`` is quoted in the sentence in place of the value, for a value that was read from a text.
        """
        raise NotImplementedError

    def parse(self, text: str) -> Any:
        """The value of a typed text; raises ValueError with one sentence."""
        raise NotImplementedError

    def format(self, value: Any) -> str:
        """The text to type for a value: ``parse(format(value)) == value``."""
        return str(value)

    def visible_fields(self, parameters: Mapping[str, Any]) -> tuple["Field", ...]:
        """The fields to edit while the parameters have these values: the field itself, unless its value is a part."""
        return (self,)

    def every(self) -> tuple["Field", ...]:
        """The fields to edit for all values."""
        return (self,)

    def flat(self, value: Any) -> dict[str, Any]:
        """The value as parameters by name, the inverse of ``from_parameters``."""
        return {self.name: value}

    def from_parameters(self, parameters: Mapping[str, Any]) -> Any:
        """The value in the parameters by name, or the default."""
        return parameters.get(self.name, self.default)

    def edited_in(self, parameters: Mapping[str, Any], name: str, value: Any) -> Any:
        """The value in the parameters after a change of the one with that name."""
        return self.from_parameters({**parameters, name: value})

    @property
    def tool_tip(self) -> str:
        """Help, bounds with grouped digits and the unit, and synonyms, a line each."""
        unit = f" ({self.unit})" if self.unit else ""
        allowed = _LONG.sub(lambda found: f"{int(found[0]):,}".replace("-", "−"), self.allowed)
        also = f"\nAlso called: {self.synonyms}" if self.synonyms else ""
        return f"{self.help}\nAllowed: {allowed}{unit}{also}"

    def refusal(self, value: Any, got: str | None = None) -> str:
        """The sentence for a value outside the bounds, which quotes ``got`` or the value."""
        return f"{self.display_name} must be {self.allowed}, got {got or shortened(value)}"


class ChoiceField(Field, frozen=True, kw_only=True):
    """One of a few named values; ``choices`` pairs each value with its explanation.

    ``titles`` are the values' names in editors, in the order of ``choices``; by default the values themselves.
    ``headings`` are the groups of the values, under which editors list them. All may be ``Asked``
    sequences, of kinds that are registered later.
    """

    choices: Sequence[tuple[str, str]]
    titles: Sequence[str] = ()
    headings: Sequence[str] = ()

    kind: ClassVar[str] = "choice"

    @property
    def values(self) -> tuple[str, ...]:
        """The allowed values, in the order to offer them."""
        return tuple(value for value, _ in self.choices)

    @property
    def allowed(self) -> str:
        """The values in words, with semicolons between values that contain commas."""
        *first, last = self.values
        return f"{('; ' if ',' in ''.join(first) else ', ').join(first)} or {last}" if first else last

    def check(self, value: Any, got: str | None = None) -> str:
        """The value; ValueError for one that is not among the choices."""
        if not isinstance(value, str) or value not in self.values:
            raise ValueError(self.refusal(value, got))
        return value

    def parse(self, text: str) -> str:
        """The choice that the text names, in upper or lower case."""
        return self.check(text.strip().lower(), got=shortened(text))


class ChoicesField(Field, frozen=True, kw_only=True):
    """Any of a few named values, kept as a tuple in the order of ``choices``, which pairs each with its explanation."""

    choices: Sequence[tuple[str, str]]

    kind: ClassVar[str] = "choices"

    @property
    def values(self) -> tuple[str, ...]:
        """The values to choose from, in the order to offer them."""
        return tuple(value for value, _ in self.choices)

    @property
    def allowed(self) -> str:
        """The values in words."""
        return f"none, or any of {', '.join(self.values)}"

    def check(self, value: Any, got: str | None = None) -> tuple[str, ...]:
        """The values, each once; TypeError unless it is a list, ValueError for one that is not among the choices."""
        if not isinstance(value, list | tuple):
            raise TypeError(self.refusal(value, got))
        if tuple(value) == self.default:  # the usual case, in which none of the kinds is loaded
            return tuple(value)
        if not all(isinstance(each, str) and each in self.values for each in value):
            raise ValueError(self.refusal(value, got))
        return tuple(each for each in self.values if each in value)

    def parse(self, text: str) -> tuple[str, ...]:
        """The values that the text lists with commas or blanks between them; none for ``none`` or an empty text."""
        words = text.lower().replace(",", " ").split()
        return self.check([] if words == ["none"] else words, got=shortened(text))

    def format(self, value: tuple[str, ...]) -> str:
        """The values with commas between them."""
        return ", ".join(value) or "none"


class SignField(ChoiceField, frozen=True, kw_only=True):
    """1 or -1, kept as int; ``choices`` explains ``1`` and ``-1``."""

    def check(self, value: Any, got: str | None = None) -> int:  # type: ignore[override]
        """The sign; TypeError unless it is an integer, ValueError for another one."""
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise TypeError(self.refusal(value, got))
        if value not in (1, -1):
            raise ValueError(self.refusal(value, got))
        return int(value)

    def parse(self, text: str) -> int:  # type: ignore[override]
        """The sign in the text: 1, +1 or -1."""
        stripped = text.strip()
        if stripped.removeprefix("+") not in self.values or stripped == "+-1":
            raise ValueError(self.refusal(stripped))
        return int(stripped)


class FlagField(Field, frozen=True, kw_only=True):
    """A truth value."""

    kind: ClassVar[str] = "flag"
    bounds: ClassVar[str] = "true or false"

    def check(self, value: Any, got: str | None = None) -> bool:
        """The value; TypeError unless it is a bool."""
        if not isinstance(value, bool):
            raise TypeError(self.refusal(value, got))
        return value

    def parse(self, text: str) -> bool:
        """The truth value of the text: true/false, yes/no, on/off, 1/0."""
        word = text.strip().lower()
        if word in ("true", "yes", "on", "1"):
            return True
        if word in ("false", "no", "off", "0"):
            return False
        raise ValueError(self.refusal(text))

    def format(self, value: bool) -> str:
        """The word for the value."""
        return "true" if value else "false"


class TextField(Field, frozen=True, kw_only=True):
    """A text of at most ``maximum`` Unicode characters."""

    maximum: int

    kind: ClassVar[str] = "text"
    bounds: ClassVar[str] = "any text of at most {0.maximum} characters"

    def check(self, value: Any, got: str | None = None) -> str:
        """The text; TypeError unless it is a str, ValueError if it is too long or has a lone surrogate or a NUL."""
        if not isinstance(value, str):
            raise TypeError(f"{self.display_name} must be a text, got {shortened(value)}")
        if len(value) > self.maximum:
            raise ValueError(f"{self.display_name} must be at most {self.maximum} characters long, got {len(value)}")
        try:
            value.encode("utf-8")
        except UnicodeEncodeError as error:
            code = f"U+{ord(value[error.start]):04X}"
            raise ValueError(
                f"{self.display_name} contains half of a character (the lone surrogate {code} at character "
                f"{error.start}); delete it, or type the character again"
            ) from None
        if "\0" in value:
            nul = f"a NUL (U+0000) at character {value.index(chr(0))}"
            raise ValueError(f"{self.display_name} contains {nul}, which cannot be shown; delete it")
        return value

    def parse(self, text: str) -> str:
        """The text itself, checked."""
        return self.check(text)


class OptionalField(Field, frozen=True, kw_only=True):
    """A value of the field ``of``, or None, which is typed as ``none`` or as an empty text."""

    of: Field

    kind: ClassVar[str] = "optional"
    bounds: ClassVar[str] = "{0.of.allowed}, or none"

    def check(self, value: Any, got: str | None = None) -> Any:
        """None, or the value that the other field has checked; errors as there."""
        return None if value is None else self.of.check(value, got)

    def parse(self, text: str) -> Any:
        """None for ``none`` or an empty text, else the value that the other field reads."""
        return None if text.strip().lower() in ("", "none") else self.of.parse(text)

    def format(self, value: Any) -> str:
        """The text to type for a value."""
        return "none" if value is None else self.of.format(value)


def optional(field: Field) -> OptionalField:
    """The field with None allowed, and None as its default."""
    return OptionalField(
        name=field.name, label=field.label, help=field.help, default=None, unit=field.unit, spoken=field.spoken,
        synonyms=field.synonyms, short=field.short, of=field,
    )  # fmt: skip


def shortened(value: Any) -> str:
    """The value as quoted in a sentence, at most 32 characters long; texts have quotes."""
    if isinstance(value, str):
        return clipped(repr(value[:40])) if value else "nothing"
    if isinstance(value, int) and abs(value) >= 10**30:
        return f"a number of {len(str(abs(value))) if abs(value) < 10**4000 else 'over 4000'} digits"
    try:
        return clipped(repr(value))
    except ValueError:  # Python does not write integers of more than 4300 digits, nor lists that hold one
        return f"a {type(value).__name__}"


def one_line(text: str) -> str:
    """The text with an escape for each character that cannot be printed, such as a line break."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def clipped(text: str) -> str:
    """The text, cut to 32 characters."""
    return text if len(text) <= 32 else f"{text[:29]}..."
