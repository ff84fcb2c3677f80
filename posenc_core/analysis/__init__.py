"""Analyses of an encoding: similarity, shifts, scores of pairs, precision."""

from posenc_core.analysis.aliasing import aliased_columns, aliased_pairs
from posenc_core.analysis.angle_drift import Drift, drift
from posenc_core.analysis.attention_scales import xpos_amplitudes, xpos_bases
from posenc_core.analysis.many_axes import AXES, axial_frequencies, multimodal_angles, section_axes, sinusoids_2d
from posenc_core.analysis.model_differences import Difference, LayerDifferences, layer_differences, length_differences
from posenc_core.analysis.precision import ARITHMETICS, RotaryError, model_frequencies, rotary_error, to_bfloat16
from posenc_core.analysis.similarity import (
    block_envelope,
    block_mean,
    block_mean_square,
    check_length,
    closest_rows,
    cosine_similarity,
    decay_bound,
    dot_products,
    first_negative_distance,
    paired,
    score_of_ones,
    shift_matrix,
    shift_residual,
    similarity_matrix,
    squared_distances,
    turns,
    wavelengths,
)
from posenc_core.analysis.slowdown_shares import PairShares, pair_shares, slowdowns
from posenc_core.analysis.token_pairs import (
    affordable_rows,
    is_reach_sampled,
    is_shift_invariant,
    pair_reach,
    pair_values,
)
