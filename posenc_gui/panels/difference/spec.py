"""DIFFERENCE: a panel of vectors for A, for another encoding, and for A minus the other."""

from posenc_core import Document
from posenc_core.fields import ChoiceField
from posenc_gui.model import PanelSpec, texts_beside
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
    **texts_beside(__package__),
    least_size=(360, 180),
    export_size=(960, 420),
    options=(COMPARED_PANEL,),
    find_missing=missing_to_compare,
    drawn=lambda document: (0, document.current or 1),
)
