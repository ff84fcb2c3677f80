"""SEEN DISTANCES: the distance that a rotation sees of each key of a query, against the trained length."""

from posenc_core import Document, Encoding
from posenc_core.fields import IntegerField, optional
from posenc_gui.model import TARGET_LENGTHS, Need, PanelSpec, every_encoding, texts_beside

SEEN_QUERY = optional(
    IntegerField(
        name="seen_query",
        label="query at",
        short="q at",
        help="Position of the query whose keys are drawn. None uses the last position of the target length.",
        default=16_383,
        minimum=0,
        maximum=10**9,
        step=1024,
    )
)


def changes_distances(encoding: Encoding) -> bool:
    """Whether the encoding's rotation sees other distances than the text has."""
    return encoding.rotation is not None and encoding.rotation.distance_rule is not None


def query_of(document: Document) -> int:
    """The position of the query: the user's, else the last one of the target length."""
    chosen = document.option(SEEN_QUERY)
    return document.lengths.target - 1 if chosen is None else int(chosen)


SPEC = PanelSpec(
    **texts_beside(__package__),
    least_size=(220, 220),
    export_size=(720, 420),
    needs=Need("Seen distances needs a rotation with changed distances.", "Show changed distances", "distance_remap"),
    course=TARGET_LENGTHS,
    options=(SEEN_QUERY,),
    controls=(SEEN_QUERY.name, "trained_length", "target_length"),
    find_stand_ins=lambda document: {SEEN_QUERY.name: document.lengths.target - 1},
    suits=changes_distances,
    drawn=every_encoding,
)
