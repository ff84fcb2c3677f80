"""Learned tables: from files, simulated, and read by the rows that are shown."""

from posenc_core.tables.array_table import ArrayTable
from posenc_core.tables.field import N_ROWS, WEIGHTS, HeldDigest, MissingTableError, untrained_table
from posenc_core.tables.long_work import LONG_WORK, CancellableTable, Cancelled, ProgressCallback
from posenc_core.tables.reductions import ends_of_table, mean_of_table
from posenc_core.tables.table import SimulatedTable, Table, UnreadableError
from posenc_core.tables.table_files import is_table_file, open_table, tables_in
