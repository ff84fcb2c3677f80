"""The run of a command: its plugins, its arguments, and its text or one sentence about an error; no Qt."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from posenc_core import ENCODINGS
from posenc_core.encodings import open_plugin
from posenc_core.fields import one_line
from posenc_gui.cli.parser import COMMANDS, add_plugin_flag, parsed, parser_of
from posenc_gui.cli.terminal import complain, print_or_complain
from posenc_gui.files import FileError

REFUSED = 2
"""Exit status after one sentence on standard error."""


def printed(name: str, argv: Sequence[str], work: Callable[[argparse.Namespace], tuple[str, int]], what: str) -> int:
    """The exit status of the command of that name, which prints the text of ``work`` or its help.

    ``work`` returns the text and the status after printing. Its TypeError, ValueError or FileError, as one of the
    arguments, is one sentence; so is the failure to print ``what``.
    """
    try:
        if COMMANDS[name].runs_plugins:
            open_plugins(argv)
        arguments = parsed(name, argv)
        if arguments.help:
            return print_or_complain(arguments.help, "the help")
        text, status = work(arguments)
    except (TypeError, ValueError, FileError) as error:
        return refused(error)
    return print_or_complain(f"{text}\n", what) or status


def refused(reason: object) -> int:
    """The exit status after the reason on standard error."""
    complain(one_line(str(reason)))
    return REFUSED


def open_plugins(argv: Sequence[str]) -> None:
    """Register the encodings of the files that ``--plugin`` names; ValueError with one sentence for a broken one.

    These flags precede all other arguments of the command, since the encodings' parameters have flags.
    """
    given = parser_of("export", add_plugin_flag).parse_args(["export", *argv])
    for name in given.plugin or ():
        open_plugin(ENCODINGS, Path(name))
