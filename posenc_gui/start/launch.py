"""The entry point: what must hold before Qt is touched, then the window or the export command.

Nothing heavy is imported here: a machine on which the program cannot run gets its sentence at once, and every
import that can fail for want of a library happens inside `main`, where the failure becomes a sentence too.
"""

from __future__ import annotations

import sys

from posenc_gui.start import environment

REFUSED = 2
"""Exit status when the machine or the input is refused; 1 stays for an error nobody expected."""


def main(argv: list[str] | None = None) -> int:
    """The exit status of one run of the program with the arguments `argv` (None: those of the process)."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    exporting = arguments[:1] == ["export"]
    try:
        problem = environment.problem(arguments, needs_display=not exporting)
        if problem is None:
            return _export(arguments[1:]) if exporting else _open_window(arguments)
    except ImportError as error:
        problem = environment.import_problem(error)
        if problem is None:
            raise
    sys.stderr.write(problem + "\n")
    return REFUSED


def _export(arguments: list[str]) -> int:
    """The exit status of the export command."""
    from posenc_gui.cli.export_command import export

    return export(arguments)


def _open_window(arguments: list[str]) -> int:
    """The exit status of the window, once it is closed."""
    from posenc_gui.start.application import run

    return run(arguments)
