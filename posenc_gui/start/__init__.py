"""The start of the program: checks of the machine, application, log, and recovery after a crash."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.start.launch import main
else:
    __getattr__ = on_demand(__name__)
