"""The export command's flags for the document: one per field, made from the fields of all families."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from posenc_core import ENCODINGS, Document, Encoding
from posenc_core.encodings import GRID, ParametersField
from posenc_core.fields import (
    ChoiceField,
    ChoicesField,
    Field,
    FlagField,
    NumbersField,
    OptionalField,
    PartField,
    TextField,
    shortened,
)
from posenc_core.session import FAMILY
from posenc_gui.cli.parser import CommandParser
from posenc_gui.panels import panel_options

_FEW = 4
"""Up to this number, the choices are shown beside the flag; otherwise its help names them."""

_PREFIX = "field "
"""Prefix of a field's name among the parsed arguments, which separates fields from other options."""

_Group: TypeAlias = tuple[argparse._ArgumentGroup, tuple[Field, ...], dict[str, str]]
"""A group of flags, the fields that it is about, and the values of fields that make it so."""


def flag(name: str) -> str:
    """The flag of a field: ``--d-model`` for ``d_model``."""
    return "--" + name.replace("_", "-")


def add_field_flags(parser: CommandParser) -> dict[str, Field]:
    """Add a flag for every field, in one group per family; returns the fields by name. The help is written on demand.

    A parameter of a family from elsewhere has no flag if an option of the command has its name.
    """
    known: dict[str, Field] = {}
    groups = [(parser.add_argument_group(title), fields, given) for title, fields, given in _groups()]
    for group, fields, _ in groups:
        for field in fields:
            if field.name not in known and not _flags(field) & parser.flags.keys():
                known[field.name] = field
                _add_flag(group, field)
    parser.explanations.append(partial(_explain, parser, known, groups))
    return known


def _explain(parser: CommandParser, known: Mapping[str, Field], groups: Sequence[_Group]) -> None:
    """Write the help of the flags, with bounds and defaults, and which flags of earlier groups a group has too."""
    told: dict[str, str] = {}
    for group, fields, given in groups:
        defaults = _defaults(fields, given)
        shared = [each.name for each in fields if each.name in told]
        words = (
            flag(name) if defaults[name] == told[name] else f"{flag(name)} (default {defaults[name]})"
            for name in shared
        )
        group.description = f"as above: {', '.join(words)}" if shared else None
        for field in fields:
            if field.name in known and field.name not in told:
                told[field.name] = defaults[field.name]
                parser.flags[flag(field.name)].help = _help(field, defaults[field.name])


def _flags(field: Field) -> set[str]:
    """The flags of a field; one of another program's may be an option of the command, as ``--scale`` is."""
    return {flag(field.name), flag("no_" + field.name)} if isinstance(field, FlagField) else {flag(field.name)}


def _groups() -> Iterator[tuple[str, tuple[Field, ...], dict[str, str]]]:
    """Titles with the fields of every document, of each family, and of each kind of a family's part.

    The last member has the flags of the group by field.
    """
    start = Document()
    own = {field.name for field in start.OWN_FIELDS}
    everywhere = (*start.OWN_FIELDS, FAMILY, *start.embedding.FIELDS, *start.view.FIELDS, *_options())
    yield "the document (applied after --session, --preset and --config)", everywhere, {}
    for name, kind in ENCODINGS.items():
        given = {FAMILY.name: name}
        parts = [field for field in kind.FIELDS if isinstance(field, PartField)]
        plain = tuple(field.choice if isinstance(field, PartField) else field for field in kind.FIELDS)
        yield f"{flag(FAMILY.name)} {name}", tuple(field for field in plain if field.name not in own), given
        for part in parts:
            for choice in part.choice.values:
                fields = tuple(field for field in part.fields_of(choice) if field.name not in own)
                if fields:
                    title = f"{flag(FAMILY.name)} {name} {flag(part.name)} {choice}"
                    yield title, fields, {**given, part.name: choice}


def _defaults(fields: tuple[Field, ...], given: Mapping[str, str]) -> dict[str, str]:
    """The texts of the fields' values in a document with only these values given."""
    try:
        document = with_fields(Document(), given)
    except ValueError:  # a part with required parameters, such as a list of factors
        document = Document()
    has = {field.name for field in document.fields}
    return {each.name: each.format(document.value(each.name) if each.name in has else each.default) for each in fields}


def _add_flag(group: Any, field: Field) -> None:
    dest = _PREFIX + field.name
    if isinstance(field, FlagField):
        opposite = f"the opposite of {flag(field.name)}"
        group.add_argument(flag(field.name), action="store_const", const="true", dest=dest)
        group.add_argument(flag("no_" + field.name), action="store_const", const="false", dest=dest, help=opposite)
    elif isinstance(field, ParametersField):
        group.add_argument(flag(field.name), action="append", metavar="NAME=N", dest=dest)
    else:
        group.add_argument(flag(field.name), metavar=_metavar(field), dest=dest)


def given_fields(arguments: argparse.Namespace) -> dict[str, str]:
    """The texts that were given for fields, by the fields' names; ValueError for a parameter without a number."""
    found: dict[str, str] = {}
    for name, value in vars(arguments).items():
        if name.startswith(_PREFIX) and isinstance(value, list):
            found |= dict(_parameter(name.removeprefix(_PREFIX), each) for each in value)
        elif name.startswith(_PREFIX) and value is not None:
            found[name.removeprefix(_PREFIX)] = value
    return found


def _parameter(flag_name: str, text: str) -> tuple[str, str]:
    """The name and the text of a field for ``alpha=0.5``."""
    name, sign, number = text.partition("=")
    if not (sign and name.strip()):
        raise ValueError(f"{flag(flag_name)} must be a name and a number, such as alpha=0.5, got {shortened(text)}")
    return f"{flag_name} {name.strip()}", number


def with_fields(document: Document, given: Mapping[str, str]) -> Document:
    """The document with the given values; ValueError with one sentence for a wrong value.

    The family is set first, then all its parameters at once, so that the order of the flags does not matter.
    """
    family = FAMILY.parse(given[FAMILY.name]) if FAMILY.name in given else document.encoding.family
    kind = ENCODINGS[family]
    parsed = _parsed(document.OWN_FIELDS, given)
    if GRID.name in parsed:
        document = document.edited(GRID.name, parsed.pop(GRID.name))
    document = replace(document, **parsed)
    own = {field.name: getattr(document, field.name) for field in document.OWN_FIELDS}
    kept = {**document.encoding.parameters(), **own}
    kept, given = _with_parts(kind, kept, given)
    fields = kind.fields_for({**kept, **given})
    if family != document.encoding.family or any(field.name in given for field in fields):
        document = document.with_encoding(kind.from_parameters({**kept, **_parsed(fields, given)}))
    _check_all_known(document, given)
    embedding = replace(document.embedding, **_parsed(document.embedding.FIELDS, given))
    view = replace(document.view, **_parsed(document.view.FIELDS, given))
    document = replace(document, embedding=embedding, view=view)
    for name, value in _parsed(_options(), given).items():
        document = document.edited(name, value)
    return document


def _options() -> tuple[Field, ...]:
    """The options of all panels."""
    return tuple(field for fields in panel_options().values() for field in fields)


def _parsed(fields: tuple[Field, ...], given: Mapping[str, str]) -> dict[str, Any]:
    return {field.name: field.parse(given[field.name]) for field in fields if field.name in given}


def _with_parts(
    kind: type[Encoding], kept: Mapping[str, Any], given: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Both mappings, with each part that is given as a file rather than as a kind moved to the first one."""
    made, left = dict(kept), dict(given)
    for field in kind.FIELDS:
        if not isinstance(field, PartField) or field.name not in given:
            continue
        text = given[field.name]
        if text.strip().lower() not in field.choice.values:
            try:
                made |= field.flat(field.check(text))
            except TypeError:
                field.choice.parse(text)  # its error lists the kinds
                raise
            del left[field.name]
    return made, left


def _check_all_known(document: Document, given: Mapping[str, str]) -> None:
    """ValueError with one sentence for a parameter that the family does not have."""
    strange = given.keys() - {field.name for field in document.fields}
    if strange:
        known = ", ".join(flag(field.name) for field in document.encoding.fields)
        raise ValueError(f"the family {document.encoding.family} has no parameter {flag(min(strange))}; it has {known}")


def _metavar(field: Field) -> str:
    if isinstance(field, OptionalField):
        return f"{_metavar(field.of)}|{field.format(None)}"
    if isinstance(field, ChoiceField):
        return "|".join(field.values) if len(field.values) <= _FEW else "NAME"
    if isinstance(field, NumbersField):
        return "N,N,..."
    if isinstance(field, ChoicesField):
        return "NAME,NAME,..."
    return "TEXT" if isinstance(field, TextField) else "N"


def _help(field: Field, default: str) -> str:
    """The field's help, bounds, unit and default, with percent signs doubled as argparse requires."""
    if isinstance(field, ParametersField):
        return field.help
    unit = f" ({field.unit})" if field.unit else ""
    told_already = isinstance(field, FlagField) or (isinstance(field, ChoiceField) and len(field.values) <= _FEW)
    bounds = "" if told_already else f"{field.allowed}{unit}; "
    shown = repr(default) if isinstance(field, TextField) else default
    return f"{field.help} [{bounds}default {shown or 'nothing'}]".replace("%", "%%")
