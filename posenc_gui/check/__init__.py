"""Numbers of one's own code: pasted, opened or dropped, identified beside the window, and shown beside right ones."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.check.checks import Checks
else:
    __getattr__ = on_demand(__name__)
