"""The families of encodings, by their names in sessions and on the command line."""

from posenc_core.encodings.alibi import Alibi
from posenc_core.encodings.base import (
    ColumnInfo,
    Combination,
    Encoding,
    mean_phasors,
    n_whole_pairs,
    pair_angles,
    pair_members,
    pair_of,
)
from posenc_core.encodings.binary import BinaryCode
from posenc_core.encodings.harmonic import HarmonicTable
from posenc_core.encodings.learned import LearnedTable, ReadEncoding, TableEncoding
from posenc_core.encodings.no_position import NoPosition
from posenc_core.encodings.ramp import IntegerIndex, NormalizedIndex
from posenc_core.encodings.rotary import Rotary
from posenc_core.encodings.shaw import ShawRelative
from posenc_core.encodings.sinusoidal import Sinusoidal
from posenc_core.encodings.t5 import MAX_DISTANCE, NUM_BUCKETS, T5Bias
from posenc_core.encodings.transformer_xl import CLAMP_LEN, WIDTH, TransformerXLRelative

ENCODINGS: dict[str, type[Encoding]] = {
    family.family: family
    for family in (
        NoPosition,
        IntegerIndex,
        NormalizedIndex,
        BinaryCode,
        Sinusoidal,
        LearnedTable,
        ShawRelative,
        TransformerXLRelative,
        T5Bias,
        Alibi,
        Rotary,
    )
}
"""The families by name, from the simplest idea to those in use today."""
