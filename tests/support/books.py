"""Texts of many scripts, as long as a sentence can be, and how a person pastes them."""

from PySide6.QtCore import QMimeData

from posenc_core.session import SENTENCE

LENGTH = SENTENCE.maximum - 100
"""Nearly the bound: some keys can still be typed."""

KINDS = {
    "words in lines": "the quick brown fox jumps over the lazy dog and runs away\n",
    "one line": "the quick brown fox jumps over ",
    "letters": "abcdefghij",
    "characters of Chinese": "天地玄黄宇宙洪荒日月盈昃",
    "lines of Chinese": "天地玄黄宇宙洪荒日月盈昃\n",
    "emoji": "😀👩‍👩‍👧🇩🇪",
}


def book(kind: str, length: int = LENGTH) -> str:
    return (KINDS[kind] * (length // len(KINDS[kind]) + 1))[:length]


def paste(edit, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    edit.insertFromMimeData(data)
