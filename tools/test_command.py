#!/usr/bin/env python3
"""Runs the README's own test command for the system that this runs on, in the present folder."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def command(readme: str, language: str) -> str:
    """The first block of that language after the README's mark, which is one line."""
    marked = readme.partition("<!-- test command -->")[2]
    (line,) = re.findall(rf"```{language}\n(.*?)\n```", marked, re.DOTALL)[:1]
    if "\n" in line:
        sys.exit(f"The test command in README.md is more than one line: {line}")
    return line


def main() -> int:
    """The exit status of the command."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    if sys.platform == "win32":
        line = command(readme, "powershell").replace("py ", f"& '{sys.executable}' ", 1)  # py takes the newest Python
        words = ["powershell", "-NoProfile", "-Command", f"{line}; exit $LASTEXITCODE"]
    else:
        words = ["bash", "-c", command(readme, "sh")]
    print(words[-1], flush=True)  # noqa: T201
    return subprocess.run(words, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
