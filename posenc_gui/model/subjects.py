"""What a cursor is at in a panel that shows other numbers than the table's entries, and how they come about."""

from msgspec import Struct

from posenc_core import Derivation, Document, Encoding, analysis, long_context
from posenc_core.session import LETTERS, compared_encodings
from posenc_gui.look import counted
from posenc_gui.model.vectors_of_scores import core_mode, score_vectors


class Subject(Struct, frozen=True):
    """A number of a panel. The panel that is pointed at puts it into the cursor, others find its derivation."""

    def words(self, document: Document) -> tuple[str, ...]:
        """What the number is, in short phrases."""
        raise NotImplementedError

    def derivation(self, document: Document) -> Derivation:
        """How it comes about. ValueError or IndexError with one sentence where the document has no such number."""
        raise NotImplementedError


class RowLikeness(Subject, frozen=True):
    """The likeness of the rows of two positions, by the document's measure."""

    position: int
    other: int

    def words(self, document: Document) -> tuple[str, ...]:
        """The two positions."""
        return (f"rows of {counted(self.position)} and {counted(self.other)}",)

    def derivation(self, document: Document) -> Derivation:
        """The sum over columns or pairs."""
        rows, measure = (self.position, self.other), document.view.similarity_measure
        return analysis.explain_similarity(document.encoding, *rows, measure)


class DistanceScore(Subject, frozen=True):
    """The score at a distance key - query, or the bias of the document's head."""

    distance: int

    def words(self, document: Document) -> tuple[str, ...]:
        """The distance."""
        before = ("before the softmax",) if document.view.score_weights else ()
        return "score", f"key − query = {counted(self.distance)}", *before

    def derivation(self, document: Document) -> Derivation:
        """The sum over pairs, or how the bias comes about."""
        encoding = document.encoding
        vectors, _ = score_vectors(document, encoding)
        mode, head = core_mode(document), document.view.score_head
        return analysis.explain_score(encoding, self.distance, mode, head=head, **vectors)


class ShiftBlock(Subject, frozen=True):
    """The block of a pair in the matrix that shifts rows by the document's k."""

    pair: int

    def words(self, document: Document) -> tuple[str, ...]:
        """The pair and k."""
        return f"block of pair {counted(self.pair)}", f"shift by {counted(document.view.shift_k)}"

    def derivation(self, document: Document) -> Derivation:
        """The turn of the pair over k tokens."""
        return analysis.explain_shift_block(document.encoding, document.view.shift_k, self.pair)


class UnseenPair(Subject, frozen=True):
    """The first unseen angle of a pair of the encoding at ``index``, or of that with a compared scaling's name."""

    index: int
    scaling: str
    pair: int

    def words(self, document: Document) -> tuple[str, ...]:
        """The pair and what is known of its training."""
        return f"pair {counted(self.pair)}", "first unseen position"

    def derivation(self, document: Document) -> Derivation:
        """From the arc that training showed."""
        lengths = document.lengths
        return long_context.explain_unseen(self._encoding(document), self.pair, lengths.trained, lengths.target)

    def _encoding(self, document: Document) -> Encoding:
        encoding = _encoding_at(document, self.index)
        if not self.scaling:
            return encoding
        compared = compared_encodings(encoding, document.view.compared_scalings, document.lengths).encodings
        return next((each.encoding for each in compared if each.name == self.scaling), encoding)


class DriftingPair(Subject, frozen=True):
    """The first position at which a pair of the encoding at ``index`` is off from A's by the document's threshold."""

    index: int
    pair: int

    def words(self, document: Document) -> tuple[str, ...]:
        """The pair and the two encodings."""
        return f"pair {counted(self.pair)}", f"{LETTERS[self.index]} off from A"

    def derivation(self, document: Document) -> Derivation:
        """From the difference of the frequencies."""
        a, b = (_encoding_at(document, index) for index in (0, self.index))
        return long_context.explain_drift(a, b, self.pair, document.view.drift_degrees)


def _encoding_at(document: Document, index: int) -> Encoding:
    """The encoding at an index; ValueError with one sentence once it is closed."""
    if index >= len(document.encodings):
        raise ValueError(f"encoding {LETTERS[index]} is closed")
    return document.encodings[index].encoding


def subject_derivation(subject: Subject, document: Document) -> tuple[Derivation | None, str]:
    """The derivation and no sentence; or None, and a sentence on why there is no such number."""
    try:
        return subject.derivation(document), ""
    except (ValueError, IndexError) as error:
        return None, str(error)
