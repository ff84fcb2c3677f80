"""What a comparison needs: two tables whose rows and columns are alike, and a position that both have."""

from posenc_core import Document, Encoding
from posenc_core.session import LETTERS
from posenc_gui.figures import Need
from posenc_gui.layers import Compared
from posenc_gui.model import PositionAxis, column_noun, position_noun, valued

ALONE = Need("Difference compares A with another encoding, and there is no other one.", "Add B, a copy of A")
"""What a document with one encoding lacks."""


def missing_to_compare(document: Document) -> Need | None:
    """What the document lacks to compare two of its tables; None if it has all."""
    if len(document.encodings) == 1:
        return ALONE
    compared = Compared.of(document)
    one, other, second = compared.one, compared.other, compared.index
    for noun in (position_noun, column_noun):
        if noun(one) != noun(other):
            have = "row" if noun is position_noun else "number"
            told = f"A has a {have} for each {noun(one)}, {LETTERS[second]} for each {noun(other)}"
            return _need(f"Difference needs two tables alike: {told}.", one, second)
    if valued(one, valued(other, PositionAxis.of(document).shown)):
        return None
    return _need(f"Difference needs a position that both have: A and {LETTERS[second]} have none.", one, second)


def _need(sentence: str, shown: Encoding, index: int) -> Need:
    """A need that the family of ``shown`` meets, as the encoding at ``index``."""
    return Need(sentence, f"Show {shown.title} as {LETTERS[index]}", shown.family, index)
