"""Sine and cosine at any position, exact means and curves at any zoom, without knowledge of any encoding."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_core.numerics.decimal_angles import Angle, angle_of, digits_for, divisor_of, pi, residue_of
    from posenc_core.numerics.dirichlet_sums import dirichlet
    from posenc_core.numerics.harmonics import Complex64Array, Float32Array, FloatArray, IntArray, arithmetic_step
    from posenc_core.numerics.harmonics import (
        geometric_frequencies,
        phasor_rows,
        phasors,
        power_rows,
        products,
        sinusoids,
        wrapped_frequencies,
    )
    from posenc_core.numerics.parallel import beside, n_processors, on_all_processors
    from posenc_core.numerics.simulation import normal_entries
    from posenc_core.numerics.step_tables import STEP_PIXELS, Runs, Steps, blocks, envelope, every_position
    from posenc_core.numerics.step_tables import in_blocks, mean_tile, ramp_traces, reduced, step_traces
    from posenc_core.numerics.tiles import Harmonics, Spans, complex_of, distinct, sinusoid_phasors, sinusoid_tile
    from posenc_core.numerics.tiles import moved, spans
    from posenc_core.numerics.traces import PIXELS_PER_WAVE, Bands, Lines, Traces, sine_block_envelope, sine_envelope
    from posenc_core.numerics.traces import sinusoid_traces, trace_bounds
else:
    __getattr__ = on_demand(__name__)
