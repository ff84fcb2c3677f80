"""SIMILARITY: how alike the rows of two positions are, as a matrix with words on both axes and by distance."""

from posenc_core import Document
from posenc_core.fields import ChoiceField
from posenc_gui.model import Need, PanelSpec, compares_rows

SIMILARITY_MEASURE = ChoiceField(
    name="similarity_measure",
    label="measure",
    help="How the rows of two positions are compared.",
    default="cosine",
    choices=(
        ("dot", "dot product"),
        ("cosine", "cosine of the angle between them"),
        ("euclidean", "Euclidean distance"),
    ),
)

SPEC = PanelSpec(
    package=__package__,
    title="Similarity",
    hint="rows of two positions compared",
    explanation=(
        "How alike the rows of two positions are: by dot product, by the cosine of their angle, by Euclidean distance. "
        "By distance: the chosen measure is thick, with its axis on the left; a low or wide panel draws it alone. "
        "Each cell of the square is a pair of positions. These are products of position vectors, not attention scores: "
        "W_q and W_k stand in between."
    ),
    handling="The wheel zooms, dragging pans, a double click shows all.",
    more="Other axes are at the right. Where not all columns are pairs, a line is a mean beside the cursor’s row.",
    least_size=(260, 240),
    export_size=(640, 720),
    options=(SIMILARITY_MEASURE,),
    controls=(SIMILARITY_MEASURE.name,),
    suits=compares_rows,
    needs=Need(
        "Similarity compares the vectors of two positions: here positions give no vectors.",
        "Show sinusoids",
        Document().encoding.family,
    ),
)
