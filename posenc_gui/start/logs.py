"""The log of what nobody foresaw: a file that starts anew before it grows large."""

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

from posenc_gui.files.atomic import FileError, make_private_folder, sentence

LOG_NAME = "posenc.log"
MAXIMUM_BYTES = 512 * 1024
KEPT = 3

_FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


def start_log(folder: Path) -> RotatingFileHandler:
    """The handler that writes warnings and errors of this program to the folder's log; FileError where it cannot."""
    path = folder / LOG_NAME
    make_private_folder(folder)
    try:
        handler = RotatingFileHandler(path, maxBytes=MAXIMUM_BYTES, backupCount=KEPT, encoding="utf-8")
    except OSError as error:
        raise FileError(sentence("write", path, error)) from error
    handler.setFormatter(logging.Formatter(_FORMAT))
    handler.setLevel(logging.WARNING)
    logging.getLogger("posenc_gui").addHandler(handler)
    return handler


def end_log(handler: logging.Handler) -> None:
    """Write to it no longer, and close its file."""
    logging.getLogger("posenc_gui").removeHandler(handler)
    handler.close()
