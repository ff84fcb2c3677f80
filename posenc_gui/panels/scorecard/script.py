"""The Matplotlib script of the scorecard."""

from posenc_core.gallery import PROPERTIES, SIGNS, Score
from posenc_core.scripts import DrawnScore, scorecard_script
from posenc_gui.panels.scorecard.painter import ground_colour
from posenc_gui.panels.scorecard.pointing import ScorecardView


def script(view: ScorecardView) -> str:
    """A script that draws the table; ValueError with one sentence while a score is not measured yet."""
    setting, rows = view.card.setting, []
    for family, cells in zip(view.card.families, view.scores, strict=True):
        measured = [cell for cell in cells if cell is not None]
        if len(measured) < len(cells):
            raise ValueError("the table is not complete yet: copy it once all of it is measured")
        rows.append((family.title, [_drawn(score) for score in measured]))
    colours = {grade: ground_colour(view.style, grade).name() for grade in SIGNS}
    words = (
        f"measured on a text of {setting.length:,} positions, the {setting.n_tokens:,} tokens of the sentence, and the "
        f"trained length L = {setting.trained:,}"
    )
    return scorecard_script(words, [each.title for each in PROPERTIES], rows, colours)


def _drawn(score: Score) -> DrawnScore:
    text = score.sign if score.number is None else f"{score.text} {score.sign}"
    return DrawnScore(score.number, text, score.grade, score.detail)
