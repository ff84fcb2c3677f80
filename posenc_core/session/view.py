"""How the numbers are drawn, where that is part of the document and not of the window."""

from dataclasses import dataclass
from typing import ClassVar

from posenc_core.fields import ChoiceField, Field, FlagField, Spec
from posenc_core.session.context import COMPARED_SCALINGS, TARGET_LENGTH, TRAINED_LENGTH
from posenc_core.session.relations_view import RELATIONS_FIELDS, SCORE_MODE, SHIFT_K, SIMILARITY_MEASURE

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
    score_mode: str = SCORE_MODE.default
    score_distances: int | None = None
    score_head: int = 0
    score_query: tuple[float, ...] | None = None
    score_key: tuple[float, ...] | None = None
    score_weights: bool = False
    similarity_measure: str = SIMILARITY_MEASURE.default
    shift_k: int = SHIFT_K.default
    shift_without_cosines: bool = False

    FIELDS: ClassVar[tuple[Field, ...]] = (
        COLOR_MAP,
        TRANSPOSE,
        ANGLES,
        LOGARITHMIC,
        TRAINED_LENGTH,
        TARGET_LENGTH,
        COMPARED_SCALINGS,
        *RELATIONS_FIELDS,
    )
