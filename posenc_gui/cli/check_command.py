"""``posenc check``: whether numbers of one's own code are right, in a terminal, without Qt."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from posenc_core import identify
from posenc_core.fields import one_line
from posenc_gui.cli.terminal import complain, print_or_complain

RIGHT, WRONG, REFUSED = 0, 1, 2

_POSITIONS = re.compile(r"\s*(-?\d{1,16})\s*:\s*(-?\d{1,16})\s*(?::\s*(\d{1,16})\s*)?")
_MOST_POSITIONS = 2**31


def check_numbers(path: str, against: str | None = None, positions: str | None = None, as_json: bool = False) -> int:
    """The exit status of the command: 0 for right numbers, 1 for others, 2 after one sentence on bad input.

    ``path`` names the file of numbers, ``against`` a config.json, a model's folder, a GGUF file or a preset.
    ``positions``: those of the rows, as ``0:48``, ``0:192:4`` or ``0,1,5``.
    """
    try:
        rows = None if positions is None else parsed_positions(positions)
        finding = identify(Path(path), against=against, positions=rows)
    except (TypeError, ValueError) as error:
        complain(one_line(str(error)))
        return REFUSED
    lines = json.dumps(finding.plain(), indent=2) if as_json else "\n".join(map(one_line, finding.sentences))
    return print_or_complain(f"{lines}\n", "the finding") or (RIGHT if finding.is_right else WRONG)


def parsed_positions(text: str) -> Sequence[int]:
    """The positions first:stop, first:stop:step, or a list with commas; ValueError with one sentence for others."""
    found = _POSITIONS.fullmatch(text)
    if found:
        first, stop, step = int(found[1]), int(found[2]), int(found[3] or 1)
        if step and 0 < stop - first <= _MOST_POSITIONS * step:
            return range(first, stop, step)
    elif re.fullmatch(r"\s*-?\d{1,16}\s*(,\s*-?\d{1,16}\s*)*", text):
        return [int(word) for word in text.split(",")]
    raise ValueError(f"--positions must be like 0:48, 0:192:4 or 0,1,5, got {text[:40]!r}")
