"""Editors of fields of the view in a panel that shows them."""

from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from posenc_core import Document, View
from posenc_core.fields import ChoiceField, ChoicesField, FlagField, IntegerField
from posenc_gui.look import GAP, FitsRoom, column_of, counted, present_style
from posenc_gui.model import PanelSpec

if TYPE_CHECKING:  # loaded with the first panel that has editors
    from posenc_gui.docks.editors import FieldEditor, FieldForm

_LINE_PX, _CHOICE_PX, _WIDE_PX = 72, 144, 150
"""Widths in pixels with text of size 1; choices have the greatest."""

_MOST_LINES = 2
"""Lines of editors beyond which integers have no slider."""


class PanelControls(FitsRoom, QWidget):
    """Editors side by side. ``fieldEdited`` carries the field's name, a value that it allows, and the gesture."""

    fieldEdited = Signal(str, object, object)

    def __init__(self, form: "FieldForm", spec: PanelSpec) -> None:
        super().__init__()
        self._form, self._spec = form, spec
        self._widths = list[int]()
        self._fitted: tuple[object, ...] = ()
        self._has_sliders = True
        self._give_room()
        form.fieldEdited.connect(self.fieldEdited)
        column_of(self, form)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())  # in less width the editors take more lines

    @override
    def fit_text(self) -> None:
        """Put the editors into lines, and keep each within the panel, beside its label."""
        for self._has_sliders in (True, False):
            self._give_room()
            if self._form.fit_across(self.width()) <= _MOST_LINES:
                break
        for name in self._spec.controls:
            editor = self._form.editor(name)
            room = self.width() - editor.label.sizeHint().width() - 2 * GAP
            if not isinstance(editor.field, FlagField) and editor.maximumWidth() > room > _LINE_PX:
                editor.setFixedWidth(room)

    def _give_room(self) -> None:
        """Give each editor the width that its longest text needs."""
        for name in self._spec.controls:
            editor = self._form.editor(name)
            if isinstance(editor.field, FlagField):  # its words are beside its box
                editor.setMinimumWidth(editor.sizeHint().width())
            else:
                editor.setFixedWidth(self._width_of(editor))

    def _width_of(self, editor: "FieldEditor") -> int:
        """The width of an editor in pixels: that of its words or number, and for a number at least the usual one."""
        field, scale = editor.field, max(1.0, present_style().text_scale)
        if isinstance(field, ChoiceField | ChoicesField):
            return min(editor.needed_width(), round(_CHOICE_PX * scale))
        has_slider = isinstance(field, IntegerField) and field.slider is not None
        is_wide = field.kind == "numbers" or (has_slider and self._has_sliders)
        return max(round((_WIDE_PX if is_wide else _LINE_PX) * scale), editor.needed_width())

    def show_document(self, document: Document) -> None:
        """Show the document's values of the fields in use."""
        if self._form.show_only(self._spec.used_controls(document)):
            self._form.fit_across(self.width())
        for name, ends in self._spec.slider_ends(document).items():
            self._form.editor(name).show_ends(*ends)
        self._form.show_document(document)

    def show_stand_ins(self, document: Document) -> None:
        """Show in an empty line its substitute, which may depend on the query that the document is seen from.

        The editors are fitted again if their numbers need other widths than before.
        """
        stand_ins, before = self._spec.stand_ins(document), self._fitted
        values = [document.value(name) for name in self._spec.controls]
        self._fitted = stand_ins, values, self._has_sliders, present_style()
        if self._fitted == before:
            return
        for name, value in stand_ins.items():
            if name in self._spec.controls:
                self._form.editor(name).show_missing(counted(value))
        widths = self._widths
        self._widths = [self._width_of(self._form.editor(name)) for name in self._spec.controls]
        if self._widths != widths:
            self.fit_text()

    def show_refusal(self, name: str, value: Any, sentence: str) -> None:
        """Show why the document refuses a value, at the field's editor."""
        self._form.show_refusal(name, value, sentence)


def make_controls(spec: PanelSpec) -> PanelControls:
    """Editors of the panel's controls."""
    from posenc_gui.docks.editors import FieldForm, make_editor

    fields = {field.name: field for field in (*View.FIELDS, *spec.options)}
    editors = [make_editor(fields[name]) for name in spec.controls]
    return PanelControls(FieldForm(editors, ascii_lowercase, across=True), spec)  # menus have the mnemonics
