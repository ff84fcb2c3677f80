"""Origin of a document: its session file, or a lesson that shows it in place of the user's own."""

from pathlib import Path

from msgspec import Struct

from posenc_core import Document


class Origin:
    """The session file of a document, None before it is first saved, and the document that was saved there.

    ``digest`` is that of the file as last read or written, empty if unknown. ``guest`` is None for the user's
    own document.
    """

    def __init__(
        self, path: Path | None, saved: Document | None, digest: str = "", guest: "Guest | None" = None
    ) -> None:
        self.path = path
        self.saved = saved
        self.digest = digest
        self.guest = guest

    def holds(self, document: Document) -> bool:
        """Whether the document needs no saving.

        This is true for the document in the file, and for a lesson's document without a file in place of a saved one.
        """
        guest = self.guest if self.path is None else None
        return document == self.saved or (guest is not None and document == guest.shown and guest.is_own_saved)


class Guest(Struct):
    """Document of a lesson or a question in place of the user's ``own`` document, whose file is ``origin``.

    ``shown`` is the last shown document. ``left`` is the document at the end of the lesson, None during the lesson:
    a later edit makes it the user's own.
    """

    own: Document
    origin: Origin
    shown: Document
    left: Document | None = None

    @property
    def is_own_saved(self) -> bool:
        """Whether the own document needs no saving."""
        return self.origin.saved == self.own

    def is_present(self, document: Document) -> bool:
        """Whether the document is still the lesson's: it was not edited after the lesson's end."""
        return self.left in (None, document)
