"""Distributions built from this checkout, and fresh environments in which they are installed."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CORE = ROOT / "tools" / "posenc-core"


def run(*command: object, **variables: str) -> str:
    """Standard output of a program; a failure of the program fails the test with its messages."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(each) for each in command],
        env={**kept, "QT_QPA_PLATFORM": "offscreen", **variables},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build_wheels(folder: Path, *more: Path) -> None:
    """Write the wheels of both distributions, and of further folders, into the folder."""
    for source in (ROOT, CORE, *more):
        run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, source)


def environment(folder: Path, wheels: Path, *names: str) -> Path:
    """The programs of a fresh environment in which distributions of these names are installed."""
    run(sys.executable, "-m", "venv", folder)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    run(programs / "python", "-m", "pip", "install", "--quiet", "--find-links", wheels, *names)
    return programs


def checkout(*arguments: object) -> str:
    """Standard output of this checkout's program."""
    return run(sys.executable, ROOT / "main.py", *arguments)
