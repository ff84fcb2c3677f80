"""Editors of fields of the view in a panel that shows them."""

from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from posenc_core import Document, View
from posenc_core.fields import ChoiceField, Field, FlagField, IntegerField
from posenc_gui.look import counted
from posenc_gui.model import PanelSpec

if TYPE_CHECKING:  # loaded with the first panel that has editors
    from posenc_gui.docks.editors import FieldForm

_LINE_PX, _CHOICE_PX, _WIDE_PX = 66, 104, 150


class PanelControls(QWidget):
    """Editors side by side. ``fieldEdited`` carries the field's name, a value that it allows, and the gesture."""

    fieldEdited = Signal(str, object, object)

    def __init__(self, form: "FieldForm", spec: PanelSpec) -> None:
        super().__init__()
        self._form, self._spec = form, spec
        for name in spec.controls:
            editor = form.editor(name)
            if isinstance(editor.field, FlagField):  # whose words are beside its box
                editor.setMinimumWidth(editor.sizeHint().width())
            else:
                editor.setFixedWidth(_width_of(editor.field))
        form.fieldEdited.connect(self.fieldEdited)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(form)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())  # in less width the editors take more lines

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._form.fit_across(self.width())

    def show_document(self, document: Document) -> None:
        """Show the document's values of the fields in use, and in an empty line the one that stands in."""
        if self._form.show_only(self._spec.used_controls(document)):
            self._form.fit_across(self.width())
        self._form.show_document(document)
        for name, value in self._spec.stand_ins(document).items():
            if name in self._spec.controls:
                self._form.editor(name).show_missing(counted(value))

    def show_refusal(self, name: str, value: Any, sentence: str) -> None:
        """Show why the document does not take a value, at the field's editor."""
        self._form.show_refusal(name, value, sentence)


def _width_of(field: Field) -> int:
    """The width of a field's editor in pixels: lists of numbers and sliders need the most."""
    if isinstance(field, ChoiceField):
        return _CHOICE_PX
    has_slider = isinstance(field, IntegerField) and field.slider is not None
    return _WIDE_PX if has_slider or field.kind == "numbers" else _LINE_PX


def make_controls(spec: PanelSpec) -> PanelControls | None:
    """Editors of the panel's controls; None for a panel without controls."""
    if not spec.controls:
        return None
    from posenc_gui.docks.editors import FieldForm, make_editor

    fields = {field.name: field for field in (*View.FIELDS, *spec.options)}
    editors = [make_editor(fields[name]) for name in spec.controls]
    return PanelControls(FieldForm(editors, ascii_lowercase, across=True), spec)  # menus have the mnemonics
