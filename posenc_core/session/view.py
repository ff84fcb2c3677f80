"""How the numbers are drawn, where that is part of the document and not of the window."""

from dataclasses import dataclass
from typing import ClassVar

from posenc_core.fields import ChoiceField, Field, FlagField, Spec
from posenc_core.session.context import COMPARED_SCALINGS, TARGET_LENGTH, TRAINED_LENGTH
from posenc_core.session.rotation_view import (
    ANGLE_UNIT,
    BOTH_SHIFT,
    KEY_POSITION,
    N_CLOCKS,
    QUERY_POSITION,
    ROTATION_FIELDS,
)
from posenc_core.text import KEY_VECTOR, PAIR_FIELDS, PAIR_SEED, PAIR_VECTORS, QUERY_VECTOR

COLOR_MAP = ChoiceField(
    name="color_map",
    label="&Colours",
    help="Colours of the values: a diverging map around zero, or one that runs from dark to light.",
    default="diverging",
    choices=(
        ("diverging", "CET-D1A"),
        ("viridis", "viridis"),
        ("cividis", "cividis"),
        ("cyclic", "CET-C1, for angles"),
    ),
)

TRANSPOSE = FlagField(
    name="transpose",
    label="&Positions across",
    help="Draw the heatmap with the positions across and the columns down, as some books do.",
    default=False,
)

ANGLES = FlagField(
    name="angles",
    label="A&ngles of pairs",
    help="Show the angle of each pair, mod 2π, in the heatmap instead of its sine and cosine. Many angles in a pixel "
    "have the colour of their mean direction, grey where they spread over half a turn or more.",
    default=False,
)

LOGARITHMIC = FlagField(
    name="logarithmic",
    label="&Logarithmic positions",
    help="Draw the waves over a logarithmic axis where the length is over 1,000, unless a table takes long to read.",
    default=False,
)


@dataclass(frozen=True)
class View(Spec):
    """How the numbers are drawn, where that is part of the document and not of the window."""

    color_map: str = "diverging"
    transpose: bool = False
    angles: bool = False
    logarithmic: bool = False
    trained_length: int | None = None
    target_length: int | None = None
    compared_scalings: tuple[str, ...] = COMPARED_SCALINGS.default
    pair_vectors: str = PAIR_VECTORS.default
    pair_seed: int = PAIR_SEED.default
    query_vector: tuple[float, ...] = QUERY_VECTOR.default
    key_vector: tuple[float, ...] = KEY_VECTOR.default
    angle_unit: str = ANGLE_UNIT.default
    n_clocks: int = N_CLOCKS.default
    query_position: int = QUERY_POSITION.default
    key_position: int = KEY_POSITION.default
    both_shift: int = BOTH_SHIFT.default

    FIELDS: ClassVar[tuple[Field, ...]] = (
        COLOR_MAP,
        TRANSPOSE,
        ANGLES,
        LOGARITHMIC,
        TRAINED_LENGTH,
        TARGET_LENGTH,
        COMPARED_SCALINGS,
        *PAIR_FIELDS,
        *ROTATION_FIELDS,
    )
