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


def _missing(document: Document) -> Need | None:
    from posenc_core.analysis import MOST_COLUMNS  # imported on first use

    if not compares_rows(document.encoding):
        sentence = "Shift maps the vector of a position to another one: in this family positions have no vectors."
        return Need(sentence, "Show sinusoids", Document.initial().encoding.family)
    width, most = document.encoding.n_columns, f"{MOST_COLUMNS:,} columns"
    if width <= MOST_COLUMNS or document.option(SHIFT_WITHOUT_COSINES):
        return None
    sentence = f"Shift computes matrices of at most {most}: this table has {width:,}."
    narrower = Document.initial().edited("d_model", MOST_COLUMNS).encoding
    return Need(sentence, f"Show sinusoids of {most}", encoding=narrower)


SPEC = PanelSpec(
    **texts_beside(__package__),
    least_size=(260, 200),
    export_size=(600, 720),
    options=(SHIFT_K, SHIFT_WITHOUT_COSINES),
    controls=(SHIFT_K.name, SHIFT_WITHOUT_COSINES.name),
    suits=compares_rows,
    find_missing=_missing,
    course=field_course(
        SHIFT_K.name, ("k", "shift k", "tokens"), 150, _stops, lambda document: int(document.option(SHIFT_K))
    ),
    drawn=every_encoding,
)
