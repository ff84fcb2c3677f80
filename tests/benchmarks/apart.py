"""Tasks measured each in a process of its own, as a script is that makes one table.

In one process they would lend each other their memory: whose arrays the allocator can hand out again, and whose it
has to ask the system for page by page, would depend on what ran before, and change some times threefold.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

_ONLY = "POSENC_BENCHMARK_ONLY"
"""The environment variable that names the one task that a process is to measure."""

_CALLS = 30


def only() -> str:
    """The task that this process is to measure; empty in the one that was started by hand."""
    return os.environ.get(_ONLY, "")


def measure(task: Callable[[], object]) -> None:
    """Print the median time of the task's calls in milliseconds, without the first three calls."""
    taken = []
    for _ in range(_CALLS + 3):
        started = perf_counter()
        task()
        taken.append(1000 * (perf_counter() - started))
    print(statistics.median(taken[3:]))


def medians(script: str, names: Sequence[str], rounds: int) -> dict[str, float]:
    """The milliseconds of each task: the median of the processes, which are started in turns."""
    taken: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(rounds):
        print(f"{Path(script).name}: round {turn + 1} of {rounds}", file=sys.stderr, flush=True)
        for name in names:
            done = subprocess.run(
                [sys.executable, script], env={**os.environ, _ONLY: name}, capture_output=True, text=True, check=False
            )
            if done.returncode:
                raise RuntimeError(f"{script}, {name}: {done.stderr.strip()}")
            taken[name].append(float(done.stdout))
    return {name: statistics.median(times) for name, times in taken.items()}
