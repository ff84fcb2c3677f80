"""The parser of the export command's arguments."""

import argparse
import difflib
from typing import NoReturn

from typing_extensions import override

from posenc_gui.cli.field_flags import add_field_flags
from posenc_gui.cli.options import add_options
from posenc_gui.files.presets import preset_names

_DESCRIPTION = """\
Writes pictures and numbers of a sentence's positional encoding to files: <panel>.<format> for each picture,
vectors.<format> for the numbers. Prints the path of each file after it is written; announces a file above 1 GB."""
_EXAMPLE = """\
example:
  python main.py export --sentence "Dan loves icecream" --d-model 8 --format png --format csv --out pictures"""


class ExportParser(argparse.ArgumentParser):
    """A parser that raises ValueError with one sentence, and accepts values like flags (``--offset -1e3``)."""

    def __init__(self) -> None:
        super().__init__(
            prog="python main.py export",
            usage="python main.py export [option ...]",
            description=_DESCRIPTION,
            epilog=_EXAMPLE,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            add_help=False,
            allow_abbrev=False,
        )
        self.add_argument("-h", "--help", action="store_true", help="show this text and exit")
        add_options(self, preset_names())
        add_field_flags(self)

    @override
    def error(self, message: str) -> NoReturn:
        raise ValueError(message)

    def joined(self, argv: list[str]) -> list[str]:
        """The arguments with each flag and its value as one word, so that a value may begin with a minus sign.

        ValueError with one sentence for a flag without a value.
        """
        joined = []
        words = iter(argv)
        for word in words:
            action = self._option_string_actions.get(word)
            if action is None or action.nargs == 0:
                joined.append(word)
                continue
            value = next(words, "--")
            if value.startswith("--") and value.partition("=")[0] in {"--", *self._option_string_actions}:
                raise ValueError(f"{word} needs a value; --help lists the options")
            joined.append(f"{word}={value}")
        return joined

    def parsed(self, words: list[str]) -> argparse.Namespace:
        """The values by name; ValueError with one sentence for an unknown word."""
        arguments, unknown = self.parse_known_args(words)
        if unknown:
            raise ValueError(self._unknown_word(unknown[0].partition("=")[0]))
        return arguments

    def _unknown_word(self, word: str) -> str:
        short = word if len(word) <= 40 else f"{word[:37]}..."
        if not word.startswith("-"):
            return f"{short!r} belongs to no option; put a value that contains spaces in quotes"
        near = difflib.get_close_matches(word.replace("_", "-"), self._option_string_actions, 1, 0.7)
        remedy = f"did you mean {near[0]}?" if near else "--help lists the options"
        return f"there is no option {short}; {remedy}"
