"""Numbers in a text: prints of numpy and torch, lists of JSON and Python, and lines of CSV."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.fields import shortened
from posenc_core.tables.table_files import opened

TEXT_SUFFIXES = (".txt", ".csv", ".tsv", ".json", ".log", ".md")
"""Ends of the names of files whose text is read as numbers."""

_LARGEST = 2**26
"""Bytes of a file, and characters of a text."""

_DEEPEST = 8
"""Levels of lists within lists."""

_ALL_DIGITS = 15
"""A number with this many digits is not rounded further than float64."""

_ATTRIBUTES = re.compile(
    r",\s*(?:dtype|device|requires_grad|grad_fn|layout|shape|weak_type|size)\s*=\s*"
    r"(?:'[^'\n]{0,80}'|<[^>\n]{0,80}>|\([^)\n]{0,80}\)|[\w.]{1,80})"
)
_WRAPPERS = re.compile(
    r"<?tf\.Tensor(?::.{0,80}numpy=)?|>\s*$|\A\s*\{\s*(?:\"[^\"\n]{1,80}\"|'[^'\n]{1,80}')\s*:|\}\s*\Z"
    r"|\b(?:np\.(?:float|int|complex)\d{1,3}(?=\()|tensor|array|Array|DeviceArray|Parameter containing\s*:"
    r"|[A-Za-z_][\w.]{0,80}\s*[=:]|^[A-Za-z_][\w.]{0,80}\s*\n(?=.{0,40}[\[(]))"
)
_HALF = re.compile(r"dtype\s*=\s*(?:[a-z.]{1,20}\.)?(bfloat16|float16)\b")
_PROMPT = re.compile(
    r"^\s*(?:>>>|In ?\[\d*\]:).*$|^\s*Out ?\[\d+\]:|torch\.Size\(\[[\d, ]*\]\)"
    r"|^\[\d+ rows x \d+ columns\]$",
    re.MULTILINE,
)
_LABEL = re.compile(r"^[^\[\]().\n]{1,80}(?=\[)", re.MULTILINE)
"""Words before the list of a line, such as the position or the token whose vector it is."""

_PADDING = re.compile(r"\s+(?=[+-][\d.]+(?:e[+-]?\d+)?j)", re.IGNORECASE)
_NUMBER = r"[+-]?(?:inf(?:inity)?|nan|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)"
_TOKEN = re.compile(rf"({_NUMBER}(?:[+-](?:inf|nan|[\d.]+(?:e[+-]?\d+)?)j)?j?)|[\[\](),;]|\s+", re.IGNORECASE)
_PARTS = re.compile(r"(\d*)(\.\d*)?(?:e([+-]?\d+))?", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,;]+")
_POSITIONS, _WHOLE = ("position", "positions", "pos", "key - query"), re.compile(r"-?\d{1,16}")
_FEW = (["0"], ["0", "1"])
"""Heads of one and two columns, which number columns only after a name."""

_FIELDS, _WITH_COMMA = re.compile(r"[\s;]+"), re.compile(r"[+-]?\d+(?:,\d+)?(?:e[+-]?\d+)?", re.IGNORECASE)


class Printed(Struct, frozen=True):
    """Numbers of a text, and the rounding of its digits: a relative and an absolute amount.

    ``rounding`` names it, like "4 decimals" or "6 digits"; empty if the text has all digits of its numbers.
    ``half`` is the 16-bit number format named in the text, if any; ``positions`` are those of a column of that name.
    """

    numbers: npt.NDArray[Any]
    rounding: str = ""
    relative: float = 0.0
    absolute: float = 0.0
    half: str = ""
    positions: tuple[int, ...] | None = None


def read_printed(path: str | Path) -> Printed:
    """The numbers in a file of text; ValueError with one sentence for a file that cannot be read or has others."""
    with opened(path, "the file") as stream:
        data = stream.read(_LARGEST + 1)
        try:
            return parse_numbers(data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise ValueError("it is not UTF-8 text") from None


def parse_numbers(text: str) -> Printed:
    """The numbers of a text in their shape; several arrays of one shape, one after another, are stacked.

    ValueError with one sentence for a print with omitted numbers, rows of different lengths, and other texts.
    """
    if len(text) > _LARGEST:
        raise ValueError(f"a text of more than {_LARGEST // 2**20} MB is not read; save the array as .npy")
    labelled = _labelled_rows(text)
    if labelled is not None:
        return labelled
    if "..." in text or "…" in text:
        torch = "torch.set_printoptions(threshold=float('inf'))"
        call = torch if "tensor" in text else "numpy.set_printoptions(threshold=sys.maxsize)"
        raise ValueError(
            f"the print leaves numbers out (...); print all of them after {call}, or save the array as .npy"
        )
    plain = _PADDING.sub("", _LABEL.sub("", _WRAPPERS.sub("", _ATTRIBUTES.sub("", _PROMPT.sub("", text)))))
    named = _HALF.search(text)
    return _parsed(plain if re.search(r"[\[(]", plain) else _rows(plain), named[1] if named else "")


def _parsed(text: str, half: str = "", positions: tuple[int, ...] | None = None) -> Printed:
    """The numbers of lists in brackets, or without any."""
    words: list[str] = []
    shape = _shape(_tokens(text, words))
    is_complex = any("j" in word for word in words)
    numbers = np.array([complex(word) for word in words]) if is_complex else np.array(words, np.float64)
    return Printed(numbers.reshape(shape), *_rounding(words), half, positions)


def _labelled_rows(text: str) -> Printed | None:
    """The numbers of CSV whose first line names the columns of labels, and numbers the other columns.

    So are exported vectors, and the tables of pandas. None for any other text.
    """
    first = text.partition("\n")[0].rstrip("\r")
    delimiter = "\t" if "\t" in first else ","
    head = first.split(delimiter)
    labels = next((place for place, name in enumerate(head) if name.isdecimal()), 0)
    if not labels or any(map(_is_number, head[:labels])) or not (_is_count(head[labels:]) or head[labels:] in _FEW):
        return None
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row][1:]
    except csv.Error:  # a text between quotation marks that is none
        return None
    named = next((place for place, name in enumerate(head[:labels]) if name.lower() in _POSITIONS), None)
    at = [] if named is None else [row[named] for row in rows]
    positions = tuple(map(int, at)) if at and all(_WHOLE.fullmatch(each) for each in at) else None
    return _parsed("\n".join(f"[{','.join(row[labels:])}]" for row in rows), positions=positions)


def _is_number(word: str) -> bool:
    return re.fullmatch(_NUMBER, word.strip(), re.IGNORECASE) is not None


def _rows(text: str) -> str:
    """Lines of numbers as rows in brackets, without names or numbers of columns and rows, and text after #.

    ValueError for decimal commas.
    """
    rows = [line.partition("#")[0].strip(" \t,;") for line in text.splitlines()]
    rows = [row for row in rows if row]
    if rows and (not _TOKEN.match(rows[0]) or ("." in rows[-1] and _is_count(_BETWEEN.split(rows[0])))):
        rows = rows[1:]
    if rows and "." in rows[-1] and _is_count([_BETWEEN.split(row, 1)[0] for row in rows]):
        rows = [_BETWEEN.split(row, 1)[-1] for row in rows]
    if _have_decimal_commas(rows):
        raise ValueError("the numbers have decimal commas; write them with points, like 0.5")
    return "\n".join(f"[{row}]" for row in rows)


def _have_decimal_commas(rows: list[str]) -> bool:
    """Whether all numbers between semicolons or spaces are whole or have one comma, and some have: ``0,84;0,54``."""
    is_alike = all(_WITH_COMMA.fullmatch(field) for row in rows for field in _FIELDS.split(row))
    return is_alike and any("," in row and len(_FIELDS.split(row)) > 1 for row in rows)


def _is_count(words: list[str]) -> bool:
    """Whether the words number columns or rows: at least three whole numbers, each one more than that before."""
    first = int(words[0]) if words[0].isdecimal() else 0
    return len(words) > 2 and words == [str(first + place) for place in range(len(words))]


def _tokens(text: str, words: list[str]) -> Iterator[str]:
    """Brackets, and "" for each number, which is added to ``words``; ValueError for anything else."""
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            word = re.split(r"[\s,\[\]()]", text[place : place + 40], maxsplit=1)[0] or text[place]
            raise ValueError(f"the text contains {shortened(word)}, which is not a number")
        place = found.end()
        if found[1]:
            words.append(found[1].replace("J", "j"))
            yield ""
        elif found[0] in "[]()":
            yield found[0]


def _shape(tokens: Iterator[str]) -> tuple[int, ...]:
    """The lengths of the lists at each depth; ValueError for lists of different lengths or depths."""
    counts, lengths, leaf = [0], dict[int, int](), 0
    for token in tokens:
        counts[-1] += token not in ("]", ")")
        if token in ("[", "("):
            counts.append(0)
        elif token:
            depth, length = len(counts) - 1, counts.pop()
            if lengths.setdefault(depth, length) != length:
                raise ValueError(f"the rows have different lengths, {lengths[depth]} and {length}")
        elif leaf not in (0, len(counts)):
            raise ValueError("the numbers are in lists of different depths")
        else:
            leaf = len(counts)
        if not 0 < len(counts) <= _DEEPEST:
            raise ValueError(f"the brackets do not match, or are nested more than {_DEEPEST - 1} deep")
    if len(counts) > 1 or not leaf or max(lengths, default=0) >= leaf:
        raise ValueError("the text contains no numbers" if not leaf else "the text ends within a list")
    return (*counts[counts[0] == 1 and leaf > 1 :], *(lengths[depth] for depth in range(1, leaf)))


def _rounding(words: list[str]) -> tuple[str, float, float]:
    """The name of the rounding, with its relative and absolute amount; "" for all digits.

    With a fixed number of decimals, the longest numbers end at one place; with significant digits, at several.
    """
    most, finest, ends, exponents = 0, 0, set[int](), set[str]()
    for whole, fraction, exponent in (part.groups("") for word in words for part in _PARTS.finditer(word)):
        if fraction or exponent:
            digits, end = len(f"{whole}{fraction[1:]}".lstrip("0")), len(fraction[1:]) - int(exponent or 0)
            finest = max(finest, end)
            exponents.add(exponent)
            if digits >= most:
                ends, most = ({end} | ends if digits == most else {end}), digits
    if finest <= 0 or most >= _ALL_DIGITS:
        return "", 0.0, 0.0
    if len(ends) > 2 or (len(ends) == 2 and (max(ends) > most or exponents != {""})):
        name = f"{most} digits" if "" in exponents else _decimals(most - 1)
        return name, 0.5 * 10.0 ** (1 - most), 0.0
    return _decimals(finest), 0.0, 0.5 * 10.0**-finest


def _decimals(count: int) -> str:
    return f"{count} decimal{'' if count == 1 else 's'}"
