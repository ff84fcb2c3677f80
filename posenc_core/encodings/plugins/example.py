"""An example of an encoding: a working, commented file, ``example.txt``."""

from pathlib import Path

EXAMPLE = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")


def write_example(path: Path) -> None:
    """Write the example to a new file; FileExistsError for one that exists, OSError if it cannot be written."""
    with path.open("x", encoding="utf-8") as stream:
        stream.write(EXAMPLE)
