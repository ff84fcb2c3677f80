"""Derivation of the distance that a rotation sees."""

from posenc_core import Derivation, Document
from posenc_core.analysis import explain_pair
from posenc_gui.look import counted
from posenc_gui.model import Subject


class SeenDistance(Subject, frozen=True):
    """The distance that the chosen rotation sees of a query and a key, both positions."""

    query: int
    key: int

    def words(self, document: Document) -> tuple[str, ...]:
        """Both positions."""
        return "seen distance", f"query {counted(self.query)}", f"key {counted(self.key)}"

    def derivation(self, document: Document) -> Derivation:
        """The rule."""
        return explain_pair(document.encoding, 0, self.query, self.key)
