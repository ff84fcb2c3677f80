"""The scorecard as text to copy: CSV, and a table of LaTeX."""

from posenc_core.gallery import PROPERTIES, Scorecard, Scores

_ESCAPES = str.maketrans(
    {"%": r"\%", "&": r"\&", "_": r"\_", "#": r"\#", "✓": r"$+$", "~": r"$\circ$", "✗": r"$-$", "–": "--"}
)


def scores_csv(card: Scorecard, scores: Scores) -> str:
    """A head, then a row for each family: its title, and each number in full precision, or an empty text."""
    lines = [",".join(["family", *(each.title for each in PROPERTIES)])]
    for family, row in zip(card.families, scores, strict=True):
        numbers = ["" if score is None or score.number is None else _full(score.number) for score in row]
        lines.append(",".join([family.title, *numbers]))
    return "\n".join(lines) + "\n"


def scores_latex(card: Scorecard, scores: Scores) -> str:
    """A tabular environment with the displayed numbers, and +, o or - as the grade of each."""
    rows = [["family", *(each.title for each in PROPERTIES)]]
    for family, row in zip(card.families, scores, strict=True):
        cells = [
            "" if score is None else score.text + ("" if score.number is None else f" {score.sign}") for score in row
        ]
        rows.append([family.title, *cells])
    written = [" & ".join(cell.translate(_ESCAPES) for cell in cells) + r" \\" for cells in rows]
    body = "\n".join([written[0], r"\hline", *written[1:]])
    return f"\\begin{{tabular}}{{l{'r' * len(PROPERTIES)}}}\n{body}\n\\end{{tabular}}\n"


def _full(number: float) -> str:
    return str(int(number)) if number.is_integer() else repr(number)
