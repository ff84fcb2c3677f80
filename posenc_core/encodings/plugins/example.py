"""An example of an encoding: a working, commented file, ``example.txt``."""

from pathlib import Path

EXAMPLE = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")


def write_example(path: Path) -> None:
    """Write the example to a new file; FileExistsError for one that exists, OSError if it cannot be written."""
    stream = path.open("x", encoding="utf-8")
    try:
        with stream:
            stream.write(EXAMPLE)
    except OSError:  # a full disk: the empty file would be refused as an existing one
        path.unlink(missing_ok=True)
        raise
