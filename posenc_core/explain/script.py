"""Scripts for NumPy and PyTorch: the expressions in which the two differ, and tables written out."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from string import Template

from msgspec import Struct

from posenc_core.fields import one_line
from posenc_core.numerics import FloatArray

MOST_NUMBERS = 20_000
"""Largest number of entries written out in a script, which must stay readable."""


class Snippet(Struct, frozen=True):
    """Lines of a script, and their imports beside the library that the script is for.

    With ``only_whole`` they have rows of whole positions only, and none for ``positions`` in between.
    """

    lines: tuple[str, ...]
    imports: tuple[str, ...] = ()
    only_whole: bool = False

    def __add__(self, later: "Snippet") -> "Snippet":
        """Both snippets, one after the other."""
        return Snippet(self.lines + later.lines, self.imports + later.imports, self.only_whole or later.only_whole)


class Dialect(Struct, frozen=True):
    """A target library of scripts: the expressions in which NumPy and PyTorch differ, each made from its arguments.

    Both have ``sin``, ``cos``, ``where`` and ``arange`` in their ``module``, and ``abs``, ``clip`` and indices on
    arrays. Lines for both must not divide PyTorch's integers, since the quotient is float32: see ``real``.
    """

    name: str
    module: str
    imported: str
    numpy: tuple[str, ...]
    """Imports of a snippet that uses NumPy for operations missing in the library."""

    counted: Callable[[str], str]
    """The numbers from 0 to count - 1, which may be divided."""

    zeros: Callable[[str], str]
    """A float64 table of zeros with this many columns, a row for each position."""

    repeats: Callable[[object], str]
    """The arguments of ``repeat`` that place this many copies of a column side by side."""

    integers: Callable[[str], str]
    """The array of a list of whole numbers."""

    numbers: Callable[[str], str]
    """The float64 array of a list of numbers."""

    real: Callable[[str], str]
    """The array in float64."""

    taken_over: Callable[[str], str]
    """The library's own array of a NumPy array."""

    def whole(self, numbers: str) -> str:
        """Whole numbers ``first, stop`` or ``stop``, as ``range`` has them."""
        return f"{self.module}.arange({numbers})"


NUMPY = Dialect(
    name="NumPy",
    module="np",
    imported="import numpy as np",
    numpy=(),
    counted="np.arange({})".format,
    zeros="np.zeros((len(positions), {}))".format,
    repeats="{}, axis=1".format,
    integers="np.array({})".format,
    numbers="np.array({}, dtype=np.float64)".format,
    real="{}.astype(np.float64)".format,
    taken_over=str,
)
TORCH = Dialect(
    name="PyTorch",
    module="torch",
    imported="import torch",
    numpy=(NUMPY.imported,),
    counted="torch.arange({}, dtype=torch.float64)".format,
    zeros="torch.zeros(len(positions), {}, dtype=torch.float64)".format,
    repeats="1, {}".format,
    integers="torch.tensor({})".format,
    numbers="torch.tensor({}, dtype=torch.float64)".format,
    real="{}.double()".format,
    taken_over="torch.from_numpy({})".format,
)


def written_out(table: FloatArray, code: Dialect, why: str = "") -> Snippet:
    """The numbers of a table, one line per row, with the comment ``why``; ValueError for more than 20,000."""
    if table.size > MOST_NUMBERS:
        raise ValueError(
            f"{table.size} numbers would have to be written out, at most {MOST_NUMBERS} are: "
            "show fewer positions, or export the numbers"
        )
    rows = (f"    {number_list(row.tolist())}," for row in table)
    comment = (f"# {one_line(why)}",) if why else ()
    first, last = code.numbers("[\n]").split("\n")
    return Snippet((*comment, f"table = {first}", *rows, last), only_whole=True)


def number_list(numbers: Iterable[float]) -> str:
    """The list of these numbers, each in the fewest digits that reproduce it."""
    return f"[{', '.join(repr(number) for number in numbers)}]"


_WHOLE_LINES = re.compile(r"( *)\$(\w+)")
"""A line with one name alone, whose value may be a list of lines; they keep its indent."""


def template_lines(beside: str, template: str, /, **values: object) -> tuple[str, ...]:
    """The lines of ``<template>.txt`` in the folder of the file ``beside``, with values in place of ``$names``.

    A list replaces a line of its own. KeyError for a name without a value.
    """
    found: list[str] = []
    for line in _lines_of(Path(beside).with_name(f"{template}.txt")):
        alone = _WHOLE_LINES.fullmatch(line)
        whole = values[alone[2]] if alone else None
        if alone and isinstance(whole, list | tuple):
            found += [f"{alone[1]}{each}" for each in whole]
        else:
            found.append(Template(line).substitute(values))
    return tuple(found)


@cache
def _lines_of(template: Path) -> list[str]:
    return template.read_text(encoding="utf-8").splitlines()
