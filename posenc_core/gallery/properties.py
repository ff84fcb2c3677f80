"""The properties of an encoding: the measure, the sentence around its number, and the grade."""

from collections.abc import Callable

from msgspec import Struct

from posenc_core.encodings import Encoding
from posenc_core.gallery import measures
from posenc_core.gallery.measures import FAR
from posenc_core.gallery.setting import LONGER, Setting

GOOD, FAIR, POOR, NONE = "good", "fair", "poor", ""
"""The grades of a score, and the grade of a property that makes no sense for a family."""

SIGNS = {GOOD: "✓", FAIR: "~", POOR: "✗", NONE: "–"}
"""The sign beside the number of each grade, in addition to the colour."""

_ROUNDING = 1e-6
"""Differences below this are the rounding of angles at far positions."""


class Property(Struct, frozen=True):
    """A property of an encoding: a short title, an explanation, and the unit of the number.

    ``measure`` returns the number. ``grade`` rates it, from the encoding, the setting and the number; ``good``
    describes good numbers. ``words`` is the sentence around the number. A share with a ``total`` is written as a count
    out of the total. ``length`` is the length in positions at which the property is measured, if it has one.
    """

    name: str
    title: str
    question: str
    words: str
    measure: Callable[[Encoding, Setting], float]
    grade: Callable[[Encoding, Setting, float], str]
    good: str
    is_share: bool = False
    total: Callable[[Encoding], int] | None = None
    length: Callable[[Setting], int] | None = None

    def heading(self, setting: Setting) -> str:
        """The title with the length of the setting."""
        return self.title if self.length is None else f"{self.title} at {self.length(setting):,}"


def up_to(good: float, fair: float) -> Callable[[Encoding, Setting, float], str]:
    """The grade of a number that is the better the smaller it is."""
    return lambda encoding, setting, number: GOOD if number <= good else FAIR if number <= fair else POOR


def _grade_of_distance(encoding: Encoding, setting: Setting, number: float) -> str:
    """Grade by the difference per column: below 0.01 it is far smaller than the numbers of an embedding."""
    per_column = number / encoding.n_columns**0.5
    return GOOD if per_column >= 1e-2 else FAIR if per_column > _ROUNDING else POOR


def _grade_of_share(encoding: Encoding, setting: Setting, number: float) -> str:
    return GOOD if number == 1 else FAIR if number > 0 else POOR


PROPERTIES = (
    Property(
        "bounded",
        "Largest entry",
        f"How large is the largest entry, at up to {FAR:,} positions?",
        f"the largest entry is {{}}, at up to {FAR:,} positions",
        measures.largest_entry,
        up_to(10.0, 100.0),
        "small",
    ),
    Property(
        "unique",
        "Least distance of rows",
        "How close are the two nearest rows of the text?",
        "the two nearest rows are {} apart",
        measures.smallest_distance,
        _grade_of_distance,
        "large",
    ),
    Property(
        "step",
        "Step depends on length",
        "How much does the first step change in a text of twice the length?",
        "in a text of twice the length, the first step changes by {}",
        measures.step_change,
        up_to(0.0, 0.1),
        "0 %",
        is_share=True,
    ),
    Property(
        "shift",
        "Error of linear shift",
        "How far is the next row from the best linear map of a row?",
        "the best linear map of each row misses the next by up to {}",
        measures.shift_error,
        up_to(_ROUNDING, 1e-2),
        "0",
    ),
    Property(
        "score",
        "Score moves with place",
        "How much does the score of one query and one key change with their place, at the same distance?",
        "at the same distance, one score changes by up to {} with its place",
        measures.score_spread_over_positions,
        up_to(_ROUNDING, 0.1),
        "0",
    ),
    Property(
        "defined",
        "Defined beyond L",
        f"Which share of the positions, or distances, from the trained length L to {LONGER} L has a value?",
        f"{{}} of the positions, or distances, from L to {LONGER} L have a value",
        measures.share_defined,
        _grade_of_share,
        "100 %",
        is_share=True,
    ),
    Property(
        "unseen",
        "Unseen angles",
        "How many pairs reach angles that training did not show, in a text of the target length?",
        "{} pairs reach angles that training did not show, at {length} positions",
        measures.share_unseen,
        up_to(0.0, 0.5),
        "none",
        is_share=True,
        total=measures.n_pairs,
        length=lambda setting: setting.reach,
    ),
    Property(
        "trained",
        "Trained numbers",
        "How many trained numbers are in its table?",
        "its table contains {} trained numbers",
        measures.n_trained,
        up_to(0.0, 10_000.0),
        "0",
    ),
    Property(
        "scaled",
        "Changes when scaled",
        f"How much do the sentence's entries change for a text {LONGER} times as long?",
        f"for a text {LONGER} times as long, an entry of the sentence changes by up to {{}} of the largest",
        measures.change_when_scaled,
        up_to(0.0, 0.25),
        "0 %",
        is_share=True,
    ),
)
"""The columns of the scorecard."""
