"""Formulas of a bias over the distance of query and key."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from posenc_core.encodings.abilities.effect import HeadBiases
from posenc_core.encodings.formula.family import Formula


@dataclass(frozen=True)
class BiasFormula(HeadBiases, Formula):
    """The bias of head h at n = \\|delta\\| tokens, delta = key - query; a column is a head."""

    causal: ClassVar[bool] = False

    def variables(self, points: Any, columns: Any) -> dict[str, Any]:
        """Distance, signed distance and head."""
        return {"n": np.abs(points), "delta": points, "h": columns}


KIND = BiasFormula
