"""The export command with --layout: one figure of several panels, or one sentence and no file."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from PySide6.QtGui import QImage

Start = Callable[..., CompletedProcess[str]]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--panel waves,waves --layout 1x2", "a figure shows each panel once, got waves 2 times"),
        ("--panel waves,heatmap,tokens --layout 1x2", "a figure of 1x2 has 2 places, too few for 3 panels"),
        ("--panel waves,heatmap --layout 3x1", "a figure of 3x1 has a row without a panel: there are 2 panels"),
        ("--panel waves --layout 1x1", "a figure of 1x1 needs at least two panels, got 1"),
        ("--panel waves,wave --layout 1x2", "--panel must be waves, "),
        ("--panel waves, --layout 1x2", "--panel must be waves, "),
        ("--panel waves,heatmap --layout 2", "--layout must be rows x columns like 1x2, each from 1 to 6, got '2'"),
        ("--panel waves,heatmap --layout 0x2", "--layout must be rows x columns like 1x2, each from 1 to 6, got '0x2'"),
        ("--layout 1x2", "--layout 1x2 needs the panels by name, such as --panel waves,heatmap"),
        ("--panel all --layout 1x2", "--layout 1x2 needs the panels by name, such as --panel waves,heatmap"),
        ("--panel waves,heatmap --layout 1x2 --page column", "2 columns of panels need a picture 100 mm wide, got 85"),
        ("--panel waves,heatmap --layout 2x1 --page 80x40mm", "2 rows of panels need a picture 50 mm high, got 40 mm"),
        (
            "--panel waves,heatmap --layout 1x2 --format csv",
            "--layout makes one figure as png, svg, pdf, py; leave out",
        ),
        ("--panel waves,heatmap --layout 1x2 --size 400x300", "--size is that of one panel; give --page, the size of"),
        ("--panel waves,lens --layout 1x2 --family none", ""),
    ],
)
def test_bad_input_is_one_sentence_and_no_file(command: Start, tmp_path: Path, words: str, sentence: str) -> None:
    process = command("export", *words.split(), "--out", "pictures")
    assert process.returncode == 2
    assert process.stdout == ""
    (line,) = process.stderr.splitlines()
    assert sentence in line
    assert not list(tmp_path.rglob("figure.*"))


def test_the_command_writes_one_figure_in_each_format_and_its_caption(command: Start, tmp_path: Path) -> None:
    words = "--panel waves,heatmap --layout 1x2 --page 178mm --format png --format svg --format pdf --caption-file"
    process = command("export", *words.split(), "--out", "pictures")
    assert (process.returncode, process.stderr) == (0, "")
    written = {path.name for path in (tmp_path / "pictures").iterdir()}
    assert written == {"figure.png", "figure.svg", "figure.pdf", "figure.txt"}
    assert QImage(str(tmp_path / "pictures/figure.png")).width() == round(178 / 25.4 * 300)
    assert (tmp_path / "pictures/figure.txt").read_text(encoding="utf-8").startswith("(a) Waves; (b) Heatmap · ")
