"""Sessions, presets, settings and recovery: reading and writing."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.files.atomic import discard_parts, make_folder, make_private_folder, remove_leftover, writing
    from posenc_gui.files.errors import FileError, sentence, shown
    from posenc_gui.files.file_kinds import FileKind, recognized
    from posenc_gui.files.presets import preset, preset_config, preset_groups, preset_names, preset_title
    from posenc_gui.files.recovery import Left, Recovery, Unsaved, state_folder
    from posenc_gui.files.session import (
        PAGE_SESSION,
        SESSION_KEYWORD,
        FileChangedError,
        is_session,
        open_session,
        read_config,
    )
    from posenc_gui.files.place import Place
    from posenc_gui.files.session import Stored, read_model, read_session, save_session, with_config
    from posenc_gui.files.settings import LessonProgress, Settings
else:
    __getattr__ = on_demand(__name__)
