"""The families of encodings, by the name that sessions and the command line use."""

from posenc_core.encodings.base import ColumnFacts, Encoding
from posenc_core.encodings.rotary import Rotary
from posenc_core.encodings.sinusoidal import Sinusoidal

ENCODINGS: dict[str, type[Encoding]] = {family.family: family for family in (Sinusoidal,)}
"""Rotary is not among them yet: the window has no editors for a scaling."""

__all__ = ["ENCODINGS", "ColumnFacts", "Encoding", "Rotary", "Sinusoidal"]
