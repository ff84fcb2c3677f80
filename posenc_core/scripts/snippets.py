"""Short scripts for NumPy and PyTorch that compute the table of a document or an encoding, and may draw it."""

import textwrap
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from posenc_core.encodings import Encoding
from posenc_core.explain import MOST_NUMBERS, NUMPY, Dialect, Snippet, number_list, template_lines
from posenc_core.fields import Field, check_positions, one_line
from posenc_core.session import Document

_WIDTH = 100
_LONGEST_LINE = 116
_KEPT = "\N{NO-BREAK SPACE}"
_LONGEST_VALUE = 70
"""Characters; longer values are omitted from the comment."""


NOTHING = Snippet(())
PYPLOT = "import matplotlib.pyplot as plt"

_INSTALLED = ("matplotlib", "numpy", "torch")
"""Packages that are imported below the standard library."""


filled = partial(template_lines, __file__)
"""The lines of a template of this room by its name, with the values of its names."""


def source_of(
    shown: Document | Encoding, positions: Any, code: Dialect, then: Snippet = NOTHING, parts: int = 1
) -> str:
    """A standalone script that prints nothing, defines ``positions`` and ``table``, and ends with the lines ``then``.

    ``positions`` are integers, for a document its shown positions with values; in relative families
    they are key - query. A continuous table of a range has ``parts`` rows from each position to the next,
    unless its numbers are written out: then it has one.
    TypeError or ValueError with one sentence for anything else, and if more numbers would have to be written out
    than a script may contain.
    """
    encoding = shown.encoding if isinstance(shown, Document) else shown
    if positions is None:
        positions = shown_positions(shown)
    return assembled(head_of(encoding), table_lines(encoding, positions, code, parts) + then, code)


def table_lines(encoding: Encoding, positions: Any, code: Dialect, parts: int = 1) -> Snippet:
    """The lines that define ``positions`` and ``table``, as in ``source_of``."""
    checked = check_positions(positions)
    if not len(checked):
        raise ValueError("there is no position to write a script for")
    encoding.check_domain(checked)
    table = encoding.source(checked, code)
    is_fine = parts > 1 and not table.only_whole
    first = _fine_line(positions, parts) if is_fine else _positions_line(encoding, positions, code)
    return Snippet((first,)) + table


def assembled(comments: Sequence[str], body: Snippet, code: Dialect) -> str:
    """The text of a script: comments, the imports of the body and of the library, and the body."""

    def order(line: str) -> tuple[bool, str]:
        return line.startswith("from"), line

    imports = {code.imported, *body.imports}
    third = {line for line in imports if line.split()[1].partition(".")[0] in _INSTALLED}
    standard = sorted(imports - third, key=order)
    blank = [""] if standard else []
    return "\n".join([*comments, *standard, *blank, *sorted(third, key=order), "", *body.lines, ""])


def shown_positions(shown: Document | Encoding) -> range:
    """The positions with a value that a document shows; TypeError for an encoding alone.

    In relative families they are the distances within the length: of both signs, or up to 0 for a causal family.
    """
    if not isinstance(shown, Document):
        raise TypeError("an encoding by itself shows no positions: say which")
    length, (first, last) = shown.seq_len, shown.encoding.domain
    start = 1 - length if shown.encoding.relative else 0
    stop = 1 if shown.encoding.relative and shown.encoding.causal else length
    return range(int(max(start, first)), int(min(stop - 1, last)) + 1)


def listed(items: Sequence[Any], indent: int) -> list[str]:
    """The items, separated by commas, in lines of a list; a tuple is not divided."""
    text = f"{', '.join(repr(item).replace(' ', _KEPT) for item in items)},"
    margin = " " * indent
    lines = textwrap.wrap(text, _LONGEST_LINE, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)
    return [line.replace(_KEPT, " ") for line in lines]


def head_of(encoding: Encoding) -> list[str]:
    """The script's title, parameters and warnings as comments, without characters that end a line."""
    parameters = encoding.parameters()
    given = ", ".join(_parameter(field, parameters[field.name]) for field in encoding.fields)
    sentences = [f"{encoding.title}: {encoding.citation}", given, *encoding.warnings]
    return [
        line
        for sentence in sentences
        for line in textwrap.wrap(
            one_line(sentence), _WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False
        )
    ]


def trained_lines(encoding: Encoding) -> Snippet:
    """Lines that define the ``frequencies`` of training, with whole turns."""
    if encoding.rotation is not None:
        return encoding.rotation.unscaled_source(NUMPY)
    frequencies = encoding.frequencies()
    if encoding.pairs is None or np.array_equal(frequencies, encoding.pairs.wrapped):
        return encoding.frequencies_source(NUMPY)
    listed = number_list(frequencies.tolist()).replace("inf", "np.inf")
    return Snippet((f"frequencies = np.array({listed})  # rad per position",))


def scaled_lines(encoding: Encoding) -> Snippet:
    """Lines that scale the ``trained`` frequencies, none for an encoding without scaling."""
    scaling = None if encoding.rotation is None else encoding.rotation.scaling
    if scaling is None:
        return Snippet(())
    return Snippet(("frequencies = trained",)) + scaling.source(encoding.frequencies(), NUMPY)


def _parameter(field: Field, value: Any) -> str:
    text = field.format(value)
    return f"{field.name} = {text}" if len(text) <= _LONGEST_VALUE else f"{field.name}: see below"


def _fine_line(positions: range, parts: int) -> str:
    first, last = positions[0] * parts, positions[-1] * parts
    return f"positions = np.arange({first}, {last + 1}) / {parts}  # {parts} points from one position to the next"


def _positions_line(encoding: Encoding, positions: Any, code: Dialect) -> str:
    """The definition of ``positions``, an array of integers."""
    why = "  # key - query" if encoding.relative else ""
    if isinstance(positions, range):
        ends = [positions.start, positions.stop] if positions.start or positions.step != 1 else [positions.stop]
        steps = [positions.step] if positions.step != 1 else []
        return f"positions = {code.whole(number_list(ends + steps)[1:-1])}{why}"
    if len(positions) > MOST_NUMBERS:
        raise ValueError(f"at most {MOST_NUMBERS} positions are written out, got {len(positions)}: give a range")
    return f"positions = {code.integers(number_list(np.asarray(positions).tolist()))}{why}"
