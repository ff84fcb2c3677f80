"""The export dialog: its choices, its preview, and its export."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.export.dialog.dialog import ExportDialog
else:
    __getattr__ = on_demand(__name__)
