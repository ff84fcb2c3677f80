"""How much is tried in usual runs, and how much in thorough ones (``pytest -m thorough``)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from _pytest.mark import ParameterSet
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


def is_usual_combination(item: pytest.Item) -> bool:
    """Whether a usual run tries this combination of what several ``parametrize`` of a test say.

    It tries each value, as many combinations as the longest of them has values; thorough runs try all.
    """
    marks = list(item.iter_markers("parametrize"))
    if len(marks) < 2:
        return True
    axes = [axis for mark in marks if (axis := _axis(item, *mark.args[:2])) is not None]
    return len(axes) < 2 or any(
        all(place == index % size for place, size in axes) for index in range(max(size for _, size in axes))
    )


def rare_cases(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The cases of tests marked ``one_of(n)`` that usual runs leave to thorough ones: all but each n-th of a test."""
    met: Counter[tuple[Any, ...]] = Counter()
    rare = []
    for item in items:
        mark = item.get_closest_marker("one_of")
        if mark is None or item.get_closest_marker("thorough"):
            continue
        test = item.path, getattr(item, "originalname", item.name)
        if met[test] % mark.args[0]:
            rare.append(item)
        met[test] += 1
    return rare


def _axis(item: Any, names: str | Sequence[str], values: Sequence[Any]) -> tuple[int, int] | None:
    """Which of the values the item has, and of how many; None where they are made anew each time."""
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    mine = [item.callspec.params[name] for name in names]
    values = list(values)
    for index, value in enumerate(values):
        case = value.values if isinstance(value, ParameterSet) else value if len(names) > 1 else (value,)
        if all(one is other for one, other in zip(case, mine, strict=True)):
            return index, len(values)
    return None


def _values(case: Any) -> tuple[Any, ...]:
    return case if isinstance(case, tuple) else (case,)
