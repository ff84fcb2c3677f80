"""TOKEN PAIRS: the number of each query and key by their positions, the sentence's words on both axes."""

from posenc_core import Encoding
from posenc_gui.model import PanelSpec


def _suits(encoding: Encoding) -> bool:
    """Whether the encoding is about pairs of tokens."""
    return encoding.relative


SPEC = PanelSpec(
    package=__package__,
    title="Token pairs",
    hint="query down, key across",
    explanation=(
        "Each row is a token as query, each column a token as key. If positions are distances, a cell is the "
        "number at the distance query − key in the cursor's column, and all cells on a diagonal are equal. In the "
        "other families a cell is the dot product of the rows of the two positions, or of RoPE's rotated query and "
        "key. Grey cells with a dash are keys after the query, which causal models mask."
    ),
    handling="The wheel zooms, dragging pans, a double click shows all tokens.",
    more=(
        "The section Embedding sets RoPE's query and key. Causal models with this encoding mask the keys after the "
        "query."
    ),
    least_size=(230, 180),
    export_size=(640, 560),
    suits=_suits,
)
