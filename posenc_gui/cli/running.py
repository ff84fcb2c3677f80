"""The run of a command: its plugins, its arguments, and its text or one sentence about an error; no Qt."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from posenc_core import ENCODINGS
from posenc_core.encodings import open_plugin
from posenc_core.fields import one_line
from posenc_gui.cli.parser import COMMANDS, add_plugin_flag, parsed, parser_of
from posenc_gui.cli.terminal import complain, print_or_complain
from posenc_gui.files import FileError

REFUSED = 2
"""Exit status after one sentence on standard error."""


_WORK = {
    "inspect": ("model_commands", "inspected", "the sheet"),
    "diff": ("model_commands", "compared", "the differences"),
    "check": ("check_command", "checked", "the finding"),
    "engines": ("engines_command", "compared", "the table"),
    "new-encoding": ("plugin_commands", "example_written", "the path"),
    "integrate": ("integrate_command", "integrated", "the paths"),
}
"""By command: the module and the function that returns its text and the status after printing, and what is printed."""


def printed(name: str, argv: Sequence[str]) -> int:
    """The exit status of the command of that name, which prints its text or its help.

    A TypeError, ValueError or FileError of the command or of its arguments is one sentence; so is a failure to print.
    """
    module, function, what = _WORK[name]
    work = getattr(import_module(f"posenc_gui.cli.{module}"), function)
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
