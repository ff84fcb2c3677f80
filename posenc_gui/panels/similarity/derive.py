"""Derivation of the similarity of two rows."""

from posenc_core import Derivation, Document
from posenc_core.analysis import explain_similarity
from posenc_gui.look import counted
from posenc_gui.model import Subject
from posenc_gui.panels.similarity.spec import SIMILARITY_MEASURE


class RowLikeness(Subject, frozen=True):
    """The similarity of the rows of two positions, by the document's measure."""

    position: int
    other: int

    def words(self, document: Document) -> tuple[str, ...]:
        """The two positions."""
        return (f"rows of {counted(self.position)} and {counted(self.other)}",)

    def derivation(self, document: Document) -> Derivation:
        """The sum over columns or pairs."""
        measure = document.option(SIMILARITY_MEASURE)
        return explain_similarity(document.encoding, self.position, self.other, measure)
