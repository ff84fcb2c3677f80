"""All figures that the program promises, measured on this machine in one go.

python tests/benchmarks/run.py [--json FILE]

Each benchmark runs in a process of its own, one after the other, which takes some six minutes on an idle machine.
torch and matplotlib are compared with where they are installed. The JSON has one number for each key, null where
it could not be measured. The exit status is 1 if a goal is not reached or a benchmark fails.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import report

_HERE = Path(__file__).parent
_PATIENCE_SECONDS = 1200


@dataclass(frozen=True)
class Goal:
    """A figure to measure: key, benchmark script, description, and the library that the script needs."""

    key: str
    script: str
    what: str
    library: str = ""

    @property
    def goal(self) -> str:
        """The goal, such as ``<= 4``; empty without one."""
        return report.GOALS.get(self.key, "")


GOALS = (
    Goal("encode_over_copy", "encode.py", "table of 4096 x 1024 over copying such an array"),
    Goal("encode_vs_torch", "encode.py", "torch's usual formulation over ours", "torch"),
    Goal("encode_max_error", "encode.py", "largest error up to position 10^7"),
    Goal("tile_1m_ms_over_small", "tile.py", "tile of 1,048,576 x 8,192 over one of 640 x 640"),
    Goal("frame_over_idle", "frame.py", "an edit, painted, over repainting, 512 x 512"),
    Goal("frame_over_idle_p95", "frame.py", "the same, 95th percentile of the edits"),
    Goal("frame_growth", "frame.py", "an edit at 1,048,576 x 8,192 over one at 64 x 64"),
    Goal("frame_120_tokens_over_3", "frame.py", "an edit with 120 tokens in view over one with 3"),
    Goal("repaint_512_tokens_over_3", "frame.py", "repainting with 512 tokens in view over 3"),
    Goal("frame_vs_matplotlib", "frame.py", "matplotlib's set_data over an edit", "matplotlib"),
    Goal("frame_vs_pyqtgraph", "frame.py", "pyqtgraph's own items over an edit"),
    Goal("zoom_sweep_p95_over_idle", "frame.py", "a zoom's step, 95th percentile, over a repaint"),
    Goal("similarity_1m_over_small", "similarity.py", "similarity of 1,048,576 positions over 640"),
    Goal("identify_4096_ms_over_read", "identify.py", "telling what 4096 x 4096 numbers are over reading them"),
    Goal("identify_4096_s", "identify.py", "seconds to tell what 4096 x 4096 numbers are"),
    Goal("unseen_1m_over_small", "unseen.py", "unseen angles up to 10^7 over 4,096"),
    Goal("formula_frame_over_sinusoidal", "formula.py", "an edit with the paper's formula typed over built in"),
    Goal("rss_growth_mb", "memory.py", "MB after work at the large size minus the small"),
    Goal("chapter_type_ms_over_idle", "chapter.py", "a key into 30,000 words or 200,000 characters over a repaint"),
    Goal("workspace_switch_over_idle", "workspaces.py", "choosing a workspace over repainting it"),
    Goal("relations_frame_over_idle", "workspaces.py", "an edit in relations over repainting it"),
    Goal("rotation_frame_over_idle", "workspaces.py", "an edit in rotation over repainting it"),
    Goal("longcontext_frame_over_idle", "workspaces.py", "an edit in long context over repainting it"),
    Goal("startup_over_bare", "startup.py", "start to painted window over the bare script"),
)


def figures_of(script: str) -> tuple[dict[str, float], str]:
    """Measured figures by key, and the reason if nothing was measured, else an empty text."""
    print(f"measuring: {script}", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "figures.json")
        command = [sys.executable, str(_HERE / script), "--json", str(path)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            return {}, f"{script} had not ended after {_PATIENCE_SECONDS // 60} minutes"
        if done.returncode != 0 or not path.exists():
            last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            return {}, f"{script} ended with status {done.returncode}: {last}"
        return json.loads(path.read_text(encoding="utf-8"))["figures"], ""


def why_missing(goal: Goal, problem: str) -> str:
    """Why there is no figure."""
    if goal.library and find_spec(goal.library) is None:
        return f"not measured: {goal.library} is not installed"
    return f"not measured: {problem or 'the benchmark left it out'}"


def main() -> int:
    """Measure, print the table, and write the JSON if a file is given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    measured = {script: figures_of(script) for script in dict.fromkeys(goal.script for goal in GOALS)}
    print(report.machine())
    found: dict[str, float | None] = {}
    is_reached = True
    for goal in GOALS:
        figures, problem = measured[goal.script]
        value = figures.get(goal.key, math.nan)
        found[goal.key] = None if math.isnan(value) else value
        if math.isnan(value):
            is_reached &= bool(goal.library) and not problem
            print(f"{goal.key:<26}{'':>9}  {goal.what:<50} {goal.goal:<8} {why_missing(goal, problem)}")
            continue
        ratio = report.Ratio(goal.key, goal.what, value)
        is_reached &= ratio.reached
        verdict = "reached" if ratio.reached else "NOT REACHED"
        print(f"{goal.key:<26}{report.short(value):>9}  {goal.what:<50} {goal.goal:<8} {verdict}")
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0 if is_reached else 1


if __name__ == "__main__":
    sys.exit(main())
