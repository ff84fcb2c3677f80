"""TOKEN PAIRS: the number of each query and key by their positions, the sentence's words on both axes."""

from posenc_core import Encoding
from posenc_gui.model import PanelSpec, texts_beside


def _suits(encoding: Encoding) -> bool:
    """Whether the encoding is about pairs of tokens."""
    return encoding.relative


SPEC = PanelSpec(
    package=__package__,
    **texts_beside(__file__),
    least_size=(230, 180),
    export_size=(640, 560),
    suits=_suits,
)
