"""``posenc new-encoding``, and the files of encodings that a command runs first; no Qt."""

from collections.abc import Sequence
from pathlib import Path

from posenc_core import ENCODINGS
from posenc_core.encodings import open_plugin, write_example
from posenc_core.fields import one_line
from posenc_gui.cli.parser import CommandParser, add_plugin_flag, given_paths, parsed, parser_of
from posenc_gui.cli.terminal import command, complain, print_or_complain
from posenc_gui.files import sentence, shown

WRITTEN, REFUSED = 0, 2


def new_encoding(argv: Sequence[str]) -> int:
    """The exit status of ``posenc new-encoding``; ``argv`` are the arguments after that word."""
    try:
        arguments = parsed("new-encoding", argv, _add_no_flags)
        if arguments.help:
            return print_or_complain(arguments.help, "the help")
        (path,) = given_paths(arguments)
        if path.suffix != ".py":
            raise ValueError(f"the file's name must end in .py, got {shown(path.name)}")
        _write(path)
    except ValueError as error:
        complain(one_line(str(error)))
        return REFUSED
    written = one_line(str(path))
    return print_or_complain(f"{written}\nShow it: {command()} --plugin {written}\n", "the path") or WRITTEN


def _write(path: Path) -> None:
    try:
        write_example(path)
    except FileExistsError:
        raise ValueError(f"cannot write {shown(path)}: it exists; give the name of a new file") from None
    except (OSError, ValueError) as error:
        raise ValueError(sentence("write", path, error)) from None


def open_plugins(argv: Sequence[str]) -> None:
    """Register the encodings of the files that ``--plugin`` names; ValueError with one sentence for a broken one.

    These flags precede all other arguments of the command, since the encodings' parameters have flags.
    """
    given = parser_of("export", add_plugin_flag).parse_args(["export", *argv])
    for name in given.plugin or ():
        open_plugin(ENCODINGS, Path(name))


def _add_no_flags(parser: CommandParser) -> None:
    """The command has no additional flags."""
