"""SIMILARITY: how alike the rows of two positions are, as a matrix with words on both axes and by distance."""

from posenc_core import Document
from posenc_core.fields import ChoiceField
from posenc_gui.model import Need, PanelSpec, compares_rows, texts_beside

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


def compared(document: Document) -> list[int]:
    """The indices of the chosen encoding and of the others whose rows are vectors."""
    listed = enumerate(document.encodings)
    return [index for index, each in listed if index == document.current or compares_rows(each.encoding)]


SPEC = PanelSpec(
    **texts_beside(__package__),
    least_size=(260, 200),
    export_size=(640, 720),
    options=(SIMILARITY_MEASURE,),
    controls=(SIMILARITY_MEASURE.name,),
    suits=compares_rows,
    needs=Need(
        "Similarity compares the vectors of two positions: in this family positions have no vectors.",
        "Show sinusoids",
        Document.initial().encoding.family,
    ),
    drawn=compared,
)
