"""SHIFT: the linear map from each row to the row k positions later, as cells, and its errors."""

from posenc_core import Document
from posenc_core.fields import FlagField, IntegerField
from posenc_gui.model import Cursor, Need, PanelSpec, compares_rows, every_encoding, field_course, texts_beside

SHIFT_K = IntegerField(
    name="shift_k",
    label="k",
    help="Number of positions by which a row is shifted, forwards or backwards.",
    default=1,
    minimum=-1_000_000,
    maximum=1_000_000,
    slider=(-64, 64),
    unit="tokens",
)

SHIFT_WITHOUT_COSINES = FlagField(
    name="shift_without_cosines",
    label="without cosines",
    help="Leave the columns of cosines out. No matrix then shifts every row; the best one is found by least squares "
    "over 50 rows.",
    default=False,
)


def _stops(document: Document, cursor: Cursor) -> range:
    first, last = SHIFT_K.slider or (SHIFT_K.minimum, SHIFT_K.maximum)
    return range(first, last + 1)


SPEC = PanelSpec(
    **texts_beside(__package__),
    least_size=(260, 200),
    export_size=(600, 720),
    options=(SHIFT_K, SHIFT_WITHOUT_COSINES),
    controls=(SHIFT_K.name, SHIFT_WITHOUT_COSINES.name),
    suits=compares_rows,
    needs=Need(
        "Shift maps the vector of a position to another one: in this family positions have no vectors.",
        "Show sinusoids",
        Document.initial().encoding.family,
    ),
    course=field_course(
        SHIFT_K.name, ("k", "shift k", "tokens"), 150, _stops, lambda document: int(document.option(SHIFT_K))
    ),
    drawn=every_encoding,
)
