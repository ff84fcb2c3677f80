"""Encodings of other packages and of the user's files: found, tried before they are offered, and an example."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_core.encodings.plugins.example import EXAMPLE, write_example
    from posenc_core.encodings.plugins.files import open_plugin
    from posenc_core.encodings.plugins.installed import add_installed
else:
    __getattr__ = on_demand(__name__)
