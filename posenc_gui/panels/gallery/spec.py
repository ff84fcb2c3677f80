"""GALLERY: every family as a small multiple for the present sentence; a click chooses it."""

from msgspec.structs import replace

from posenc_core.gallery import PAGE
from posenc_gui.model import PanelSpec, texts_beside

GALLERY_PAGE = replace(PAGE, name="gallery_page")

SPEC = PanelSpec(
    **texts_beside(__package__),
    options=(GALLERY_PAGE,),
    controls=(GALLERY_PAGE.name,),
    least_size=(320, 200),
    export_size=(960, 620),
)
