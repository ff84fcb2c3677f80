"""TOKEN PAIRS: the number of each query and key by their positions, the sentence's words on both axes."""

from posenc_gui.model import PanelSpec, texts_beside

SPEC = PanelSpec(
    **texts_beside(__package__),
    least_size=(230, 180),
    export_size=(640, 560),
    suits=lambda encoding: encoding.relative,
)
