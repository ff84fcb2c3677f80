"""What every family of encodings offers, and the sentences that all of them share."""

import operator
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from posenc_core.angles import FloatArray, IntArray
from posenc_core.derivation import Derivation
from posenc_core.fields import Field
from posenc_core.waves import Traces

Float32Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class ColumnFacts:
    """What a column is: its pair and part (``sin``, ``cos``, ``zero``), and its wavelength in positions."""

    pair: int | None
    part: str
    wavelength: float | None


class Encoding(ABC):
    """One family with its parameters chosen: a frozen, comparable value that can compute its table by windows.

    A family is a frozen dataclass whose fields are the ``FIELDS`` it names, in that order.
    """

    family: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    citation: ClassVar[str]
    FIELDS: ClassVar[tuple[Field, ...]]

    def __post_init__(self) -> None:
        """Every parameter checked and made canonical."""
        for field in self.FIELDS:
            object.__setattr__(self, field.name, field.check(getattr(self, field.name)))

    def parameters(self) -> dict[str, Any]:
        """The parameters by name, as the session file and the captions give them."""
        return {field.name: getattr(self, field.name) for field in self.FIELDS}

    @property
    @abstractmethod
    def n_columns(self) -> int:
        """Number of columns of the table."""

    @property
    def value_range(self) -> tuple[float, float]:
        """The smallest and largest value that can occur: the ends of the colour bar."""
        return (-1.0, 1.0)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Plain sentences about parameters that are allowed but surprising."""
        return ()

    @abstractmethod
    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The entries in float64 ``(n_positions, n_columns)``, each evaluated by itself."""

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The entries in float32 ``(n_positions, n_columns)``."""
        return self.values(positions, columns).astype(np.float32)

    @abstractmethod
    def tile(
        self, positions: tuple[float, float], columns: tuple[float, float], shape: tuple[int, int]
    ) -> Float32Array:
        """The exact mean of each of ``shape`` (rows, columns) equal parts of a window of the table."""

    @abstractmethod
    def frequencies(self) -> FloatArray:
        """Angular frequency of each pair in rad per token, float64 ``(n_pairs,)``."""

    @abstractmethod
    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        """The columns as curves over a window of positions, with as many points as ``pixels`` can show."""

    @abstractmethod
    def facts(self, column: int) -> ColumnFacts:
        """What the column is."""

    @abstractmethod
    def explain(self, position: int, column: int) -> Derivation:
        """How the entry comes about."""


def check_positions(positions: Any) -> IntArray:
    """The positions as int64 ``(n,)``; TypeError unless they are integers in one dimension."""
    if isinstance(positions, range):
        return np.arange(positions.start, positions.stop, positions.step, dtype=np.int64)
    return _integers(positions, "positions")


def check_columns(columns: Any, n_columns: int) -> IntArray:
    """The columns as int64 ``(m,)``, all of them for None; IndexError for one outside the table."""
    if columns is None:
        return np.arange(n_columns, dtype=np.int64)
    if isinstance(columns, slice):
        return np.arange(n_columns, dtype=np.int64)[columns]
    checked = _integers(columns, "columns")
    outside = checked[(checked < 0) | (checked >= n_columns)]
    if len(outside):
        raise IndexError(f"column {outside[0]} is outside 0..{n_columns - 1}")
    return checked


def check_index(value: Any, name: str) -> int:
    """The value as int; TypeError with a sentence for anything but an integer."""
    if isinstance(value, bool | np.bool_) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an integer, got {value!r} ({type(value).__name__})")
    return operator.index(value)


def _integers(values: Any, name: str) -> IntArray:
    array = np.asarray(values)
    if array.size == 0 and array.ndim == 1:
        return np.empty(0, np.int64)
    if array.ndim != 1:
        raise TypeError(f"{name} must be a sequence of integers, got an array of {array.ndim} dimensions")
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers, got {array.dtype}")
    return array.astype(np.int64)
