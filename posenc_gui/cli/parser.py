"""The parser of the export command's arguments."""

import argparse
import difflib

from posenc_core.fields import shortened
from posenc_gui.cli.field_flags import add_field_flags
from posenc_gui.cli.options import add_options
from posenc_gui.cli.terminal import command
from posenc_gui.files.presets import preset_names

_DESCRIPTION = """\
Writes pictures and numbers of a sentence's positional encoding to files: <panel>.<format> for each picture,
vectors.<format> for the numbers. Prints the path of each file after it is written. Warnings about surprising parameters
and the sizes of files above 1 GB go to standard error.

Exit status: 0 if all files are written, 2 after a sentence on what is wrong, 3 for a warning with --strict, and 129,
130 or 143 after SIGHUP, Ctrl+C or SIGTERM, which leave no file half-written."""


class ExportParser:
    """The options of the export command, which argparse describes.

    It does not parse them: each flag has one value or none, and a value may look like a flag (``--offset -1e3``,
    ``--sentence=--``).
    """

    def __init__(self) -> None:
        program = f"{command()} export"
        self._described = argparse.ArgumentParser(
            prog=program,
            usage=f"{program} [option ...]",
            description=_DESCRIPTION,
            epilog=f"""\
example:
  {program} --sentence "Dan loves icecream" --d-model 8 --format png --format csv --out pictures""",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            add_help=False,
        )
        self._described.add_argument(
            "-h", "--help", action="store_const", const=True, default=False, help="show this text and exit"
        )
        add_options(self._described, preset_names())
        add_field_flags(self._described)
        self.format_help = self._described.format_help
        self.actions: dict[str, argparse.Action] = self._described._option_string_actions

    def parsed(self, argv: list[str]) -> argparse.Namespace:
        """The values by name; ValueError with one sentence for an unknown word or a flag without its value."""
        # The first default counts where two flags set one value.
        values = argparse.Namespace(**{each.dest: each.default for each in reversed(self.actions.values())})
        unknown, words = [], iter(argv)
        for word in words:
            name, equals, value = word.partition("=")
            action = self.actions.get(name)
            if action is None:
                unknown.append(name)
                continue
            if action.nargs == 0 and equals:
                raise ValueError(f"{name} takes no value, got {shortened(value)}")
            if action.nargs != 0 and not equals:
                value = next(words, "--")
                if value.startswith("--") and value.partition("=")[0] in {"--", *self.actions}:
                    raise ValueError(f"{name} needs a value; --help lists the options")
            action(self._described, values, [] if action.nargs == 0 else value, name)
        if unknown and not values.help:
            raise ValueError(self._sentence_on(unknown[0]))
        return values

    def _sentence_on(self, word: str) -> str:
        short = word if len(word) <= 40 else f"{word[:37]}..."
        if not word.startswith("-"):
            return f"{short!r} belongs to no option; put a value that contains spaces in quotes"
        near = difflib.get_close_matches(word.replace("_", "-"), self.actions, 1, 0.7) if word.strip("-") else []
        remedy = f"did you mean {near[0]}?" if near else "--help lists the options"
        return f"there is no option {short}; {remedy}"
