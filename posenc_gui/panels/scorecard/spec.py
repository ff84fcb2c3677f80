"""SCORECARD: measured properties of each family on this sentence and length; a click opens the proof."""

from msgspec.structs import replace

from posenc_core.gallery import PAGE
from posenc_gui.model import PanelSpec, texts_beside

SCORECARD_PAGE = replace(PAGE, name="scorecard_page")

SPEC = PanelSpec(
    **texts_beside(__package__),
    options=(SCORECARD_PAGE,),
    controls=(SCORECARD_PAGE.name,),
    least_size=(320, 220),
    export_size=(960, 360),
)
