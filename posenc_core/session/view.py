"""Settings of drawing that several panels or the core read; a setting of one panel is an option of that panel."""

from dataclasses import dataclass
from typing import Annotated

from posenc_core.fields import ChoiceField, FlagField, Spec
from posenc_core.session.context import COMPARED_SCALINGS, LONGEST_DISTANCE, TARGET_LENGTH, TRAINED_LENGTH
from posenc_core.text import KEY_VECTOR, PAIR_SEED, PAIR_VECTORS, QUERY_VECTOR

COLOR_MAP = ChoiceField(
    name="color_map",
    label="&Colours",
    help="Colours of the values: a diverging map around zero, or one that runs from dark to light.",
    default="diverging",
    choices=(
        ("diverging", "CET-D1A, CET-D4 in the dark; viridis where no sign changes"),
        ("viridis", "viridis"),
        ("cividis", "cividis"),
        ("cyclic", "CET-C1, for angles"),
    ),
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
    help="Draw the waves over a logarithmic axis at lengths over 1,000, unless a table takes long to read, and the "
    "map of unseen angles at any length.",
    default=False,
)

PER_ROW = FlagField(
    name="per_row",
    label="Colours per &head",
    help="Scale the colours of each head to its largest bias, so that heads with small biases are as visible "
    "as others. Equal colours in two heads then do not mean equal numbers.",
    default=False,
)


@dataclass(frozen=True)
class View(Spec):
    """Settings of drawing that belong to the document and not to the window."""

    color_map: Annotated[str, COLOR_MAP] = COLOR_MAP.default
    angles: Annotated[bool, ANGLES] = False
    logarithmic: Annotated[bool, LOGARITHMIC] = False
    trained_length: Annotated[int | None, TRAINED_LENGTH] = None
    target_length: Annotated[int | None, TARGET_LENGTH] = None
    longest_distance: Annotated[int | None, LONGEST_DISTANCE] = None
    compared_scalings: Annotated[tuple[str, ...], COMPARED_SCALINGS] = COMPARED_SCALINGS.default
    pair_vectors: Annotated[str, PAIR_VECTORS] = PAIR_VECTORS.default
    pair_seed: Annotated[int, PAIR_SEED] = PAIR_SEED.default
    query_vector: Annotated[tuple[float, ...], QUERY_VECTOR] = QUERY_VECTOR.default
    key_vector: Annotated[tuple[float, ...], KEY_VECTOR] = KEY_VECTOR.default
    per_row: Annotated[bool, PER_ROW] = False
