"""Derivation of the first position at which a pair has an unseen angle."""

from msgspec.structs import astuple

from posenc_core import Derivation, Document, Encoding
from posenc_core.encodings import at_length
from posenc_core.long_context import explain_unseen
from posenc_core.session import compared_encodings
from posenc_gui.look import counted
from posenc_gui.model import Subject, encoding_at


class UnseenPair(Subject, frozen=True):
    """The first unseen angle of a pair of the encoding at ``index``, or of that with a compared scaling's name."""

    index: int
    scaling: str
    pair: int

    def words(self, document: Document) -> tuple[str, ...]:
        """The pair and its training."""
        return f"pair {counted(self.pair)}", "first unseen position"

    def derivation(self, document: Document) -> Derivation:
        """From the arc that training showed."""
        lengths = astuple(document.lengths)
        return explain_unseen(self._encoding(document), self.pair, *lengths)

    def _encoding(self, document: Document) -> Encoding:
        encoding = at_length(encoding_at(document, self.index), document.lengths.target)
        if not self.scaling:
            return encoding
        compared = compared_encodings(encoding, document.view.compared_scalings, document.lengths).encodings
        return next((each.encoding for each in compared if each.name == self.scaling), encoding)
