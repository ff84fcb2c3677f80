"""The editor for any field: which widget edits what is known of a parameter, by its kind alone."""

from posenc_core.fields import Field
from posenc_gui.docks.editors.choice_editors import ChoiceEditor, FlagEditor
from posenc_gui.docks.editors.editor_base import FieldEditor
from posenc_gui.docks.editors.number_editors import IntegerEditor, RealEditor
from posenc_gui.docks.editors.text_editors import NumbersEditor, OptionalEditor, TextEditor

EDITORS: dict[str, type[FieldEditor]] = {
    "integer": IntegerEditor,
    "real": RealEditor,
    "choice": ChoiceEditor,
    "flag": FlagEditor,
    "optional": OptionalEditor,
    "numbers": NumbersEditor,
    "text": TextEditor,
}

__all__ = ["EDITORS", "ChoiceEditor", "FieldEditor", "make_editor"]


def make_editor(field: Field) -> FieldEditor:
    """A new editor for the field; TypeError for a kind that has none."""
    if field.kind not in EDITORS:
        raise TypeError(f"there is no editor for {field.name}, a field of kind {field.kind}")
    return EDITORS[field.kind](field)
