"""Opening, saving and restoring the document: effects of files on the store, and questions to the user."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.window.sessions.session_commands import SessionCommands
    from posenc_gui.window.sessions.opener import FileOpener
    from posenc_gui.window.sessions.encoding_opener import EncodingOpener
    from posenc_gui.window.sessions.autosave import Autosave
    from posenc_gui.window.sessions.recovery_dialog import RecoveryOffer
else:
    __getattr__ = on_demand(__name__)
