"""The table that travels with the program: trained by ``tools/train_table.py``, which says how."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from posenc_core.fields import decode_json
from posenc_core.tables.array_table import ArrayTable
from posenc_core.tables.table_files import open_table

_INSTALLED = Path(__file__).parents[1] / "resources" / "tables"
_CHECKOUT = Path(__file__).parents[2] / "resources" / "tables"


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
