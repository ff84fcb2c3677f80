"""Scalings to longer contexts: of rotary frequencies, with one signature, and of queries by their position.

``Rotary(128, scaling=Yarn(16, 4096))`` uses ``scaling.frequencies(unscaled, rope_theta)``. Wrong parameters raise
TypeError or ValueError with one plain sentence.
"""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_core.rope_scaling.base import RopeScaling, rope_frequencies, wrapped_rope_frequencies
    from posenc_core.rope_scaling.by_parts import Llama3, NtkByParts
    from posenc_core.rope_scaling.fields import (
        DIRECTION,
        DIVISORS,
        FACTOR,
        HEAD_DIM,
        MAXIMUM_LENGTH,
        ORIGINAL_LENGTH,
        PAIRING,
        PARTIAL,
        ROPE_THETA,
        ROTARY_DIM,
        ROTARY_PART,
        SEQUENCE_LENGTH,
    )
    from posenc_core.rope_scaling.listed import FrequencyDivisors
    from posenc_core.rope_scaling.longrope import LongRope
    from posenc_core.rope_scaling.ntk import DynamicNtk, NtkAware
    from posenc_core.rope_scaling.proportional import Proportional
    from posenc_core.rope_scaling.registry import SCALING, SCALINGS
    from posenc_core.rope_scaling.served import LeRope, ServedNtk, ThetaScale, YarnLog
    from posenc_core.rope_scaling.temperature import QueryTemperature, query_temperature
    from posenc_core.rope_scaling.uniform import FrequencyScale, Linear
    from posenc_core.rope_scaling.yarn import Yarn, magnitude
else:
    __getattr__ = on_demand(__name__)
