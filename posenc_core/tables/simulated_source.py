"""The lines of a script that draw the simulated numbers of a table again."""

from typing import TYPE_CHECKING

from posenc_core.explain import Dialect, Snippet

if TYPE_CHECKING:
    from posenc_core.tables.table import SimulatedTable

_IMPORTS = ("from functools import cache", "from hashlib import blake2b")


def simulated_source(table: "SimulatedTable", rows: str, code: Dialect) -> Snippet:
    """``table``: the rows, an expression that gives an array of integers, of the simulated table."""
    tall = table.rows_together
    one = table.n_rows <= tall
    name = f'"{table.name} 0".encode()' if one else f'f"{table.name} {{number}}".encode()'
    draw = (
        f'key = blake2b({name}, key=({table.seed}).to_bytes(4, "little"), digest_size=32).digest()',
        f'normal = np.random.RandomState(np.frombuffer(key, "<u4").copy()).standard_normal({tall * table.n_columns})',
    )
    shaped = f"normal.clip(-4, 4).reshape({tall}, {table.n_columns})"
    scaled = "" if table.deviation == 1 else f" * {table.deviation!r}"
    if one:
        entries = code.taken_over(f"{shaped}")
        return Snippet((*draw, f"drawn = {entries}", f"table = drawn[{rows}]{scaled}"), (_IMPORTS[1], *code.numpy))
    picked = f"np.array([drawn(row // {tall})[row % {tall}] for row in ({rows}).tolist()])"
    return Snippet((
        "",
        "",
        "@cache",
        f"def drawn(number):  # {tall} rows at a time",
        *(f"    {line}" for line in draw),
        f"    return {shaped}",
        "",
        "",
        f"table = {code.taken_over(picked)}{scaled}",
    ), (*_IMPORTS, *code.numpy))  # fmt: skip
