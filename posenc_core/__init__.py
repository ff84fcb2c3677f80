"""Positional encodings of transformers: exact values, exact means at any zoom, and how each number comes about.

The names below are the public face; everything takes and returns plain values and numpy arrays.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from posenc_core.analysis import score_by_distance, score_spread, shift_matrix, shift_residual, similarity
from posenc_core.encodings import (
    ENCODINGS,
    Alibi,
    BinaryCode,
    Encoding,
    IntegerIndex,
    LearnedTable,
    NoPosition,
    NormalizedIndex,
    Rotary,
    ShawRelative,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
)
from posenc_core.explain import Derivation, Step
from posenc_core.fields import check_columns, check_index, check_position, check_positions, check_tile
from posenc_core.long_context import drift, precision_error, unseen_angles
from posenc_core.rope_scaling import (
    DynamicNtk,
    FrequencyDivisors,
    FrequencyScale,
    Linear,
    Llama3,
    LongRope,
    NtkAware,
    NtkByParts,
    Proportional,
    QueryTemperature,
    Yarn,
    query_temperature,
)
from posenc_core.session import Document, View
from posenc_core.text import Embedding, Token, tokenize

if TYPE_CHECKING:
    from posenc_core.identify import identify
    from posenc_core.model_config import open_model, rope_from_config

__version__ = "0.1.0"

__all__ = [
    "ENCODINGS",
    "Alibi",
    "BinaryCode",
    "Derivation",
    "Document",
    "DynamicNtk",
    "Embedding",
    "Encoding",
    "FrequencyDivisors",
    "FrequencyScale",
    "IntegerIndex",
    "LearnedTable",
    "Linear",
    "Llama3",
    "LongRope",
    "NoPosition",
    "NormalizedIndex",
    "NtkAware",
    "NtkByParts",
    "Proportional",
    "QueryTemperature",
    "Rotary",
    "ShawRelative",
    "Sinusoidal",
    "Step",
    "T5Bias",
    "Token",
    "TransformerXLRelative",
    "View",
    "Yarn",
    "drift",
    "encode",
    "explain",
    "frequencies",
    "identify",
    "open_model",
    "precision_error",
    "query_temperature",
    "rope_from_config",
    "score_by_distance",
    "score_spread",
    "shift_matrix",
    "shift_residual",
    "similarity",
    "tile",
    "tokenize",
    "unseen_angles",
]

_LATE = {
    "identify": "posenc_core.identify",
    "open_model": "posenc_core.model_config",
    "rope_from_config": "posenc_core.model_config",
}
"""The rooms of names that are loaded when they are asked for: a window without a model starts without these."""


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    room = import_module(_LATE[name])
    found = globals()[name] = room if room.__name__ == f"{__name__}.{name}" else getattr(room, name)
    return found


def encode(encoding: Encoding, positions: Any, columns: Any = None) -> npt.NDArray[np.float32]:
    """The table's entries, float32 ``(n_positions, n_columns)``, within 2e-7 for ``|position| <= 10**7``.

    ``positions`` and ``columns`` are sequences of integers counted from 0, in any order; ``columns`` None means
    all. TypeError for anything but integers, ValueError for a position past 2**53, IndexError for a column
    outside the table. ValueError also for a rotary table whose attention factor is beyond float32.
    """
    return encoding.encode(check_positions(positions), check_columns(columns, encoding.n_columns))


def tile(
    encoding: Encoding,
    positions: tuple[float, float],
    columns: tuple[float, float],
    shape: tuple[int, int],
) -> npt.NDArray[np.floating[Any]]:
    """A window of the table at another resolution, of ``shape`` (rows, columns).

    It is float32, or float64 for a rotary table whose attention factor float32 does not hold well.

    The window reaches from ``first`` to ``stop`` (excluded) in positions and columns and is cut into equal parts.
    Each part's value is the exact mean over the integer positions and the columns in it; a part that holds none
    has the value of the cell it lies in, where cell k is the interval from k to k + 1. ValueError for an empty
    window or shape, IndexError for columns outside the table.
    """
    return encoding.tile(*check_tile(positions, columns, shape, encoding.n_columns, "columns"))


def frequencies(encoding: Encoding) -> npt.NDArray[np.float64]:
    """Angular frequency of each pair, float64 ``(n_pairs,)`` in rad per token."""
    return encoding.frequencies()


def explain(encoding: Encoding, position: int, column: int) -> Derivation:
    """How the entry at (position, column) comes about, step by step; its ``.value`` is the entry.

    TypeError unless both are integers, ValueError for a position past 2**53, IndexError for a column outside
    the table.
    """
    (checked,) = check_columns([check_index(column, "column")], encoding.n_columns)
    return encoding.explain(check_position(position), int(checked))
