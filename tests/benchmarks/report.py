"""Shared code of the benchmarks: medians, and ratios as a printed table and as JSON."""

import argparse
import json
import math
import os
import platform
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # every benchmark imports this file before its application

_LIBRARIES = ("numpy", "PySide6-Essentials", "pyqtgraph", "torch")

GOALS = {
    "encode_over_copy": "<= 3",
    "encode_vs_torch": ">= 4",
    "encode_max_error": "<= 2e-7",
    "tile_1m_ms_over_small": "<= 5",
    "frame_over_idle": "<= 2",
    "frame_over_idle_p95": "<= 2.5",
    "frame_growth": "<= 1.1",
    "frame_120_tokens_over_3": "<= 1.4",
    "repaint_512_tokens_over_3": "<= 2",
    "frame_vs_matplotlib": ">= 10",
    "frame_vs_pyqtgraph": ">= 3",
    "zoom_sweep_p95_over_idle": "<= 3",
    "similarity_1m_over_small": "<= 3",
    "identify_4096_s": "<= 2",
    "unseen_1m_over_small": "<= 1.5",
    "formula_frame_over_sinusoidal": "<= 1.5",
    "rss_growth_mb": "<= 40",
    "chapter_type_ms_over_idle": "<= 3",
    "workspace_switch_over_idle": "<= 3",
    "relations_frame_over_idle": "<= 2.2",
    "rotation_frame_over_idle": "<= 2.2",
    "longcontext_frame_over_idle": "<= 2.2",
    "startup_over_bare": "<= 1.3",
}
"""The project's goals by key, which every benchmark prints and README.md lists."""


@dataclass(frozen=True)
class Ratio:
    """A measured ratio: key in the JSON, description, value, and goal (such as ``<= 4``; empty without a goal).

    The goal of a key among ``GOALS`` is always the project's.
    """

    key: str
    what: str
    value: float
    goal: str = ""

    def __post_init__(self) -> None:
        """Adopt the project's goal."""
        object.__setattr__(self, "goal", GOALS.get(self.key, self.goal))

    @property
    def reached(self) -> bool:
        """Whether the goal is met; a figure without one meets it."""
        if not self.goal:
            return True
        sign, bound = self.goal.split()
        return self.value <= float(bound) if sign == "<=" else self.value >= float(bound)


def percentile(values: Sequence[float], part: int) -> float:
    """The value below which ``part`` percent of the values lie."""
    return statistics.quantiles(values, n=100, method="inclusive")[part - 1]


def ratio_of_medians(one: Sequence[float], other: Sequence[float]) -> float:
    """The median of one over the median of the other."""
    return statistics.median(one) / statistics.median(other)


def medians(tasks: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The median time of each in milliseconds, taken in turns."""
    taken: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds + 1):
        for name, task in tasks.items():
            started = perf_counter()
            task()
            taken[name].append(1000 * (perf_counter() - started))
    return {name: statistics.median(times[1:]) for name, times in taken.items()}


def arguments(description: str | None) -> argparse.ArgumentParser:
    """Parser of the arguments of every benchmark."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    return parser


def show(title: str, ratios: Sequence[Ratio], milliseconds: dict[str, float], path: Path | None) -> None:
    """Print the ratios with their goals and the milliseconds behind them; write both as JSON if a path is given."""
    print(f"{title}\n{machine()}\n")
    key, what = (max(len(getattr(ratio, name)) for ratio in ratios) for name in ("key", "what"))
    for ratio in ratios:
        verdict = "" if not ratio.goal else f"{ratio.goal:<8}{'reached' if ratio.reached else 'NOT REACHED'}"
        print(f"{ratio.key:<{key}}  {short(ratio.value):>8}  {ratio.what:<{what}}  {verdict}".rstrip())
    if milliseconds:
        print("\nmilliseconds, on this machine alone:")
    for name, value in milliseconds.items():
        print(f"  {name:<42}{value:9.2f}")
    if path is not None:
        figures = {ratio.key: float(f"{ratio.value:.5g}") for ratio in ratios if not math.isnan(ratio.value)}
        record = {"machine": machine(), "figures": figures, "milliseconds": milliseconds}
        path.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def short(value: float) -> str:
    """Two decimals, or two digits of a figure too small for them."""
    return f"{value:.2f}" if value >= 0.01 else f"{value:.1e}"


def machine() -> str:
    """Description of the machine: processors, Python and libraries."""
    libraries = ", ".join(found for name in _LIBRARIES if (found := _version(name)))
    return f"{os.cpu_count()} cores {platform.machine()}, Python {platform.python_version()}, {libraries}"


def _version(library: str) -> str:
    """Name and version, empty where it is not installed."""
    try:
        return f"{library} {version(library)}"
    except PackageNotFoundError:
        return ""
