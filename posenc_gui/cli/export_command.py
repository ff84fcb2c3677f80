"""The export command: writes pictures without a display, and numbers without Qt."""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from posenc_core import ENCODINGS, Document
from posenc_core.fields import one_line
from posenc_gui.cli.field_flags import add_field_flags, given_fields, with_fields
from posenc_gui.cli.first_document import first_document, with_compared
from posenc_gui.cli.options import NUMBER_FORMATS, Options, add_options, options_from
from posenc_gui.cli.parser import CommandParser, parsed
from posenc_gui.cli.running import open_plugins, refused
from posenc_gui.cli.terminal import complain, print_or_complain, say
from posenc_gui.export import (
    CAPTION_FORMAT,
    FIGURE_NAME,
    NO_TOKEN,
    NUMBERS_NAME,
    SCRIPT_FORMAT,
    SOURCES_FORMAT,
    SOURCES_NAME,
    check_tokens,
    drawn_panels,
    expected_bytes,
    prepared_folder,
    remove_leftovers,
    size_sentence,
    write_drawn_numbers,
    write_numbers,
    write_sources,
)
from posenc_gui.files import FileError, preset_names
from posenc_gui.film import FILM_FORMATS, Film, film_of, is_lesson
from posenc_gui.panels import figure_class, suitable_panels
from posenc_gui.webpage import PAGE_FORMAT, PAGE_NAME, page_panels

WRITTEN, WARNED = 0, 3


def export(argv: list[str]) -> int:
    """The exit status of the export command.

    The status is WRITTEN if every file is written, REFUSED after one sentence on standard error, and WARNED if the
    parameters are surprising and ``--strict`` is given. ``argv`` are the arguments after the word ``export``.
    """
    try:
        open_plugins(argv)
        arguments = parsed("export", argv, add_flags)
        if arguments.help:
            return print_or_complain(arguments.help, "the help")
        document, options = _checked(arguments)
    except (ValueError, FileError) as error:
        return refused(error)
    warnings = document.encoding.warnings
    if not options.quiet:
        for warning in (*ENCODINGS.complete(), *warnings):
            complain(one_line(warning))
    if warnings and options.strict:
        return WARNED
    try:
        return _written(document, options)
    except FileError as error:
        return refused(error)
    except MemoryError:
        return refused("there is not enough memory for these files; give fewer columns or a smaller scale")


def add_flags(parser: CommandParser) -> None:
    """Add all flags of the command, with those of encodings in other packages."""
    ENCODINGS.complete()
    add_options(parser, preset_names())
    add_field_flags(parser)


def _written(document: Document, options: Options) -> int:
    """Write all files and print their paths; the exit status if all are written, FileError as ``_write_all``."""
    unprinted: OSError | None = None
    for path in _write_all(document, options):
        try:
            say(sys.stdout, f"{path}\n")
        except OSError as error:
            unprinted = error
    if unprinted is not None:
        complain(f"all files are written, but their names cannot be printed: {unprinted.strerror}")
    return WRITTEN


def _checked(arguments: argparse.Namespace) -> tuple[Document, Options]:
    """The document and the options; ValueError or FileError with one sentence if an argument is wrong."""
    if arguments.files:
        raise ValueError(arguments.parser.refusal(arguments.files[0]))
    document = with_compared(with_fields(first_document(arguments), given_fields(arguments)), arguments.compare or [])
    options = options_from(arguments, document)
    if not document.token_list:
        raise ValueError(NO_TOKEN)
    if any(_has_vectors(document, options, format) for format in options.formats):
        check_tokens(document)  # before any picture is written
    _films(document, options)  # refused before any picture is written
    if PAGE_FORMAT in options.formats:
        page_panels(document, options.panels)
    return document, options


def _write_all(document: Document, options: Options) -> Iterator[Path]:
    """Write the files one by one and yield their paths; FileError with one sentence if one cannot be written."""
    folder = prepared_folder(options.folder, Path())
    remove_leftovers(folder)
    captions = [CAPTION_FORMAT] if options.caption_files and options.has_pictures else []
    drawn = drawn_panels(_named_panels(document, options)) if "csv" in options.formats else ()
    for format in (*options.formats, *captions):
        if format == "csv":
            yield from _write_drawn(document, folder, drawn, options.query)
        if _has_vectors(document, options, format):
            path = folder / f"{NUMBERS_NAME}.{format}"
            large = size_sentence({path.name: expected_bytes(document, format, options.columns, options.query)})
            if large and not options.quiet:
                complain(large)
            write_numbers(document, path, format, options.columns, query=options.query)
            yield path
        elif format in NUMBER_FORMATS:
            continue
        elif format == PAGE_FORMAT:
            yield _write_page(document, options, folder)
        elif format == SOURCES_FORMAT:
            path = folder / f"{SOURCES_NAME}.{format}"
            write_sources(document, path)
            yield path
        else:
            yield from _write_pictures(document, options, folder, format)


def _has_vectors(document: Document, options: Options, format: str) -> bool:
    """Whether the files of a format include the tokens' vectors: not if all panels have numbers of their own."""
    panels = _named_panels(document, options)
    has_own = format == "csv" and bool(panels) and len(drawn_panels(panels)) == len(panels)
    return format in NUMBER_FORMATS and not has_own


def _named_panels(document: Document, options: Options) -> tuple[str, ...]:
    """The panels that were asked for, empty if none was named."""
    return _panels(document, options) if options.all_panels else options.panels


def _write_drawn(document: Document, folder: Path, panels: tuple[str, ...], query: int | None) -> Iterator[Path]:
    """Write the numbers of the panels as CSV and yield the paths; FileError with one sentence on failure."""
    for panel in panels:
        path = folder / f"{panel}.csv"
        write_drawn_numbers(panel, document, path, query=query)
        yield path


def _write_pictures(document: Document, options: Options, folder: Path, format: str) -> Iterator[Path]:
    # Files need no display, and Qt aborts if it cannot connect to the display that is set.
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from posenc_gui.export import Mosaic, Picture, PictureOptions, write_drawing, write_picture
    from posenc_gui.film import write_film
    from posenc_gui.look import make_application

    application, look = make_application([]), PictureOptions(**options.picture)
    if options.grid is not None:
        path = folder / f"{FIGURE_NAME}.{format}"
        pictures = tuple(Picture(panel, document, options.cursor) for panel in options.panels)
        write_drawing(Mosaic(pictures, options.grid), path, format, look)
        yield path
    elif format in FILM_FORMATS:
        for film in _films(document, options):
            path = folder / f"{film.name}.{format}"
            write_film(film, path, format, look)
            yield path
    else:
        panels = _panels(document, options)
        if options.all_panels and format == SCRIPT_FORMAT:
            panels = tuple(panel for panel in panels if _has_script(panel))
        for panel in panels:
            path = folder / f"{panel}.{format}"
            write_picture(panel, document, path, format, look, options.cursor)
            yield path
    del application  # needed until the last picture is painted


def _films(document: Document, options: Options) -> list[Film]:
    """The requested films, one per panel; ValueError with one sentence for an unsuitable film."""
    if options.film is None:
        return []
    if is_lesson(options.film):
        if document != Document() or options.panels or options.all_panels or options.cursor is not None:
            raise ValueError("a lesson has panels and documents of its own: give --film lesson:NUMBER without others")
        return [film_of(options.film, "", document, None, options.seconds)]
    panels = _panels(document, options)
    return [film_of(options.film, panel, document, options.cursor, options.seconds) for panel in panels]


def _write_page(document: Document, options: Options, folder: Path) -> Path:
    from posenc_gui.webpage import write_page  # loads Qt for its colours, but needs no display

    path = folder / f"{PAGE_NAME}.{PAGE_FORMAT}"
    write_page(document, path, options.cursor, options.panels, options.columns)
    return path


def _panels(document: Document, options: Options) -> tuple[str, ...]:
    return options.panels or tuple(suitable_panels(document, usual=not options.all_panels))


def _has_script(panel: str) -> bool:
    """Whether there is a Matplotlib script for the panel."""
    from posenc_gui.figures import Figure  # Qt, for pictures and scripts alone

    kind = figure_class(panel)
    return kind.script is not Figure.script or kind.spec.part("script") is not None
