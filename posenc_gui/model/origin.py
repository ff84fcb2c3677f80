"""Where a document belongs: its session file, or a lesson that shows it in place of the person's own."""

from pathlib import Path

from msgspec import Struct

from posenc_core import Document


class Origin:
    """The session file of a document, None before it is first saved, and the document that was saved there.

    ``digest`` is that of the file as it was last read or written, empty if unknown. ``guest`` is None for the person's
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

        That is the document in the file, or what a lesson shows in place of an own document that needs no saving.
        """
        guest = self.guest
        return document == self.saved or (guest is not None and document == guest.shown and guest.is_own_saved)


class Guest(Struct):
    """What a lesson or a question shows in place of the person's ``own`` document, whose file is ``origin``.

    ``shown`` is the document as it was last shown. ``left`` is the one with which the lesson was left, None while it
    goes on: who edits it afterwards makes it a document of their own.
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
        """Whether the document is still that of the lesson: it was not edited after the lesson was left."""
        return self.left in (None, document)
