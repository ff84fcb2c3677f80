"""``python main.py export``: writes pictures without a display, and numbers without Qt."""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from posenc_core import Document, LearnedTable
from posenc_core.fields import one_line
from posenc_core.tables import ArrayTable, embedding_rows, open_table
from posenc_core.text import ModelTokenizer, open_tokenizer
from posenc_gui.cli.field_flags import given_fields, with_fields
from posenc_gui.cli.options import NUMBER_FORMATS, Options, options_from
from posenc_gui.cli.parser import ExportParser
from posenc_gui.export.numbers import NO_TOKEN, check_tokens, expected_bytes, size_sentence, write_numbers
from posenc_gui.files.atomic import make_folder
from posenc_gui.files.errors import FileError
from posenc_gui.files.presets import preset
from posenc_gui.files.session import open_session, read_config, with_config
from posenc_gui.panels import suitable_panels

WRITTEN, REFUSED, INTERRUPTED = 0, 2, 130


def export(argv: list[str]) -> int:
    """The exit status of the export command: 0 if every file is written, 2 after one sentence on standard error.

    ``argv`` are the arguments after the word ``export``.
    """
    try:
        parser = ExportParser()
        words = parser.joined(argv)
        if {"-h", "--help"} & set(words):
            _say(sys.stdout, parser.format_help())
            return WRITTEN
        document, options = _checked(parser.parsed(words))
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


def _checked(arguments: argparse.Namespace) -> tuple[Document, Options]:
    """The document and the options; ValueError or FileError with one sentence if an argument is wrong."""
    table = _table(arguments)
    tokenizer, rows = _tokenizer(arguments)
    tables, tokenizers = [each for each in (table, rows) if each is not None], list(filter(None, [tokenizer]))
    document = Document()
    if arguments.session is not None:
        document = open_session(Path(arguments.session), tables, tokenizers)
    if tokenizer is not None and document.tokenizer != tokenizer:
        document = document.with_tokenizer(tokenizer, rows)
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
        check_tokens(document)  # before any picture is written
    return document, options


def _table(arguments: argparse.Namespace) -> ArrayTable | None:
    """The table that ``--table`` names, None without it; ValueError with one sentence if it cannot be opened."""
    if arguments.table is None:
        if arguments.tensor is not None:
            raise ValueError("--tensor needs --table, the .safetensors file that holds it")
        return None
    return open_table(arguments.table, arguments.tensor)


def _tokenizer(arguments: argparse.Namespace) -> tuple[ModelTokenizer | None, ArrayTable | None]:
    """The tokenizer that ``--tokenizer`` names, and the embedding in its folder where that may be shown.

    ValueError with one sentence for what cannot be opened.
    """
    if arguments.tokenizer is None:
        return None, None
    path = Path(arguments.tokenizer)
    tokenizer = open_tokenizer(path)
    shows_rows = given_fields(arguments).get("embedding") == "model" or arguments.session is not None
    return tokenizer, embedding_rows(path.absolute().parent, tokenizer.n_ids) if shows_rows else None


def _write_all(document: Document, options: Options) -> Iterator[Path]:
    """Write the files one by one and yield their paths; FileError with one sentence if one cannot be written."""
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
    # Files need no display, and Qt aborts if it cannot connect to the one that is set.
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from posenc_gui.export.page import PictureOptions
    from posenc_gui.export.pictures import write_picture
    from posenc_gui.look.qt import make_application

    application = make_application([])
    for panel in options.panels or suitable_panels(document.encoding):
        path = options.folder / f"{panel}.{format}"
        write_picture(panel, document, path, format, PictureOptions(**options.picture), options.cursor)
        yield path
    del application  # needed until the last picture is painted


def _refused(reason: object) -> int:
    _say(sys.stderr, one_line(str(reason)) + "\n")
    return REFUSED


def _say_path(path: Path) -> None:
    """Print the path; FileError if standard output is closed, for example a pipe."""
    try:
        _say(sys.stdout, f"{path}\n")
    except OSError as error:
        # Otherwise Python would fail again to flush the buffer when it exits, with another message.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise FileError(f"{path} is written, but its name cannot be printed: {error.strerror}") from error


def _say(stream: TextIO | None, text: str) -> None:
    """Write the text to the stream, with escapes for characters that its encoding lacks."""
    if stream is None:  # a program without a console
        return
    encoding = stream.encoding or "utf-8"
    try:
        data = text.encode(encoding, "surrogateescape")  # keeps the bytes of a path
    except UnicodeEncodeError:
        data = text.encode(encoding, "backslashreplace")
    stream.flush()
    stream.buffer.write(data)
    stream.buffer.flush()
