"""The families of encodings, and by the name that sessions and the command line use those that the window shows."""

from posenc_core.encodings.alibi import Alibi
from posenc_core.encodings.base import ColumnFacts, Encoding
from posenc_core.encodings.binary import BinaryCode
from posenc_core.encodings.integer_index import IntegerIndex
from posenc_core.encodings.learned import LearnedTable
from posenc_core.encodings.normalized_index import NormalizedIndex
from posenc_core.encodings.rotary import Rotary
from posenc_core.encodings.shaw import ShawRelative
from posenc_core.encodings.sinusoidal import Sinusoidal
from posenc_core.encodings.t5 import T5Bias
from posenc_core.encodings.transformer_xl import TransformerXLRelative

ENCODINGS: dict[str, type[Encoding]] = {family.family: family for family in (Sinusoidal,)}
"""Those that the window can show and edit; the others are for callers of the core until it can."""

__all__ = [
    "ENCODINGS",
    "Alibi",
    "BinaryCode",
    "ColumnFacts",
    "Encoding",
    "IntegerIndex",
    "LearnedTable",
    "NormalizedIndex",
    "Rotary",
    "ShawRelative",
    "Sinusoidal",
    "T5Bias",
    "TransformerXLRelative",
]
