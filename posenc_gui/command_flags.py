"""The export command's flags for the document: one for every field, so that a new field or family appears here."""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from posenc_core import ENCODINGS, Document
from posenc_core.document import FAMILY
from posenc_core.fields import ChoiceField, Field, FlagField, TextField

_PREFIX = "field "
"""Set before a field's name among the parsed arguments, where other options have names of their own."""


def flag(name: str) -> str:
    """The flag of a field: ``--d-model`` for ``d_model``."""
    return "--" + name.replace("_", "-")


def all_fields() -> dict[str, Field]:
    """Every field that some document has, by name."""
    fields = {field.name: field for field in Document().fields}
    for kind in ENCODINGS.values():
        for field in kind.FIELDS:
            for each in field.every():
                fields.setdefault(each.name, each)
    return fields


def add_field_flags(parser: argparse.ArgumentParser) -> None:
    """Give the parser a flag for every field, with its help, bounds and default."""
    group = parser.add_argument_group("what is shown (these come after --session, --preset and --config)")
    for name, field in all_fields().items():
        dest, told = _PREFIX + name, _help(field)
        if isinstance(field, FlagField):
            opposite = f"the opposite of {flag(name)}"
            group.add_argument(flag(name), action="store_const", const="true", dest=dest, help=told)
            group.add_argument(flag("no_" + name), action="store_const", const="false", dest=dest, help=opposite)
        else:
            group.add_argument(flag(name), metavar=_metavar(field), dest=dest, help=told)


def given_fields(arguments: argparse.Namespace) -> dict[str, str]:
    """The texts that were typed for fields, by the fields' names."""
    typed = {name: value for name, value in vars(arguments).items() if name.startswith(_PREFIX)}
    return {name.removeprefix(_PREFIX): value for name, value in typed.items() if value is not None}


def with_fields(document: Document, given: Mapping[str, str]) -> Document:
    """The document with the typed values; ValueError with one sentence for a bad one.

    The family is applied first and all parameters of a part at once, so that their order does not matter.
    """
    family = FAMILY.parse(given[FAMILY.name]) if FAMILY.name in given else document.encoding.family
    kind = ENCODINGS[family]
    document = replace(document, **_parsed(document.OWN_FIELDS, given))
    own = {field.name: getattr(document, field.name) for field in document.OWN_FIELDS}
    kept = {**document.encoding.parameters(), **own}
    fields = kind.fields_for({**kept, **given})
    if family != document.encoding.family or any(field.name in given for field in fields):
        document = document.with_encoding(kind.made({**kept, **_parsed(fields, given)}))
    _check_all_known(document, given)
    embedding = replace(document.embedding, **_parsed(document.embedding.FIELDS, given))
    view = replace(document.view, **_parsed(document.view.FIELDS, given))
    return replace(document, embedding=embedding, view=view)


def _parsed(fields: tuple[Field, ...], given: Mapping[str, str]) -> dict[str, Any]:
    return {field.name: field.parse(given[field.name]) for field in fields if field.name in given}


def _check_all_known(document: Document, given: Mapping[str, str]) -> None:
    """ValueError with one sentence for a parameter that only another family has."""
    strange = given.keys() - {field.name for field in document.fields}
    if strange:
        known = ", ".join(flag(field.name) for field in document.encoding.fields)
        raise ValueError(f"the family {document.encoding.family} has no parameter {flag(min(strange))}; it has {known}")


def _metavar(field: Field) -> str:
    if isinstance(field, ChoiceField):
        return "|".join(field.values)
    return "TEXT" if isinstance(field, TextField) else "N"


def _help(field: Field) -> str:
    """The field's help, bounds, unit and default; a percent sign would start one of argparse's own codes."""
    start = Document()
    has = any(field.name == each.name for each in start.fields)
    default = field.format(start.value(field.name) if has else field.default)
    unit = f" ({field.unit})" if field.unit else ""
    bounds = "" if isinstance(field, ChoiceField | FlagField) else f"{field.allowed}{unit}; "
    shown = repr(default) if isinstance(field, TextField) else default
    return f"{field.help} [{bounds}default {shown}]".replace("%", "%%")
