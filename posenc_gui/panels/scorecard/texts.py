"""The scorecard as text to copy: CSV, a table of LaTeX, and a Matplotlib script."""

from collections.abc import Mapping

import numpy as np

from posenc_core.gallery import PROPERTIES, SIGNS, Score, Scorecard, Scores
from posenc_core.numerics import FloatArray
from posenc_core.scripts import DrawnScore, scorecard_script
from posenc_gui.look import Style
from posenc_gui.panels.scorecard.painter import ground_colour

_ESCAPES = {"%": r"\%", "&": r"\&", "_": r"\_", "#": r"\#", "✓": r"$+$", "~": r"$\circ$", "✗": r"$-$", "–": "--"}


def scores_csv(card: Scorecard, scores: Scores) -> str:
    """A head, then a row for each family: its title, and each number in full precision, or an empty text."""
    lines = [",".join(["family", *(each.title for each in PROPERTIES)])]
    for family, row in zip(card.families, scores, strict=True):
        numbers = ["" if score is None or score.number is None else _full(score.number) for score in row]
        lines.append(",".join([family.title, *numbers]))
    return "\n".join(lines) + "\n"


def scores_latex(card: Scorecard, scores: Scores) -> str:
    """A tabular environment with the numbers as they are shown, and +, o or - for how good each is."""
    rows = [["family", *(each.title for each in PROPERTIES)]]
    for family, row in zip(card.families, scores, strict=True):
        cells = [
            "" if score is None else score.text + ("" if score.number is None else f" {score.sign}") for score in row
        ]
        rows.append([family.title, *cells])
    written = [" & ".join(map(_escaped, cells)) + r" \\" for cells in rows]
    body = "\n".join([written[0], r"\hline", *written[1:]])
    return f"\\begin{{tabular}}{{l{'r' * len(PROPERTIES)}}}\n{body}\n\\end{{tabular}}\n"


def scores_script(card: Scorecard, scores: Scores, style: Style) -> str:
    """A Matplotlib script that draws the table; ValueError with one sentence while a score is not measured yet."""
    setting, rows = card.setting, []
    for family, cells in zip(card.families, scores, strict=True):
        measured = [cell for cell in cells if cell is not None]
        if len(measured) < len(cells):
            raise ValueError("the table is not complete yet: copy it once all of it is measured")
        rows.append((family.title, [_drawn(score) for score in measured]))
    colours = {grade: ground_colour(style, grade).name() for grade in SIGNS}
    words = (
        f"measured on a text of {setting.length:,} positions, the {setting.n_tokens:,} tokens of the sentence, and the "
        f"trained length L = {setting.trained:,}"
    )
    return scorecard_script(words, [each.title for each in PROPERTIES], rows, colours)


def _drawn(score: Score) -> DrawnScore:
    text = score.sign if score.number is None else f"{score.text} {score.sign}"
    return DrawnScore(score.number, text, score.grade, score.detail)


def score_numbers(scores: Scores) -> Mapping[str, FloatArray]:
    """The numbers by the titles of their columns, a row for each family in the order of the story, from 1; else nan."""
    columns = {"family": np.arange(1.0, len(scores) + 1)}
    for column, each in enumerate(PROPERTIES):
        cells = (row[column] for row in scores)
        columns[each.title] = np.array(
            [np.nan if cell is None or cell.number is None else cell.number for cell in cells], np.float64
        )
    return columns


def _full(number: float) -> str:
    return str(int(number)) if number.is_integer() else repr(number)


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(letter, letter) for letter in text)
