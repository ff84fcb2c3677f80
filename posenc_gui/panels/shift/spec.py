"""SHIFT: the linear map from each row to the row k positions later, as cells, and its errors."""

from posenc_core import Document
from posenc_core.fields import FlagField, IntegerField
from posenc_gui.model import Cursor, Need, PanelSpec, compares_rows, every_encoding, field_course

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


def _k(document: Document) -> int:
    return int(document.option(SHIFT_K))


SPEC = PanelSpec(
    package=__package__,
    title="Shift",
    hint="from row p to row p + k",
    explanation=(
        "Is row p + k a linear function of row p, the same at every p? For pairs of sine and cosine it is: the "
        "matrix has a block of two columns and two rows for each pair, which turns the pair by its frequency times "
        "k. The plot shows the largest error of the mapped row at each position, on a logarithmic axis; for such "
        "pairs the error is rounding alone."
    ),
    more=(
        "Without the cosines, and for other tables, the best matrix is found by least squares over 50 rows. With "
        "no more rows than columns such a matrix fits any numbers, so the error at held-out rows is shown as well. "
        "The columns of sines alone are nearly dependent: entries of millions and more cancel, and the colours end at "
        "four fifths of them. In a picture, k cells are steps along its axes: cells at an edge, without one so far on, "
        "are left out."
    ),
    least_size=(260, 240),
    export_size=(600, 720),
    options=(SHIFT_K, SHIFT_WITHOUT_COSINES),
    controls=(SHIFT_K.name, SHIFT_WITHOUT_COSINES.name),
    suits=compares_rows,
    needs=Need(
        "Shift maps the vector of a position to another one: in this family positions have no vectors.",
        "Show sinusoids",
        Document().encoding.family,
    ),
    course=field_course(SHIFT_K.name, ("k", "shift k", "tokens"), 150, _stops, _k),
    find_drawn=every_encoding,
)
