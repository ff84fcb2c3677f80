"""The parameters of RoPE on several axes, and the rules that read each of them."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from posenc_core.encodings.axes.grid import GRID
from posenc_core.fields import ChoiceField, Field, FiniteField, IntegerField, NumbersField, RealField, optional
from posenc_core.rope_scaling import HEAD_DIM, PAIRING, ROPE_THETA, ROTARY_DIM, SCALING

MOST_AXES = 4

RULE = ChoiceField(
    name="rule",
    label="r&ule",
    help="Rule for the axis and the frequency of each pair.",
    default="blocks",
    choices=(
        ("blocks", "blocks of columns, one per axis; frequencies restart at 1 in each"),
        ("shared", "blocks of equal width with the same frequencies"),
        ("shared_in_turns", "the same frequencies, assigned to the axes in turn"),
        ("even_odd", "one list of frequencies; even entries belong to the first axis"),
        ("normalised", "equal blocks over coordinates from -1 to 1, times 2π"),
        ("sections", "one list of frequencies, divided into runs of pairs"),
        ("interleaved_sections", "one list of frequencies; pairs alternate between the axes"),
        ("ernie_3d", "pairs alternate between height and width; the slowest belong to time"),
        ("mixed", "every pair turns by a mixture of x and y"),
    ),
    titles=(
        "blocks (FLUX, Wan)",
        "shared (Qwen2-VL's vision)",
        "shared, in turns (Kimi's vision)",
        "even-odd (Pixtral)",
        "normalised (DINOv3)",
        "sections (Qwen2-VL)",
        "interleaved sections (Qwen3-VL)",
        "ernie_3d (ERNIE 4.5 VL)",
        "mixed (RoPE-ViT)",
    ),
)

AXES = ChoiceField(
    name="axes",
    label="a&xes",
    help="Axes in the order of the rule: time, height, width, and the index in the text.",
    default="h,w",
    choices=(
        ("h,w", "height, then width"),
        ("w,h", "width, then height"),
        ("t,h,w", "time, height, width"),
        ("h,w,t", "height, width, time"),
        ("t,h,w,l", "time, height, width, text"),
        ("t", "a single axis, as in ordinary RoPE"),
    ),
    synonyms="axes_dims_rope, order of position ids",
)

COORDINATE = ChoiceField(
    name="coordinate",
    label="c&oordinate",
    help="Coordinate of a patch along height and width, computed from its index; frames count from 0.",
    default="index",
    choices=(
        ("index", "0, 1, 2, ..."),
        ("centred", "from -(n - floor(n/2)) to floor(n/2) - 1, as Qwen-Image"),
        ("normalised", "2 (index + 1/2)/n - 1, from -1 to 1"),
        ("scaled", "index times a base size over n, as CogVideoX"),
    ),
)


def _base_size(axis: str) -> IntegerField:
    return IntegerField(
        name=f"base_{axis}",
        label=f"base {axis}",
        help=f"The {axis} in patches for which the scaled coordinate equals the index.",
        default={"height": 30, "width": 45}[axis],
        minimum=1,
        maximum=1_000_000,
        unit="patches",
        synonyms=f"base_{axis} (CogVideoX), sample_{axis} / (8 patch_size)",
    )


BASE_HEIGHT, BASE_WIDTH = _base_size("height"), _base_size("width")


class _WholeField(FiniteField, frozen=True, kw_only=True):
    """A whole number from ``floor`` to ``most``, as a float."""

    bounds: ClassVar[str] = "a whole number from {0.floor:g} to {0.most:g}"

    def check(self, value: Any, got: str | None = None) -> float:
        """The number; TypeError unless it is one, ValueError outside the bounds and for a fraction."""
        number = super().check(value, got)
        if not number.is_integer():
            raise ValueError(self.refusal(value, got))
        return number


class WholeNumbersField(NumbersField, frozen=True, kw_only=True):
    """A list of a few whole numbers, one for each axis, kept as a tuple of ints."""

    least: int = 1
    most: int = MOST_AXES

    bounds: ClassVar[str] = "a list of whole numbers >= 0, one per axis"

    def check(self, value: Any, got: str | None = None) -> tuple[int, ...]:
        """The numbers as ints; TypeError unless it is a list of numbers, ValueError outside the bounds."""
        return tuple(map(int, super().check(value, got)))

    def parse(self, text: str) -> tuple[int, ...]:
        """The numbers that the text lists with commas or blanks between them."""
        return tuple(map(int, super().parse(text)))

    def _allowed_floats(self, values: Iterable[Any]) -> tuple[float, ...] | None:
        """None: a few numbers are checked one by one."""
        return None

    def _number(self, index: int) -> RealField:
        name, most = f"{self.display_name}[{index}]", float(HEAD_DIM.maximum)
        return _WholeField(name=name, label="", help="", default=0.0, floor=0.0, most=most, slider=(0.0, most))


class BasesField(NumbersField, frozen=True, kw_only=True):
    """A list of a few finite numbers > 0, one for each axis."""

    least: int = 1
    most: int = MOST_AXES

    bounds: ClassVar[str] = "a list of finite numbers > 0, one per axis"

    def _number(self, index: int) -> RealField:
        return RealField(name=f"{self.name}[{index}]", label="", help="", default=1e4, above=0.0, slider=(1.0, 1e8))


AXIS_WIDTHS = optional(
    WholeNumbersField(
        name="axis_widths",
        label="axis_&widths",
        help="Number of columns of each axis, even numbers that sum to head_dim. None divides the columns as Wan: "
        "2 floor(D/2n) for each axis but the first, which has the rest.",
        default=(16, 56, 56),
        unit="columns",
        synonyms="axes_dim, axes_dims_rope, rope_axes_dim",
    )
)
BASES = optional(
    BasesField(
        name="bases",
        label="ba&ses",
        help="Base of each axis. None uses rope_theta for all.",
        default=(10000.0,),
    )
)
SECTIONS = optional(
    WholeNumbersField(
        name="sections",
        label="se&ctions",
        help="Number of pairs of each axis, which sum to half of head_dim; those of ernie_3d are in the order h, w, t. "
        "None divides them as evenly as possible. An axis with 0 pairs is not encoded.",
        default=(16, 24, 24),
        unit="pairs",
        spoken="mrope_section",
        synonyms="mrope_section, xdrope_section, rope.dimension_sections (GGUF)",
    )
)
DIRECTION_RAD = FiniteField(
    name="direction_rad",
    label="&direction φ",
    help="Direction in which the first half of the pairs turns fastest, from x towards y; the second half is at a "
    "right angle to it. A model starts each head with a random one and learns the frequencies.",
    default=0.5,
    slider=(-math.pi, math.pi),
    most=math.tau,
    floor=-math.tau,
    unit="rad",
)

FIELDS: tuple[Field, ...] = (
    replace(HEAD_DIM, default=64, minimum=2),
    replace(ROPE_THETA, help="Base of the frequencies of the pairs."),
    RULE,
    AXES,
    PAIRING,
    COORDINATE,
    BASE_HEIGHT,
    BASE_WIDTH,
    AXIS_WIDTHS,
    BASES,
    SECTIONS,
    DIRECTION_RAD,
    GRID,
    replace(ROTARY_DIM, label="rotary_d&im", help="Number of leading columns that are rotated; none means all."),
    SCALING,
)

SECTIONED = ("sections", "interleaved_sections", "ernie_3d")
"""The rules that divide one list of frequencies, which can be scaled."""


def is_read(name: str, parameters: Mapping[str, Any]) -> bool:
    """Whether the rule and the coordinates of these parameters read the one of that name."""
    rule = str(parameters.get(RULE.name, RULE.default))
    scaled = parameters.get(COORDINATE.name) == "scaled" and rule != "normalised"
    read: dict[str, bool] = {
        COORDINATE.name: rule != "normalised",
        BASE_HEIGHT.name: scaled,
        BASE_WIDTH.name: scaled,
        AXIS_WIDTHS.name: rule == "blocks",
        BASES.name: rule == "blocks",
        SECTIONS.name: rule in SECTIONED,
        DIRECTION_RAD.name: rule == "mixed",
    }
    if rule not in SECTIONED and any(name == each.name for each in SCALING.visible_fields(parameters)):
        return False
    return read.get(name, True)
