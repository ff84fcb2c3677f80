"""The Matplotlib script of the scorecard, which contains the measured numbers."""

from posenc_core.explain import NUMPY, Snippet, template_lines
from posenc_core.fields import one_line
from posenc_core.gallery import PROPERTIES, SIGNS, Score
from posenc_core.scripts import PYPLOT, assembled, listed, plain_label
from posenc_gui.panels.scorecard.painter import ground_colour
from posenc_gui.panels.scorecard.pointing import ScorecardView


def script(view: ScorecardView) -> str:
    """A script that draws the scores as a table, each number with a comment on its measurement.

    The numbers are written out: some are found among a million positions. ValueError with one sentence while a score is
    not measured yet.
    """
    setting, scores = view.card.setting, list[str]()
    for family, cells in zip(view.card.families, view.scores, strict=True):
        measured = [cell for cell in cells if cell is not None]
        if len(measured) < len(cells):
            raise ValueError("the table is not complete yet: copy it once all of it is measured")
        scores += [f"({plain_label(family.title)!r}, [", *map(_line_of, measured), "]),"]
    lines = template_lines(
        __file__,
        "script",
        columns=listed([plain_label(each.title) for each in PROPERTIES], 4),
        scores=scores,
        colours={grade: ground_colour(view.style, grade).name() for grade in SIGNS},
        height=f"{1 + 0.3 * len(view.card.families):.1f}",
    )
    words = (
        f"measured on a text of {setting.length:,} positions, the {setting.n_tokens:,} tokens of the sentence, and the "
        f"trained length L = {setting.trained:,}"
    )
    head = ["# Scorecard, with the numbers that were measured", f"# {words}"]
    return assembled(head, Snippet(lines, (PYPLOT,)), NUMPY)


def _line_of(score: Score) -> str:
    text = score.sign if score.number is None else f"{score.text} {score.sign}"
    return f"    {(score.number, text, score.grade)!r},  # {one_line(score.detail)}"
