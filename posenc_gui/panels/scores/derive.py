"""Derivation of a score by distance."""

from posenc_core import Derivation, Document
from posenc_core.analysis import explain_score
from posenc_gui.look import counted
from posenc_gui.model import Subject
from posenc_gui.panels.scores.spec import SCORE_WEIGHTS, head_of
from posenc_gui.panels.scores.vectors import core_mode, score_vectors


class DistanceScore(Subject, frozen=True):
    """The score at a position key - query, or the bias of the document's head."""

    distance: int

    def words(self, document: Document) -> tuple[str, ...]:
        """The distance."""
        before = ("before the softmax",) if document.option(SCORE_WEIGHTS) else ()
        return "score", f"query − key = {counted(-self.distance)}", *before

    def derivation(self, document: Document) -> Derivation:
        """The derivation of the sum over pairs, or of the bias."""
        encoding = document.encoding
        vectors, _ = score_vectors(document, encoding)
        head = head_of(document, encoding) or 0
        return explain_score(encoding, self.distance, core_mode(document), head=head, **vectors)
