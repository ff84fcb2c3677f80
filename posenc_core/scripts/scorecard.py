"""A Matplotlib script that draws a table of scores, whose numbers it contains."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from posenc_core.explain import NUMPY, Snippet
from posenc_core.fields import one_line
from posenc_core.scripts.plots import plain_label
from posenc_core.scripts.snippets import PYPLOT, assembled, filled, listed


class DrawnScore(Struct, frozen=True):
    """A cell: its number or None, its text, its grade, and a sentence on the measurement."""

    number: float | None
    text: str
    grade: str
    detail: str


def scorecard_script(
    setting: str,
    columns: Sequence[str],
    rows: Sequence[tuple[str, Sequence[DrawnScore]]],
    colours: Mapping[str, str],
) -> str:
    """A script that draws the scores as a table, each number with a comment on its measurement.

    The numbers are written out: some are found among a million positions. ``setting`` describes their measurement,
    ``colours`` (``#rrggbb``) has the background of each grade.
    """
    scores = []
    for title, cells in rows:
        scores.append(f"({plain_label(title)!r}, [")
        scores += [f"    {(each.number, each.text, each.grade)!r},  # {one_line(each.detail)}" for each in cells]
        scores.append("]),")
    lines = filled(
        "scorecard",
        columns=listed([plain_label(each) for each in columns], 4),
        scores=scores,
        colours=dict(colours),
        height=f"{1 + 0.3 * len(rows):.1f}",
    )
    head = ["# Scorecard, with the numbers that were measured", f"# {one_line(setting)}"]
    return assembled(head, Snippet(lines, (PYPLOT,)), NUMPY)
