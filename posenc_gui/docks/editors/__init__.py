"""Editors made from fields."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.docks.editors.number_editors import IntegerSlider
    from posenc_gui.docks.editors.number_line import NumberLine
    from posenc_gui.docks.editors.form import align_labels
    from posenc_gui.docks.editors.form import ENCODING_TAKEN
    from posenc_gui.docks.editors.form import EMBEDDING_TAKEN
    from posenc_gui.docks.editors.editor_base import is_undo
    from posenc_gui.docks.editors.editor_base import is_redo
    from posenc_gui.docks.editors.editor_base import is_plain
    from posenc_gui.docks.editors.editor_base import is_copy
    from posenc_gui.docks.editors.editor_base import asked_key
    from posenc_gui.docks.editors.editor_base import ARROWS, FieldEditor
    from posenc_gui.docks.editors.choice_editors import FlagEditor
    from posenc_gui.docks.editors.choice_editors import ChoiceEditor
    from posenc_gui.docks.editors.family_editor import FamilyEditor
    from posenc_gui.docks.editors.fold import Fold
    from posenc_gui.docks.editors.form import FieldForm, make_editor
else:
    __getattr__ = on_demand(__name__)
