"""The window has the same layout on every machine: its texts need no font but the shipped ones."""

import ast
import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import pytest
from fontTools.ttLib import TTFont
from PySide6.QtGui import QRawFont

from posenc_core import Document
from posenc_gui.docks.headline import Headline
from posenc_gui.look.resources import resource
from posenc_gui.model.cursor import PositionAxis

ROOT = Path(__file__).parents[3]
FONTS = ("Inter-Regular.otf", "Inter-SemiBold.otf")

OF_OTHERS = {
    "posenc_core/text/tokens.py": "signs for control characters in a person's sentence",
    "posenc_core/text/tokenizer_shape.py": "tokens of models",
    "posenc_gui/export/numbers.py": "what spreadsheets run as a formula",
    "posenc_gui/export/svg.py": "what XML forbids",
    "posenc_gui/look/typeset.py": "formulas, in the typesetter's font",
    "posenc_gui/plotting/lettering.py": "the end of a range of characters",
}
"""Files that name characters which the program does not write by itself, and what they are."""


def strings() -> Iterator[tuple[str, str]]:
    """The name of each file with texts of the program, and each text."""
    for path in [*(ROOT / "posenc_core").rglob("*.py"), *(ROOT / "posenc_gui").rglob("*.py")]:
        name = path.relative_to(ROOT).as_posix()
        if name not in OF_OTHERS:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield name, node.value
    for path in (ROOT / "resources").rglob("*.json"):
        yield path.name, json.dumps(json.loads(path.read_text(encoding="utf-8")), ensure_ascii=False)


def is_seen(character: str) -> bool:
    return unicodedata.category(character)[0] not in "CZ"


def test_every_character_of_a_shipped_text_is_in_the_shipped_fonts(qapp) -> None:
    fonts = [QRawFont(str(resource("fonts", name)), 12) for name in FONTS]
    lacking = {
        (name, character)
        for name, text in strings()
        for character in set(text)
        if is_seen(character) and not all(font.supportsCharacter(ord(character)) for font in fonts)
    }
    assert lacking == set()


@pytest.fixture
def other_fonts(tmp_path: Path) -> Path:
    """A configuration with a font for many characters, whose lines are twice as high as usual."""
    font = TTFont(Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf"))
    font["hhea"].ascent *= 2
    font["OS/2"].usWinAscent *= 2
    font["OS/2"].sTypoAscender *= 2
    font.save(tmp_path / "high.ttf")
    config = tmp_path / "fonts.conf"
    config.write_text(
        f"<fontconfig><dir>{tmp_path}</dir><cachedir>{tmp_path}</cachedir></fontconfig>", encoding="utf-8"
    )
    return config


def height_of_headlines() -> list[int]:
    """The heights of a headline of one line, and of one of two."""
    heights = []
    for word in ("Dan", "a" * 40):
        headline = Headline()
        headline.resize(200, 100)
        headline.show_place(Document(word), PositionAxis.of(Document(word)), 0, "column 2")
        heights.append(headline.heightForWidth(200))
    return heights


def test_a_headline_is_as_high_whatever_fonts_the_machine_has(qapp, other_fonts: Path) -> None:
    """Its marks of direction are in no font of the program, and Qt takes them from any font of the machine."""
    program = (
        "from posenc_gui.look.qt import make_application; application = make_application([])\n"
        "from test_shipped_font import height_of_headlines; print(height_of_headlines())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={
            **os.environ,
            "FONTCONFIG_FILE": str(other_fonts),
            "PYTHONPATH": f"{ROOT}{os.pathsep}{Path(__file__).parent}",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    one, two = json.loads(done.stdout)
    assert [one, two] == height_of_headlines()
    assert two == 2 * one
