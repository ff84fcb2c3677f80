"""DIFFERENCE: a panel of vectors for A, for another encoding, and for A minus the other."""

from posenc_core import Document
from posenc_core.fields import ChoiceField
from posenc_gui.model import PanelSpec
from posenc_gui.panels.difference.compared import missing_to_compare

COMPARED_PANEL = ChoiceField(
    name="compared_panel",
    label="compare as",
    help="The picture that the panel Difference draws of A, of the other encoding, and of A minus it.",
    default="heatmap",
    choices=(
        ("waves", "columns as stacked waves"),
        ("heatmap", "positions by columns as colours"),
        ("tokens", "the vector of every token"),
    ),
)


def wants_angles(document: Document) -> bool:
    """Whether the angles of pairs are to be compared, which the heatmap can show."""
    return bool(document.view.angles and document.option(COMPARED_PANEL) == "heatmap")


SPEC = PanelSpec(
    package=__package__,
    title="Difference",
    hint="A, B and A − B",
    explanation=(
        "The table of A, the table of the chosen encoding (of B if A is chosen), and their difference: as waves, "
        "as a heatmap, or as the tokens’ vectors. All share one scale, one window and one cursor. Columns are "
        "compared by their place in the table, as far as both tables have them, biases by their heads."
    ),
    handling="The wheel, dragging and a double click work as in Waves, Heatmap and Tokens.",
    more=(
        "If a pixel of the heatmap covers many cells, its colour is their exact mean; if a pixel of the waves "
        "does, a band covers all differences and may be wider than they are. With angles of pairs, a difference in "
        "the heatmap is at most half a turn either way, in cyclic colours, and a pixel of many cells has the "
        "difference of the mean directions. Waves and tokens show sines and cosines."
    ),
    least_size=(360, 180),
    export_size=(960, 420),
    options=(COMPARED_PANEL,),
    find_missing=missing_to_compare,
    find_drawn=lambda document: (0, document.current or 1),
)
