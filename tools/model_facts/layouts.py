"""How the functions of transformers that apply a rotation pair the columns, found with unit vectors."""

import ast
import inspect
import re
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import nn

from model_facts.models import Found, neighbours
from model_facts.reading import METHODS

WIDTH = 16
COSINE, SINE = 0.8, 0.6


def layout_facts(cls: Any, model: Found) -> dict[str, Any]:
    """The layout of the functions that the model's modules call, a direction other than +1, and the names of all."""
    rotary = model.rotary[0].__name__
    if rotary in METHODS:
        return {"source": f"{model.source}:{rotary},{METHODS[rotary]}", "layout": "half_split"}
    found = {}
    for function in sorted(_functions(model), key=lambda function: function.__name__):
        found[function.__name__] = rotation_of(function)
    known, key = {value for value in found.values() if value is not None}, {}
    if len(known) > 1 and hasattr(cls, "rope_interleave"):
        chosen = "interleaved" if cls().rope_interleave else "half_split"
        known, key = {value for value in known if value[0] == chosen}, {"layout_key": "rope_interleave"}
        found = dict(sorted(found.items(), key=lambda item: item[1] not in known))
    source = {"source": f"{model.source}:{','.join([rotary, *found])}"}
    if len(known) != 1:
        print(f"{cls.model_type}: layout not determined by {found}", file=sys.stderr)  # noqa: T201
        return {"layout": None} | source
    ((layout, direction, trailing),) = known
    facts = {"layout": layout} | ({"direction": direction} if direction != 1 else {})
    return facts | ({"trailing": True} if trailing else {}) | key | source


def _functions(model: Found) -> set[Callable[..., Any]]:
    """The functions that apply a rotation in the model's attention, or elsewhere in its modules or its file."""
    attention = {cls for cls in model.modules if "Indexer" not in cls.__name__}
    return _called_in(attention) or _called_in(neighbours(model.rotary))


def _called_in(modules: set[type[nn.Module]]) -> set[Callable[..., Any]]:
    found = set()
    for cls in modules:
        for base in cls.__mro__:
            if base.__module__.startswith("transformers.models."):
                names = _calls(base.__module__).get(base.__name__, ())
                found |= {vars(sys.modules[base.__module__]).get(name) for name in names}
    return {function for function in found if inspect.isfunction(function)}


@cache
def _calls(module: str) -> dict[str, set[str]]:
    """The names called in each class of a file that sound like a rotation."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {
        node.name: {
            call.func.id
            for call in ast.walk(node)
            if isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and re.search(r"apply_\w*(rot|rope)", call.func.id)
        }
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }


def rotation_of(function: Callable[..., Any]) -> tuple[str, int, bool] | None:
    """Layout, direction, and whether the last columns turn if not all do; None if it cannot be called."""
    for make in (_batches, _rows):
        for width in (WIDTH, WIDTH // 2):
            found = _pairs(_images(make, function, width), range(WIDTH))
            if found is not None:
                for narrow in (width // 2, width // 4):
                    part = _images(make, function, narrow)
                    if _pairs(part, range(WIDTH // 2, WIDTH)) is not None:
                        return *found, True
                return *found, False
    return None


def _images(make: Callable[..., torch.Tensor], function: Callable[..., Any], width: int) -> list[torch.Tensor] | None:
    """Images of the unit vectors (rows) at an angle, at 0 and at 90 degrees; None if the function fails."""
    try:
        return [make(function, width, c, s) for c, s in ((COSINE, SINE), (1.0, 0.0), (0.0, 1.0))]
    except Exception:  # noqa: BLE001 - another shape or another width is tried
        return None


def _batches(function: Callable[..., Any], width: int, c: float, s: float) -> torch.Tensor:
    """Images of unit vectors in (batch, head, position, column), with equal angles everywhere."""
    return _called(function, torch.eye(WIDTH)[:, None, None], (1, 1, width), c, s)


def _rows(function: Callable[..., Any], width: int, c: float, s: float) -> torch.Tensor:
    """Images of unit vectors in (position, head, column)."""
    return _called(function, torch.eye(WIDTH)[None], (1, width), c, s)


def _called(function: Callable[..., Any], vectors: torch.Tensor, shape: tuple[int, ...], c: float, s: float) -> Any:
    given: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if re.fullmatch(r"cos\w*", name):
            given[name] = torch.full(shape, c)
        elif re.fullmatch(r"sin\w*", name):
            given[name] = torch.full(shape, s)
        elif re.fullmatch(r"freqs_c\w+", name):
            given[name] = torch.full(shape, complex(c, s))
        elif name == "position_ids" and parameter.default is inspect.Parameter.empty:
            given[name] = torch.zeros(1, 1, dtype=torch.long)
        elif parameter.default is inspect.Parameter.empty or re.fullmatch("k|xk", name):
            given[name] = vectors
    result = function(**given)
    result = result[0] if isinstance(result, tuple) else result
    return result.reshape(WIDTH, WIDTH)


def _pairs(images: list[torch.Tensor] | None, columns: range) -> tuple[str, int] | None:
    """The layout and the direction in which these columns turn while all others stay; None for anything else."""
    if images is None:
        return None
    both, cosine, sine = images
    unit, others = torch.eye(WIDTH), torch.eye(WIDTH)
    others[columns, columns] = 0
    if not torch.allclose(cosine @ cosine.T, unit):
        return None
    at_angle, turned = both @ cosine.T, sine @ cosine.T  # row i: what e_i becomes, in the columns' own order
    for layout, partner, first in (
        ("half_split", len(columns) // 2, columns[: len(columns) // 2]),
        ("interleaved", 1, columns[::2]),
    ):
        for direction in (1, -1):
            expected = others.clone()
            for i in first:
                expected[i, i + partner], expected[i + partner, i] = direction, -direction
            if torch.allclose(turned, expected, atol=1e-6):
                mixed = COSINE * (unit - others) + SINE * (expected - others) + others
                return (layout, direction) if torch.allclose(at_angle, mixed, atol=1e-6) else None
    return None
