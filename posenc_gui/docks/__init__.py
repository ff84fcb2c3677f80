"""The docks around the pictures: forms for the document, and the numbers of a cell and of a position."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.docks.derivation import RestingDerivation
    from posenc_gui.docks.encoding_dock import EncodingDock
    from posenc_gui.docks.number_dock import NumberDock
    from posenc_gui.docks.timeline_bar import TimelineBar
    from posenc_gui.docks.vector_dock import VectorDock
else:
    __getattr__ = on_demand(__name__)
