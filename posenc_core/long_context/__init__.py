"""What a longer context does to turning pairs, and where two tables part.

Unseen angles, drift, slowdowns, stale keys, rounded numbers, and one table minus another.
"""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_core.long_context.angle_drift import NEVER, Drift, drift, explain_drift, turning
    from posenc_core.long_context.cache_timeline import cache_bases, stale_angles
    from posenc_core.long_context.precision import ARITHMETICS, RotaryError, distinct_positions
    from posenc_core.long_context.precision import largest_precision_errors, model_frequencies, precision_error
    from posenc_core.long_context.precision import rotary_error, to_bfloat16
    from posenc_core.long_context.precision_curves import MOST_PAIRS, SAMPLES, PrecisionCurves
    from posenc_core.long_context.rounded_numbers import RoundedNumber, rounding_chain
    from posenc_core.long_context.slowdown_shares import PairShares, pair_shares, slowdowns
    from posenc_core.long_context.table_difference import TableDifference
    from posenc_core.long_context.unseen import UnseenAngles, explain_unseen, unseen_angles
else:
    __getattr__ = on_demand(__name__)
