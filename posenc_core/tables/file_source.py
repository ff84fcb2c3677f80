"""The lines of a script that read some rows of a file's table."""

from typing import TYPE_CHECKING

from posenc_core.explain import Dialect, Snippet

if TYPE_CHECKING:
    from posenc_core.tables.array_table import ArrayTable, Origin


def file_source(table: "ArrayTable", origin: "Origin", index: str, code: Dialect) -> Snippet:
    """``table``: the rows that the expression ``index`` gives, read from the file again."""
    path, offset = str(origin.path.absolute()), getattr(table.entries, "offset", None)
    if origin.tensor and offset is not None:
        kind, shape = table.entries.dtype.str, table.entries.shape
        opened = f"np.memmap({path!a}, {kind!r}, 'r', offset={offset}, shape={shape})  # {origin.tensor!a}"
    else:
        opened = f"np.load({path!a}, mmap_mode='r', allow_pickle=False)"
    rows = f"entries[({index}).tolist()]"
    if table.bfloat16:
        rows = f"({rows}.astype(np.uint32) << 16).view(np.float32)"
    return Snippet((f"entries = {opened}", f"table = {code.taken_over(f'{rows}.astype(np.float64)')}"), code.numpy)
