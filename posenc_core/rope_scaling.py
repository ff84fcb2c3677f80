"""Scalings of rotary frequencies to longer contexts: frequencies in, frequencies out, one signature.

``Rotary(128, scaling=Yarn(16, 4096))`` uses one; ``scaling.frequencies(unscaled, rope_theta)`` is all that it has to
offer. Wrong parameters are TypeError or ValueError with one plain sentence.
"""

from posenc_core.scalings.base import RopeScaling
from posenc_core.scalings.by_parts import Llama3, NtkByParts
from posenc_core.scalings.longrope import LongRope
from posenc_core.scalings.ntk import DynamicNtk, NtkAware
from posenc_core.scalings.proportional import Proportional
from posenc_core.scalings.uniform import FrequencyScale, Linear
from posenc_core.scalings.yarn import Yarn

SCALINGS: dict[str, type[RopeScaling]] = {
    scaling.rope_type: scaling
    for scaling in (FrequencyScale, Linear, NtkAware, DynamicNtk, NtkByParts, Yarn, Llama3, LongRope, Proportional)
}
"""The scalings by name, in the order to offer them."""

__all__ = [
    "SCALINGS",
    "DynamicNtk",
    "FrequencyScale",
    "Linear",
    "Llama3",
    "LongRope",
    "NtkAware",
    "NtkByParts",
    "Proportional",
    "RopeScaling",
    "Yarn",
]
