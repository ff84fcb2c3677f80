"""The families of encodings by name; those of rooms of their own are loaded when they are first asked for."""

from importlib import import_module

from posenc_core.encodings.abilities.effect import GROUP_OF_EFFECT, GROUPS
from posenc_core.encodings.axes.rope_axes import RopeAxes
from posenc_core.encodings.base import Encoding
from posenc_core.encodings.biases.alibi import Alibi
from posenc_core.encodings.binary import BinaryCode
from posenc_core.encodings.formula.family import Formula
from posenc_core.encodings.learned import LearnedTable
from posenc_core.encodings.no_position import NoPosition
from posenc_core.encodings.ramp import IntegerIndex, NormalizedIndex
from posenc_core.encodings.rotary import Rotary
from posenc_core.encodings.shaw import ShawRelative
from posenc_core.encodings.sinusoidal import Sinusoidal
from posenc_core.encodings.t5 import T5Bias
from posenc_core.encodings.transformer_xl import TransformerXLRelative
from posenc_core.fields import Later, Registry


def _later(name: str, title: str, room: str, kind: str, group: str, year: int) -> Later[type[Encoding]]:
    """The family in the file of that name; the other words are those of its class."""
    home = f"posenc_core.encodings.{room}.{name}"
    return Later(name, title, lambda: getattr(import_module(home), kind), group, year)


def _add_installed(registry: Registry[Encoding]) -> tuple[str, ...]:
    from posenc_core.encodings.plugins import add_installed  # imported when a package is looked for

    return add_installed(registry)


ENCODINGS: Registry[Encoding] = Registry(
    lambda kind: kind.family,
    add_installed=_add_installed,
    kinds=(
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
        RopeAxes,
        _later("xpos", "xPos", "rotations", "XPos", "rotating", 2022),
        _later("kerple", "Kerple", "biases", "Kerple", "bias", 2022),
        _later("sandwich", "Sandwich", "biases", "Sandwich", "bias", 2022),
        _later("fire", "FIRE", "biases", "Fire", "bias", 2023),
        _later("distance_remap", "Changed distances", "rotations", "DistanceRemap", "rotating", 2023),
        _later("cope", "CoPE", "biases", "Cope", "content", 2024),
        _later("fope", "FoPE", "rotations", "Fope", "rotating", 2024),
        _later("forget_gate", "Forget gate (FoX)", "biases", "ForgetGate", "content", 2025),
        _later("pope", "PoPE", "rotations", "Pope", "rotating", 2025),
        _later("grape_m", "GRAPE-M", "rotations", "GrapeM", "rotating", 2025),
        _later("relative_bank", "Relative bank", "biases", "RelativeBank", "bias", 2026),
        Formula,
    ),
)
"""The families by name, from the simplest idea to those in use today; ``register`` adds one."""


def group_of(kind: type[Encoding]) -> str:
    """The family's group among ``GROUPS``, by which choices and pages are ordered."""
    return kind.group or ("content" if kind.needs_content else GROUP_OF_EFFECT.get(kind.effect, "added"))


def headings() -> tuple[str, ...]:
    """The title of each family's group, in the order of the registry; no family is loaded."""
    return tuple(GROUPS[each.heading if isinstance(each, Later) else group_of(each)] for each in ENCODINGS.entries)


def described() -> tuple[tuple[str, str], ...]:
    """The name of each family, and its title with its year."""
    return tuple((name, _dated(each)) for name, each in zip(ENCODINGS, ENCODINGS.entries, strict=True))


def _dated(entry: type[Encoding] | Later[type[Encoding]]) -> str:
    """The title with the year; a family has none from the class that it derives from."""
    year = entry.year if isinstance(entry, Later) else vars(entry).get("year")
    return f"{entry.title}, {year}" if year else entry.title
