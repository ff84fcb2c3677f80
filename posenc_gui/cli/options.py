"""The export command's options beside the fields: the start, the files, and the look of pictures."""

import argparse
import math
import re
from typing import Any

from msgspec import Struct

from posenc_core import Document
from posenc_core.fields import ChoiceField
from posenc_gui.cli.parser import COMMANDS, CommandParser
from posenc_gui.export import (
    NAMED_SIZES,
    NO_TOKEN,
    NUMBER_FORMATS,
    PAPER_DPI,
    PICTURE_FORMATS,
    SCRIPT_FORMAT,
    SOURCES_FORMAT,
    USUAL_PAGE,
    Grid,
    PageSize,
    check_columns_within,
    parsed_grid,
    parsed_page,
    size_problem,
)
from posenc_gui.film import FILM_FORMATS, FILM_HELP, SECONDS
from posenc_gui.model import Cursor, PositionAxis
from posenc_gui.panels import PANELS
from posenc_gui.webpage import PAGE_FORMAT

DPI_AT_SCALE_1 = 96


def _choice(name: str, values: tuple[str, ...]) -> ChoiceField:
    """A field that checks the value of the option; its error names the option."""
    return ChoiceField(name=name, label="", help="", default=values[0], choices=tuple((v, v) for v in values))


_PANEL = _choice("--panel", (*PANELS, "all"))
_FORMAT = _choice(
    "--format", (*PICTURE_FORMATS, SCRIPT_FORMAT, *FILM_FORMATS, PAGE_FORMAT, *NUMBER_FORMATS, SOURCES_FORMAT)
)
_THEME = _choice("--theme", ("light", "dark"))


class Options(Struct, frozen=True):
    """The files to write. ``picture`` has the arguments of ``PictureOptions``, which needs Qt.

    Without ``panels`` the usual suitable panels are written, with ``all_panels`` all suitable panels, with
    ``caption_files`` their captions too. ``query`` is None for the last token. ``folder`` is as typed. ``quiet``
    prints no warnings, with ``strict`` nothing is written if there is one. ``film`` is the content of films. With a
    ``grid`` the panels are one figure.
    """

    panels: tuple[str, ...]
    all_panels: bool
    grid: Grid | None
    formats: tuple[str, ...]
    picture: dict[str, Any]
    caption_files: bool
    film: str | None
    seconds: float | None
    columns: range | None
    cursor: Cursor | None
    query: int | None
    folder: str
    quiet: bool
    strict: bool

    @property
    def has_pictures(self) -> bool:
        """Whether any picture or film is written."""
        return any(format not in (PAGE_FORMAT, *NUMBER_FORMATS, SOURCES_FORMAT) for format in self.formats)


def add_options(parser: CommandParser, presets: tuple[str, ...]) -> None:
    """Add the options for the files to start from and the files to write."""
    listed = {"presets": presets, "films": FILM_FORMATS, "sizes": NAMED_SIZES}
    words = {"panels": "|".join(_PANEL.values), "formats": "|".join(_FORMAT.values), "film_help": FILM_HELP}
    COMMANDS["export"].add_flags(parser, **words, **{name: ", ".join(each) for name, each in listed.items()})
    parser.for_numbers["--layout"] = "--panel-layout"


def options_from(arguments: argparse.Namespace, document: Document) -> Options:
    """The options that were given; ValueError with one sentence for a wrong one."""
    columns = None if arguments.columns is None else _columns(arguments.columns, document)
    panels = [_PANEL.parse(name) for text in arguments.panel or [] for name in text.split(",")]
    formats = [_FORMAT.parse(text) for text in arguments.format or ["png"]]
    _check_film(formats, arguments)
    grid = None if arguments.panel_layout is None else _grid(panels, formats, arguments)
    look = _look(arguments, USUAL_PAGE if grid else None)
    if grid is not None:
        grid.check(panels, look["page"])
    query = None if arguments.query is None else _query(arguments.query, document)
    return Options(
        panels=() if "all" in panels else tuple(dict.fromkeys(panels)),
        all_panels="all" in panels,
        grid=grid,
        formats=tuple(dict.fromkeys(formats)),
        picture={**look, "columns": (columns.start, columns.stop) if columns else None},
        caption_files=arguments.caption == "file",
        film=arguments.film,
        seconds=None if arguments.seconds is None else SECONDS.parse(arguments.seconds),
        columns=columns,
        cursor=_cursor(arguments.cursor, query, document),
        query=query,
        folder=arguments.out,
        quiet=arguments.quiet,
        strict=arguments.strict,
    )


def _check_film(formats: list[str], arguments: argparse.Namespace) -> None:
    """ValueError with one sentence for a format of films without a film, and for a film without a format."""
    films = [format for format in formats if format in FILM_FORMATS]
    if films and arguments.film is None:
        raise ValueError(f"--format {films[0]} needs --film, such as --film sweep:base=1e3..1e6")
    if not films and (arguments.film is not None or arguments.seconds is not None):
        raise ValueError(f"--film and --seconds need a --format of films: {', '.join(FILM_FORMATS)}")


def _grid(panels: list[str], formats: list[str], arguments: argparse.Namespace) -> Grid:
    """The grid of one figure; ValueError with one sentence if there is no such figure."""
    grid = parsed_grid(arguments.panel_layout)
    if not panels or "all" in panels:
        raise ValueError(f"--layout {grid} needs the panels by name, such as --panel waves,heatmap")
    known = (*PICTURE_FORMATS, SCRIPT_FORMAT)
    other = next((format for format in formats if format not in known), None)
    if other is not None:
        raise ValueError(f"--layout makes one figure as {', '.join(known)}; leave out --format {other}")
    if arguments.size is not None:
        raise ValueError("--size is that of one panel; give --page, the size of the whole figure, with --layout")
    return grid


def _look(arguments: argparse.Namespace, usual_page: PageSize | None) -> dict[str, Any]:
    if arguments.scale is not None and arguments.dpi is not None:
        raise ValueError("--scale and --dpi both set the number of pixels; give only one of them")
    if arguments.page is not None and arguments.size is not None:
        raise ValueError("--page and --size both set the size; give only one of them")
    scale = 2.0 if arguments.scale is None else _number("--scale", arguments.scale, 0.1, 16)
    dpi = None if arguments.dpi is None else _number("--dpi", arguments.dpi, 10, 1200)
    if (arguments.page is not None or usual_page is not None) and arguments.scale is None:
        dpi = dpi or PAPER_DPI
    pixels = dpi / DPI_AT_SCALE_1 if dpi else scale
    return {
        "scale": scale,
        "dpi": dpi,
        "size": None if arguments.size is None else _size(arguments.size, pixels),
        "page": usual_page if arguments.page is None else _page(arguments.page, pixels),
        "theme": "light" if arguments.theme is None else _THEME.parse(arguments.theme),
        "background": "theme" if arguments.background is None else _background(arguments.background),
        "caption": arguments.caption == "below",
        "mark": arguments.cursor is not None and not arguments.no_mark,
    }


def _page(text: str, scale: float) -> PageSize:
    page = parsed_page(text, scale * DPI_AT_SCALE_1)
    _check_pixels(page.width_px * scale, (page.height_px or page.width_px) * scale, "--page")
    return page


def _number(name: str, text: str, lowest: float, highest: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not lowest <= number <= highest:  # False for nan
        raise ValueError(f"{name} must be a number from {lowest} to {highest}, got {text[:32]!r}")
    return number


def _size(text: str, scale: float) -> tuple[int, int]:
    match = re.fullmatch(r"\s*([0-9]{1,6})\s*[xX×]\s*([0-9]{1,6})\s*", text)
    width, height = map(int, match.groups()) if match else (0, 0)
    if not (64 <= width <= 16384 and 64 <= height <= 16384):
        raise ValueError(f"--size must be like 1200x700, each from 64 to 16384, got {text[:32]!r}")
    _check_pixels(width * scale, height * scale, "--size")
    return width, height


def _check_pixels(width: float, height: float, option: str) -> None:
    problem = size_problem(width, height)
    if problem:
        raise ValueError(f"{problem}; give a smaller {option}, --scale or --dpi")


def _background(text: str) -> str:
    word = text.strip().lower()
    if word not in ("theme", "white", "transparent") and not re.fullmatch("#[0-9a-f]{6}", word):
        raise ValueError(f"--background must be theme, white, transparent or #rrggbb, got {text[:32]!r}")
    return word


def _columns(text: str, document: Document) -> range:
    match = re.fullmatch(r"\s*([0-9]{0,9})\s*(:?)\s*([0-9]{0,9})\s*", text)
    if not match or not (match[1] or match[2]):
        raise ValueError(f"--columns must be like 4:8 (the columns 4 to 7) or 4, got {text[:32]!r}")
    first = int(match[1] or 0)
    stop = first + 1
    if match[2]:
        stop = int(match[3]) if match[3] else document.encoding.n_columns
    columns = range(first, stop)
    try:
        check_columns_within(document.encoding, columns)
    except ValueError as error:
        raise ValueError(f"--columns {text[:32]}: {error}") from None
    return columns


def _query(text: str, document: Document) -> int:
    count = len(document.token_list)
    if not count:
        raise ValueError(NO_TOKEN)
    if not document.encoding.relative:
        raise ValueError("--query needs a family whose positions are distances")
    match = re.fullmatch(r"\s*([0-9]{1,9})\s*", text)
    if not match or int(match[1]) >= count:
        raise ValueError(f"--query must be one of the {count} tokens, 0 to {count - 1}, got {text[:32]!r}")
    return int(match[1])


def _cursor(text: str | None, query: int | None, document: Document) -> Cursor | None:
    """The cell to mark and the query that distances are counted from; None if neither is given."""
    if text is None:
        return None if query is None else Cursor(0, 0, pinned=True, query=query)
    match = re.fullmatch(r"\s*([-−]?[0-9]{1,9})\s*,\s*([0-9]{1,9})\s*", text)
    if not match:
        raise ValueError(f"--cursor must be a position and a column like 1,2, got {text[:32]!r}")
    position, column = int(match[1].replace("−", "-")), int(match[2])
    cursor = Cursor(position, column, pinned=True, query=query)
    reach, n_columns = PositionAxis.of(document, cursor).reach, document.encoding.n_columns
    if position not in reach or column >= n_columns:
        raise ValueError(
            f"--cursor {position},{column} is outside the table, which has the positions {reach[0]} to {reach[-1]} and "
            f"the columns 0 to {n_columns - 1}"
        )
    return cursor
