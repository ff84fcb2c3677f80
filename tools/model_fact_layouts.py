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

WIDTH = 16
COSINE, SINE = 0.8, 0.6


def layout_facts(cls: Any, model: nn.Module | None, rotary: list[type[nn.Module]]) -> dict[str, Any]:
    """ "layout" and, where it is not +1, "direction" of the functions that the model's modules call."""
    modules = {type(module) for module in model.modules()} if model is not None else _neighbours(rotary)
    found = {}
    for function in sorted(_functions(modules), key=lambda function: function.__name__):
        found[function.__name__] = pairs_of(function)
    known = {value for value in found.values() if value is not None}
    key = {}
    if len(known) == 2 and _has(cls, "rope_interleave"):
        chosen = "interleaved" if cls().rope_interleave else "half_split"
        known, key = {value for value in known if value[0] == chosen}, {"layout_key": "rope_interleave"}
    if len(known) != 1:
        print(f"{cls.model_type}: layout not determined by {found}", file=sys.stderr)  # noqa: T201
        return {"layout": None}
    ((layout, direction),) = known
    return {"layout": layout, **({"direction": direction} if direction != 1 else {}), **key}


def _has(cls: Any, name: str) -> bool:
    return any(field == name for field in vars(cls()))


def _neighbours(rotary: list[type[nn.Module]]) -> set[type[nn.Module]]:
    """The modules of the files that the rotary classes stand in."""
    files = {inspect.getmodule(cls) for cls in rotary}
    return {v for file in files for v in vars(file).values() if inspect.isclass(v) and issubclass(v, nn.Module)}


def _functions(modules: set[type[nn.Module]]) -> set[Callable[..., Any]]:
    """The functions that apply a rotation and are called in a method of these classes."""
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


def pairs_of(function: Callable[..., Any]) -> tuple[str, int] | None:
    """Layout and direction of a function that applies a rotation, None where it cannot be called here."""
    for make in (_batches, _rows):
        for width in (WIDTH, WIDTH // 2):
            try:
                both, cosine, sine = (make(function, width, c, s) for c, s in ((COSINE, SINE), (1.0, 0.0), (0.0, 1.0)))
            except Exception:  # noqa: BLE001, S112 - another shape or another width is tried
                continue
            found = _pairs(both, cosine, sine)
            if found is not None:
                return found
    return None


def _batches(function: Callable[..., Any], width: int, c: float, s: float) -> torch.Tensor:
    """What becomes of unit vectors in (batch, head, position, column); the angles are alike everywhere."""
    return _called(function, torch.eye(WIDTH)[:, None, None], (1, 1, width), c, s)


def _rows(function: Callable[..., Any], width: int, c: float, s: float) -> torch.Tensor:
    """The same in (position, head, column)."""
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


def _pairs(both: torch.Tensor, cosine: torch.Tensor, sine: torch.Tensor) -> tuple[str, int] | None:
    """What the images of the unit vectors (rows) at an angle, at 0 and at 90 degrees say."""
    if not torch.allclose(cosine @ cosine.T, torch.eye(WIDTH)) or not torch.allclose(
        both, COSINE * cosine + SINE * sine
    ):
        return None
    turned = sine @ cosine.T  # row i: what e_i becomes after 90 degrees, in the columns' own order
    for layout, partner in (("half_split", WIDTH // 2), ("interleaved", 1)):
        first = range(WIDTH // 2) if partner > 1 else range(0, WIDTH, 2)
        for direction in (1, -1):
            expected = torch.zeros(WIDTH, WIDTH)
            for i in first:
                expected[i, i + partner], expected[i + partner, i] = direction, -direction
            if torch.allclose(turned, expected, atol=1e-6):
                return layout, direction
    return None
