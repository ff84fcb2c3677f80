"""Writing a page: its content, then the file, with progress and cancelling; no half-written file."""

import base64
import hashlib
import html
import re
from collections.abc import Collection
from pathlib import Path

from posenc_core import Document, __version__
from posenc_core.tables import ProgressCallback, never_cancelled
from posenc_gui.export import caption
from posenc_gui.files import PAGE_SESSION, FileError, remove_leftover, writing
from posenc_gui.look import DARK, LIGHT, Style, counted, resource
from posenc_gui.model import Cursor
from posenc_gui.webpage.derivations import derivations_record
from posenc_gui.webpage.drawings import lines_record, shown_tokens, token_list, tokens_record, waves_record
from posenc_gui.webpage.packing import embedded, json_of
from posenc_gui.webpage.plan import LINE_PANELS, PagePart, page_panels, page_part
from posenc_gui.webpage.table import (
    Record,
    axis_record,
    columns_record,
    heatmap_record,
    map_of,
    mean_note,
    table_record,
)

_COLOURS = ("ground", "paper", "border", "grid", "ink", "muted", "accent", "sine", "cosine")


def write_page(
    document: Document,
    path: Path,
    cursor: Cursor | None = None,
    panels: Collection[str] = (),
    columns: range | None = None,
    progress: ProgressCallback = never_cancelled,
) -> None:
    """Write a page of the panels, by default all suitable ones; ``columns`` None means all.

    FileError with one sentence if the page cannot be made, Cancelled once ``progress`` returns False; neither writes a
    file, and an older file stays.
    """
    try:
        content = page_text(document, cursor, panels, columns, progress).encode()
    except ValueError as error:
        raise FileError(str(error)) from error
    remove_leftover(path)
    with writing(path) as stream:
        stream.write(content)


def page_text(
    document: Document,
    cursor: Cursor | None = None,
    panels: Collection[str] = (),
    columns: range | None = None,
    progress: ProgressCallback = never_cancelled,
) -> str:
    """The page as HTML; errors as for ``write_page``, and ValueError for lines that cannot be drawn."""
    shown = page_panels(document, panels)
    part = page_part(document, cursor, columns)
    content = _content(part, shown, progress)
    style, script = _filled(_source("page.css"), _variables()), _source("page.js")
    nothing = "default-src 'none'; base-uri 'none'; form-action 'none'"
    parts = {
        "policy": f"{nothing}; style-src {_hash(style)}; script-src {_hash(script)}",
        "title": html.escape(f"{part.encoding.title} – PosEnc"),
        "version": html.escape(__version__),
        "session": embedded(document.to_json(), PAGE_SESSION),
        "style": style,
        "content": embedded(json_of(content), "posenc-content"),
        "script": script,
    }
    return _filled(_source("page.html"), parts)


def _content(part: PagePart, panels: tuple[str, ...], progress: ProgressCallback) -> Record:
    """Content of the page's script."""
    waves = {"waves": waves_record(part, lambda done: progress(0.1 * done))} if "waves" in panels else {}
    table = table_record(part, lambda done: progress(0.1 + 0.3 * done))
    makers = {"heatmap": heatmap_record, "tokens": tokens_record}
    own = {name: make(part) for name, make in makers.items() if name in panels and (name != "tokens" or part.tokens)}
    tokens = token_list(part)
    left_out = len(part.document.token_list) - len(tokens)
    notes = (
        mean_note(part),
        f"Numbers: {part.encoding.label}." if part.encoding.label else "",
        f"{counted(left_out)} more tokens are left out." if left_out else "",
        *part.encoding.warnings,
    )
    return {
        "caption": caption(part.document),
        "notes": [note for note in notes if note],
        "axis": axis_record(part),
        "columns": columns_record(part),
        "table": table,
        "tokens": tokens,
        "cursor": (part.cursor.position, part.cursor.column),
        "style": {style.name: _colours(style) | {"map": map_of(part, style.is_dark)} for style in (LIGHT, DARK)},
        "drawn": [{"name": name, "record": record} for name, record in {**waves, **own}.items()],
        "lines": [lines_record(name, part) for name in LINE_PANELS if name in panels],
        "derivations": derivations_record(part, shown_tokens(part), lambda done: progress(0.4 + 0.6 * done)),
    }


def _colours(style: Style) -> dict[str, str]:
    return {name: getattr(style, name) for name in _COLOURS}


def _variables() -> dict[str, str]:
    """The colours of both themes as declarations of CSS."""
    return {
        style.name: " ".join(f"--{name}: {colour};" for name, colour in _colours(style).items())
        for style in (LIGHT, DARK)
    }


def _source(name: str) -> str:
    return resource("page", name).read_text(encoding="utf-8")


def _filled(text: str, values: dict[str, str]) -> str:
    """The text with values in place of ``{{name}}``; the values themselves are not searched."""
    return re.sub(r"\{\{(\w+)\}\}", lambda mark: values[mark[1]], text)


def _hash(text: str) -> str:
    """The source of a policy that allows this text alone (Content Security Policy Level 3, 2.3.1)."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"
