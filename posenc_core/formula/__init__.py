"""Typed formulas: parsed against a list of allowed operations, evaluated by numpy, derived and written."""

from posenc_core.faces import on_demand
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posenc_core.formula.evaluation import degree_in, evaluated, has_bound, n_operations
    from posenc_core.formula.operations import CONSTANTS, FUNCTIONS
    from posenc_core.formula.parsing import DEEPEST, Node, parameters_of, parsed_formula
    from posenc_core.formula.scanning import FormulaError, LONGEST
    from posenc_core.formula.steps import formula_steps, inserted_text
    from posenc_core.formula.writing import as_latex, as_math, as_text, in_dialect
else:
    __getattr__ = on_demand(__name__)
