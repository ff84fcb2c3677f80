"""The program with a window: from its arguments to its exit status."""

import gc
from pathlib import Path

from posenc_core import __version__
from posenc_gui.cli import complain, parser_of, print_or_complain

REFUSED = 2

_LATER_MS = 500
"""Delay in ms, past the first paint, before encodings of other packages are imported and all panels made."""


def run(argv: list[str]) -> int:
    """The exit status of the window after its end, or of its help or version, which load no Qt.

    ``argv`` may name a file to open (``FileOpener``) and may contain options of Qt (``-platform``, ``-style``).
    """
    parser = parser_of()
    try:
        asked = parser.parse_args(argv)
    except ValueError as error:
        complain(str(error))
        return REFUSED
    if asked.help:
        return print_or_complain(parser.format_help(), "the help")
    if asked.version:
        return print_or_complain(f"PosEnc {__version__}\n", "the version")
    return _run_window(argv, {_encodable(name): name for name in (*asked.files, *(asked.plugin or ()))})


def _encodable(word: str) -> str:
    """The word without the bytes of a path that are no UTF-8 text, for which PySide aborts the process."""
    return word.encode("utf-8", "replace").decode("utf-8")


def _run_window(argv: list[str], paths: dict[str, str]) -> int:
    from PySide6.QtCore import QTimer

    from posenc_gui.look import make_application

    words = map(_encodable, argv)  # Qt has an option --plugin too, and removes the next word
    application = make_application([f"{word}={next(words)}" if word == "--plugin" else word for word in words])
    given = parser_of().parse_args(application.arguments()[1:])  # without the options of Qt
    wrong = [f"there is no option {word}" for word in given.unknown]
    wrong += [f"the window opens one file, not also {word}" for word in given.files[1:]]
    if wrong:
        complain(f"posenc: {wrong[0]}; --help lists the options")
        return REFUSED
    from posenc_gui.files import Settings, state_folder
    from posenc_gui.start.crash_safety import CrashSafety
    from posenc_gui.window import MainWindow

    settings = Settings.of_user()
    if given.reset_settings:
        settings.forget_everything()
    window = MainWindow(settings)
    safety = CrashSafety(window, state_folder())
    window.show()
    safety.begin(settings.problem)
    for name in given.plugin or ():  # before unsaved work is read, which may use these encodings
        window.commands.open_encoding(Path(paths[name]), shows=not given.files)
    safety.offer_unsaved()
    if given.files:
        window.open_file(paths[given.files[0]])
    later = QTimer(window, singleShot=True, interval=_LATER_MS)
    later.timeout.connect(window.commands.find_encodings)
    later.timeout.connect(window.shelf.get_ready)
    later.start()
    gc.freeze()  # these objects live until the end: scanning them would delay a picture
    status: int = application.exec()
    safety.end()
    return status
