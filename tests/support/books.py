"""Long texts of many scripts, and how a person pastes them."""

from PySide6.QtCore import QEventLoop, QMimeData
from PySide6.QtWidgets import QApplication

LENGTH = 1_000_000
KINDS = {
    "words in lines": "the quick brown fox jumps over the lazy dog and runs away\n",
    "one line": "the quick brown fox jumps over ",
    "letters": "abcdefghij",
    "characters of Chinese": "天地玄黄宇宙洪荒日月盈昃",
    "lines of Chinese": "天地玄黄宇宙洪荒日月盈昃\n",
    "emoji": "😀👩‍👩‍👧🇩🇪",
}


def book(kind: str) -> str:
    return (KINDS[kind] * (LENGTH // len(KINDS[kind]) + 1))[:LENGTH]


def paste(edit, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    edit.insertFromMimeData(data)


def turns_until(done) -> int:
    """How many turns of the event loop it takes, in each of which keys and clicks would be answered."""
    turns = 0
    while not done():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
        turns += 1
        assert turns < 100_000
    return turns
