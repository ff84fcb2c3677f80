"""The lines of engines that make frequencies, taken out of their installed packages and run in float64.

Nothing of an engine is imported: its compiled parts need a GPU. What is lifted is a function or class as it stands in
its file, with the types of numbers in the text replaced, so that rounding does not hide a difference.
"""

import ast
import math
import re
import typing
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import torch

_DOUBLE = (
    (r"torch\.float(32)?\b", "torch.float64"),
    (r"\.float\(\)", ".double()"),
    (r"mx\.float32", "mx.float64"),
)


TYPES = ("Optional", "Union", "List", "Dict", "Tuple")


class Theirs(NamedTuple):
    """Frequencies in rad per token and the amplitude of cosines and sines, or the engine's error."""

    frequencies: Any = None
    amplitude: float = 1.0
    error: str = ""


def package(name: str) -> Path | None:
    """The folder of an installed package; None where it is not installed."""
    found = find_spec(name)
    places = [] if found is None else list(found.submodule_search_locations or ())
    return Path(places[0]) if places else None


def lift(path: Path, names: Mapping[str, str | None], space: dict[str, Any]) -> None:
    """Define functions and classes of the file in ``space``; a name's value is the base that a class gets, if any.

    Decorators are left out, and of classes all methods but those that make frequencies.
    """
    text = path.read_text(encoding="utf-8")
    for pattern, double in _DOUBLE:
        text = re.sub(pattern, double, text)
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in names:
            node.decorator_list = [each for each in node.decorator_list if ast.unparse(each) == "dataclass"]
            base = names[node.name]
            if isinstance(node, ast.ClassDef) and base is not None:
                node.bases = [ast.Name(base, ast.Load())]
                kept = ("__init__", "_compute_inv_freq", "_compute_cos_sin_cache")
                node.body = [
                    each for each in node.body if not isinstance(each, ast.FunctionDef) or each.name in kept
                ] or [ast.Pass()]
            module = ast.fix_missing_locations(ast.Module([node], []))
            exec(compile(module, str(path), "exec"), space)  # the engine's own lines


class Torch:
    """torch, with angles of two positions in the place of whole tables."""

    def __init__(self) -> None:
        self.angles: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(torch, name)

    def einsum(self, spec: str, positions: Any, frequencies: Any) -> Any:
        angles = torch.outer(positions[:2], frequencies)
        self.angles.append(angles)
        return angles


class Table:
    """Attributes that the engines' base classes set before they compute their table."""

    _force_native, position_start = False, 0

    def __init__(self, head_size: int, rotary_dim: int, longest: int, base: float, style: bool, dtype: Any, **_: Any):
        self.head_size, self.rotary_dim, self.max_position_embeddings = head_size, rotary_dim, longest
        self.base, self.is_neox_style, self.dtype = base, style, dtype
        self.cos_sin_cache = self._compute_cos_sin_cache()

    def register_buffer(self, name: str, value: Any, persistent: bool = True) -> None:
        setattr(self, name, value)


class Plain:
    """The base of classes that initialise themselves."""

    register_buffer = Table.register_buffer


def torch_space(**more: Any) -> dict[str, Any]:
    return {
        "torch": Torch(), "math": math, "Table": Table, "Plain": Plain, "np": np, "nn": SimpleNamespace(Module=Plain),
        "logger": SimpleNamespace(warning=lambda *_: None, warning_once=lambda *_: None), "_ROPE_DICT": {}, "Any": Any,
        **{name: getattr(typing, name) for name in TYPES}, "_is_hip": False, "_is_npu": False,
        "get_device": lambda: "cpu", **more,
    }  # fmt: skip


def torch_result(space: dict[str, Any], made: Any, which: int = -1) -> Theirs:
    """The numbers of the last table, or of the ``which``-th one."""
    angles = space["torch"].angles[which]
    cache = made.cos_sin_cache if hasattr(made, "cos_sin_cache") else made.long_short_cos_sin_cache
    row = 0 if which != -1 or not hasattr(made, "long_mscale") else 2
    return Theirs(angles[1].numpy(), float(cache[row, 0]))
