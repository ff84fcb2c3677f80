"""Every line of the derivations of views can be typeset."""

import warnings

import numpy as np
import pytest

from posenc_core import LearnedTable, NtkAware, Proportional, Rotary, ShawRelative, Sinusoidal, Yarn
from posenc_core.analysis import MEASURES, explain_score, explain_similarity
from posenc_core.long_context import explain_drift, explain_unseen

TURNED = Rotary(12, rotary_dim=8, scaling=Yarn(4.0, 64), direction=-1)
VECTORS = np.linspace(-1, 2, 24).reshape(2, 12)

DERIVATIONS = [
    explain_score(TURNED, -3, "typed", *VECTORS),
    *(explain_score(TURNED, 3, mode) for mode in ("ones", "bound", "independent")),
    explain_score(ShawRelative(8, 3), 3),
    *(explain_similarity(each, 3, 11, m) for each in (TURNED, Sinusoidal(7), LearnedTable()) for m in MEASURES),
    *(
        explain_unseen(Rotary(16, scaling=scaling), pair, 64, 100)
        for scaling in (None, NtkAware(2.0), Proportional(0.5))
        for pair in (0, 7)
    ),
    *(explain_drift(Rotary(8), other, 2) for other in (Rotary(8, 5e5), Rotary(8), Sinusoidal(8, offset=2))),
]


@pytest.mark.parametrize("derivation", DERIVATIONS, ids=lambda each: each.symbol)
def test_a_derivation_can_be_typeset(derivation):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "path is deprecated", DeprecationWarning)  # its import on Python 3.11
        import ziamath
    for line in (derivation.formula_latex, *(step.latex for step in derivation.steps)):
        width, height = ziamath.Latex(line).getsize()
        assert width > 0
        assert height > 0
