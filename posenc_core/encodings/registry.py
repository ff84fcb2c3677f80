"""The families of encodings by name; those of rooms of their own are loaded when they are first asked for."""

from importlib import import_module

from posenc_core.encodings.base import Encoding
from posenc_core.encodings.biases.alibi import Alibi
from posenc_core.encodings.binary import BinaryCode
from posenc_core.encodings.learned import LearnedTable
from posenc_core.encodings.no_position import NoPosition
from posenc_core.encodings.ramp import IntegerIndex, NormalizedIndex
from posenc_core.encodings.rotary import Rotary
from posenc_core.encodings.shaw import ShawRelative
from posenc_core.encodings.sinusoidal import Sinusoidal
from posenc_core.encodings.t5 import T5Bias
from posenc_core.encodings.transformer_xl import TransformerXLRelative
from posenc_core.fields import Later, Registry


def _later(name: str, title: str, room: str, kind: str) -> Later[type[Encoding]]:
    """The family in the file of that name."""
    return Later(name, title, lambda: getattr(import_module(f"posenc_core.encodings.{room}.{name}"), kind))


ENCODINGS: Registry[Encoding] = Registry(
    lambda kind: kind.family,
    (
        NoPosition,
        IntegerIndex,
        NormalizedIndex,
        BinaryCode,
        Sinusoidal,
        LearnedTable,
        ShawRelative,
        TransformerXLRelative,
        T5Bias,
        Alibi,
        Rotary,
        _later("xpos", "xPos", "rotations", "XPos"),
        _later("kerple", "Kerple", "biases", "Kerple"),
        _later("sandwich", "Sandwich", "biases", "Sandwich"),
        _later("fire", "FIRE", "biases", "Fire"),
        _later("distance_remap", "Changed distances", "rotations", "DistanceRemap"),
        _later("cope", "CoPE", "biases", "Cope"),
        _later("fope", "FoPE", "rotations", "Fope"),
        _later("forget_gate", "Forget gate (FoX)", "biases", "ForgetGate"),
        _later("pope", "PoPE", "rotations", "Pope"),
        _later("grape_m", "GRAPE-M", "rotations", "GrapeM"),
        _later("relative_bank", "Relative bank", "biases", "RelativeBank"),
    ),
)
"""The families by name, from the simplest idea to those in use today; ``register`` adds one."""
