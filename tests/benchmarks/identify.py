"""Checking numbers: telling what 4096 x 4096 numbers are, against reading such a file from memory.

python tests/benchmarks/identify.py [--rounds 5] [--json FILE]

The file is a .npy of float32, 64 MB, which was read before; reading it sums all numbers up. The numbers are sinusoids,
right in one file and with a wrong number in the other. All of them are compared.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np
import report

from posenc_core import Sinusoidal, encode, identify

SIZE = 4096


def main() -> None:
    """Measure and print."""
    parser = report.arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="times that each is measured (default 5)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        right, wrong = Path(folder, "right.npy"), Path(folder, "wrong.npy")
        table = encode(Sinusoidal(SIZE), range(SIZE))
        np.save(right, table)
        table[SIZE // 3, 7] += 1
        np.save(wrong, table)
        tasks = {
            "reading the file": lambda: np.load(right).sum(),
            "identify, right": lambda: identify(right),
            "identify, a wrong number": lambda: identify(wrong),
        }
        milliseconds = report.medians(tasks, options.rounds)
    read, *both = milliseconds.values()
    slowest = max(both)
    ratios = [
        report.Ratio("identify_4096_ms_over_read", "identify over reading the file", slowest / read),
        report.Ratio("identify_4096_s", "seconds of the slower one", slowest / 1000),
    ]
    report.show("Checking numbers", ratios, milliseconds, options.json)


if __name__ == "__main__":
    main()
