"""The card of an opened model."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.docks.card.model_dock import ModelDock
else:
    __getattr__ = on_demand(__name__)
