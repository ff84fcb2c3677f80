"""Positional encodings of transformers: exact values, exact means at any zoom, and the derivation of each number.

The names below are the public face; all functions accept and return plain values and numpy arrays.
"""

import posenc_core.explain  # the room, before the function of the same name replaces it here
from posenc_core import fields
from posenc_core.faces import on_demand
from typing import Any, TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from posenc_core.analysis import score_by_distance, score_spread, shift_matrix, shift_residual, similarity
    from posenc_core.encodings import ENCODINGS, Alibi, BinaryCode, Encoding, IntegerIndex, LearnedTable, NoPosition
    from posenc_core.encodings import NormalizedIndex, Rotary, ShawRelative, Sinusoidal, T5Bias, TransformerXLRelative
    from posenc_core.engines import compare_engines
    from posenc_core.explain import Derivation, Step
    from posenc_core.identify import identify
    from posenc_core.long_context import drift, precision_error, unseen_angles
    from posenc_core.model_config import open_model, rope_from_config
    from posenc_core.rope_scaling import DynamicNtk, FrequencyDivisors, FrequencyScale, Linear, Llama3, LongRope
    from posenc_core.rope_scaling import NtkAware, NtkByParts, Proportional, QueryTemperature, Yarn, query_temperature
    from posenc_core.session import Document, View
    from posenc_core.text import Embedding, Token, tokenize
else:
    __getattr__ = on_demand(__name__)

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
    "compare_engines",
    "drift",
    "encode",
    "encoding",
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
    "table",
    "tile",
    "tokenize",
    "unseen_angles",
]


def encoding(name: str, **parameters: Any) -> "Encoding":
    """The encoding of a family, with its parameters by their names in sessions; omitted parameters have their defaults.

    ``name`` is a key of ``ENCODINGS``: ``encoding("rotary", head_dim=128, scaling="yarn", factor=4.0)``. A scaling may
    also be a value, ``scaling=Yarn(4.0, 4096)``. Parameters of a typed formula have their names in the formula:
    ``encoding("formula", formula="sin(alpha*p)", alpha=0.5)``; ``**{"parameter alpha": 0.5}``, the name in sessions, is
    the same. ValueError or TypeError with one sentence for an unknown name, for a parameter that the family does not
    have or that is given twice, and for a wrong value.
    """
    from posenc_core.encodings import ENCODINGS

    if name not in ENCODINGS:
        raise ValueError(f"the family must be {', '.join(ENCODINGS)}, got {fields.shortened(name)}")
    kind = ENCODINGS[name]
    parts = {field.name: field for field in kind.FIELDS if isinstance(field, fields.PartField)}
    flat = dict(parameters)
    for part, value in parameters.items():
        if part in parts and not isinstance(value, str):
            flat |= parts[part].flat(parts[part].check(value))
    made = kind.from_parameters(flat)
    strange = parameters.keys() - made.parameters().keys()
    typed = {each.display_name: each.name for each in made.fields if each.name.endswith(f" {each.display_name}")}
    if strange & typed.keys():
        renamed = {typed.get(key, key) if key in strange else key: value for key, value in flat.items()}
        if len(renamed) < len(flat):
            twice = min(key for key in strange & typed.keys() if typed[key] in flat)
            raise ValueError(f"the parameter {twice} is given twice, as {twice} and as {typed[twice]}")
        made, strange = kind.from_parameters(renamed), strange - typed.keys()
    if strange:
        known = ", ".join(made.parameters()) or "none"
        raise ValueError(f"the family {name} has no parameter {fields.shortened(min(strange))}; it has {known}")
    return made


def table(encoding: "Encoding", positions: Any, columns: Any = None) -> "npt.NDArray[np.float64]":
    """The table's entries, float64 ``(n_positions, n_columns)``, each evaluated by itself.

    Arguments and errors as for ``encode``, which is faster. Each sine and cosine is computed from its own float64
    angle, within 1e-8 of the exact value for ``|position| <= 10**7``. ValueError also for a position without a value.
    """
    rows = fields.check_positions(positions)
    encoding.check_domain(rows)
    return encoding.values(rows, fields.check_columns(columns, encoding.n_columns))


def encode(encoding: "Encoding", positions: Any, columns: Any = None) -> "npt.NDArray[np.float32]":
    """The table's entries, float32 ``(n_positions, n_columns)``, within 2e-7 for ``|position| <= 10**7``.

    ``positions`` and ``columns`` are sequences of integers counted from 0, in any order; ``columns`` None means
    all. TypeError for anything but integers, ValueError for a position beyond 2**53 or without a value,
    IndexError for a column outside the table. ValueError also for a rotary table whose attention factor is beyond
    float32.
    """
    rows = fields.check_positions(positions)
    encoding.check_domain(rows)
    return encoding.encode(rows, fields.check_columns(columns, encoding.n_columns))


def tile(
    encoding: "Encoding",
    positions: tuple[float, float],
    columns: tuple[float, float],
    shape: tuple[int, int],
) -> "npt.NDArray[np.floating[Any]]":
    """A window of the table at another resolution, of ``shape`` (rows, columns).

    It is float32, or float64 for a rotary table whose attention factor is outside 1e-30 to 1e30.

    The window reaches from ``first`` to ``stop`` (excluded) in positions and columns and is cut into equal parts.
    Each part's value is the exact mean over the integer positions and the columns in it; a part without any
    has the value of the cell it lies in, where cell k is the interval from k to k + 1. ValueError for an empty
    window or shape, IndexError for columns outside the table.
    """
    window = fields.check_tile(positions, columns, shape, encoding.n_columns, "columns")
    means: npt.NDArray[np.floating[Any]] = encoding.sampler.tile(*window)
    return means


def frequencies(encoding: "Encoding") -> "npt.NDArray[np.float64]":
    """Angular frequency of each pair, scaled, float64 ``(n_pairs,)`` in rad per token; empty without pairs."""
    return encoding.frequencies().copy()


def explain(encoding: "Encoding", position: int, column: int) -> "Derivation":
    """The derivation of the entry at (position, column), step by step; its ``.value`` is the entry.

    TypeError unless both are integers, ValueError for a position beyond 2**53, IndexError for a column outside
    the table.
    """
    (checked,) = fields.check_columns([fields.check_index(column, "column")], encoding.n_columns)
    return encoding.explain(fields.check_position(position), int(checked))
