"""The numbers as CSV, NPY or NPZ, written in blocks of rows, without the whole table in memory."""

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, BinaryIO

import msgspec
import numpy as np

from posenc_core import Document, Encoding, Token
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.tables import Cancelled, ProgressCallback, UnreadableError
from posenc_gui.files import FileError, shown, writing
from posenc_gui.model import Cursor, PositionAxis, has_patches, no_value_sentence, seen_by

NUMBER_FORMATS = ("csv", "npy", "npz")
NO_TOKEN = "the sentence has no token: there is nothing to export; type a sentence"

TEXT_CELLS = 1 << 16
"""Cells in a block of CSV: about 50 ms of work, for quick cancelling."""
BINARY_CELLS = 1 << 20
"""Cells in a block of numbers: 4 MB of float32, enough positions for angle addition to be faster."""
TOKEN_BYTES = 1 << 30
"""Bytes of the largest token array: numpy stores every token at the length of the longest."""

TOKEN_HEAD, GUARDED_HEAD = "token", "token (remove one leading ' where there is one)"
"""The heads of the tokens' column: the second if a spreadsheet would run one of the tokens as a formula."""

_RUNS = re.compile(
    "[\t\r\n]|"  # a spreadsheet may drop these, and all invisible characters, in front of a formula
    "[\\s\x01-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]*"
    "[=+@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b-]"
)
"""The start of a text that a spreadsheet may run: OWASP, "CSV Injection", full-width and small signs included."""

LARGE = 10**9
"""Bytes of a file above which its size is announced before it is written."""
_SAMPLE_ROWS, _SAMPLE_COLUMNS = 8, 256


def write_numbers(
    document: Document,
    path: Path,
    format: str,
    columns: range | None = None,
    progress: ProgressCallback | None = None,
    query: int | None = None,
) -> bool:
    """Write the tokens' vectors to ``path``; True if they are written, False, without a file, if ``progress`` cancels.

    ``format`` is csv, npy or npz. CSV, in UTF-8 with ``\\n`` line ends, has the header ``token,position,0,1,2,...``, in
    relative families ``key - query`` for ``position``, and float64 entries in the fewest digits that represent them
    exactly. If a spreadsheet would run a token, an apostrophe is written before such tokens and tokens that begin with
    one, and GUARDED_HEAD replaces ``token``. NPY has only the encoding, float32 ``(n_tokens, n_columns)``. NPZ contains
    ``tokens``, ``positions``, ``encoding``, with an embedding also ``embedding`` and ``sum`` (``rotated`` for a family
    that rotates, with all columns of the head unless some are chosen), and the session's JSON as ``parameters``; numpy
    removes NUL characters at the end of a token. ``columns`` None means all. Distances are counted from the token
    ``query``, the last one for None; NPZ contains it too. ``progress`` is called with the fraction done and cancels by
    returning False.

    FileError with one sentence if there is no token, if the encoding has no value at a token, if NPY or NPZ cannot
    store a number, or if the file cannot be written; ValueError for an unknown format or columns outside the table. An
    older file then stays.
    """
    if format not in NUMBER_FORMATS:
        raise ValueError(f"format must be csv, npy or npz, got {format!r}")
    if columns is not None:
        check_columns_within(document.encoding, columns)
    document = seen_by(document, Cursor(0, 0, query=query))
    check_tokens(document, axis := PositionAxis.of(document, Cursor(0, 0, query=query)))
    table = _Table(document, axis, columns, progress)
    try:
        with writing(path) as stream:
            {"csv": _write_csv, "npy": _write_npy, "npz": _write_npz}[format](table, stream)
    except Cancelled:
        return False
    except UnreadableError as error:
        raise FileError(str(error)) from error
    except OverflowError as error:
        limit = f"{format.upper()} stores float32, which ends at 3.4e38, and the vectors reach {error}"
        remedy = "make them smaller, or export the encoding as CSV"
        raise FileError(f"cannot write {shown(path)}: {limit}; {remedy}") from error
    return True


def check_tokens(document: Document, axis: PositionAxis | None = None) -> None:
    """FileError with one sentence if there is no token, or if the encoding has no value at the position of one."""
    if not document.token_list:
        raise FileError(NO_TOKEN)
    if outside := no_value_sentence(document.encoding, (axis or PositionAxis.of(document)).tokens):
        raise FileError(outside)


def check_columns_within(encoding: Encoding, columns: range) -> None:
    """ValueError with one sentence if the columns are empty or outside the encoding's."""
    if not columns:
        raise ValueError(f"columns {columns.start}:{columns.stop} contain no column")
    if columns.start < 0 or columns.stop > encoding.n_columns:
        raise ValueError(
            f"columns {columns.start}:{columns.stop} reach outside the table, which has the columns 0 to "
            f"{encoding.n_columns - 1}"
        )


class _Table:
    """The rows to write, in blocks, with the progress over all passes through them."""

    def __init__(
        self, document: Document, axis: PositionAxis, columns: range | None, progress: ProgressCallback | None
    ) -> None:
        self.document = document
        self.axis = axis
        self.encoding = document.encoding
        self.columns: IntArray = np.array(columns or range(self.encoding.n_columns), np.int64)
        self.shape = (axis.n_tokens, len(self.columns))
        self.passes = 1
        self._progress = progress
        self._done = 0

    def blocks(self, cells: int, width: int = 0) -> Iterator[IntArray]:
        """The tokens' positions in blocks of about ``cells`` entries, each row ``width`` or all columns wide."""
        count, tokens = self.axis.n_tokens, self.axis.tokens
        rows = max(1, cells // (width or self.encoding.n_columns))
        for start in range(tokens.start, tokens.stop, rows):
            positions = np.arange(start, min(start + rows, tokens.stop))
            yield positions
            self._done += len(positions)
            if self._progress is not None and not self._progress(self._done / (self.passes * count)):
                raise Cancelled

    def texts_at(self, positions: IntArray) -> list[str]:
        """The tokens at consecutive positions."""
        return [token.text for token in self._tokens_at(positions)]

    def _tokens_at(self, positions: IntArray) -> tuple[Token, ...]:
        first = self.axis.tokens.start
        return self.document.token_list[int(positions[0]) - first : int(positions[-1]) + 1 - first]

    def encoded(self) -> Iterator[np.ndarray]:
        """The encoding, float32 unless it does not fit."""
        entries = self.encoding.encode if self.encoding.sampler.fits_float32 else self.encoding.values
        return (entries(positions, self.columns) for positions in self.blocks(BINARY_CELLS))

    @property
    def combines(self) -> str:
        """Combination of vectors and encoding: ``sum``, ``rotation``, or ``none`` without an embedding."""
        return self.encoding.combination.kind if self.document.embedding.embedding != "none" else "none"

    @property
    def vector_shape(self) -> tuple[int, int]:
        """The shape of the tokens' vectors, which can have columns that are not rotated."""
        return (self.shape[0], len(self._vector_columns))

    def embedded(self) -> Iterator[np.ndarray]:
        """The embedding W_e, float64."""
        for positions in self.blocks(BINARY_CELLS):
            yield self._vectors(positions)[:, self._vector_columns]

    def combined(self) -> Iterator[np.ndarray]:
        """W_e + PE added, or W_e rotated, in float64, from which each entry is rounded to float32 once."""
        for positions in self.blocks(BINARY_CELLS):
            vectors = self.encoding.combination.combined(self._vectors(positions), positions)
            yield vectors[:, self._vector_columns]

    @property
    def _vector_columns(self) -> IntArray:
        chosen = len(self.columns) < self.encoding.n_columns
        combination = self.encoding.combination
        return self.columns + combination.first if chosen else np.arange(combination.width)

    def _vectors(self, positions: IntArray) -> FloatArray:
        vectors = self.document.vectors_of(self._tokens_at(positions))
        assert vectors is not None  # called only with an embedding
        return vectors


def _write_csv(table: _Table, stream: BinaryIO) -> None:
    guarded = any(_RUNS.match(token.text) for token in table.document.token_list)
    heads = [GUARDED_HEAD if guarded else TOKEN_HEAD, "key - query" if table.encoding.relative else "position"]
    stream.write((",".join([*heads, *map(str, table.columns.tolist())]) + "\n").encode())
    for positions in table.blocks(TEXT_CELLS):
        values = table.encoding.values(positions, table.columns) + 0.0  # -0.0 becomes 0.0
        for text, position, row in zip(table.texts_at(positions), positions.tolist(), values.tolist(), strict=True):
            stream.write(f"{_quoted(_guarded(text) if guarded else text)},{position},".encode() + _digits(row) + b"\n")


def _digits(row: list[float]) -> bytes:
    """The numbers in the fewest digits that represent them exactly; msgspec is 25 times faster than repr."""
    text = msgspec.json.encode(row)[1:-1]
    return ",".join(map(repr, row)).encode() if b"null" in text else text  # JSON has neither inf nor nan


def _guarded(text: str) -> str:
    """The text, after an apostrophe if a spreadsheet would run it, or if it begins with an apostrophe itself."""
    return f"'{text}" if text.startswith("'") or _RUNS.match(text) else text


def _quoted(text: str) -> str:
    """The text as a field of RFC 4180.

    Quoted are also texts with outer white space, which some readers strip, and texts with a semicolon or a tab, at
    which spreadsheets of some countries would divide a text and run the rest.
    """
    if text == text.strip() and not any(sign in text for sign in ',;"\t\r\n'):
        return text
    return '"' + text.replace('"', '""') + '"'


def _write_npy(table: _Table, stream: IO[bytes]) -> None:
    _write_array(stream, "<f4", table.shape, table.encoded())


def _write_npz(table: _Table, stream: BinaryIO) -> None:
    count, width = table.axis.n_tokens, table.document.token_list.longest
    if 4 * width * count > TOKEN_BYTES:
        raise FileError(
            f"an NPZ file stores each of the {count} tokens at the length of the longest, which has {width} "
            "characters: that is more than 1 GB; export CSV, or split the sentence into characters"
        )
    combined = {"sum": "sum", "rotation": "rotated"}.get(table.combines)
    table.passes = 5 if combined else 3
    kind = f"<U{width}"
    texts = (np.array(table.texts_at(positions), kind) for positions in table.blocks(TEXT_CELLS, width))
    members: list[tuple[str, str, tuple[int, ...], Iterable[np.ndarray]]] = [
        ("tokens", kind, (count,), texts),
        ("positions", "<i8", (count,), table.blocks(BINARY_CELLS, 1)),
        ("encoding", "<f4", table.shape, table.encoded()),
    ]
    if combined:
        members.append(("embedding", "<f4", table.vector_shape, table.embedded()))
        members.append((combined, "<f4", table.vector_shape, table.combined()))
    if table.axis.query is not None:
        members.append(("query", "<i8", (), [np.array(table.axis.query)]))
    session = table.document.to_json()
    members.append(("parameters", f"<U{len(session)}", (), [np.array(session)]))
    with zipfile.ZipFile(stream, "w") as archive:
        for name, kind, shape, blocks in members:
            # A ZipInfo without a date: equal documents have equal files, byte for byte.
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                _write_array(member, kind, shape, blocks)


def _write_array(stream: IO[bytes], kind: str, shape: tuple[int, ...], blocks: Iterable[np.ndarray]) -> None:
    """Write the array in numpy's file format, little-endian on every machine."""
    header = {"descr": kind, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, header)
    for block in blocks:
        with np.errstate(over="ignore"):
            stored = np.ascontiguousarray(block, kind)
        if kind == "<f4" and not np.isfinite(stored).all():
            largest = np.abs(block).max()
            raise OverflowError(f"{largest:.3g}" if np.isfinite(largest) else "a number beyond float64")
        stream.write(stored.tobytes())


def expected_bytes(document: Document, format: str, columns: range | None = None, query: int | None = None) -> int:
    """The approximate size in bytes of the file that ``write_numbers`` writes; 0 if it writes none."""
    document = seen_by(document, Cursor(0, 0, query=query))
    axis = PositionAxis.of(document, Cursor(0, 0, query=query))
    if not axis.n_tokens or no_value_sentence(document.encoding, axis.tokens):
        return 0
    n_columns = document.encoding.n_columns if columns is None else len(columns)
    entries = axis.n_tokens * n_columns
    if format == "npy":
        return 4 * entries
    if format == "csv":
        row = 3 + len(str(axis.n_tokens)) + _bytes_a_token(document) + n_columns * _bytes_a_number(document, axis)
        return round(axis.n_tokens * row)
    combines = document.embedding.embedding != "none" and document.encoding.combination.kind != "none"
    width = document.encoding.combination.width if columns is None else n_columns
    vectors = 2 * axis.n_tokens * width if combines else 0
    texts = axis.n_tokens * document.token_list.longest + len(document.to_json())
    return 4 * (entries + vectors + texts) + 8 * axis.n_tokens


def size_sentence(sizes: Mapping[str, int]) -> str:
    """A phrase such as ``vectors.csv will take about 3.4 GB`` for the files above LARGE; empty without such files."""
    large = {name: size for name, size in sizes.items() if size > LARGE}
    return " and ".join(f"{name} will take about {size / 1e9:,.1f} GB" for name, size in large.items())


def _bytes_a_token(document: Document) -> float:
    """The average number of bytes of a token's text."""
    if document.tokens == "bytes" or has_patches(document):
        return len(document.token_list[-1].text)
    return len(document.sentence.encode()) / len(document.token_list)


def _bytes_a_number(document: Document, axis: PositionAxis) -> float:
    """The average number of bytes of an entry and its comma, over a sample of entries."""
    positions = axis.tokens.start + _some(axis.n_tokens, _SAMPLE_ROWS)
    numbers = document.encoding.values(positions, _some(document.encoding.n_columns, _SAMPLE_COLUMNS)).ravel().tolist()
    return len(msgspec.json.encode(numbers)) / len(numbers)


def _some(count: int, at_most: int) -> IntArray:
    """Up to ``at_most`` evenly spaced indices below ``count``."""
    return np.unique(np.linspace(0, count - 1, at_most).astype(np.int64))
