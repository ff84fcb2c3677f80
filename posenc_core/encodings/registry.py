"""The families of encodings by name, all but the commonest loaded on first use; their groups and their pictures."""

from importlib import import_module

from posenc_core.encodings.abilities.effect import GROUP_OF_EFFECT, GROUPS
from posenc_core.encodings.axes.grid import Grid
from posenc_core.encodings.base import Encoding
from posenc_core.encodings.sinusoidal import Sinusoidal
from posenc_core.fields import Later, Registry


def _later(name: str, title: str, home: str, kind: str, group: str, year: int = 0) -> Later[type[Encoding]]:
    """The family in the module ``home``; the other words are those of its class."""
    return Later(name, title, lambda: getattr(import_module(f"posenc_core.encodings.{home}"), kind), group, year)


def _add_installed(registry: Registry[Encoding]) -> tuple[str, ...]:
    from posenc_core.encodings.plugins import add_installed  # imported when a package is looked for

    return add_installed(registry)


ENCODINGS: Registry[Encoding] = Registry(
    lambda kind: kind.family,
    add_installed=_add_installed,
    kinds=(
        _later("none", "No position (NoPE)", "no_position", "NoPosition", "added", 2023),
        _later("integer", "Integer index", "ramp", "IntegerIndex", "added"),
        _later("normalized", "Normalised index", "ramp", "NormalizedIndex", "added"),
        _later("binary", "Binary code", "binary", "BinaryCode", "added"),
        Sinusoidal,
        _later("learned", "Learned table", "learned", "LearnedTable", "added", 2017),
        _later("shaw", "Shaw relative", "shaw", "ShawRelative", "added", 2018),
        _later("transformer_xl", "Transformer-XL", "transformer_xl", "TransformerXLRelative", "added", 2019),
        _later("t5", "T5 bias", "t5", "T5Bias", "bias", 2020),
        _later("alibi", "ALiBi", "biases.alibi", "Alibi", "bias", 2021),
        _later("rotary", "Rotary (RoPE)", "rotary", "Rotary", "rotating", 2021),
        _later("rope_axes", "RoPE on several axes", "axes.rope_axes", "RopeAxes", "axes", 2024),
        _later("xpos", "xPos", "rotations.xpos", "XPos", "rotating", 2022),
        _later("kerple", "Kerple", "biases.kerple", "Kerple", "bias", 2022),
        _later("sandwich", "Sandwich", "biases.sandwich", "Sandwich", "bias", 2022),
        _later("fire", "FIRE", "biases.fire", "Fire", "bias", 2023),
        _later("distance_remap", "Changed distances", "rotations.distance_remap", "DistanceRemap", "rotating", 2023),
        _later("cope", "CoPE", "biases.cope", "Cope", "content", 2024),
        _later("fope", "FoPE", "rotations.fope", "Fope", "rotating", 2024),
        _later("forget_gate", "Forget gate (FoX)", "biases.forget_gate", "ForgetGate", "content", 2025),
        _later("pope", "PoPE", "rotations.pope", "Pope", "rotating", 2025),
        _later("grape_m", "GRAPE-M", "rotations.grape_m", "GrapeM", "rotating", 2025),
        _later("relative_bank", "Relative bank", "biases.relative_bank", "RelativeBank", "bias", 2026),
        _later("formula", "Formula of your own", "formula.family", "Formula", "added"),
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


def patches_of(encoding: Encoding) -> Grid | None:
    """The grid of the encoding's cells, or of a table that it compares, if it has patches; None for a text."""
    for table in (encoding, *[table for _, table in encoding.compared]):
        if table.cells is not None and table.cells.grid.is_picture:
            return table.cells.grid
    return None


def has_text(encoding: Encoding) -> bool:
    """Whether some of the encoding's positions are tokens of a text; False for a picture alone."""
    picture = patches_of(encoding)
    return picture is None or picture.n_text > 0
