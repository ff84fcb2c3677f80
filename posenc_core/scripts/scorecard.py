"""A Matplotlib script that draws a table of scores, whose numbers it contains."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from posenc_core.explain import NUMPY, Snippet
from posenc_core.fields import one_line
from posenc_core.scripts.plots import plain_label
from posenc_core.scripts.snippets import PYPLOT, assembled, listed


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
    lines = [
        "columns = [",
        *listed([plain_label(each) for each in columns], 4),
        "]",
        "scores = [  # family, then for each column its number, its text and its grade",
    ]
    for title, cells in rows:
        lines.append(f"    ({plain_label(title)!r}, [")
        lines += [f"        {(each.number, each.text, each.grade)!r},  # {one_line(each.detail)}" for each in cells]
        lines.append("    ]),")
    lines += [
        "]",
        f"colours = {dict(colours)}",
        "",
        f"fig, ax = plt.subplots(figsize=(11, {1 + 0.3 * len(rows):.1f}), layout='constrained')",
        "ax.set_axis_off()",
        "card = ax.table(",
        "    [[text for _, text, _ in cells] for _, cells in scores],",
        "    [[colours[grade] for _, _, grade in cells] for _, cells in scores],",
        "    rowLabels=[title for title, _ in scores],",
        "    colLabels=[title.replace(' ', '\\n') for title in columns],",
        "    cellLoc='center',",
        "    bbox=(0, 0, 1, 1),",
        ")",
        "card.auto_set_font_size(False)",
        "card.set_fontsize(8)",
        "for column in range(len(columns)):",
        "    card[0, column].set_height(2 * card[1, column].get_height())",
        "plt.show()",
    ]
    head = ["# Scorecard, with the numbers that were measured", f"# {one_line(setting)}"]
    return assembled(head, Snippet(tuple(lines), (PYPLOT,)), NUMPY)
