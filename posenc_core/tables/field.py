"""The parameter that holds a table of learned numbers: the trained one, random ones, or a file's.

A session names a file's table and does not hold it, and no session makes the program open a file: what it names must
be among the tables that the caller has opened.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

from posenc_core.fields import D_MODEL, TABLE_SEED, ChoiceField, Field, IntegerField, PartField, decode_json, shortened
from posenc_core.tables.array_table import ArrayTable
from posenc_core.tables.table import SimulatedTable, Table
from posenc_core.tables.table_files import open_table

TRAINED, UNTRAINED, FILE = "trained", "untrained", "file"

_DEVIATION = 0.02
"""Of the numbers that models start from: ``initializer_range`` in GPT-2 and BERT."""

N_ROWS = IntegerField(
    name="n_rows",
    label="&rows",
    help="Number of positions that have a vector.",
    default=512,
    minimum=1,
    maximum=10_000_000,
    unit="rows",
    synonyms="max_position_embeddings, n_positions, n_ctx",
)

_SIZE = (N_ROWS, D_MODEL)

_INSTALLED = Path(__file__).parents[1] / "resources" / "tables"
_CHECKOUT = Path(__file__).parents[2] / "resources" / "tables"


class MissingTableError(ValueError):
    """The parameters name a file's table that is not open."""


class HeldDigest(str):
    """A table's digest that has the table with it: in parameters it stands for the table, in a session for itself."""

    table: ArrayTable

    @classmethod
    def of(cls, table: ArrayTable) -> "HeldDigest":
        """The digest of this table."""
        digest = cls(table.digest)
        digest.table = table
        return digest


@dataclass(frozen=True)
class TrainedTable(ArrayTable):
    """The table that travels with the program."""


@cache
def trained_table() -> TrainedTable:
    """The table, and in its label what it was trained on; ValueError with one sentence where its files are damaged."""
    folder = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
    opened = open_table(folder / "trained.npy")
    told = decode_json((folder / "trained.json").read_bytes(), "trained.json")
    label = f"trained here ({told['what']}, seed {told['settings']['seed']})"
    return TrainedTable(label, opened.digest, opened.entries, origin=opened.origin)


def untrained_table(n_rows: int, d_model: int, table_seed: int = 0) -> SimulatedTable:
    """Normal numbers of deviation 0.02; errors as the fields'."""
    size = N_ROWS.check(n_rows), D_MODEL.check(d_model)
    return SimulatedTable(TABLE_SEED.check(table_seed), "learned table", *size, _DEVIATION, "untrained")


class TableField(PartField, frozen=True, kw_only=True):
    """A table; a text is taken for the file to open, and anything else for an array."""

    @property
    def choice(self) -> ChoiceField:
        """Where the numbers come from."""
        return self._choice("opened with File > Open table")

    def _choice(self, file: str) -> ChoiceField:
        return ChoiceField(
            name=self.name,
            label=self.label,
            help=self.help,
            default=TRAINED,
            synonyms=self.synonyms,
            choices=((TRAINED, "a small table, trained here"), (UNTRAINED, "random numbers"), (FILE, file)),
        )

    def fields_of(self, choice: str) -> tuple[Field, ...]:
        """Size and seed of an untrained table; the others are as they are."""
        return (*_SIZE, TABLE_SEED) if choice == UNTRAINED else ()

    def visible_fields(self, parameters: Mapping[str, Any]) -> tuple[Field, ...]:
        """The choice, in which a file's table is named, then the fields of what is chosen."""
        choice, *others = super().visible_fields(parameters)
        held = parameters.get("table_digest")
        return (self._choice(held.table.label) if isinstance(held, HeldDigest) else choice, *others)

    def from_parameters(self, parameters: Mapping[str, Any]) -> Table:
        """The table that the parameters give; MissingTableError for one of a file that is not open."""
        choice = self.choice.check(parameters.get(self.name, self.choice.default))
        return _held(parameters) if choice == FILE else self.make_part(choice, self._own(choice, parameters))

    def _own(self, choice: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        return {field.name: parameters.get(field.name, field.default) for field in self.fields_of(choice)}

    def make_part(self, choice: str, parameters: Mapping[str, Any]) -> Table:
        """The trained table, or the untrained one of these parameters."""
        return untrained_table(**parameters) if choice == UNTRAINED else trained_table()

    def flat(self, value: Table) -> dict[str, Any]:
        """The kind of table and its size, the seed of an untrained one, name and digest of one from a file."""
        size = dict(zip((field.name for field in _SIZE), value.shape, strict=True))
        if isinstance(value, SimulatedTable):
            return {self.name: UNTRAINED, **size, TABLE_SEED.name: value.seed}
        if isinstance(value, TrainedTable) or not isinstance(value, ArrayTable):
            return {self.name: TRAINED, **size}
        return {self.name: FILE, **size, "table_name": value.label, "table_digest": HeldDigest.of(value)}

    @property
    def allowed(self) -> str:
        """What may be given."""
        return "trained, untrained, the path of a .npy or .safetensors file, or an array"

    def check(self, value: Any, got: str | None = None) -> Table:
        """The table; ValueError with one sentence for what is none."""
        if isinstance(value, Table):
            return value
        if isinstance(value, str | PathLike):
            return self._named(str(value))
        return ArrayTable.of(value)

    def _named(self, text: str) -> Table:
        """The table of that kind, or of that file."""
        return self.make_part(text, self._own(text, {})) if text in (TRAINED, UNTRAINED) else open_table(Path(text))

    def parse(self, text: str) -> Table:
        """The table that the text names by its kind; ValueError for a file's, which is opened and not typed."""
        return self.from_parameters({self.name: self.choice.parse(text)})


def _held(parameters: Mapping[str, Any]) -> ArrayTable:
    """The table that the digest stands for; MissingTableError where it stands for itself alone."""
    digest = parameters.get("table_digest")
    if isinstance(digest, HeldDigest):
        return digest.table
    if digest is None:
        raise MissingTableError("no file's table is open; open one with File > Open table, or with --table FILE")
    named = shortened(parameters.get("table_name"))
    size = " x ".join(shortened(parameters.get(field.name)) for field in _SIZE)
    raise MissingTableError(
        f"this session shows the table {named} ({size}), which a session does not hold; open that table first"
    )


WEIGHTS = TableField(
    name="weights",
    label="&weights",
    help="Whose numbers these are.",
    default=TRAINED,
    synonyms="wpe (GPT-2), position_embeddings (BERT), embed_positions (BART)",
)
