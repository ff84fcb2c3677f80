"""The parameter for a table of learned numbers: the trained table, random numbers, or a file's table.

A session names a file's table but does not contain it, and never makes the program open a file: the caller must have
opened the table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

from posenc_core.fields import (
    D_MODEL,
    TABLE_SEED,
    ChoiceField,
    Field,
    IntegerField,
    MissingFileError,
    PartField,
    decode_json,
    shortened,
)
from posenc_core.tables.array_table import ArrayTable
from posenc_core.tables.simulated import SimulatedTable
from posenc_core.tables.table import Table
from posenc_core.tables.table_files import open_table

TRAINED, UNTRAINED, FILE = "trained", "untrained", "file"

_DEVIATION = 0.02
"""Deviation of untrained weights: ``initializer_range`` in GPT-2 and BERT."""

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


class MissingTableError(MissingFileError):
    """The parameters name a file's table that is not open."""


class HeldDigest(str):
    """A table's digest with its table: parameters use it as the table, sessions as the text."""

    table: ArrayTable

    @classmethod
    def of(cls, table: ArrayTable) -> "HeldDigest":
        """The digest of this table."""
        digest = cls(table.digest)
        digest.table = table
        return digest


@dataclass(frozen=True)
class TrainedTable(ArrayTable):
    """The table that is shipped with the program, trained by ``tools/train_table.py``."""


@cache
def trained_table() -> TrainedTable:
    """The trained table, labelled with its training data; ValueError with one sentence if its files are damaged."""
    folder = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
    opened = open_table(folder / "trained.npy")
    told = decode_json((folder / "trained.json").read_bytes(), "trained.json")
    label = f"trained here ({told['what']}, seed {told['settings']['seed']})"
    return TrainedTable(label, opened.digest, opened.entries, origin=opened.origin)


def untrained_table(n_rows: int, d_model: int, table_seed: int = 0) -> SimulatedTable:
    """Normal numbers of deviation 0.02; raises the errors of the fields."""
    size = N_ROWS.check(n_rows), D_MODEL.check(d_model)
    return SimulatedTable(TABLE_SEED.check(table_seed), "learned table", *size, _DEVIATION, "untrained")


class TableField(PartField, frozen=True, kw_only=True):
    """A table; a text is the path of a file to open, any other value an array."""

    @property
    def choice(self) -> ChoiceField:
        """The source of the numbers."""
        return self._choice("opened with File > Open table")

    def _choice(self, file: str) -> ChoiceField:
        return ChoiceField(
            name=self.name,
            label=self.label,
            help=self.help,
            default=TRAINED,
            synonyms=self.synonyms,
            choices=(
                (TRAINED, "Small demo table trained for this program"),
                (UNTRAINED, "random numbers"),
                (FILE, file),
            ),
            titles=("trained here", "untrained (random)", "from a file"),
        )

    def fields_of(self, choice: str) -> tuple[Field, ...]:
        """Size and seed of an untrained table; other tables have no fields."""
        return (*_SIZE, TABLE_SEED) if choice == UNTRAINED else ()

    def visible_fields(self, parameters: Mapping[str, Any]) -> tuple[Field, ...]:
        """The choice, which names a file's table, then the fields of the chosen kind."""
        choice, *others = super().visible_fields(parameters)
        held = parameters.get("table_digest")
        return (self._choice(held.table.label) if isinstance(held, HeldDigest) else choice, *others)

    def from_parameters(self, parameters: Mapping[str, Any]) -> Table:
        """The table of these parameters; MissingTableError for a file's table that is not open."""
        choice = self.choice.check(parameters.get(self.name, self.choice.default))
        return _held(parameters) if choice == FILE else super().from_parameters(parameters)

    def make_part(self, choice: str, parameters: Mapping[str, Any]) -> Table:
        """The trained table, or the untrained table with these parameters."""
        return untrained_table(**parameters) if choice == UNTRAINED else trained_table()

    def flat(self, value: Table) -> dict[str, Any]:
        """The kind of table and its size, the seed of an untrained table, name and digest of a file's table."""
        size = dict(zip((field.name for field in _SIZE), value.shape, strict=True))
        if isinstance(value, SimulatedTable):
            return {self.name: UNTRAINED, **size, TABLE_SEED.name: value.seed}
        if isinstance(value, TrainedTable) or not isinstance(value, ArrayTable):
            return {self.name: TRAINED, **size}
        return {self.name: FILE, **size, "table_name": value.label, "table_digest": HeldDigest.of(value)}

    @property
    def allowed(self) -> str:
        """The kinds of table in words."""
        return "trained, untrained, the path of a .npy or .safetensors file, or an array"

    def check(self, value: Any, got: str | None = None) -> Table:
        """The table; ValueError with one sentence for anything else."""
        if isinstance(value, Table):
            return value
        if not isinstance(value, str | PathLike):
            return ArrayTable.of(value)
        text = str(value)
        return self.from_parameters({self.name: text}) if text in (TRAINED, UNTRAINED) else open_table(Path(text))

    def parse(self, text: str) -> Table:
        """The table of the kind that the text names; ValueError for a file's table, which cannot be typed."""
        return self.from_parameters({self.name: self.choice.parse(text)})


def _held(parameters: Mapping[str, Any]) -> ArrayTable:
    """The table of the digest; MissingTableError if the digest has none."""
    digest = parameters.get("table_digest")
    if isinstance(digest, HeldDigest):
        return digest.table
    if digest is None:
        raise MissingTableError("no file's table is open; open one with File > Open table, or with --table FILE")
    named = shortened(parameters.get("table_name"))
    size = " x ".join(shortened(parameters.get(field.name)) for field in _SIZE)
    raise MissingTableError(
        f"this session shows the table {named} ({size}), which a session does not contain; open that table first"
    )


WEIGHTS = TableField(
    name="weights",
    help="Source of the table's numbers.",
    default=TRAINED,
    synonyms="wpe (GPT-2), position_embeddings (BERT), embed_positions (BART)",
)
