"""How much is tried in usual runs, and how much in thorough ones (``pytest -m thorough``)."""

from collections.abc import Iterable
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


def _values(case: Any) -> tuple[Any, ...]:
    return case if isinstance(case, tuple) else (case,)
