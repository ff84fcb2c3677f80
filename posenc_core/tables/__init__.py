"""Learned tables, from files or simulated, of which only the rows in view are read."""

from posenc_core.tables.array_files import arrays_in
from posenc_core.tables.array_table import ArrayTable, digest_of
from posenc_core.tables.field import N_ROWS, WEIGHTS, HeldDigest, MissingTableError, untrained_table
from posenc_core.tables.model_embedding import embedding_rows
from posenc_core.tables.printed import Printed, parse_numbers, read_printed
from posenc_core.tables.reductions import ends_of_table, mean_of_table
from posenc_core.tables.safetensors import Tensor, is_positional_name
from posenc_core.tables.simulated import SimulatedTable
from posenc_core.tables.table import (
    LONG_WORK,
    CancellableTable,
    Cancelled,
    ProgressCallback,
    Table,
    UnreadableError,
    never_cancelled,
)
from posenc_core.tables.table_files import is_table_file, open_table, tables_in
