"""The main window: layout, menus, commands and status line."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.window.main_window import MainWindow
else:
    __getattr__ = on_demand(__name__)
