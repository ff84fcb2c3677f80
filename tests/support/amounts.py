"""How much is tried in usual runs, and how much in thorough ones (``pytest -m thorough``)."""

from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest
from hypothesis import settings


def draws(usual: int, thorough: int, **more: Any) -> settings:
    """Settings with this many examples in usual runs and in thorough ones, in place of their profiles' numbers."""
    is_thorough = settings().max_examples == settings.get_profile("thorough").max_examples
    return settings(max_examples=thorough if is_thorough else usual, **more)


def some(cases: Iterable[Any], *usual: Any) -> list[Any]:
    """All cases for ``parametrize``, of which only ``usual`` are tried in usual runs."""
    cases = list(cases)
    assert all(case in cases for case in usual), f"{usual} are not among {cases}"
    return [case if case in usual else pytest.param(*_values(case), marks=pytest.mark.thorough) for case in cases]


def spread(*axes: Iterable[Any], every: int) -> list[Any]:
    """All combinations for ``parametrize``, of which usual runs try one in ``every``, with each value among them."""
    axes = tuple(map(list, axes))
    found, usual = [], []
    for indices in product(*(range(len(axis)) for axis in axes)):
        case = tuple(axis[index] for axis, index in zip(axes, indices, strict=True))
        if sum(indices) % every == 0:
            usual.append(indices)
            found.append(case)
        else:
            found.append(pytest.param(*case, marks=pytest.mark.thorough))
    assert [len(set(tried)) for tried in zip(*usual, strict=True)] == [len(axis) for axis in axes]
    return found


def _values(case: Any) -> tuple[Any, ...]:
    return case if isinstance(case, tuple) else (case,)
