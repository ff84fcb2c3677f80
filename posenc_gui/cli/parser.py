"""The parser of the program's arguments: the window's, and one for each command, whose flags are added when needed."""

import argparse
import difflib
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from typing_extensions import override

from posenc_core.fields import shortened
from posenc_gui.cli.terminal import command

_MARK = "\0"
"""Begins the values of flags on their way to argparse, which would take some for flags; no argument can hold it."""


class Command(Struct, frozen=True):
    """A command: the words after its name, what it does in the list of commands, its help, and an example.

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

Exit status: 0 if all files are written, also where warnings went to standard error, 2 after a sentence on what is
wrong, 3 for a warning with --strict, which then writes nothing, and 129, 130 or 143 after SIGHUP, Ctrl+C or SIGTERM,
which leave no file half-written.""",
        """\
example:
  {program} --sentence "Dan loves icecream" --d-model 8 --format png --format csv --out pictures""",
    ),
    "inspect": Command(
        "[--json] [--part NAME] [--plugin FILE] FILE",
        "print what a model does with positions",
        """\
Prints what a model does with positions, layer by layer. FILE is a config.json, a model's folder, a GGUF file, or a
session, whose encoding may be one of a --plugin.

Exit status: 0, or 2 after one sentence on standard error.""",
        needs="--help says which",
    ),
    "diff": Command(
        "[--json] [--plugin FILE] A B",
        "print where two models differ",
        """\
Prints where two models differ in what they do with positions: lengths, and for each layer its kind, pair layout,
width, frequencies (beyond a relative 1e-9) and attention factor; and the first position at which a pair is off by
more than 45 degrees. A and B are as for inspect.

Exit status: 0 if nothing differs, 1 if something does, 2 after one sentence on standard error.""",
    ),
    "check": Command(
        "[--against CONFIG|PRESET] [--positions FIRST:STOP] [--plugin FILE] [--json] FILE",
        "print whether numbers of one's own code are right",
        """\
Prints what the numbers of a file are: a right table, frequencies, a cache of cosines and sines, vectors before and
after a rotation, or biases; or what is wrong with them, the first wrong number and what it should be. FILE is .npy,
.npz, .safetensors, .csv, .json, or .txt with what numpy or torch print. Positions are 0, 1, 2, ... unless the numbers
or --positions tell others.

Exit status: 0 if the numbers are right, 1 if something is wrong, or no formula is near, 2 after one sentence on
standard error.""",
        """\
example:
  {program} inv_freq.npy --against config.json""",
        needs="--help says which",
    ),
    "new-encoding": Command(
        "FILE",
        "write a commented example of an encoding of one's own",
        """\
Writes a Python file with an encoding that runs as it is, to edit and to open with --plugin FILE or with File > Open
encoding (Python). FILE is a new file whose name ends in .py.

Exit status: 0, or 2 after one sentence on standard error.""",
        """\
example:
  {program} mine.py""",
    ),
    "engines": Command(
        "[--engine NAME ...] [--length TOKENS] [--set ENGINE.NAME=VALUE ...] [--json] FILE",
        "print what each engine computes for a model",
        """\
Prints what transformers, vLLM, SGLang, mlx-lm, exllamav3, llama.cpp and TensorRT-LLM compute for a model at a length,
where that parts from what the model's own class computes, and what to write so that it does not. FILE is a config.json,
a model's folder, or a GGUF file, of which llama.cpp's answer is; without a config.json beside the file the others are
not known. Each answer names the version of the engine that it is about, and
whether that was run, read in the source, or reported.

Exit status: 0 if all engines compute what the class does, 1 if one does not, or it is not known, 2 after one sentence
on standard error.""",
        """\
example:
  {program} config.json --engine vllm --engine llama.cpp --length 131072 --set vllm.max_model_len=4096""",
        needs="--help says which",
    ),
    "integrate": Command(
        "[--remove]",
        "put the program into the menu of a Linux desktop",
        """\
Writes what a Linux desktop reads of a program below XDG_DATA_HOME, or else ~/.local/share: an entry of the menu, icons,
the type of session files (*.posenc), which a double click then opens, and a description for software centres. Prints
the path of each file. No file outside of that folder is touched, and no administrator is needed.

Exit status: 0, or 2 after one sentence on standard error.""",
    ),
}


class CommandParser(argparse.ArgumentParser):
    """A parser of flags with one value or none, in any order with files, which become ``files``.

    argparse takes ``--offset -1e3`` for two flags, loses the value of ``--sentence=--``, and exits on an error.
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
        """Let ``explain`` write the help of some flags when it is asked for."""
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
    """The values of a command's flags by name, its ``files``, and ``help``, the text that was asked for or empty.

    ValueError with one sentence for an unknown flag or a flag without its value.
    """
    found = parser_of(name, add_flags).parse_args([name, *argv])
    found.help = found.parser.format_help() if found.help else ""
    if found.unknown and not found.help:
        raise ValueError(found.parser.refusal(found.unknown[0].partition("=")[0]))
    return found


def _unmarked(text: str) -> str:
    return text.removeprefix(_MARK)
