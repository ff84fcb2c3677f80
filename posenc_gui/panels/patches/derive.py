"""Derivation of the score of two patches of ones."""

import numpy as np

from posenc_core import Derivation, Document
from posenc_core.encodings import Cells
from posenc_core.explain import Step, Sum, Term, listed, shown_angle, shown_number
from posenc_gui.look import counted
from posenc_gui.model import Subject
from posenc_gui.panels.patches.spec import axis_of


class PatchScore(Subject, frozen=True):
    """The score of a query patch and a key patch of ones, over the pairs that the document's option names."""

    query: int
    key: int

    def words(self, document: Document) -> tuple[str, ...]:
        """The two patches."""
        cells = document.encoding.cells
        named = [counted(each) if cells is None else cells.grid.words(each) for each in (self.query, self.key)]
        return (f"query {named[0]}", f"key {named[1]}")

    def derivation(self, document: Document) -> Derivation:
        """The sum of cosines over the pairs; ValueError for a document without these patches."""
        encoding, cells = document.encoding, document.encoding.cells
        if cells is None:
            raise ValueError("the encoding turns no pairs by the rows and columns of a grid")
        encoding.check_domain(np.array([self.query, self.key]))
        return _score(cells, self.query, self.key, axis_of(document))


def _score(cells: Cells, query: int, key: int, axis: str) -> Derivation:
    pairs = cells.pairs_of(axis)
    one, other = cells.angles(np.array([query, key]), pairs)
    angles = other - one

    def written(index: int) -> Term:
        angle = shown_angle(float(angles[index]))
        pair = f"pair {pairs[index]} of {cells.axis_of_pairs[pairs[index]]}"
        return f"{pair}: 2 cos({angle.text})", rf"2 \cos({angle.latex})", angle

    q, k = ([shown_number(value) for value in cells.place(each)] for each in (query, key))
    x_q, x_k = (", ".join(each.text for each in place) for place in (q, k))
    named, sign = ", ".join(cells.names), "=" if all(each.exact for each in (*q, *k)) else r"\approx"
    start = Step(
        f"coordinates ({named}) of the query ({x_q}) and of the key ({x_k})",
        rf"x_q {sign} ({x_q}), \quad x_k {sign} ({x_k})",
        float(key),
    )
    total = Sum(
        "term", 2 * np.cos(angles), written, "Σ 2 cos((x_k - x_q) · θ_i)", r"\sum_i 2 \cos((x_k - x_q) \theta_i)",
        (start,),
    )  # fmt: skip
    lines = listed("angles", angles)
    python = f"import math\n\n{lines}print(sum(2 * math.cos(a) for a in angles))\n"
    return total.derivation(f"score({query}, {key})", rf"s({query}, {key})", python)
