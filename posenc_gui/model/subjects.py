"""Numbers of panels that draw others than the table's entries, and their derivations, which the panels define."""

from msgspec import Struct

from posenc_core import Derivation, Document, Encoding
from posenc_core.session import LETTERS


class Subject(Struct, frozen=True):
    """A number of a panel. The panel that is pointed at puts it into the cursor, others find its derivation."""

    def words(self, document: Document) -> tuple[str, ...]:
        """Description of the number in short phrases."""
        raise NotImplementedError

    def derivation(self, document: Document) -> Derivation:
        """Its derivation. ValueError or IndexError with one sentence if the document has no such number."""
        raise NotImplementedError


def encoding_at(document: Document, index: int) -> Encoding:
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
