"""Editors made from fields."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.docks.editors.form import FieldForm, make_editor
else:
    __getattr__ = on_demand(__name__)
