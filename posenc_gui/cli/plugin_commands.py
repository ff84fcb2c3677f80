"""``posenc new-encoding``: a commented example of an encoding, in a new file; no Qt."""

from argparse import Namespace
from pathlib import Path

from posenc_core.encodings import write_example
from posenc_core.fields import one_line
from posenc_gui.cli.parser import given_paths
from posenc_gui.cli.terminal import command
from posenc_gui.files import sentence, shown


def example_written(arguments: Namespace) -> tuple[str, int]:
    """The path of the new file, and the exit status of ``posenc new-encoding``."""
    (path,) = given_paths(arguments)
    if path.suffix != ".py":
        raise ValueError(f"the file's name must end in .py, got {shown(path.name)}")
    _write(path)
    written = one_line(str(path))
    return f"{written}\nShow it: {command()} --plugin {written}", 0


def _write(path: Path) -> None:
    try:
        write_example(path)
    except FileExistsError:
        raise ValueError(f"cannot write {shown(path)}: it exists; give the name of a new file") from None
    except (OSError, ValueError) as error:
        raise ValueError(sentence("write", path, error)) from None
