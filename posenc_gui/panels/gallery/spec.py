"""GALLERY: every family as a small multiple for the present sentence; a click chooses it."""

from msgspec.structs import replace

from posenc_core.gallery import PAGE
from posenc_gui.model import PanelSpec

GALLERY_PAGE = replace(PAGE, name="gallery_page")

SPEC = PanelSpec(
    package=__package__,
    title="Gallery",
    hint="click: choose, Shift+click: encoding B",
    explanation=(
        "Every family for the present sentence, in the order of their story: from the integer index over sinusoids "
        "and learned tables to biases and rotations. Curves are columns over positions, or heads over distances; "
        "beside them all columns as colours, as in Waves and Heatmap. A card names another width if its "
        "family cannot have the document's width, and marks simulated numbers."
    ),
    handling=(
        "A click makes a family the chosen encoding, Shift+click makes it encoding B; undo reverts both. Arrow "
        "keys mark a card, Enter chooses it, Shift+Enter makes it B."
    ),
    options=(GALLERY_PAGE,),
    controls=(GALLERY_PAGE.name,),
    least_size=(320, 200),
    export_size=(960, 620),
)
