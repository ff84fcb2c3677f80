"""Effects of a longer context on turning pairs, and differences of two tables.

Contents: unseen angles, drift, slowdowns, stale keys, rounded numbers, and one table minus another.
"""

from posenc_core.faces import on_demand
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posenc_core.long_context.angle_difference import AngleDifference, wrapped
    from posenc_core.long_context.angle_drift import Drift, NEVER, drift, explain_drift, pairs_that_turn
    from posenc_core.long_context.cache_timeline import cache_bases, grows_with_cache, stale_angles
    from posenc_core.long_context.precision import (
        ARITHMETICS,
        distinct_positions,
        model_frequencies,
        precision_error,
        to_bfloat16,
    )
    from posenc_core.long_context.precision_curves import MOST_PAIRS, PrecisionCurves, SAMPLES
    from posenc_core.long_context.rounded_numbers import RoundedNumber, rounding_chain
    from posenc_core.long_context.slowdown_shares import n_wavelengths, pair_shares, slowdowns
    from posenc_core.long_context.table_difference import TableDifference, difference_of
    from posenc_core.long_context.unseen import UnseenAngles, distances_seen, explain_unseen, unseen_angles
else:
    __getattr__ = on_demand(__name__)
