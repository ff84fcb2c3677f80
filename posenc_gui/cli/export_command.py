"""``python main.py export``: pictures and numbers to files, without a display, and numbers without Qt."""

import argparse
import difflib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn, TextIO

from posenc_core import Document, LearnedTable
from posenc_core.fields import one_line
from posenc_core.tables import ArrayTable, open_table
from posenc_gui.cli.field_flags import add_field_flags, given_fields, with_fields
from posenc_gui.cli.options import NUMBER_FORMATS, Options, add_options, options_from
from posenc_gui.export.numbers import NO_TOKEN, check_tokens, expected_bytes, size_sentence, write_numbers
from posenc_gui.files.atomic import make_folder
from posenc_gui.files.errors import FileError
from posenc_gui.files.presets import preset, preset_names
from posenc_gui.files.session import open_session, read_config, with_config
from posenc_gui.panels import suitable_panels

WRITTEN, REFUSED, INTERRUPTED = 0, 2, 130

_DESCRIPTION = """\
Writes pictures and numbers of a sentence's positional encoding to files: <panel>.<format> for each picture,
vectors.<format> for the numbers. Prints each path once the file is there, and the size of one over 1 GB before."""
_EXAMPLE = """\
example:
  python main.py export --sentence "Dan loves icecream" --d-model 8 --format png --format csv --out pictures"""


def export(argv: list[str]) -> int:
    """Exit status of the export command: 0 once every file is written, 2 after one sentence on standard error.

    ``argv`` is what follows the word ``export``.
    """
    try:
        parser = _parser()
        words = parser.joined(argv)
        if {"-h", "--help"} & set(words):
            _say(sys.stdout, parser.format_help())
            return WRITTEN
        document, options = _understood(parser.understood(words))
    except (ValueError, FileError) as error:
        return _refused(error)
    try:
        for path in _write_all(document, options):
            _say_path(path)
    except FileError as error:
        return _refused(error)
    except MemoryError:
        return _refused("there is not enough memory for these files; give fewer columns or a smaller scale")
    except KeyboardInterrupt:
        return INTERRUPTED
    return WRITTEN


class _Parser(argparse.ArgumentParser):
    """A parser that refuses in a sentence, and takes values that look like flags (``--offset -1e3``)."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(message)

    def joined(self, argv: list[str]) -> list[str]:
        """The arguments with each flag and its value in one word, so that a value may begin with a minus sign.

        ValueError with one sentence for a flag without its value.
        """
        joined = []
        words = iter(argv)
        for word in words:
            action = self._option_string_actions.get(word)
            if action is None or action.nargs == 0:
                joined.append(word)
                continue
            value = next(words, "--")
            if value.startswith("--") and value.partition("=")[0] in {"--", *self._option_string_actions}:
                raise ValueError(f"{word} needs a value; --help lists the options")
            joined.append(f"{word}={value}")
        return joined

    def understood(self, words: list[str]) -> argparse.Namespace:
        """The values by name; ValueError with one sentence for a word that is not understood."""
        arguments, unknown = self.parse_known_args(words)
        if unknown:
            raise ValueError(self._not_understood(unknown[0].partition("=")[0]))
        return arguments

    def _not_understood(self, word: str) -> str:
        short = word if len(word) <= 40 else f"{word[:37]}..."
        if not word.startswith("-"):
            return f"{short!r} belongs to no option; put a value that holds spaces between quotes"
        near = difflib.get_close_matches(word.replace("_", "-"), self._option_string_actions, 1, 0.7)
        remedy = f"did you mean {near[0]}?" if near else "--help lists the options"
        return f"there is no option {short}; {remedy}"


def _parser() -> _Parser:
    parser = _Parser(
        prog="python main.py export",
        usage="python main.py export [option ...]",
        description=_DESCRIPTION,
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
        allow_abbrev=False,
    )
    parser.add_argument("-h", "--help", action="store_true", help="show this and do nothing else")
    add_options(parser, preset_names())
    add_field_flags(parser)
    return parser


def _understood(arguments: argparse.Namespace) -> tuple[Document, Options]:
    """What to write; ValueError or FileError with one sentence where that cannot be told."""
    table = _table(arguments)
    tables = () if table is None else (table,)
    document = open_session(Path(arguments.session), tables) if arguments.session is not None else Document()
    if table is not None and table not in document.tables:
        document = document.with_encoding(LearnedTable(table))
    if arguments.preset is not None:
        document = preset(arguments.preset, document)
    if arguments.config is not None:
        path = Path(arguments.config)
        config = read_config(path)
        if arguments.layer_type is not None and not config.layer_types:
            raise ValueError("--layer-type: all layers of this model have the same positions; leave it out")
        document = with_config(document, config, path, arguments.layer_type)
    elif arguments.layer_type is not None:
        raise ValueError("--layer-type needs --config, the model's config.json")
    document = with_fields(document, given_fields(arguments))
    options = options_from(arguments, document)
    if not document.token_list:
        raise ValueError(NO_TOKEN)
    if any(format in NUMBER_FORMATS for format in options.formats):
        check_tokens(document)  # before the first picture is written
    return document, options


def _table(arguments: argparse.Namespace) -> ArrayTable | None:
    """The table of the file that was named, None where none was; ValueError with one sentence if it has none."""
    if arguments.table is None:
        if arguments.tensor is not None:
            raise ValueError("--tensor needs --table, the .safetensors file that holds it")
        return None
    return open_table(arguments.table, arguments.tensor)


def _write_all(document: Document, options: Options) -> Iterator[Path]:
    """Each path, once its file is written; FileError with one sentence for the first that cannot be."""
    make_folder(options.folder)
    for format in options.formats:
        if format in NUMBER_FORMATS:
            path = options.folder / f"vectors.{format}"
            large = size_sentence({path.name: expected_bytes(document, format, options.columns, options.query)})
            if large:
                _say(sys.stderr, f"{large}\n")
            write_numbers(document, path, format, options.columns, query=options.query)
            yield path
        else:
            yield from _write_pictures(document, options, format)


def _write_pictures(document: Document, options: Options, format: str) -> Iterator[Path]:
    # Files need no display, and one that is set may be closed to us: Qt aborts the program for that.
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from posenc_gui.export.pictures import PictureOptions, start_qt, write_picture

    application = start_qt()
    for panel in options.panels or suitable_panels(document.encoding):
        path = options.folder / f"{panel}.{format}"
        write_picture(panel, document, path, format, PictureOptions(**options.picture), options.cursor)
        yield path
    del application  # held until the last picture is painted


def _refused(reason: object) -> int:
    _say(sys.stderr, one_line(str(reason)) + "\n")
    return REFUSED


def _say_path(path: Path) -> None:
    """Print the path; FileError where nobody takes it, such as a pipe that was closed."""
    try:
        _say(sys.stdout, f"{path}\n")
    except OSError as error:
        # What is still in the buffer would fail once more when Python ends, with a message of its own.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise FileError(f"{path} is written, but its name cannot be printed: {error.strerror}") from error


def _say(stream: TextIO | None, text: str) -> None:
    """Write the text to the stream, whatever characters its encoding has."""
    if stream is None:  # a program without a console
        return
    encoding = stream.encoding or "utf-8"
    try:
        data = text.encode(encoding, "surrogateescape")  # the bytes of a path, as they were given
    except UnicodeEncodeError:
        data = text.encode(encoding, "backslashreplace")
    stream.flush()
    stream.buffer.write(data)
    stream.buffer.flush()
