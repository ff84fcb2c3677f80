"""The program with a window: from its arguments to its exit status."""

import gc
from typing import TYPE_CHECKING

from posenc_core import __version__
from posenc_gui.cli.terminal import command, complain, print_or_complain

if TYPE_CHECKING:  # the help needs no Qt
    from PySide6.QtWidgets import QApplication

_HELP = """\
usage: {0} [FILE]            open the window, with a session, a picture, a table or a model
       {0} export [OPTIONS]  write pictures and numbers without a window; see {0} export --help
       {0} inspect FILE      print what a model does with positions; see {0} inspect --help
       {0} diff A B          print where two models differ; see {0} diff --help
       {0} --version
options: --reset-settings        forget layout, theme and recent files; the old settings are kept as a backup
"""

_RESET = "--reset-settings"


def run(argv: list[str]) -> int:
    """The exit status of the window after it is closed.

    ``argv`` may name a file to open (``FileOpener``) and may hold options of Qt (``-platform``, ``-style``).
    """
    if {"-h", "--help"} & set(argv):
        return print_or_complain(_HELP.format(command()), "the help")
    if "--version" in argv:
        return print_or_complain(f"PosEnc {__version__}\n", "the version")
    from posenc_gui.look.qt import make_application

    application = make_application(argv)
    names = [name for name in application.arguments()[1:] if name != _RESET]
    unknown = [name for name in names if name.startswith("-")]
    if unknown or len(names) > 1:
        complain(f"posenc: {unknown[0] if unknown else names[1]} is not understood; --help lists what is")
        return 2
    return _run_window(application, names, reset=_RESET in argv)


def _run_window(application: "QApplication", names: list[str], reset: bool) -> int:
    from posenc_gui.files.recovery import state_folder
    from posenc_gui.files.settings import Settings
    from posenc_gui.start.crash_safety import CrashSafety
    from posenc_gui.window.main_window import MainWindow

    settings = Settings.of_user()
    if reset:
        settings.forget_everything()
    window = MainWindow(settings)
    safety = CrashSafety(window, state_folder())
    window.show()
    safety.begin(settings.problem)
    if names:
        window.open_file(names[0])
    gc.freeze()  # these objects live until the end: scanning them would delay a picture
    status: int = application.exec()
    safety.end()
    return status
