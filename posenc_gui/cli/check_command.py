"""``posenc check``: whether numbers of one's own code are right, in a terminal, without Qt."""

import json
from collections.abc import Sequence

from posenc_core import identify
from posenc_core.fields import one_line
from posenc_core.identify import parsed_positions
from posenc_gui.cli.parser import CommandParser, add_plugin_flag, given_paths, parsed
from posenc_gui.cli.plugin_commands import open_plugins
from posenc_gui.cli.terminal import complain, print_or_complain

RIGHT, WRONG, REFUSED = 0, 1, 2


def check_numbers(argv: Sequence[str]) -> int:
    """The exit status of ``posenc check``; ``argv`` are the arguments after that word."""
    try:
        open_plugins(argv)
        arguments = parsed("check", argv, _add_flags)
        if arguments.help:
            return print_or_complain(arguments.help, "the help")
        rows = None if arguments.positions is None else parsed_positions(arguments.positions, "--positions")
        (path,) = given_paths(arguments)
        finding = identify(path, against=arguments.against, positions=rows)
    except (TypeError, ValueError) as error:
        complain(one_line(str(error)))
        return REFUSED
    plain = json.dumps(finding.plain(), indent=2) if arguments.json else "\n".join(map(one_line, finding.sentences))
    return print_or_complain(f"{plain}\n", "the finding") or (RIGHT if finding.is_right else WRONG)


def _add_flags(parser: CommandParser) -> None:
    add = parser.add_argument
    meant = "the reference: a config.json, a model, a preset, a session, or a family with its defaults"
    add("--against", metavar="CONFIG|PRESET", help=meant)
    add_plugin_flag(parser)
    add("--positions", metavar="FIRST:STOP", help="the positions of the rows, also FIRST:STOP:STEP or a list 0,1,5")
    add("--json", action="store_const", const=True, default=False, help="print JSON, with all numbers")
