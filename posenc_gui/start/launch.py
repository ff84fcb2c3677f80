"""The entry point: checks the machine, then runs the window or the export command.

Only fast modules of the standard library are imported here, so that an unsuitable machine is refused at once,
and signals are answered from the start. Every import that fails if a library is missing
happens inside ``main``, where the failure becomes a sentence.
"""

from __future__ import annotations

import os
import sys

from posenc_gui.start import signals

REFUSED = 2
"""Exit status if the machine or the input is refused; 1 means an unexpected error."""

_NO_EXPORT = "every printed file is complete; no other file was written"
_NO_SHEET = "nothing was written"
_NO_WINDOW = "no window is open"


def main(argv: list[str] | None = None) -> int:
    """The exit status of the program for the arguments ``argv``, None for the arguments of the process."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    exporting = arguments[:1] == ["export"]
    printing = arguments[:1] in (["inspect"], ["diff"], ["check"], ["engines"], ["new-encoding"], ["integrate"])
    signals.end_at_once(_NO_EXPORT if exporting else _NO_SHEET if printing else _NO_WINDOW)
    from posenc_gui.cli import complain
    from posenc_gui.start import environment

    try:
        problem = environment.problem(arguments, needs_display=not exporting and not printing)
        if problem is None and exporting:
            from posenc_gui.cli import export
            from posenc_gui.files import discard_parts

            signals.end_at_once(_NO_EXPORT, discard_parts)
            return export(arguments[1:])
        if problem is None and printing:
            from posenc_gui.cli import printed

            return printed(arguments[0], arguments[1:])
        if problem is None:
            # Threads of OpenBLAS wait for each other on a busy machine: 0.3 s instead of 6 ms for one map of rows.
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
            from posenc_gui.start.application import run

            return run(arguments)
    except ImportError as error:
        problem = environment.import_problem(error)
        if problem is None:
            raise
    complain(problem)
    return REFUSED
