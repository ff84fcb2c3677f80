"""Derivation of the first position at which a pair of two encodings deviates."""

from posenc_core import Derivation, Document
from posenc_core.encodings import at_length
from posenc_core.long_context import explain_drift
from posenc_core.session import LETTERS
from posenc_gui.look import counted
from posenc_gui.model import Subject, encoding_at
from posenc_gui.panels.drift.spec import DRIFT_DEGREES


class DriftingPair(Subject, frozen=True):
    """The first position at which a pair of the encoding at ``index`` deviates from A's by the document's threshold."""

    index: int
    pair: int

    def words(self, document: Document) -> tuple[str, ...]:
        """The pair and the two encodings."""
        return f"pair {counted(self.pair)}", f"{LETTERS[self.index]} off from A"

    def derivation(self, document: Document) -> Derivation:
        """From the difference of the frequencies."""
        target = document.lengths.target
        a, b = (at_length(encoding_at(document, index), target) for index in (0, self.index))
        return explain_drift(a, b, self.pair, document.option(DRIFT_DEGREES))
