"""Options of panels: values for one panel each. Each panel registers the fields of its options.

The core imports no panel. Fields are requested when a value is checked, listed or written: nothing is loaded at start.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from posenc_core.fields import Field, shortened

PANELS = "panels"
"""The name of the part of a session."""

Offer = Callable[[], Mapping[str, tuple[Field, ...]]]
"""The fields of each panel with options, by the panel's name."""

_OFFERS: list[Offer] = []


def offer_options(offer: Offer) -> None:
    """Add panels whose options documents may have; ``offer`` is called each time the fields are needed."""
    _OFFERS.append(offer)


def offered_options() -> dict[str, tuple[Field, ...]]:
    """The fields of all panels with options, by the panel's name."""
    return {panel: fields for offer in _OFFERS for panel, fields in offer().items()}


def option_fields() -> Iterator[Field]:
    """The fields of all options of all panels."""
    return (field for fields in offered_options().values() for field in fields)


def option_named(name: str) -> Field:
    """The field of the option of that name; KeyError for an unknown one."""
    for field in option_fields():
        if field.name == name:
            return field
    raise KeyError(name)


class Options(Struct, frozen=True):
    """The options of all panels. ``changed`` has the names and values of those that differ from their defaults."""

    changed: tuple[tuple[str, Any], ...] = ()

    def value(self, field: Field) -> Any:
        """The value of an option."""
        for name, value in self.changed:  # no generator, as pictures ask for options often
            if name == field.name:
                return value
        return field.default

    def edited(self, field: Field, value: Any) -> "Options":
        """The options with one changed; errors as the field's."""
        value = field.check(value)
        kept = [each for each in self.changed if each[0] != field.name]
        return Options(tuple(sorted([*kept, (field.name, value)] if value != field.default else kept)))

    @classmethod
    def of_plain(cls, panels: Mapping[str, Any]) -> "Options":
        """The options of a session's part; unknown panels and fields are omitted. Errors as the fields'."""
        options = cls()
        for panel, fields in offered_options().items():
            stored = _object(panel, panels.get(panel, {}))
            for field in fields:
                if field.name in stored:
                    options = options.edited(field, stored[field.name])
        return options

    def plain(self) -> dict[str, dict[str, Any]]:
        """The part of a session: every option of every panel, so that a later default changes no stored picture."""
        offered = offered_options().items()
        return {panel: {field.name: self.value(field) for field in fields} for panel, fields in offered}


def _object(panel: str, stored: Any) -> Mapping[str, Any]:
    """The stored options of a panel; ValueError with one sentence for anything but an object."""
    if not isinstance(stored, dict):
        raise ValueError(f"the options of {panel} must be an object, got {shortened(stored)}")
    return stored
