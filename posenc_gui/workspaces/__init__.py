"""The workspaces: which panels are on the screen, made while the window waits, each set with its own sizes."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.workspaces.panel_shelf import PanelShelf
    from posenc_gui.workspaces.workspace_tabs import WorkspaceTabs
    from posenc_gui.workspaces.workspaces import SharedParts, Workspaces
else:
    __getattr__ = on_demand(__name__)
