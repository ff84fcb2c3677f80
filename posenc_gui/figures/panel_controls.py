"""Editors of fields of the view in a panel that shows them."""

from collections.abc import Collection
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from posenc_core import Document, View
from posenc_core.fields import ChoiceField, Field, FlagField, IntegerField

if TYPE_CHECKING:  # loaded with the first panel that has editors
    from posenc_gui.docks.editors import FieldForm

_LINE_PX, _CHOICE_PX, _WIDE_PX = 66, 104, 150


class PanelControls(QWidget):
    """Editors side by side. ``fieldEdited`` carries the field's name, a value that it allows, and the gesture."""

    fieldEdited = Signal(str, object, object)

    def __init__(self, form: "FieldForm", names: tuple[str, ...]) -> None:
        super().__init__()
        self._form, self._names = form, names
        for name in names:
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

    def show_document(self, document: Document, used: Collection[str]) -> None:
        """Show the document's values of the fields in use, and in an empty line the one that is taken instead."""
        if self._form.show_only(used):
            self._form.fit_across(self.width())
        self._form.show_document(document)
        lengths = document.lengths
        taken = {
            "trained_length": lengths.trained,
            "target_length": lengths.target,
            "cache_length": lengths.target,
            "score_distances": lengths.trained,
        }
        for name in self._names:
            if name in taken:
                self._form.editor(name).show_missing(str(taken[name]))

    def show_refusal(self, name: str, value: Any, sentence: str) -> None:
        """Show why the document does not take a value, at the field's editor."""
        self._form.show_refusal(name, value, sentence)


def _width_of(field: Field) -> int:
    """The width of a field's editor in pixels: lists of numbers and sliders need the most."""
    if isinstance(field, ChoiceField):
        return _CHOICE_PX
    has_slider = isinstance(field, IntegerField) and field.slider is not None
    return _WIDE_PX if has_slider or field.kind == "numbers" else _LINE_PX


def make_controls(names: tuple[str, ...]) -> PanelControls | None:
    """Editors of the view's fields of these names; None for no names."""
    if not names:
        return None
    from posenc_gui.docks.editors import FieldForm, make_editor

    fields = {field.name: field for field in View.FIELDS}
    form = FieldForm(
        [make_editor(fields[name]) for name in names], ascii_lowercase, across=True
    )  # menus have the mnemonics
    return PanelControls(form, names)
