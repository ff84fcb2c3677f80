"""How scripts are written for a library: what NumPy and PyTorch call alike, and what each has of its own."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from msgspec import Struct

from posenc_core.fields import one_line
from posenc_core.numerics import FloatArray

MOST_NUMBERS = 20_000
"""More numbers than these are not written out in a script: it could not be read, nor pasted."""


class Snippet(Struct, frozen=True):
    """Some lines of a script, and what they import beside the library that the script is for."""

    lines: tuple[str, ...]
    imports: tuple[str, ...] = ()

    def __add__(self, later: "Snippet") -> "Snippet":
        """Both, one after the other."""
        return Snippet(self.lines + later.lines, self.imports + later.imports)


class Dialect(ABC):
    """A library to write for. Its arrays have ``abs``, ``clip`` and indices alike, and ``sin``, ``where`` by name.

    Lines that are written for both must not divide whole numbers of PyTorch, which gives float32: see ``real``.
    """

    name: ClassVar[str]
    module: ClassVar[str]
    imported: ClassVar[str]

    def whole(self, numbers: str) -> str:
        """Whole numbers ``first, stop`` or ``stop``, as ``range`` has them."""
        return f"{self.module}.arange({numbers})"

    @abstractmethod
    def counted(self, count: str) -> str:
        """The numbers from 0 to count - 1, which may be divided."""

    @abstractmethod
    def zeros(self, n_columns: str) -> str:
        """A float64 table of zeros, a row for each position."""

    @abstractmethod
    def repeats(self, count: object) -> str:
        """The arguments of ``repeat`` that put a single column so many times beside itself."""

    @abstractmethod
    def integers(self, listed: str) -> str:
        """The array of a list of whole numbers."""

    @abstractmethod
    def numbers(self, listed: str) -> str:
        """The float64 array of a list of numbers."""

    @abstractmethod
    def real(self, array: str) -> str:
        """The array in float64."""

    @abstractmethod
    def taken_over(self, array: str) -> str:
        """The library's own array of one of NumPy's."""

    @property
    @abstractmethod
    def numpy(self) -> tuple[str, ...]:
        """What a snippet imports that uses NumPy for what the library cannot do."""


class _NumPy(Dialect):
    name, module, imported = "NumPy", "np", "import numpy as np"
    numpy = ()

    def counted(self, count: str) -> str:
        return f"np.arange({count})"

    def zeros(self, n_columns: str) -> str:
        return f"np.zeros((len(positions), {n_columns}))"

    def repeats(self, count: object) -> str:
        return f"{count}, axis=1"

    def integers(self, listed: str) -> str:
        return f"np.array({listed})"

    def numbers(self, listed: str) -> str:
        return f"np.array({listed}, dtype=np.float64)"

    def real(self, array: str) -> str:
        return f"{array}.astype(np.float64)"

    def taken_over(self, array: str) -> str:
        return array


class _Torch(Dialect):
    name, module, imported = "PyTorch", "torch", "import torch"
    numpy = (_NumPy.imported,)

    def counted(self, count: str) -> str:
        return f"torch.arange({count}, dtype=torch.float64)"

    def zeros(self, n_columns: str) -> str:
        return f"torch.zeros(len(positions), {n_columns}, dtype=torch.float64)"

    def repeats(self, count: object) -> str:
        return f"1, {count}"

    def integers(self, listed: str) -> str:
        return f"torch.tensor({listed})"

    def numbers(self, listed: str) -> str:
        return f"torch.tensor({listed}, dtype=torch.float64)"

    def real(self, array: str) -> str:
        return f"{array}.double()"

    def taken_over(self, array: str) -> str:
        return f"torch.from_numpy({array})"


NUMPY: Dialect = _NumPy()
TORCH: Dialect = _Torch()


def written_out(table: FloatArray, code: Dialect, why: str = "") -> Snippet:
    """The numbers of a table as they are, a line for each row; ValueError with a sentence for too many."""
    if table.size > MOST_NUMBERS:
        raise ValueError(
            f"{table.size} numbers would have to be written out, at most {MOST_NUMBERS} are: "
            "show fewer positions, or export the numbers"
        )
    rows = (f"    {number_list(row.tolist())}," for row in table)
    comment = (f"# {one_line(why)}",) if why else ()
    first, last = code.numbers("[\n]").split("\n")
    return Snippet((*comment, f"table = {first}", *rows, last))


def number_list(numbers: Iterable[float]) -> str:
    """The list of these numbers, each in the fewest digits that give it again."""
    return f"[{', '.join(repr(number) for number in numbers)}]"
