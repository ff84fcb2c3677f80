"""From the start of the process to the first painted window, over a bare script with the same libraries.

python tests/benchmarks/startup.py [--pairs 20] [--json FILE]

Both are processes of their own on Qt's offscreen platform, begun in turns; the ratio is taken within each pair, and
the median of the pairs counts. The time ends when the process prints that its window is painted, and leaves out
how it ends. The first pair compiles all modules, as installing the program does, and is not counted.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import report

_HERE = Path(__file__).parent


def seconds_to_paint(script: str, compiled: str) -> float:
    """Seconds from starting the script to its line; RuntimeError if there is none.

    Compiled modules are kept in the folder ``compiled``, whatever the environment says of them.
    """
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPYCACHEPREFIX": compiled}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    started = perf_counter()
    with subprocess.Popen([sys.executable, str(_HERE / script)], env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        taken = perf_counter() - started
    if line.strip() != b"painted" or process.returncode != 0:
        raise RuntimeError(f"{script} ended with status {process.returncode} and {line!r}")
    return taken


def measure(pairs: int) -> tuple[list[float], list[float]]:
    """Milliseconds of the program and of the bare script, in pairs."""
    ours, bare = [], []
    with tempfile.TemporaryDirectory() as compiled:
        for turn in range(pairs + 1):
            one = seconds_to_paint("startup_window.py", compiled)
            other = seconds_to_paint("bare_window.py", compiled)
            if turn:
                ours.append(1000 * one)
                bare.append(1000 * other)
    return ours, bare


def main() -> None:
    """Measure and print."""
    parser = report.arguments(__doc__)
    parser.add_argument("--pairs", type=int, default=20, metavar="N", help="pairs of starts (default 20)")
    options = parser.parse_args()
    ours, bare = measure(max(options.pairs, 2))
    each = [one / other for one, other in zip(ours, bare, strict=True)]
    ratios = [
        report.Ratio("startup_over_bare", "our start over the bare script's", statistics.median(each)),
        report.Ratio("startup_over_bare_p90", "the same, 90th percentile of the pairs", report.percentile(each, 90)),
    ]
    milliseconds = {
        "start to first painted window": statistics.median(ours),
        "bare script": statistics.median(bare),
    }
    report.show("From start to first painted window", ratios, milliseconds, options.json)


if __name__ == "__main__":
    main()
