"""The derivations of a page: lines of text and MathML, which cells share."""

from collections.abc import Sequence

import numpy as np

from posenc_core.tables import Cancelled, ProgressCallback
from posenc_gui.look import counted
from posenc_gui.model import position_noun
from posenc_gui.webpage.mathml import formula_of
from posenc_gui.webpage.plan import PagePart
from posenc_gui.webpage.table import Record

MOST_DERIVED = 2048
"""Numbers whose derivations are in a page."""


class _Pool:
    """Lines and templates, each once, by their places."""

    def __init__(self) -> None:
        self.lines: dict[tuple[str | int, ...], int] = {}
        self.templates: dict[str, int] = {}

    def place(self, text: str, latex: str) -> int:
        """The place of a line; only its text if the formula cannot be typeset."""
        try:
            formula = formula_of(latex)
        except ValueError:
            line: tuple[str | int, ...] = (text, -1)
        else:
            line = (text, self.templates.setdefault(formula.template, len(self.templates)), *formula.numbers)
        return self.lines.setdefault(line, len(self.lines))


def derivations_record(part: PagePart, tokens: Sequence[int], progress: ProgressCallback) -> Record:
    """The derivations of as many numbers as fit a page, by position and column, starting with the ``tokens``.

    ``exact`` are these numbers, if the table has means.
    """
    pool, cells, exact = _Pool(), dict[str, list[int]](), dict[str, float]()
    columns = part.columns[:MOST_DERIVED]
    own = [part.axis.tokens[index] for index in tokens]
    order = list(dict.fromkeys([part.cursor.position, *own, *part.positions[:MOST_DERIVED]]))
    derived = order[: max(1, MOST_DERIVED // len(columns))]
    for done, position in enumerate(derived, 1):
        values = part.encoding.values(np.array([position]), np.array(columns))[0] if part.is_mean else ()
        exact |= {f"{position},{column}": float(value) for column, value in zip(columns, values, strict=False)}
        for column in columns:
            steps = _steps(part, position, column)
            if steps:
                cells[f"{position},{column}"] = [pool.place(*step) for step in steps]
        if not progress(done / len(derived)):
            raise Cancelled
    noun = position_noun(part.encoding)
    why = f"The page has the derivations of {counted(len(cells))} numbers: those of the tokens, then of other {noun}s."
    pooled = {"lines": list(pool.lines), "templates": list(pool.templates)}
    return {**pooled, "cells": cells, "exact": exact, "why": why}


def _steps(part: PagePart, position: int, column: int) -> list[tuple[str, str]]:
    """The text and the LaTeX of the formula and of each step; empty for a number without a derivation."""
    try:
        derivation = part.encoding.explain(position, column)
    except (ValueError, IndexError):
        return []
    formulas = (derivation.formula, derivation.formula_latex)
    return [formulas, *((step.text, step.latex) for step in derivation.steps)]
