"""An encoding as plain values, and back."""

from collections.abc import Mapping
from typing import Any

from posenc_core.encodings import ENCODINGS, Encoding, Sinusoidal
from posenc_core.fields import ChoiceField
from posenc_core.tables import ArrayTable, HeldDigest

FAMILY = ChoiceField(
    name="family",
    label="fa&mily",
    help="The kind of positional encoding.",
    default=Sinusoidal.family,
    choices=tuple((name, kind.title) for name, kind in ENCODINGS.items()),
    titles=tuple(kind.title for kind in ENCODINGS.values()),
)

Tables = Mapping[str, HeldDigest]
"""The tables that are open, by their digests: a stored encoding names its table and does not hold it."""


def plain_encoding(encoding: Encoding) -> dict[str, Any]:
    """The encoding's family and parameters as plain values."""
    return {FAMILY.name: encoding.family, **encoding.parameters()}


def encoding_of_plain(parameters: Mapping[str, Any], tables: Tables) -> Encoding:
    """The encoding of these values, with a default for each that is left out.

    MissingTableError for a table that is not open; TypeError or ValueError with one sentence for other wrong values.
    """
    kind = ENCODINGS[FAMILY.check(parameters.get(FAMILY.name, FAMILY.default))]
    texts = {name: value for name, value in parameters.items() if isinstance(value, str)}
    tables_of = {name: tables[value] for name, value in texts.items() if value in tables}
    return kind.from_parameters({**parameters, **tables_of})


def tables_shown(encoding: Encoding) -> tuple[ArrayTable, ...]:
    """The tables from files that the encoding shows."""
    held = encoding.parameters().values()
    return tuple(value.table for value in held if isinstance(value, HeldDigest))
