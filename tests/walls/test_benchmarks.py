"""Every benchmark runs with the program as it is and measures the figures of its goals, whatever their size."""

import importlib.util
import json
import math
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
README = (BENCHMARKS / "README.md").read_text(encoding="utf-8")

FEWEST = {
    "chapter.py": ("--keys", "2"),
    "encode.py": ("--rounds", "1"),
    "families.py": ("--rounds", "1"),
    "formula.py": ("--edits", "6"),
    "frame.py": ("--edits", "20"),
    "identify.py": ("--rounds", "1"),
    "memory.py": (),
    "similarity.py": ("--rounds", "1"),
    "startup.py": ("--pairs", "1"),
    "tile.py": ("--rounds", "1"),
    "unseen.py": ("--rounds", "1"),
    "workspaces.py": ("--rounds", "2"),
}
"""The shortest run of each script."""


@pytest.fixture(scope="module")
def run() -> ModuleType:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        spec = importlib.util.spec_from_file_location("run_of_benchmarks", BENCHMARKS / "run.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(str(BENCHMARKS))


def test_each_script_of_a_goal_has_a_shortest_run(run: ModuleType) -> None:
    assert {goal.script for goal in run.GOALS} <= FEWEST.keys()


def test_the_readme_lists_the_goals_that_the_benchmarks_print(run: ModuleType) -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*\| (none|[<>]= [\d.e-]+)[^|]*\|$", README, re.MULTILINE)
    listed = {key: "" if goal == "none" else goal for key, goal in rows}
    assert listed == {goal.key: goal.goal for goal in run.GOALS}
    assert run.report.GOALS.keys() <= listed.keys()
    assert (listed["startup_over_bare"], listed["frame_growth"]) == ("<= 1.3", "<= 1.1")


def test_a_benchmark_cannot_print_another_goal(run: ModuleType) -> None:
    for key, goal in run.report.GOALS.items():
        assert run.report.Ratio(key, "measured", 1.0, "<= 100").goal == goal
    assert run.report.Ratio("another_figure", "measured", 1.0, "<= 100").goal == "<= 100"


@pytest.mark.thorough
@pytest.mark.parametrize("script", FEWEST)
def test_a_benchmark_measures_its_figures(run: ModuleType, script: str, tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    command = [sys.executable, str(BENCHMARKS / script), *FEWEST[script], "--json", str(figures)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **OFFSCREEN})
    assert done.returncode == 0, done.stderr[-2000:]
    measured = json.loads(figures.read_text(encoding="utf-8"))["figures"]
    wanted = [each for each in run.GOALS if each.script == script]
    assert {each.key for each in wanted if not each.library or find_spec(each.library)} <= measured.keys()
    assert all(math.isfinite(value) for value in measured.values())


OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen"}
