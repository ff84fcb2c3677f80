"""The form of the embedding: the origin of the tokens' own vectors."""

from string import ascii_lowercase
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from posenc_core import Document, Embedding
from posenc_core.text import FIELDS_OF_MODE, PAIR_FIELDS, PAIR_VECTORS
from posenc_gui.docks.editors import EMBEDDING_TAKEN, FieldForm, make_editor
from posenc_gui.look import Note, SmallLabel, column_of

_ROLES = {
    "none": "This family acts on attention scores alone: tokens have no vectors here.",
    "rotation": "The vector is a query or a key, which is rotated by its position.",
}
"""By the kind of ``Encoding.combination``: the meaning of the vector, if the position is not added to it."""

_NO_PROJECTION = "The model first multiplies the row by W_q or W_k; this is left out here."


class EmbeddingForm(QWidget):
    """The form of the embedding, and of the queries and keys of RoPE's token pairs.

    ``fieldEdited`` carries the field's name, an allowed value, and the gesture or None.
    """

    fieldEdited = Signal(str, object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._form = FieldForm([make_editor(field) for field in Embedding.FIELDS], EMBEDDING_TAKEN)
        self._form.fieldEdited.connect(self.fieldEdited)
        self._pairs = FieldForm([make_editor(field) for field in PAIR_FIELDS], ascii_lowercase)
        self._pairs.fieldEdited.connect(self.fieldEdited)
        self._note, self._heading = Note("muted"), SmallLabel("Token pairs of RoPE", semibold=True)
        column_of(self, self._form, self._note, self._heading, self._pairs)

    def show_document(self, document: Document) -> None:
        """Show the document's embedding; only fields that have an effect are enabled."""
        embedding, combines = document.embedding, document.encoding.combination.kind
        for field in Embedding.FIELDS:
            self._form.editor(field.name).setEnabled(combines != "none" and field in embedding.fields)
        self._form.show_document(document)
        in_use = (PAIR_VECTORS, *FIELDS_OF_MODE.get(document.view.pair_vectors, ()))
        for field in PAIR_FIELDS:
            self._pairs.editor(field.name).setEnabled(combines == "rotation" and field in in_use)
        self._pairs.show_document(document)
        for part in (self._heading, self._pairs):
            part.setVisible(combines == "rotation")
        label = embedding.label_at(document.encoding.combination.width) if combines != "none" else ""
        told = (
            f"{label.replace('simulated', 'Random')}, not from a model"
            if embedding.embedding == "simulated"
            else f"Numbers: {label}"
        )
        own = _NO_PROJECTION if embedding.embedding == "model" and combines == "rotation" else ""
        self._note.show_sentence("\n".join(filter(None, (_ROLES.get(combines), told if label else "", own))))

    def show_refusal(self, name: str, value: Any, sentence: str) -> None:
        """Show why the document refuses a value, at the field's editor; ignore other fields."""
        for form in (self._form, self._pairs):
            form.show_refusal(name, value, sentence)
