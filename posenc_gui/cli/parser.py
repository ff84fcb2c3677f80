"""The parser of the program's arguments: the window's, and one for each command, whose flags are added when needed."""

import argparse
import difflib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from typing_extensions import override

from posenc_core.fields import shortened
from posenc_gui.cli.terminal import command

_MARK = "\0"
"""Precedes the values of flags for argparse, which would read some as flags; no argument can contain it."""


class Command(Struct, frozen=True):
    """A command: the words after its name, its line in the list of commands, its help, and an example.

    ``needs`` ends the sentence on a flag without its value.
    """

    usage: str
    summary: str
    description: str
    epilog: str = ""
    needs: str = "--help lists the options"


COMMANDS = {
    "export": Command(
        "[option ...]",
        "write pictures and numbers without a window",
        """\
Writes pictures and numbers of a sentence's positional encoding to files: <panel>.<format> for each picture,
vectors.<format> for the numbers, page.html for a page that browsers show. Prints the path of each file after it is
written. Warnings about surprising parameters and the sizes of files above 1 GB go to standard error.

Exit status: 0 if all files are written, even after warnings; 2 after one sentence about an error; 3 if --strict
refuses a warning, with nothing written; 129, 130 or 143 after SIGHUP, Ctrl+C or SIGTERM, which leave no partial
file.""",
        """\
example:
  {program} --sentence "Dan loves icecream" --d-model 8 --format png --format csv --out pictures""",
    ),
    "inspect": Command(
        "[--json] [--part NAME] [--plugin FILE] FILE",
        "print how a model encodes positions",
        """\
Prints how a model encodes positions, layer by layer. FILE is a config.json, a model's folder, a GGUF file, or a
session, whose encoding may be from a --plugin.

Exit status: 0, or 2 after one sentence on standard error.""",
        needs="--help explains it",
    ),
    "diff": Command(
        "[--json] [--plugin FILE] A B",
        "print the differences of two models",
        """\
Prints the differences of two models' positions: lengths, and for each layer its kind, pair layout, width, frequencies
(beyond a relative 1e-6) and attention factor; and the first position at which a pair differs by more than 45 degrees.
A and B are files as for inspect.

Exit status: 0 if nothing differs, 1 if something does, 2 after one sentence on standard error.""",
    ),
    "check": Command(
        "[--against CONFIG|PRESET] [--positions FIRST:STOP] [--plugin FILE] [--json] FILE",
        "check the numbers of your own code",
        """\
Identifies the numbers of a file: a table, frequencies, a cache of cosines and sines, vectors before and after a
rotation, or biases; prints the encoding, or the mistake with the first wrong number and the right one. FILE is .npy,
.npz, .safetensors, .csv, .json, or .txt as printed by numpy or torch. Positions are 0, 1, 2, ... unless the numbers
or --positions show others.

Exit status: 0 if the numbers are right, 1 if some are wrong or no known formula is near, 2 after one sentence on
standard error.""",
        """\
example:
  {program} inv_freq.npy --against config.json""",
        needs="--help explains it",
    ),
    "new-encoding": Command(
        "FILE",
        "write a commented example of your own encoding",
        """\
Writes a Python file with a working encoding, to edit and to open with --plugin FILE or with File > Open
encoding (Python). FILE is a new file whose name ends in .py.

Exit status: 0, or 2 after one sentence on standard error.""",
        """\
example:
  {program} mine.py""",
    ),
    "engines": Command(
        "[--engine NAME ...] [--length TOKENS] [--set ENGINE.NAME=VALUE ...] [--json] FILE",
        "print results of seven engines for a model",
        """\
Prints the results of transformers, vLLM, SGLang, mlx-lm, exllamav3, llama.cpp and TensorRT-LLM for a model at a length,
their differences from the model's own class, and the settings that remove the differences. FILE is a config.json, a
model's folder, or a GGUF file, from which llama.cpp's result is computed; without a config.json beside it the other
results are unknown. Each result names the version of the engine, and whether the engine's code was run or read, or
the result was reported by others.

Exit status: 0 if all engines agree with the class, 1 if one differs or is unknown, 2 after one sentence on standard
error.""",
        """\
example:
  {program} config.json --engine vllm --engine llama.cpp --length 131072 --set vllm.max_model_len=4096""",
        needs="--help explains it",
    ),
    "integrate": Command(
        "[--remove]",
        "add the program to the menu of a Linux desktop",
        """\
Writes the files of a desktop program below XDG_DATA_HOME, or else ~/.local/share: a menu entry, icons, the file type
of sessions (*.posenc), which a double click then opens, and a description for software centres. Prints the path of
each file. No other folder is changed, and no administrator is needed.

Exit status: 0, or 2 after one sentence on standard error.""",
    ),
}


class CommandParser(argparse.ArgumentParser):
    """A parser of flags with one value or none, in any order with files, which become ``files``.

    argparse reads ``--offset -1e3`` as two flags, loses the value of ``--sentence=--``, and exits on an error.
    """

    def __init__(self, needs: str = "--help lists the options", **more: Any) -> None:
        super().__init__(
            **more, add_help=False, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        self._needs = needs
        self._for_numbers: dict[str, str] = {}
        self._explanations: list[Callable[[], object]] = []
        self.register("type", None, _unmarked)
        self.add_argument("-h", "--help", action="store_true", help="show this text and exit")

    def add_for_numbers(self, name: str, other: str) -> None:
        """Let values of the flag ``name`` that begin with a digit be those of the flag ``other``."""
        self._for_numbers[name] = other

    def explain_later(self, explain: Callable[[], object]) -> None:
        """Let ``explain`` write the help of some flags on request."""
        self._explanations.append(explain)

    @override
    def format_help(self) -> str:
        for explain in self._explanations:
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
                flags.append(f"{self._for_numbers.get(name, name) if text[:1].isdigit() else name}={_MARK}{text}")
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
            description=about.description,
            epilog=about.epilog.format(program=own),
            needs=about.needs,
        )
        if each == name and add_flags is not None:
            add_flags(sub)
    return parser


def add_plugin_flag(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add the flag that names Python files with encodings."""
    told = "run a Python file, and offer the encoding that it defines; repeatable"
    parser.add_argument("--plugin", metavar="FILE", action="append", help=told)


def parsed(name: str, argv: Sequence[str], add_flags: Callable[[CommandParser], object]) -> argparse.Namespace:
    """The values of a command's flags by name, its ``files``, and ``help``, the requested text or empty.

    ValueError with one sentence for an unknown flag or a flag without its value.
    """
    found = parser_of(name, add_flags).parse_args([name, *argv])
    found.help = found.parser.format_help() if found.help else ""
    if found.unknown and not found.help:
        raise ValueError(found.parser.refusal(found.unknown[0].partition("=")[0]))
    return found


def given_paths(arguments: argparse.Namespace, count: int = 1) -> list[Path]:
    """The files; ValueError with one sentence for another number of them."""
    if len(arguments.files) != count:
        wanted = "one file" if count == 1 else "two files"
        raise ValueError(f"{wanted} must be given, got {len(arguments.files)}; --help says how")
    return [Path(name) for name in arguments.files]


def _unmarked(text: str) -> str:
    return text.removeprefix(_MARK)
