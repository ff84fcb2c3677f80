"""The bar with the sentence."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.docks.sentence.sentence_bar import BarRow, SentenceBar
else:
    __getattr__ = on_demand(__name__)
