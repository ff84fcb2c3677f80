"""The parser of the program's arguments: the window's, and one for each command, whose flags are added when needed."""

import argparse
import difflib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from typing_extensions import override

from posenc_core.fields import shortened
from posenc_gui.cli.terminal import command
from posenc_gui.files import preset_names

_PLUGIN = "--plugin"
_MARK = "\0"
"""Precedes the values of flags for argparse, which would read some as flags; no argument can contain it."""


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """A command: the words after its name, its line in the list of commands, the lines of its help, and an example.

    ``needs`` ends the sentence on a flag without its value. ``flags`` are the arguments of argparse by group and flag,
    None for the flag that several commands have.
    """

    usage: str
    summary: str
    description: tuple[str, ...]
    epilog: tuple[str, ...] = ()
    needs: str = "--help lists the options"
    flags: dict[str, dict[str, dict[str, Any] | None]] = {}

    @property
    def runs_plugins(self) -> bool:
        """Whether the command has the flag ``--plugin``."""
        return any(_PLUGIN in flags for flags in self.flags.values())

    def add_flags(self, parser: "CommandParser", **words: str) -> None:
        """Add the flags, with the ``words`` in the places of their names."""
        for title, flags in self.flags.items():
            group = parser.add_argument_group(title) if title else parser
            for name, given in flags.items():
                if given is None:
                    add_plugin_flag(group)
                else:
                    filled: dict[str, Any] = {
                        key: str(given[key]).format(**words) for key in ("metavar", "help") if key in given
                    }
                    group.add_argument(name, **(given | filled))


COMMANDS = msgspec.json.decode(Path(__file__).with_name("commands.json").read_bytes(), type=dict[str, Command])


class CommandParser(argparse.ArgumentParser):
    """A parser of flags with one value or none, in any order with files, which become ``files``.

    ``for_numbers`` maps a flag to the flag for its values that begin with a digit. ``explanations`` write the help of
    some flags on request.

    argparse reads ``--offset -1e3`` as two flags, loses the value of ``--sentence=--``, and exits on an error.
    """

    def __init__(self, needs: str = "--help lists the options", **more: Any) -> None:
        super().__init__(
            **more, add_help=False, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        self._needs = needs
        self.for_numbers: dict[str, str] = {}
        self.explanations: list[Callable[[], object]] = []
        self.register("type", None, _unmarked)
        self.add_argument("-h", "--help", action="store_true", help="show this text and exit")

    @override
    def format_help(self) -> str:
        for explain in self.explanations:
            explain()
        return super().format_help()

    @property
    def flags(self) -> dict[str, argparse.Action]:
        """The actions by the names of their flags."""
        return self._option_string_actions

    @override
    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """The namespace with ``files`` and ``unknown`` flags; ValueError with one sentence for a value out of place."""
        if args[:1] and args[0] in COMMANDS:
            return super().parse_known_args(args, namespace)
        flags, files, unknown, words = list[str](), list[str](), list[str](), iter(args)
        for word in words:
            name, equals, value = word.partition("=")
            action = self.flags.get(name)
            if action is None:
                (unknown if word.startswith("-") and word != "-" else files).append(word)
            elif action.nargs == 0:
                if equals:
                    raise ValueError(f"{name} takes no value, got {shortened(value)}")
                flags.append(name)
            else:
                text = value if equals else self._value_of(name, next(words, "--"))
                flags.append(f"{self.for_numbers.get(name, name) if text[:1].isdigit() else name}={_MARK}{text}")
        found, _ = super().parse_known_args(flags, namespace)
        found.files, found.unknown, found.parser = files, unknown, self
        return found, []

    def _value_of(self, name: str, value: str) -> str:
        if value.startswith("--") and value.partition("=")[0] in {"--", *self.flags}:
            raise ValueError(f"{name} needs a value; {self._needs}")
        return value

    def refusal(self, word: str) -> str:
        """The sentence on a word that is no flag."""
        short = word if len(word) <= 40 else f"{word[:37]}..."
        if not word.startswith("-"):
            return f"{short!r} belongs to no option; put a value that contains spaces in quotes"
        near = difflib.get_close_matches(word.replace("_", "-"), self.flags, 1, 0.7) if word.strip("-") else []
        return f"there is no option {short}; {f'did you mean {near[0]}?' if near else '--help lists the options'}"


def parser_of(name: str = "", add_flags: Callable[[CommandParser], object] | None = None) -> CommandParser:
    """The parser of the program, with the flags of the command of that name."""
    program = command()
    parser = CommandParser(
        prog=program,
        usage=f"{program} [FILE]\n       {program} COMMAND [option ...]",
        description="Opens the window, with FILE if it is given: a session, a picture, a table or a model.",
    )
    forget = "forget layout, theme and recent files; the old settings are kept as a backup"
    add_plugin_flag(parser)
    parser.add_argument("--reset-settings", action="store_true", help=forget)
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    title = f"commands (see {program} COMMAND --help)"
    commands = parser.add_subparsers(title=title, dest="command", metavar="COMMAND", required=False)
    for each, about in COMMANDS.items():
        own = f"{program} {each}"
        sub = commands.add_parser(
            each,
            help=about.summary,
            prog=own,
            usage=f"{own} {about.usage}",
            description="\n".join(about.description),
            epilog="\n".join(about.epilog).format(program=own),
            needs=about.needs,
        )
        if each == name and add_flags is not None:
            add_flags(sub)
    return parser


def add_plugin_flag(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add the flag that names Python files with encodings."""
    told = "run a Python file, and offer the encoding that it defines; repeatable"
    parser.add_argument(_PLUGIN, metavar="FILE", action="append", help=told)


def parsed(
    name: str, argv: Sequence[str], add_flags: Callable[[CommandParser], object] | None = None
) -> argparse.Namespace:
    """The values of a command's flags by name, its ``files``, and ``help``, the requested text or empty.

    By default the flags are those in ``COMMANDS``. ValueError with one sentence for an unknown flag or a flag without
    its value.
    """
    found = parser_of(name, add_flags or COMMANDS[name].add_flags).parse_args([name, *argv])
    found.help = found.parser.format_help() if found.help else ""
    if found.unknown and not found.help:
        raise ValueError(found.parser.refusal(found.unknown[0].partition("=")[0]))
    return found


def given_paths(arguments: argparse.Namespace, count: int = 1) -> list[Path]:
    """The files; ValueError with one sentence for a wrong number of files."""
    if len(arguments.files) != count:
        wanted = "one file" if count == 1 else "two files"
        raise ValueError(f"{wanted} must be given, got {len(arguments.files)}; --help says how")
    return [Path(name) for name in arguments.files]


def names_preset(path: Path) -> bool:
    """Whether the path is the name of a preset, and of no file."""
    return str(path) in preset_names() and not path.exists()


def _unmarked(text: str) -> str:
    return text.removeprefix(_MARK)
