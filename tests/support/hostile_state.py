"""Damage in the folder of unsaved work by a crash, a bad disk or an attacker."""

import json
import os
import socket
import tempfile
from pathlib import Path
from typing import Any

from posenc_core import Document

WORK = Document("unsaved words")


def session(**changes: Any) -> bytes:
    return json.dumps({**WORK.to_dict(), **changes}).encode()


def with_length(number: str) -> bytes:
    """A session whose length is this number, written out."""
    return session(seq_len="here").replace(b'"here"', number.encode())


YARN = {"family": "rotary", "scaling": "yarn", "factor": 4.0, "original_max_position_embeddings": 64}

REFUSED: dict[str, bytes] = {
    "401 digits": with_length("9" * 401),
    "minus 401 digits": with_length("-" + "9" * 401),
    "5000 digits": with_length("9" * 5000),
    "1e400": with_length("1e400"),
    "NaN": with_length("NaN"),
    "Infinity": with_length("Infinity"),
    "true": with_length("true"),
    "a factor beyond all": session(encoding={**YARN, "mscale_all_dim": 1e308}),
    "half a character": session(sentence="\ud800"),
    "nothing": b"",
    "zeros": bytes(1000),
    "a list": b"[]",
    "depth": b'{"a":' * 100_000,
    "lists": b'{"a": [' + b"[]," * 300_000 + b"[]]}",
    "about a number": session(recovery=5),
    "about without a text": session(recovery={"file": 7}),
    "about half a character": session(recovery={"\ud800": 1, "file": []}),
    "many tables": session(recovery={"tables": [["/dev/zero", ""]] * 1000}),
    "a device as table": session(recovery={"tables": [["/dev/zero", ""]]}),
    "a folder as table": session(recovery={"tables": [["/", "\0"]]}),
}
"""Documents that cannot be restored."""

ACCEPTED: dict[str, bytes] = {
    "a file without a name": session(recovery={"file": "\0"}),
    "a name that is half a character": session(recovery={"file": "/\ud800/x"}),
    "a name as long as a book": session(recovery={"file": "x" * 1_000_000}),
    "a folder as file": session(recovery={"file": "/"}),
    "a device as file": session(recovery={"file": "/dev/zero"}),
    "fields unknown": session(recovery={"other": 1}, later=10**300),
}
"""Documents that can be restored, whatever they say of their file."""


def fill(folder: Path) -> None:
    """Everything above, and what is no file at all, under names of dead processes."""
    folder.mkdir(parents=True)
    for number, content in enumerate((*REFUSED.values(), *ACCEPTED.values())):
        (folder / f"{1000 + number}-a.posenc").write_bytes(content)
    os.mkfifo(folder / "1-pipe.posenc")
    os.mkfifo(folder / "2-pipe.lock")
    os.mkfifo(folder / "3-pipe.lock.rmlock")
    os.mkfifo(folder / ".posenc")
    (folder / "4-folder.posenc").mkdir()
    (folder / "5-folder.lock").mkdir()
    (folder / "6-folder.files").mkdir()
    (folder / "7-device.posenc").symlink_to("/dev/zero")
    (folder / "8-link.posenc").symlink_to("8-link.posenc")
    (folder / "9-link.posenc").symlink_to("nowhere")
    (folder / "10-link.lock").symlink_to("/etc/passwd")
    (folder / "unreadable-1000-a.posenc").mkdir()
    (folder / "\u0663-digit.posenc").write_bytes(b"{}")
    (folder / ("1" * 250)).write_bytes(b"")
    (folder / os.fsdecode(b"11-\xff.posenc")).write_bytes(session())
    for name, seconds in (("12-late", 2**40), ("13-early", -5)):
        (folder / f"{name}.posenc").write_bytes(session())
        os.utime(folder / f"{name}.posenc", (seconds, seconds))
    for number in (2, 3, 5, 6, 10):
        for path in list(folder.glob(f"{number}-*")):
            (folder / f"{path.name.partition('.')[0]}.posenc").write_bytes(session())
    with (folder / "14-huge.posenc").open("wb") as stream:
        stream.truncate(2**40)  # sparse
    with tempfile.TemporaryDirectory() as short, socket.socket(socket.AF_UNIX) as made:
        made.bind(f"{short}/socket")  # whose name must be short
        Path(short, "socket").rename(folder / "15-socket.posenc")


def fill_with_many(folder: Path, count: int) -> None:
    """Write ``count`` documents and as many locks of dead processes."""
    folder.mkdir(parents=True, exist_ok=True)
    content = session()
    for number in range(count):
        (folder / f"{100_000 + number}-many.posenc").write_bytes(content)
        (folder / f"{200_000 + number}-many.lock").write_bytes(b"")
