"""A page for web browsers: one file with the numbers, the code that draws them, derivations and the session."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.webpage.plan import PAGE_FORMAT, PAGE_NAME, page_panels
    from posenc_gui.webpage.job import page_text, write_page
else:
    __getattr__ = on_demand(__name__)
