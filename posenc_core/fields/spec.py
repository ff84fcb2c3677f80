"""Values that are described by their fields: encodings, scalings, embeddings and views, and fields with such values."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from inspect import get_annotations
from typing import Any, ClassVar, Self, TypeVar

from posenc_core.fields.field import ChoiceField, Field, shortened

Made = TypeVar("Made")


class MissingFileError(ValueError):
    """A named file is not open: sessions name tables and tokenizers without their content."""


class MissingEncodingError(MissingFileError):
    """A named encoding belongs to a package or a Python file that is not open."""


class NoSessionError(ValueError):
    """A file or text is no session at all, unlike a session that is damaged."""


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Spec:
    """A frozen, comparable value with its parameters checked.

    A subclass is a frozen dataclass whose dataclass fields are its ``FIELDS``, in that order: given as such, or each
    in the annotation of its parameter, as in ``base: Annotated[float, BASE]``.
    """

    FIELDS: ClassVar[tuple[Field, ...]]

    def __init_subclass__(cls, **keywords: Any) -> None:
        """Collect the fields from annotations, those of base classes first, unless they are given."""
        super().__init_subclass__(**keywords)
        own = {
            name: part
            for name, each in get_annotations(cls).items()
            for part in getattr(each, "__metadata__", ())
            if isinstance(part, Field)
        }
        if own and "FIELDS" not in vars(cls):
            names = dict.fromkeys(name for base in reversed(cls.__mro__) for name in get_annotations(base))
            fields = {field.name: field for field in getattr(cls, "FIELDS", ())} | own  # a new default keeps its field
            cls.FIELDS = tuple(fields[name] for name in names if name in fields)

    def __post_init__(self) -> None:
        """Check every parameter and make it canonical."""
        check_all(self, self.FIELDS)

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> Self:
        """The value with these parameters by name; omitted ones have their defaults, others are ignored."""
        return cls(**{field.name: field.from_parameters(parameters) for field in cls.FIELDS})

    @classmethod
    def fields_for(cls, parameters: Mapping[str, Any]) -> tuple[Field, ...]:
        """The fields to edit while the parameters have these values; a part shows its own fields."""
        return tuple(visible for field in cls.FIELDS for visible in field.visible_fields(parameters))

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields to edit now."""
        return self.fields_for(self.parameters())

    def parameters(self) -> dict[str, Any]:
        """The parameters by name, as in session files and captions."""
        flat: dict[str, Any] = {}
        for field in self.FIELDS:
            flat |= field.flat(getattr(self, field.name))
        return flat

    def edited(self, name: str, value: Any) -> Self:
        """The value with one parameter changed; errors as the field's, KeyError for an unknown name."""
        for field in self.FIELDS:
            current = field.flat(getattr(self, field.name))
            if name in current:
                return replace(self, **{field.name: field.edited_in(current, name, value)})
        raise KeyError(name)


NO_PART = "none"
"""The choice of no part."""


class PartField(Field, frozen=True, kw_only=True):
    """A parameter that is a Spec of one of several kinds, edited as the choice of its kind and that kind's fields.

    Sessions, editors and the command line show the choice and the fields of the chosen kind beside the other
    parameters, each by its own name.
    """

    kind: ClassVar[str] = "part"

    @property
    def choice(self) -> ChoiceField:
        """The choice among the kinds, which may have ``none`` beside them."""
        raise NotImplementedError

    def kind_named(self, name: str) -> type[Spec]:
        """The kind of that name in the choice."""
        raise NotImplementedError

    def fields_of(self, choice: str) -> tuple[Field, ...]:
        """The fields of the kind of that name."""
        return () if choice == NO_PART else self.kind_named(choice).FIELDS

    def make_part(self, choice: str, parameters: Mapping[str, Any]) -> Any:
        """The part of that kind with these parameters."""
        return None if choice == NO_PART else self.kind_named(choice)(**parameters)

    def visible_fields(self, parameters: Mapping[str, Any]) -> tuple[Field, ...]:
        """The choice, then the fields of the chosen kind."""
        choice = self.choice
        return (choice, *self.fields_of(choice.parse(str(parameters.get(self.name, choice.default)))))

    def every(self) -> tuple[Field, ...]:
        """The choice, then the fields of all kinds."""
        choice = self.choice
        return (choice, *(field for name in choice.values for field in self.fields_of(name)))

    def from_parameters(self, parameters: Mapping[str, Any]) -> Any:
        """The part made from the choice and the parameters; errors as the kind's own."""
        choice = self.choice.check(parameters.get(self.name, self.choice.default))
        own = {field.name: field.from_parameters(parameters) for field in self.fields_of(choice)}
        return self.make_part(choice, own)

    def edited_in(self, parameters: Mapping[str, Any], name: str, value: Any) -> Any:
        """As for every field; a part of another kind keeps the parameters that both have and the new one accepts."""
        if name != self.name:
            return super().edited_in(parameters, name, value)
        choice = self.choice.check(value)
        names = (field.name for field in self.fields_of(choice))
        shared = {each: parameters[each] for each in names if each in parameters}
        return made_from_accepted(self.from_parameters, {name: choice}, shared)


class Kind(Spec):
    """A part of a kind with a ``name``; ``source`` has further words on its kind."""

    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str] = ""


class KindField(PartField, frozen=True, kw_only=True):
    """A part of one of ``kinds``, or None if ``none`` has the words and the title of that choice."""

    kinds: tuple[type[Kind], ...]
    none: tuple[str, str] | None = None

    @property
    def choice(self) -> ChoiceField:
        """A kind by its name, or none."""
        listed = [(kind.name, kind.source or kind.title, kind.title) for kind in self.kinds]
        listed = [(NO_PART, *self.none), *listed] if self.none else listed
        choices, titles = tuple((name, words) for name, words, _ in listed), tuple(title for *_, title in listed)
        return ChoiceField(
            name=self.name, label=self.label, help=self.help, default=listed[0][0], choices=choices, titles=titles
        )

    def kind_named(self, name: str) -> type[Kind]:
        """The kind of that name."""
        return next(kind for kind in self.kinds if kind.name == name)

    def flat(self, value: Kind | None) -> dict[str, Any]:
        """The name of the kind, and the part's parameters."""
        return {self.name: NO_PART} if value is None else {self.name: value.name, **value.parameters()}

    def check(self, value: Any, got: str | None = None) -> Kind | None:
        """The value; TypeError unless it is of a kind."""
        if isinstance(value, self.kinds) or (value is None and self.none):
            return value
        known = ", ".join(kind.__name__ for kind in self.kinds)
        allowed = f"{'None or ' if self.none else ''}one of {known}"
        raise TypeError(f"{self.display_name} must be {allowed}, got {got or shortened(value)}")


def check_all(value: Any, fields: Iterable[Field]) -> None:
    """Check the attributes of a frozen dataclass that the fields describe, and make them canonical."""
    for field in fields:
        object.__setattr__(value, field.name, field.check(getattr(value, field.name)))


def made_from_accepted(
    make: Callable[[Mapping[str, Any]], Made], required: Mapping[str, Any], wanted: Mapping[str, Any]
) -> Made:
    """The result of ``make`` for the required parameters and all wanted ones that it accepts."""
    with suppress(TypeError, ValueError):
        return make({**wanted, **required})
    kept = dict(required)
    made = make(kept)
    for name in wanted:  # one by one: an odd width may be refused while the base beside it is accepted
        with suppress(TypeError, ValueError):
            made = make({**kept, name: wanted[name]})
            kept[name] = wanted[name]
    return made
