"""The families of encodings, by their names in sessions and on the command line."""

from posenc_core.faces import on_demand
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posenc_core.encodings.abilities.computed import Computed
    from posenc_core.encodings.abilities.effect import GROUPS, Combination, Effect
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
    )
    from posenc_core.encodings.abilities.rows import pair_members, pair_of
    from posenc_core.encodings.abilities.sampler import Sampler
    from posenc_core.encodings.abilities.scores import MODES, Scores
    from posenc_core.encodings.abilities.stored_rows import Reading, StoredRows
    from posenc_core.encodings.axes.cells import Cells
    from posenc_core.encodings.axes.fields import BasesField, WholeNumbersField
    from posenc_core.encodings.axes.grid import GRID, MOST_CELLS, ROW_NOUNS, Grid, GridField
    from posenc_core.encodings.axes.lattice import Lattice
    from posenc_core.encodings.axes.rope_axes import RopeAxes
    from posenc_core.encodings.axes.sampler import GridSampler
    from posenc_core.encodings.base import Encoding, Rotation, rotating_pairs, turning_pairs
    from posenc_core.encodings.abilities.rotating import at_length
    from posenc_core.encodings.biases.alibi import Alibi
    from posenc_core.encodings.biases.cope import Cope
    from posenc_core.encodings.biases.fields import GatesField, WeightsField
    from posenc_core.encodings.biases.fire import Fire
    from posenc_core.encodings.biases.forget_gate import ForgetGate
    from posenc_core.encodings.biases.kerple import Kerple
    from posenc_core.encodings.biases.mlp import GivenMlp, SimulatedMlp
    from posenc_core.encodings.biases.relative_bank import RelativeBank
    from posenc_core.encodings.biases.sandwich import Sandwich
    from posenc_core.encodings.binary import BinaryCode
    from posenc_core.encodings.formula.family import Formula
    from posenc_core.encodings.formula.fields import FormulaField, ParametersField
    from posenc_core.encodings.learned import LearnedTable
    from posenc_core.encodings.no_position import NoPosition
    from posenc_core.encodings.plugins.example import write_example
    from posenc_core.encodings.plugins.files import open_plugin
    from posenc_core.encodings.ramp import IntegerIndex, NormalizedIndex
    from posenc_core.encodings.registry import ENCODINGS, described, group_of, has_text, headings, patches_of
    from posenc_core.encodings.rotary import Rotary
    from posenc_core.encodings.rotations.distance_remap import DistanceRemap
    from posenc_core.encodings.rotations.fope import Fope
    from posenc_core.encodings.rotations.grape_m import GrapeM
    from posenc_core.encodings.rotations.pope import Pope, softplus
    from posenc_core.encodings.rotations.remaps import (
        REMAPS,
        ChunkedAttention,
        DualChunk,
        LeakyReRope,
        ReRope,
        SelfExtend,
    )
    from posenc_core.encodings.rotations.xpos import XPos
    from posenc_core.encodings.shaw import ShawRelative
    from posenc_core.encodings.sinusoidal import Sinusoidal
    from posenc_core.encodings.t5 import MAX_DISTANCE, NUM_BUCKETS, T5Bias
    from posenc_core.encodings.transformer_xl import CLAMP_LEN, WIDTH, TransformerXLRelative
else:
    __getattr__ = on_demand(__name__)
