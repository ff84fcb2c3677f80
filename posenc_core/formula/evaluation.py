"""Values of formulas in numpy, and properties of these values derived from their trees."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from posenc_core.formula.operations import OPERATIONS
from posenc_core.formula.parsing import Node
from posenc_core.numerics import FloatArray

Names = Mapping[str, Any]
"""Float64 arrays and numbers by the names of a formula; arrays are broadcast."""


def evaluated(node: Node, names: Names) -> FloatArray:
    """The formula's values in float64, in the broadcast shape of its names; nan or inf where it is undefined.

    Each operation has the shape of its own names only, so that powers of a column are computed once per column.
    """
    with np.errstate(all="ignore"):
        return np.asarray(_value(node, names), np.float64)


def _value(node: Node, names: Names) -> Any:
    if node.kind == "number":
        return np.float64(node.value)
    if node.kind == "name":
        return names[node.name] if node.name in names else np.float64(node.value)
    return OPERATIONS[node.kind].compute(*(_value(part, names) for part in node.parts))


def degree_in(node: Node, name: str) -> int:
    """0 if the formula does not depend on the name, 1 if it is linear in the name, 2 for anything else."""
    if node.is_leaf:
        return int(node.name == name)
    degrees = [degree_in(part, name) for part in node.parts]
    if not any(degrees):
        return 0
    if node.kind in ("+", "-", "neg"):
        return max(degrees)
    if node.kind == "*":
        return min(2, sum(degrees))
    if node.kind == "/" and not degrees[1]:
        return degrees[0]
    if node.kind == "if" and not degrees[1]:
        return max(degrees)
    return 2


def has_bound(node: Node) -> tuple[float, float] | None:
    """Bounds of all values by the outermost operation; None if they depend on its operands."""
    return None if node.is_leaf else OPERATIONS[node.kind].bounds


def n_operations(node: Node) -> int:
    """Number of operations in the formula."""
    return 0 if node.is_leaf else 1 + sum(n_operations(part) for part in node.parts)
