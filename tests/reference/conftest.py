"""Comparisons with torch, transformers and diffusers, where ``pip install -e ".[test,reference]"`` has brought them.

Without them nothing here is collected, so that the tests of a plain installation neither skip nor fail.
"""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from comparing import Compare
from tried import COMPARED

sys.path.append(str(Path(__file__).parents[2] / "tools"))  # the running of small models

if find_spec("torch") is None or find_spec("transformers") is None:
    collect_ignore_glob = ["test_*.py"]

_FURTHER = {"test_diffusers_axes.py": "diffusers", "test_mixed_axes.py": "timm"}
collect_ignore = [name for name, package in _FURTHER.items() if find_spec(package) is None]


@pytest.fixture
def compare() -> Compare:
    """Asserts that ours is theirs within ``tolerance`` and keeps the largest difference for the summary."""

    def compared(kind: str, ours: Any, theirs: Any, tolerance: Any, *, relative: bool = False) -> None:
        ours, theirs = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
        assert ours.shape == theirs.shape
        difference = np.abs(ours - theirs)
        if relative:
            difference = difference / np.where(ours == 0, 1, np.abs(ours))
        COMPARED[kind].append((ours.size, float(difference.max())))
        assert np.all(difference <= tolerance), f"{kind}: differs by {difference.max():.3g}"

    return compared
