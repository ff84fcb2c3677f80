"""Exported numbers as others read them."""

import csv
from pathlib import Path


def read_csv(path: Path) -> list[list[str]]:
    """The cells of each row, as text."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))


def tokens_read(path: Path) -> list[str]:
    """The tokens of a CSV file, read as its header says."""
    header, *rows = read_csv(path)
    if header[0] == "token":
        return [row[0] for row in rows]
    assert header[0] == "token (remove one leading ' where there is one)"
    return [row[0].removeprefix("'") for row in rows]
