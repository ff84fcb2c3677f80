"""The trial of a family from elsewhere: checks of its default encoding before it is offered."""

import re
from collections.abc import Callable
from dataclasses import fields
from typing import TypeVar

import numpy as np

from posenc_core.encodings.base import Encoding
from posenc_core.fields import one_line
from posenc_core.numerics import FloatArray, IntArray, beside
from posenc_core.tables import Cancelled, ProgressCallback, never_cancelled
from posenc_core.text import TokenVectors, tokenize

SECONDS = 10.0
"""The time in which a package or a file is imported and its families compute a few rows."""

FAILURES = (Exception, SystemExit)
"""Errors of other people's code, which can raise anything, and call sys.exit."""

_TOKENS = tuple("abcdefgh")
_LONGEST = 200
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")

Made = TypeVar("Made")


def within(seconds: float, work: Callable[[], Made], progress: ProgressCallback = never_cancelled) -> Made:
    """The result of the work, done in another thread; TimeoutError after ``seconds``, else the work's own error.

    ``progress`` is called with the elapsed share of the time; Cancelled once it returns False. Python cannot
    stop the work, which then runs on unobserved.
    """

    def look(past: float) -> None:
        if past > seconds:
            raise TimeoutError(f"more than {seconds:g} s")
        if not progress(past / seconds):
            raise Cancelled

    return beside(work, look, "plug-in")


def told(error: BaseException) -> str:
    """The kind and the text of an error of other people's code, in a line."""
    text = short(str(error))
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def short(text: str) -> str:
    """The text in one line, cut to 200 characters."""
    line = one_line(text)
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."


def check_family(kind: type[Encoding]) -> None:
    """ValueError with one sentence unless the default encoding has finite numbers of the right shape."""
    _check_class(kind)
    made = asked(kind, "from_parameters", lambda: kind.from_parameters({}))
    content = TokenVectors(tokenize(" ".join(_TOKENS), "words")) if kind.needs_content else None
    seen = asked(kind, "seen_from", lambda: made.seen_from(len(_TOKENS) - 1, content))
    with np.errstate(all="ignore"):
        _check_numbers(kind, seen)
        _check_words(kind, seen)


def asked(kind: type[Encoding], name: str, ask: Callable[[], Made]) -> Made:
    """The answer of a method of that name; ValueError with one sentence if it raises an error."""
    try:
        return ask()
    except FAILURES as error:
        raise ValueError(f"{kind.__name__}.{name} raises {told(error)}") from error


def _check_class(kind: type[Encoding]) -> None:
    if missing := ", ".join(sorted(kind.__abstractmethods__)):
        raise ValueError(f"{kind.__name__} does not define {missing}")
    if not isinstance(kind.family, str) or not _NAME.fullmatch(kind.family):
        raise ValueError(f"{kind.__name__}.family must be a name of a-z, 0-9 and _, at most 40 characters long")
    title = getattr(kind, "title", "")
    if not isinstance(title, str) or not title.isprintable() or not 0 < len(title) <= 60:
        raise ValueError(f"{kind.__name__}.title must be a text of 1 to 60 characters")
    stated = {field.name for field in kind.FIELDS}
    own = {field.name: field.kw_only for field in fields(kind)}
    if not stated <= own.keys() or not {name for name, kw_only in own.items() if not kw_only} <= stated:
        words = f"it has {', '.join(own) or 'none'}, and FIELDS are {', '.join(field.name for field in kind.FIELDS)}"
        raise ValueError(f"{kind.__name__} must be a frozen dataclass whose fields are its FIELDS; {words}")


def _check_numbers(kind: type[Encoding], seen: Encoding) -> None:
    columns = np.arange(asked(kind, "n_columns", lambda: seen.n_columns))
    first, last = asked(kind, "domain", lambda: seen.domain)
    start = int(max(first, 1 - len(_TOKENS) if seen.relative else 0))
    rows = np.arange(start, min(last + 1, start + len(_TOKENS))).astype(np.int64)
    whole = _values(kind, seen, rows, columns)
    if not np.isfinite(whole).all():
        row, column = np.argwhere(~np.isfinite(whole))[0].tolist()
        raise ValueError(
            f"{kind.__name__}.values returns {whole[row, column]} at position {rows[row]}, column {column}"
        )
    some_rows, some_columns = _some(len(rows)), _some(len(columns))
    if len(some_rows) == len(some_columns) > 1:
        some_columns = some_columns[1:]  # so that a transposed table has another shape
    part = _values(kind, seen, rows[some_rows], columns[some_columns])
    if not np.allclose(part, whole[np.ix_(some_rows, some_columns)], rtol=1e-9, atol=1e-9):
        raise ValueError(f"{kind.__name__}.values returns other numbers for some positions and columns than for all")
    value = asked(kind, "explain", lambda: seen.explain(int(rows[-1]), 0).value)
    if not np.isclose(value, whole[-1, 0], rtol=1e-6, atol=1e-6):
        entry, place = float(whole[-1, 0]), f"position {rows[-1]}, column 0"
        own = f"{kind.__name__}.explain ends with {value!r}, but values returns {entry!r}"
        alone = f"{kind.__name__}.values returns {value!r} for {place} alone, and {entry!r} for it among others"
        raise ValueError(alone if kind.explain is Encoding.explain else own)


def _some(count: int) -> IntArray:
    """Some indices, backwards: without the first and the last if there are more than two."""
    return np.arange(count)[-2:0:-2] if count > 2 else np.arange(count)[::-2]


def _values(kind: type[Encoding], seen: Encoding, rows: IntArray, columns: IntArray) -> FloatArray:
    """The entries; ValueError with one sentence unless they are real numbers of the right shape."""
    found = asked(kind, "values", lambda: seen.values(rows, columns))
    wanted = (len(rows), len(columns))
    shape, is_real = np.shape(found), isinstance(found, np.ndarray) and found.dtype.kind in "fiu"
    if shape != wanted or not is_real:
        got = f"an array of shape {shape}" if is_real else f"a {type(found).__name__}"
        raise ValueError(
            f"{kind.__name__}.values returns {got} instead of real numbers of shape {wanted}, positions by columns"
        )
    return found


def _check_words(kind: type[Encoding], seen: Encoding) -> None:
    """Try the attributes that pictures need beside the numbers."""
    low, high = asked(kind, "range_over", lambda: seen.range_over(0, len(_TOKENS)))
    if not -np.inf < low < high < np.inf:
        raise ValueError(
            f"{kind.__name__}.range_over must return two finite numbers, the smaller first, got {low}, {high}"
        )
    asked(kind, "column_info", lambda: seen.column_info(0))
    asked(kind, "__hash__", lambda: hash(seen))
