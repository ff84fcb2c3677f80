"""The largest pictures fit into the memory of a small machine."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_BYTES = 1_500_000_000

EXPORT = """
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], check=False)
print(json.dumps([done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024]))
"""


@pytest.mark.thorough
@pytest.mark.parametrize("format", ["png", "svg", "pdf"])
def test_the_largest_picture_of_cells_takes_a_bounded_memory(tmp_path: Path, format: str) -> None:
    """A heatmap of more positions and columns than pixels, which no other panel exceeds."""
    options = ["--panel", "heatmap", "--seq-len", "16384", "--d-model", "16384", "--size", "6600x6600", "--scale", "1"]
    export = [sys.executable, str(ROOT / "main.py"), "export", *options, "--format", format, "--out", str(tmp_path)]
    done = subprocess.run([sys.executable, "-c", EXPORT, *export], check=True, capture_output=True, text=True)
    status, most = json.loads(done.stdout.splitlines()[-1])
    assert (status, done.stderr) == (0, "")
    assert most <= MOST_BYTES
    assert (tmp_path / f"heatmap.{format}").stat().st_size > 1_000_000
