"""A key typed into a text of 100,000 tokens: until all panels and docks are painted, over painting them unchanged.

python tests/benchmarks/chapter.py [--keys 40] [--json FILE]

The window is that of `frame.py`. The texts are words in lines as a book has them, the same in one line, a text of
100,000 characters and one of 100,000 bytes; keys are typed at the end, in the middle and at the start, through the
sentence bar. Also how long the window is busy with a pasted text of a million characters.
"""

import random
import statistics
import tempfile
from pathlib import Path
from time import perf_counter

import frame
import report
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from posenc_gui.look.qt import make_application

TOKENS = 100_000
LETTERS = "etaoinshrdlu"


def words(count: int, line: int) -> str:
    """So many words, so many a line; 0 for all in one."""
    draw = random.Random(0)
    each = ["".join(draw.choices(LETTERS, k=draw.randint(1, 9))) for _ in range(count)]
    lines = [each[start : start + line] for start in range(0, count, line)] if line else [each]
    return "\n".join(map(" ".join, lines))


def texts() -> dict[str, tuple[str, str]]:
    """By name the way of cutting and a text of 100,000 tokens."""
    letters = words(TOKENS // 3, 0)[:TOKENS]
    return {
        "words in lines": ("words", words(TOKENS, 12)),
        "words in one line": ("words", words(TOKENS, 0)),
        "characters": ("characters", letters),
        "bytes": ("bytes", letters),
    }


class Typist:
    """Types into the program's sentence bar."""

    def __init__(self, program: frame.Program) -> None:
        self._program = program
        self._edit = program.window.sentence_bar.focusProxy()

    def begin(self, cut: str, text: str) -> None:
        """A text of the window's own, pasted."""
        store = self._program.window.store
        store.edit("sentence", "")
        store.edit("tokens", cut)
        self.paste(text)
        if len(store.document.token_list) != TOKENS:
            raise RuntimeError(f"{len(store.document.token_list)} tokens, not {TOKENS}")

    def paste(self, text: str) -> None:
        """Paste a text in place of what is there, painted."""
        pasted = QMimeData()
        pasted.setText(text)
        self._edit.selectAll()
        self._edit.insertFromMimeData(pasted)
        while self._edit.is_building:
            QApplication.processEvents()
        QApplication.processEvents()

    def go_to(self, share: float) -> None:
        """Bring the caret to a part of the text, painted."""
        cursor = QTextCursor(self._edit.document())
        cursor.setPosition(int(share * (self._edit.document().characterCount() - 1)))
        self._edit.setTextCursor(cursor)
        QApplication.processEvents()

    def type(self, letter: str) -> float:
        """Milliseconds of one key, painted."""
        before = self._program.window.store.document
        self._program._paints = 0
        started = perf_counter()
        QTest.keyClick(self._edit, letter)
        QApplication.processEvents()
        taken = 1000 * (perf_counter() - started)
        if self._program._paints < len(self._program.panels):  # a note that becomes longer moves a picture: once more
            raise RuntimeError("the key was not painted everywhere")
        if len(self._program.window.store.document.sentence) != len(before.sentence) + 1:
            raise RuntimeError("the key did not arrive in the document")
        return taken


def measure(program: frame.Program, keys: int) -> dict[str, tuple[list[float], list[float]]]:
    """By text, milliseconds of the keys and of painting the unchanged pictures again, in turns."""
    typist = Typist(program)
    times: dict[str, tuple[list[float], list[float]]] = {}
    for name, (cut, text) in texts().items():
        typist.begin(cut, text)
        frame._settle()
        typed, painted = times[name] = [], []
        for share in (1.0, 0.5, 0.0):
            typist.go_to(share)
            typist.type("x")  # not counted: it fills what is filled once
            program.repaint(0.0)
            for letter, _ in zip("etaoins" * keys, range(keys // 3), strict=False):
                typed.append(typist.type(letter))
                painted.append(frame._milliseconds(program.repaint, 0.0))
    return times


def main() -> None:
    """Measure and print."""
    parser = report.arguments(__doc__)
    parser.add_argument("--keys", type=int, default=60, metavar="N", help="keys to type into each text (default 60)")
    options = parser.parse_args()
    application = make_application([])
    with tempfile.TemporaryDirectory() as folder:
        program = frame.Program(Path(folder))
        program.window.activateWindow()
        times = measure(program, max(options.keys, 6))
        typist, pasted = Typist(program), {}
        for name, line in (("in lines", 12), ("in one line", 0)):
            text = words(170_000, line)[:1_000_000]
            program.window.store.edit("tokens", "words")
            started = perf_counter()
            typist.paste(text)
            pasted[f"a million characters {name} pasted, painted"] = 1000 * (perf_counter() - started)
    worst = "a key into 100,000 tokens over a repaint, the worst text"
    each = {name: report.ratio_of_medians(*lists) for name, lists in times.items()}
    ratios = [
        report.Ratio("chapter_type_ms_over_idle", worst, max(each.values()), "<= 3"),
        *(
            report.Ratio(f"chapter_type_{name.replace(' ', '_')}", f"the same: {name}", ratio, "<= 3")
            for name, ratio in each.items()
        ),
    ]
    milliseconds = {f"a key, {name}": statistics.median(typed) for name, (typed, _) in times.items()}
    milliseconds |= {f"repaint, {name}": statistics.median(painted) for name, (_, painted) in times.items()}
    report.show("Typing into a book", ratios, milliseconds | pasted, options.json)
    del application


if __name__ == "__main__":
    main()
