"""The families of encodings, by their names in sessions and on the command line."""

from posenc_core.encodings.abilities.effect import Combination, Effect
from posenc_core.encodings.abilities.pair_numbers import column_blocks
from posenc_core.encodings.abilities.pairs import Pairs
from posenc_core.encodings.abilities.query_and_key import QueryKeyEncoding
from posenc_core.encodings.abilities.rows import (
    ColumnInfo,
    Rows,
    has_values,
    known_values,
    n_whole_pairs,
    pair_angles,
    pair_members,
    pair_of,
)
from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.encodings.abilities.scores import MODES, Scores
from posenc_core.encodings.abilities.stored_rows import Reading, StoredRows
from posenc_core.encodings.alibi import Alibi
from posenc_core.encodings.axes.cells import Cells
from posenc_core.encodings.axes.grid import GRID, Grid, GridField
from posenc_core.encodings.axes.rope_axes import RopeAxes
from posenc_core.encodings.base import Encoding, Rotation, turning_pairs
from posenc_core.encodings.binary import BinaryCode
from posenc_core.encodings.formula.family import Formula
from posenc_core.encodings.formula.fields import FormulaField, ParametersField
from posenc_core.encodings.learned import LearnedTable
from posenc_core.encodings.no_position import NoPosition
from posenc_core.encodings.ramp import IntegerIndex, NormalizedIndex
from posenc_core.encodings.rotary import Rotary
from posenc_core.encodings.shaw import ShawRelative
from posenc_core.encodings.sinusoidal import Sinusoidal
from posenc_core.encodings.t5 import MAX_DISTANCE, NUM_BUCKETS, T5Bias
from posenc_core.encodings.transformer_xl import CLAMP_LEN, WIDTH, TransformerXLRelative
from posenc_core.fields import Registry


def _add_installed(registry: Registry[Encoding]) -> tuple[str, ...]:
    from posenc_core.encodings.plugins import add_installed  # imported when a package is looked for

    return add_installed(registry)


ENCODINGS: Registry[Encoding] = Registry(
    lambda kind: kind.family,
    add_installed=_add_installed,
    kinds=(
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
        RopeAxes,
        Formula,
    ),
)
"""The families by name, from the simplest idea to those in use today; ``register`` adds one."""
