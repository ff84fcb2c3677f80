"""Editors made from fields."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.docks.editors.number_editors import IntegerSlider
    from posenc_gui.docks.editors.number_line import NumberLine
    from posenc_gui.docks.editors.form import align_labels, ENCODING_TAKEN, EMBEDDING_TAKEN, FieldForm, make_editor
    from posenc_gui.docks.editors.editor_base import leaves_to_window, is_plain, is_copy, asked_key, ARROWS, FieldEditor
    from posenc_gui.docks.editors.choice_editors import FlagEditor, ChoiceEditor
    from posenc_gui.docks.editors.family_editor import FamilyEditor
    from posenc_gui.docks.editors.fold import Fold
else:
    __getattr__ = on_demand(__name__)
