"""Sine and cosine at any position, exact means and curves at any zoom, without knowledge of any encoding."""

from posenc_core.numerics.decimal_angles import Angle, angle_of, digits_for, divisor_of, pi, residue_of
from posenc_core.numerics.dirichlet_sums import dirichlet
from posenc_core.numerics.harmonics import (
    Complex64Array,
    Float32Array,
    FloatArray,
    IntArray,
    arithmetic_step,
    geometric_frequencies,
    phasor_rows,
    sinusoids,
    wrapped_frequencies,
)
from posenc_core.numerics.parallel import n_processors, on_all_processors
from posenc_core.numerics.simulation import normal_entries
from posenc_core.numerics.step_tables import (
    STEP_PIXELS,
    Runs,
    Steps,
    envelope,
    every_position,
    in_blocks,
    mean_tile,
    ramp_traces,
    reduced,
    step_traces,
)
from posenc_core.numerics.tiles import Harmonics, Spans, complex_of, distinct, sinusoid_phasors, sinusoid_tile, spans
from posenc_core.numerics.traces import (
    PIXELS_PER_WAVE,
    Bands,
    Lines,
    Traces,
    sine_block_envelope,
    sine_envelope,
    sinusoid_traces,
    trace_bounds,
)
