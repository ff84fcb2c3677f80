"""The content of the EMBEDDING dock: what stands for the token itself, and that it is no model's."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from posenc_core import Document, Embedding
from posenc_gui.docks.field_editor import make_editor
from posenc_gui.docks.form import FieldForm
from posenc_gui.docks.look import OUTER_MARGIN, Note, column_of, scrolling
from posenc_gui.style import Style


class EmbeddingDock(QWidget):
    """The embedding's form.

    ``fieldEdited`` carries the field's name, a value that the document takes, and the gesture or None.
    """

    fieldEdited = Signal(str, object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._form = FieldForm([make_editor(field) for field in Embedding.FIELDS])
        self._form.fieldEdited.connect(self.fieldEdited)
        self._note = Note("muted")
        content = QWidget()
        column_of(content, self._form, self._note, margin=OUTER_MARGIN).addStretch(1)
        column_of(self, scrolling(content))

    def show_document(self, document: Document) -> None:
        """Shows the document's embedding; only what has an effect can be edited."""
        embedding = document.embedding
        for field in Embedding.FIELDS:
            self._form.editor(field.name).setEnabled(field in embedding.fields)
        self._form.show_document(document)
        label = embedding.label_at(document.encoding.vector_width)
        self._note.show_sentence(f"{label}: drawn numbers, no model's" if embedding.embedding == "simulated" else label)

    def show_style(self, style: Style) -> None:
        """Takes on the style's fonts and colours."""
        self.setPalette(style.palette())
        self._form.show_style(style)
        self._note.show_style(style)
