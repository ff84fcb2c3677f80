"""Numbers in a text: what numpy and torch print, lists of JSON and Python, and lines of CSV."""

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.fields import shortened

MAXIMUM_CHARACTERS = 2**26

_DEEPEST = 8
"""Levels of lists within lists."""

_ATTRIBUTES = re.compile(
    r",\s*(?:dtype|device|requires_grad|grad_fn|layout|shape|weak_type|size)\s*=\s*"
    r"(?:'[^'\n]{0,80}'|<[^>\n]{0,80}>|\([^)\n]{0,80}\)|[\w.]{1,80})"
)
_WRAPPERS = re.compile(r"\b(?:tf\.Tensor|tensor|array|Array|DeviceArray|Parameter containing\s*:|[A-Za-z_]\w{0,80}\s*=)")
_NUMBER = r"[+-]?(?:inf(?:inity)?|nan|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)"
_TOKEN = re.compile(rf"(?P<number>{_NUMBER}(?:[+-](?:inf|nan|[\d.]+(?:e[+-]?\d+)?)j)?j?)|[\[\]()]|[,;]|\s+", re.IGNORECASE)
_FACTOR = re.compile(rf"({_NUMBER})\s*\*\s*", re.IGNORECASE)
_DECIMALS = re.compile(r"\.(\d*)(e[+-]?\d+)?", re.IGNORECASE)


class Printed(Struct, frozen=True):
    """Numbers of a text, and the rounding that its decimals allow: a share of each number, and an amount beside.

    ``decimals`` is None where the text has all digits of its numbers.
    """

    numbers: npt.NDArray[np.float64] | npt.NDArray[np.complex128]
    decimals: int | None = None
    relative: float = 0.0
    absolute: float = 0.0


def parse_numbers(text: str) -> Printed:
    """The numbers of a text in their shape; several arrays of one shape, one after another, are stacked.

    ValueError with one sentence for a print that leaves numbers out, rows of different lengths, and other texts.
    """
    if len(text) > MAXIMUM_CHARACTERS:
        raise ValueError(f"the text is longer than {MAXIMUM_CHARACTERS // 2**20} million characters; save the array as .npy")
    if "..." in text or "…" in text:
        whole = "torch.set_printoptions(threshold=float('inf'))" if "tensor" in text else "numpy.set_printoptions(threshold=sys.maxsize)"
        raise ValueError(f"the print leaves numbers out (...); print all of them after {whole}, or save the array as .npy")
    plain = _WRAPPERS.sub("", _ATTRIBUTES.sub("", text))
    factor = _FACTOR.search(plain)  # torch once printed a factor before the numbers
    plain = _FACTOR.sub("", plain) if factor else plain
    if not re.search(r"[\[(]", plain):
        plain = _lines(plain)
    words: list[str] = []
    shape = _shape(_tokens(plain, words))
    numbers = np.array([complex(word) for word in words]) if any("j" in word for word in words) else np.array(words, np.float64)
    scale = float(factor[1]) if factor else 1.0
    return _with_decimals(numbers.reshape(shape) * scale, words, scale)


def _lines(text: str) -> str:
    """Lines of numbers as rows in brackets; a first line of names and lines behind # are left out."""
    rows = [line.partition("#")[0].strip(" \t,;") for line in text.splitlines()]
    rows = [row for row in rows if row]
    if rows and not _TOKEN.match(rows[0]):
        del rows[0]
    return "\n".join(f"[{row}]" for row in rows)


def _tokens(text: str, words: list[str]) -> Iterator[str]:
    """Brackets, and "" for each number, which is added to ``words``; ValueError for anything else."""
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise ValueError(f"the text holds {shortened(text[place : place + 40].split(maxsplit=1)[0])}, which is no number")
        place = found.end()
        if found["number"]:
            words.append(found[0].replace("J", "j"))
            yield ""
        elif found[0] in "[]()":
            yield found[0]


def _shape(tokens: Iterator[str]) -> tuple[int, ...]:
    """The lengths of the lists at each depth; ValueError for lists of different lengths or depths."""
    counts, lengths = [0], dict[int, int]()
    leaf = None
    for token in tokens:
        if token in ("[", "("):
            counts[-1] += 1
            counts.append(0)
            if len(counts) > _DEEPEST:
                raise ValueError(f"the lists are nested more than {_DEEPEST} deep")
        elif token:
            depth, length = len(counts) - 1, counts.pop()
            if not counts:
                raise ValueError("a list ends that has not begun")
            if lengths.setdefault(depth, length) != length:
                raise ValueError(f"the rows have different lengths, {lengths[depth]} and {length}")
        else:
            counts[-1] += 1
            leaf = len(counts) - 1 if leaf is None else leaf
            if leaf != len(counts) - 1:
                raise ValueError("the numbers stand in lists of different depths")
    if len(counts) > 1:
        raise ValueError("the text ends within a list")
    if leaf is None or max(lengths, default=0) > leaf:
        raise ValueError("the text holds no numbers")
    return (counts[0], *(lengths[depth] for depth in range(1, leaf + 1)))


def _with_decimals(numbers: npt.NDArray[np.float64], words: list[str], scale: float) -> Printed:
    """The numbers with the rounding of the print they come from."""
    found = [match for word in words if (match := _DECIMALS.search(word))]
    decimals = max((len(match[1]) for match in found), default=0)
    digits = max((sum(map(str.isdigit, re.split("e", word, flags=re.IGNORECASE)[0].lstrip("+-0."))) for word in words), default=0)
    if digits >= 15 or not decimals:
        return Printed(numbers)
    half = 0.5 * 10.0**-decimals
    scientific = any(match[2] for match in found)
    return Printed(numbers, decimals, half, 0.0) if scientific else Printed(numbers, decimals, 0.0, half * scale)
