"""Derivation of a block of the matrix that shifts rows."""

from posenc_core import Derivation, Document
from posenc_core.analysis import explain_shift_block
from posenc_gui.look import counted
from posenc_gui.model import Subject
from posenc_gui.panels.shift.spec import SHIFT_K


class ShiftBlock(Subject, frozen=True):
    """The block of a pair in the matrix that shifts rows by the document's k."""

    pair: int

    def words(self, document: Document) -> tuple[str, ...]:
        """The pair and k."""
        return f"block of pair {counted(self.pair)}", f"shift by {counted(document.option(SHIFT_K))}"

    def derivation(self, document: Document) -> Derivation:
        """The turn of the pair over k tokens."""
        return explain_shift_block(document.encoding, document.option(SHIFT_K), self.pair)
