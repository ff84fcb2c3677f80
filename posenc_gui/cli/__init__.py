"""The commands export, inspect, diff, check, engines, new-encoding and integrate, and their flags; no Qt at import."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.cli.export_command import export
    from posenc_gui.cli.parser import parser_of
    from posenc_gui.cli.running import printed
    from posenc_gui.cli.terminal import command, complain, print_or_complain
else:
    __getattr__ = on_demand(__name__)
