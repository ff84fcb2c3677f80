"""What a panel has beside its figure: editors of fields that only this figure shows, or what the figure needs."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from posenc_core import Document, View
from posenc_core.fields import FlagField, IntegerField
from posenc_gui.look.controls import GAP, Note, control_palette
from posenc_gui.look.plain_text import plain_tip
from posenc_gui.look.style import Style

if TYPE_CHECKING:  # loaded with the first panel that has editors
    from posenc_gui.docks.editors.form import FieldForm

_LINE_PX, _SLIDER_PX = 78, 150
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class PanelControls(QWidget):
    """Editors side by side. ``fieldEdited`` carries the field's name, a value that it allows, and the gesture."""

    fieldEdited = Signal(str, object, object)

    def __init__(self, form: "FieldForm", names: tuple[str, ...]) -> None:
        super().__init__()
        self._form, self._names = form, names
        for name in names:
            editor = form.editor(name)
            has_slider = isinstance(editor.field, IntegerField) and editor.field.slider is not None
            if not isinstance(editor.field, FlagField):  # whose words are beside its box
                editor.setFixedWidth(_SLIDER_PX if has_slider else _LINE_PX)
        form.fieldEdited.connect(self.fieldEdited)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(form)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._form.fit_across(self.width())

    def show_document(self, document: Document) -> None:
        """Show the document's values, and in an empty line the one that is taken instead."""
        self._form.show_document(document)
        lengths = document.lengths
        taken = {
            "trained_length": lengths.trained,
            "target_length": lengths.target,
            "score_distances": lengths.trained,
            "score_query": "last token",
            "score_key": "first token",
        }
        for name in self._names:
            if name in taken:
                self._form.editor(name).show_missing(str(taken[name]))

    def show_refusal(self, name: str, value: Any, sentence: str) -> None:
        """Show why the document does not take a value, at the field's editor."""
        self._form.show_refusal(name, value, sentence)

    def show_style(self, style: Style) -> None:
        """Use the colours and fonts of the style."""
        self.setPalette(style.palette())
        self._form.show_style(style)


def make_controls(names: tuple[str, ...]) -> PanelControls | None:
    """Editors of the view's fields of these names; None for no names."""
    if not names:
        return None
    from posenc_gui.docks.editors.form import FieldForm, make_editor

    fields = {field.name: field for field in View.FIELDS}
    form = FieldForm([make_editor(fields[name]) for name in names], _LETTERS, across=True)  # menus have the mnemonics
    return PanelControls(form, names)


class Invitation(QWidget):
    """Says what is missing; ``button`` does something about it."""

    def __init__(self, sentence: str, words: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._note = Note("muted", self)  # with a parent, as a note is shown at once
        self._note.show_sentence(sentence)
        self._note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = QPushButton(words)
        self.button.setToolTip(plain_tip(tip))
        box = QVBoxLayout(self)
        box.setSpacing(2 * GAP)
        box.addStretch(1)
        box.addWidget(self._note)
        box.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        box.addStretch(1)

    def show_style(self, style: Style) -> None:
        """Use the colours and fonts of the style."""
        self.setPalette(style.palette())
        self._note.show_style(style)
        self.button.setPalette(control_palette(style))
        self.button.setFont(style.font(12))
