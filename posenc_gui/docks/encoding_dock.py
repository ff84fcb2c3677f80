"""The content of the ENCODING dock: the family, its parameters, and warnings about them."""

from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_core.fields import SEQ_LEN, Field
from posenc_core.session import FAMILY
from posenc_gui.docks.editors import ENCODING_TAKEN, ChoiceEditor, FieldForm, align_labels, make_editor
from posenc_gui.docks.encoding_tabs import EncodingTabs
from posenc_gui.look import OUTER_MARGIN, Note, column_of, plain_tip, scrolling


class EncodingDock(QWidget):
    """The encoding's form: the family, its parameters, the number of positions, and warnings.

    ``fieldEdited`` carries the field's name, a value that the field allows, and the gesture or None.
    ``encodingsEdited`` is that of the tabs A to D above the form.
    """

    fieldEdited = Signal(str, object, object)
    encodingsEdited = Signal(object, int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fields: tuple[Field, ...] = ()
        self._tabs = EncodingTabs()
        self._tabs.encodingsEdited.connect(self.encodingsEdited)
        self._family = FieldForm([ChoiceEditor(FAMILY)], ENCODING_TAKEN)
        self._family.fieldEdited.connect(self.fieldEdited)
        self._summary = Note("muted")
        self._parameters = FieldForm([])
        self._label = Note("muted")
        self._warnings = Note("warning")
        content = QWidget()
        self._column = column_of(
            content,
            self._tabs,
            self._family,
            self._summary,
            self._parameters,
            self._label,
            self._warnings,
            margin=OUTER_MARGIN,
        )
        self._column.addStretch(1)
        column_of(self, scrolling(content))

    def show_document(self, document: Document) -> None:
        """Show the document's encoding."""
        encoding = document.encoding
        fields = (*(field for field in encoding.fields if field.name != SEQ_LEN.name), SEQ_LEN)
        if self._fields != fields:
            self._rebuild(fields)
        self._tabs.show_document(document)
        self._family.show_document(document)
        self._parameters.show_document(document)
        self._summary.show_sentence(encoding.summary)
        self._summary.setToolTip(plain_tip(encoding.citation))
        self._label.show_sentence(f"Numbers: {encoding.label}" if encoding.label else "")
        self._warnings.show_sentence("\n\n".join(encoding.warnings))

    def show_refusal(self, name: str, value: Any, sentence: str) -> None:
        """Show why the document does not take a value, at the field's editor."""
        self._family.show_refusal(name, value, sentence)
        self._parameters.show_refusal(name, value, sentence)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            align_labels(self._family, self._parameters)

    def _rebuild(self, fields: tuple[Field, ...]) -> None:
        """Replace the form by one for other fields; the focus stays at the field of the same name."""
        self._fields = fields
        old = self._parameters
        taken = ENCODING_TAKEN | self._family.letters
        self._parameters = FieldForm([make_editor(field) for field in fields], taken)
        self._parameters.fieldEdited.connect(self.fieldEdited)
        self._column.replaceWidget(old, self._parameters)
        self._parameters.show()
        with QSignalBlocker(old):  # an unfinished text belongs to the old fields
            _hand_over_focus(old, self._parameters)
            old.hide()
        # Only when control is back in the event loop: one of its editors may have sent this edit.
        old.deleteLater()
        align_labels(self._family, self._parameters)


def _hand_over_focus(old: QWidget, new: QWidget) -> None:
    """Move the focus from the old form to the control of the same name in the new one."""
    focused = old.window().focusWidget()
    if focused is None or not old.isAncestorOf(focused):
        return
    for control in new.findChildren(QWidget):
        if control.accessibleName() == focused.accessibleName() and control.focusPolicy() & Qt.FocusPolicy.TabFocus:
            control.setFocus()
