"""Formulas of the entry of a column at a position."""

from dataclasses import dataclass

from posenc_core.encodings.formula.family import Formula


@dataclass(frozen=True)
class EntryFormula(Formula):
    """``formula`` of p and c in each column, or of the first of each pair with ``formula_cos`` of the second."""


KIND = EntryFormula
