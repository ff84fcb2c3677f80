"""A key typed into a text near the bound: until all panels and docks are painted, over painting them unchanged.

python tests/benchmarks/chapter.py [--keys 40] [--json FILE]

The window is that of `frame.py`. The texts are 30,000 words in lines as a book has them, the same in one line, 200,000
characters and 200,000 bytes (less the keys); keys are typed at the end, in the middle and at the start, through the
sentence bar. The longest turn of the event loop while a text is pasted, typed into, undone and tokenized in other ways
is measured for these texts and for other scripts; a goal of 100 ms holds for it.
"""

import random
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import frame
import report
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from posenc_gui.look.qt import make_application

WORDS, LENGTH = 30_000, 199_000
LETTERS = "etaoinshrdlu"
OTHERS = {
    "Chinese": "天地玄黄宇宙洪荒日月盈昃",
    "Chinese in lines": "天地玄黄宇宙洪荒日月盈昃\n",
    "emoji": "😀👩‍👩‍👧🇩🇪",
    "Hindi": "क्षत्रिय नमस्ते ",
    "decomposed letters": "cafe\u0301 cre\u0300me ",
}
"""Scripts whose longest turn is measured; a whole text repeats them."""


def words(count: int, line: int) -> str:
    """``count`` words, ``line`` of them in each line; 0 for all in one."""
    draw = random.Random(0)
    each = ["".join(draw.choices(LETTERS, k=draw.randint(1, 9))) for _ in range(count)]
    lines = [each[start : start + line] for start in range(0, count, line)] if line else [each]
    return "\n".join(map(" ".join, lines))


def texts() -> dict[str, tuple[str, str]]:
    """By name the way to tokenize and a text."""
    letters = words(LENGTH // 5, 0)[:LENGTH]
    return {
        "words in lines": ("words", words(WORDS, 12)),
        "words in one line": ("words", words(WORDS, 0)),
        "characters": ("characters", letters),
        "bytes": ("bytes", letters),
    }


class Typist:
    """Types into the program's sentence bar, and keeps the longest turn of the event loop in milliseconds."""

    def __init__(self, program: frame.Program) -> None:
        self._program = program
        self._edit = program.window.sentence_bar.focusProxy()
        self.longest = 0.0

    def turn(self, act: Callable[[], object]) -> float:
        """Milliseconds from the act until it is painted; each is handled in a turn of its own."""
        turns = []
        for part in (act, QApplication.processEvents):
            started = perf_counter()
            part()
            turns.append(1000 * (perf_counter() - started))
        self.longest = max(self.longest, *turns)
        return sum(turns)

    def begin(self, tokens: str, text: str) -> None:
        """Paste a text in place of what is there."""
        store = self._program.window.store
        store.edit("sentence", "")
        store.edit("tokens", tokens)
        pasted = QMimeData()
        pasted.setText(text)
        self._edit.selectAll()
        self.turn(lambda: self._edit.insertFromMimeData(pasted))
        QApplication.processEvents()
        if store.document.sentence != text:
            raise RuntimeError("the text did not arrive in the document")

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
        taken = self.turn(lambda: QTest.keyClick(self._edit, letter))
        if self._program._paints < len(self._program.panels):  # a note that becomes longer moves a picture: once more
            raise RuntimeError("the key was not painted everywhere")
        if len(self._program.window.store.document.sentence) != len(before.sentence) + 1:
            raise RuntimeError("the key did not arrive in the document")
        return taken

    def try_everything(self, text: str) -> None:
        """Paste the text, type into it in three places, undo all that and do it again, in each way to tokenize it."""
        store = self._program.window.store
        for tokens in ("words", "characters", "bytes"):
            self.begin(tokens, text)
            for share in (1.0, 0.5, 0.0):
                self.go_to(share)
                self.turn(lambda: QTest.keyClick(self._edit, "x"))
            for _ in range(4):
                self.turn(store.undo)
            for _ in range(4):
                self.turn(store.redo)
            for other in ("words", "characters", "bytes"):
                self.turn(lambda other=other: store.edit("tokens", other))


def measure(program: frame.Program, keys: int) -> dict[str, tuple[list[float], list[float]]]:
    """By text, milliseconds of the keys and of painting the unchanged pictures again, in turns."""
    typist = Typist(program)
    times: dict[str, tuple[list[float], list[float]]] = {}
    for name, (tokens, text) in texts().items():
        typist.begin(tokens, text)
        frame.settle()
        typed, painted = times[name] = [], []
        for share in (1.0, 0.5, 0.0):
            typist.go_to(share)
            typist.type("x")  # not counted: it fills what is filled once
            program.repaint(0.0)
            for letter, _ in zip("etaoins" * keys, range(keys // 3), strict=False):
                typed.append(typist.type(letter))
                painted.append(frame._milliseconds(program.repaint, 0.0))
    return times


def longest_turns(program: frame.Program) -> dict[str, float]:
    """By text, milliseconds of the longest turn of the event loop while it is pasted, edited and tokenized."""
    typist, found = Typist(program), {}
    typist.try_everything("😀 क्ष 字\n")  # not counted: it loads fonts
    others = {name: (piece * (LENGTH // len(piece) + 1))[:LENGTH] for name, piece in OTHERS.items()}
    for name, text in ({name: text for name, (_, text) in texts().items()} | others).items():
        typist.longest = 0.0
        typist.try_everything(text)
        found[f"longest turn, {name}"] = typist.longest
    return found


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
        turns = longest_turns(program)
    worst = f"a key into {WORDS:,} words or 200,000 characters or bytes over a repaint, the worst text"
    each = {name: report.ratio_of_medians(*lists) for name, lists in times.items()}
    ratios = [
        report.Ratio("chapter_type_ms_over_idle", worst, max(each.values())),
        *(
            report.Ratio(f"chapter_type_{name.replace(' ', '_')}", f"the same: {name}", ratio, "<= 3")
            for name, ratio in each.items()
        ),
    ]
    milliseconds = {f"a key, {name}": statistics.median(typed) for name, (typed, _) in times.items()}
    milliseconds |= {f"repaint, {name}": statistics.median(painted) for name, (_, painted) in times.items()}
    report.show("Typing into a book", ratios, milliseconds | turns, options.json)
    del application


if __name__ == "__main__":
    main()
