"""WAVES: a curve per column, stacked from column 0 at the bottom, and the tokens' lines across them."""

from posenc_gui.model import PanelSpec, texts_beside

SPEC = PanelSpec(
    **texts_beside(__package__),
    export_size=(960, 440),
    arrows=("Left, Right", "Up, Down"),
)
