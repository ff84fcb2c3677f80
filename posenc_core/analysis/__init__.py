"""Analyses of an encoding by rows and pairs of positions: similarity, shifts, scores, and differences of models."""

from posenc_core.faces import on_demand
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posenc_core.analysis.aliasing import aliased_columns, aliased_pairs
    from posenc_core.analysis.axis_rows import AxisRows
    from posenc_core.analysis.layout_ways import (
        ColumnRun,
        ROLES,
        Way,
        column_roles,
        full_angles,
        head_columns,
        three_ways,
        query_alone_scores,
        way_scores,
    )
    from posenc_core.analysis.likeness_cells import (
        cells_work,
        is_similarity_sampled,
        known_cells,
        partial_cells,
        similarity_cells,
    )
    from posenc_core.analysis.model_differences import Difference, layer_differences, length_differences
    from posenc_core.analysis.pair_derivations import explain_pair, explain_shift_block, explain_similarity
    from posenc_core.analysis.pair_waves import (
        closest_rows,
        cosine_similarity,
        dot_products,
        first_negative_distance,
        score_of_ones,
        squared_distances,
        turns,
        wavelengths,
    )
    from posenc_core.analysis.row_similarity import (
        MEASURES,
        is_toeplitz,
        pair_similarity,
        row_cost,
        rows_cost,
        similarity,
        similarity_reach,
        similarity_row,
    )
    from posenc_core.analysis.scores import (
        MODES,
        bias_of_head,
        biases_of_heads,
        explain_score,
        row_weights,
        score_by_distance,
        score_spread,
        softmax_weights,
    )
    from posenc_core.analysis.shifts import (
        best_linear_map,
        MOST_COLUMNS,
        check_width,
        has_shift_matrix,
        shift_blocks,
        shift_matrix,
        shift_residual,
        shift_residuals,
    )
    from posenc_core.analysis.token_pairs import (
        affordable_rows,
        comparable_rows,
        is_reach_sampled,
        is_shift_invariant,
        pair_reach,
    )
else:
    __getattr__ = on_demand(__name__)
