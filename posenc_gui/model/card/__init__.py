"""The card of a model in words, for the window and the terminal. No Qt is imported here."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.model.card.claims import KEYS, LAYERS, LENGTHS, SURPRISING, Claim, claims_of, group_claim
    from posenc_gui.model.card.claims import lengths_claim, lengths_words, part_claim
    from posenc_gui.model.card.differences import differences_of
    from posenc_gui.model.card.layers import indices_words, layer_words, part_words, share_of_layers
    from posenc_gui.model.card.shares import shares_words
else:
    __getattr__ = on_demand(__name__)
