"""Learned tables, from files or simulated, of which only the rows in view are read."""

from posenc_core.faces import on_demand
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posenc_core.tables.array_files import arrays_in, tensors_ending
    from posenc_core.tables.array_table import ArrayTable, digest_of
    from posenc_core.tables.field import HeldDigest, N_ROWS, WEIGHTS, untrained_table
    from posenc_core.tables.model_embedding import embedding_rows
    from posenc_core.tables.printed import Printed, TEXT_SUFFIXES, parse_numbers, read_printed
    from posenc_core.tables.reductions import ends_of_table, mean_of_table
    from posenc_core.tables.safetensors import Tensor, is_positional_name
    from posenc_core.tables.simulated import SimulatedTable
    from posenc_core.tables.table import (
        CancellableTable,
        Cancelled,
        LONG_WORK,
        ProgressCallback,
        Table,
        UnreadableError,
        never_cancelled,
    )
    from posenc_core.tables.table_files import is_table_file, open_table, tables_in
else:
    __getattr__ = on_demand(__name__)
