"""Small models with random weights, run again with a perturbed vector: the vectors that change in a layer's output."""

import re
from importlib import import_module
from typing import Any

import torch
from torch import nn

Keys = dict[str, Any]

MOVED = 1e-7
"""Smallest change of a vector that counts as an effect of the perturbation."""


def built(path: str, keys: Keys) -> nn.Module:
    """Model with random weights of the class at ``path``."""
    module, _, name = path.partition(".")
    folder = module.removesuffix("_swin")
    cls = getattr(import_module(f"transformers.models.{folder}.modeling_{module}"), name)
    torch.manual_seed(0)
    model: nn.Module = cls(cls.config_class(**keys)).eval()
    return model


def calls(model: nn.Module, pattern: str, given: Keys) -> list[tuple[nn.Module, Any, Keys]]:
    """Calls of the modules whose names match ``pattern``, in order, as (module, arguments, keywords)."""
    found: list[tuple[nn.Module, Any, Keys]] = []

    def entered(module: nn.Module, args: Any, keys: Keys) -> None:
        found.append((module, args, keys))

    named = [each for name, each in model.named_modules() if re.fullmatch(pattern, name)]
    hooks = [each.register_forward_pre_hook(entered, with_kwargs=True) for each in named]
    with torch.no_grad():
        model(**given)
    for hook in hooks:
        hook.remove()
    return found


def reached(module: nn.Module, args: Any, keys: Keys) -> tuple[int, int]:
    """Number of output vectors that change with the middle input vector, and number of all output vectors."""
    vectors = args[0] if args else keys["hidden_states"]
    rows = vectors.reshape(-1, vectors.shape[-1]).clone()
    rows[len(rows) // 2] += torch.randn(rows.shape[-1])
    changed = rows.reshape(vectors.shape)
    with torch.no_grad():
        before = module(*args, **keys)
        after = module(changed, *args[1:], **keys) if args else module(**{**keys, "hidden_states": changed})
    one, other = (each if isinstance(each, torch.Tensor) else each[0] for each in (before, after))
    moved = (one - other).abs()
    while moved.dim() > vectors.dim():  # heads stand apart
        moved = moved.amax(-2)
    moved = moved.reshape(-1, moved.shape[-1]).amax(1) > MOVED
    return int(moved.sum()), len(moved)
