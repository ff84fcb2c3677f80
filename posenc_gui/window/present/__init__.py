"""Presenting: the panels alone on the screen, with keys that a remote control has."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.window.present.presentation import Presentation
else:
    __getattr__ = on_demand(__name__)
