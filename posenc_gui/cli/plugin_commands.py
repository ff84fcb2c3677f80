"""``posenc new-encoding``, and the files of encodings that a command runs first; no Qt."""

from collections.abc import Sequence
from pathlib import Path

from posenc_core import ENCODINGS
from posenc_core.encodings.plugins import open_plugin, write_example
from posenc_core.fields import one_line
from posenc_gui.cli.parser import CommandParser, add_plugin_flag, parsed, parser_of
from posenc_gui.cli.terminal import command, complain, print_or_complain

WRITTEN, REFUSED = 0, 2


def new_encoding(argv: Sequence[str]) -> int:
    """The exit status of ``posenc new-encoding``; ``argv`` are the arguments after that word."""
    try:
        arguments = parsed("new-encoding", argv, _add_no_flags)
        if arguments.help:
            return print_or_complain(arguments.help, "the help")
        if len(arguments.files) != 1:
            raise ValueError(f"one file must be given, got {len(arguments.files)}; --help says how")
        path = Path(arguments.files[0])
        if path.suffix != ".py":
            raise ValueError(f"the file's name must end in .py, got {path.name}")
        write_example(path)
    except (OSError, ValueError) as error:
        reason = f"cannot write {error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
        complain(one_line(reason))
        return REFUSED
    shown = one_line(str(path))
    return print_or_complain(f"{shown}\nShow it: {command()} --plugin {shown}\n", "the path") or WRITTEN


def open_plugins(argv: Sequence[str]) -> None:
    """Register the encodings of the files that ``--plugin`` names; ValueError with one sentence for a broken one.

    They come before all other arguments of the command, since their parameters have flags.
    """
    given = parser_of("export", add_plugin_flag).parse_args(["export", *argv])
    for name in given.plugin or ():
        open_plugin(ENCODINGS, Path(name))


def _add_no_flags(parser: CommandParser) -> None:
    """The command has no flags of its own."""
