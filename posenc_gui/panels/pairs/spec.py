"""TOKEN PAIRS: what each query gets from each key by their positions, the sentence's words on both axes."""

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
        "Each row is a token as query, each column a token as key. Where positions are distances, a cell is the number "
        "at the distance query − key in the cursor's column: all cells on a diagonal are equal. In the other families "
        "it is the dot product of the rows of the two positions, or of RoPE's rotated query and key. Grey cells with a "
        "dash are keys after the query, which the models mask."
    ),
    handling="The wheel zooms, dragging pans, a double click shows all tokens.",
    more=(
        "The embedding's dock gives RoPE its query and key. Keys after the query are masked by the models that have "
        "this encoding, if they are causal."
    ),
    least_size=(230, 180),
    export_size=(640, 560),
    suits=_suits,
)
