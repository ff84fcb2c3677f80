"""SIMILARITY: how alike the rows of two positions are, as a matrix with words on both axes and by distance."""

from posenc_core import Document
from posenc_core.fields import ChoiceField
from posenc_gui.model import Need, PanelSpec, compares_rows, every_encoding

SIMILARITY_MEASURE = ChoiceField(
    name="similarity_measure",
    label="measure",
    help="Measure that compares the rows of two positions.",
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
        "Similarity of the rows of two positions: dot product, cosine of their angle, or Euclidean distance. The "
        "curve of the chosen measure by distance is thick, with its axis on the left; a low or wide panel draws "
        "that curve alone. Each cell of the square is a pair of positions. The rows are position vectors before "
        "W_q and W_k: the products are not attention scores."
    ),
    handling="The wheel zooms, dragging pans, a double click shows all.",
    more="The axes of the other measures are on the right. If not all columns are pairs, each curve is a mean, "
    "drawn beside the curve of the cursor’s row.",
    least_size=(260, 240),
    export_size=(640, 720),
    options=(SIMILARITY_MEASURE,),
    controls=(SIMILARITY_MEASURE.name,),
    suits=compares_rows,
    needs=Need(
        "Similarity compares the vectors of two positions: in this family positions have no vectors.",
        "Show sinusoids",
        Document().encoding.family,
    ),
    find_drawn=every_encoding,
)
