"""The content of the ENCODING dock: which family, its parameters, and what is surprising about them."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from posenc_core import Document
from posenc_core.document import FAMILY, SEQ_LEN
from posenc_core.fields import Field
from posenc_gui.docks.field_editor import ChoiceEditor, make_editor
from posenc_gui.docks.form import FieldForm, align_labels
from posenc_gui.docks.look import OUTER_MARGIN, Note, column_of, scrolling
from posenc_gui.style import LIGHT, Style


class EncodingDock(QWidget):
    """The encoding's form: the family, its parameters, the number of positions, and warnings.

    ``fieldEdited`` carries the field's name, a value that the document takes, and the gesture or None.
    """

    fieldEdited = Signal(str, object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = LIGHT
        self._fields: tuple[Field, ...] = ()
        self._family = FieldForm([ChoiceEditor(FAMILY, titled=True)])
        self._family.fieldEdited.connect(self.fieldEdited)
        self._summary = Note("muted")
        self._parameters = FieldForm([])
        self._warnings = Note("warning")
        content = QWidget()
        self._column = column_of(
            content, self._family, self._summary, self._parameters, self._warnings, margin=OUTER_MARGIN
        )
        self._column.addStretch(1)
        column_of(self, scrolling(content))

    def show_document(self, document: Document) -> None:
        """Shows the document's encoding."""
        encoding = document.encoding
        fields = (*(field for field in encoding.fields if field.name != SEQ_LEN.name), SEQ_LEN)
        if self._fields != fields:
            self._rebuild(fields)
        self._family.show_document(document)
        self._parameters.show_document(document)
        self._summary.show_sentence(encoding.summary)
        self._summary.setToolTip(encoding.citation)
        self._warnings.show_sentence("\n\n".join(encoding.warnings))

    def show_style(self, style: Style) -> None:
        """Takes on the style's fonts and colours."""
        self._style = style
        self.setPalette(style.palette())
        for part in (self._family, self._summary, self._parameters, self._warnings):
            part.show_style(style)
        align_labels(self._family, self._parameters)

    def _rebuild(self, fields: tuple[Field, ...]) -> None:
        """Puts another family's form in place."""
        self._fields = fields
        old = self._parameters
        self._parameters = FieldForm([make_editor(field) for field in fields])
        self._parameters.fieldEdited.connect(self.fieldEdited)
        self._column.replaceWidget(old, self._parameters)
        self._parameters.show()
        # Only once control is back in the event loop: one of its editors may have sent the edit that led here.
        old.hide()
        old.deleteLater()
        self.show_style(self._style)
