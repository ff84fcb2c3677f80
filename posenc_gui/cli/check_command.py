"""``posenc check``: whether numbers of one's own code are right, in a terminal, without Qt."""

import json
from argparse import Namespace
from pathlib import Path

from posenc_core import identify
from posenc_core.fields import one_line
from posenc_core.identify import parsed_positions
from posenc_gui.cli.parser import given_paths
from posenc_gui.files import is_session, open_session

RIGHT, WRONG = 0, 1


def checked(arguments: Namespace) -> tuple[str, int]:
    """The finding on a file of numbers, and the exit status of ``posenc check``."""
    rows = None if arguments.positions is None else parsed_positions(arguments.positions, "--positions")
    (path,), against = given_paths(arguments), arguments.against
    if against is not None and is_session(Path(against)):
        against = open_session(Path(against))
    finding = identify(path, against=against, positions=rows)
    text = json.dumps(finding.plain(), indent=2) if arguments.json else "\n".join(map(one_line, finding.sentences))
    return text, RIGHT if finding.is_right else WRONG
