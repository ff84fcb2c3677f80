"""Opening a model's tokenizer beside the window, which shows that it takes a while."""

from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic

from msgspec import Struct
from PySide6.QtWidgets import QWidget

from posenc_core import tables, text
from posenc_gui import look

_LOOK_SECONDS = 0.03
_USUAL_SECONDS = 1.0
"""For a vocabulary of 128,000 entries; the bar is at its half then."""


class Loaded(Struct, frozen=True):
    """A tokenizer, and the embedding in its folder; ``problem`` is a sentence why that cannot be read, or empty."""

    tokenizer: "text.ModelTokenizer"
    rows: "tables.ArrayTable | None"
    problem: str = ""


def load_tokenizer(path: Path, parent: QWidget) -> Loaded | None:
    """The tokenizer in the file, None if the user cancels; ValueError with one sentence if it cannot be opened."""
    answer: SimpleQueue[Loaded | BaseException] = SimpleQueue()

    def work() -> None:
        try:
            answer.put(_loaded(path))
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            answer.put(error)

    Thread(target=work, daemon=True, name="tokenizer file").start()
    begun = monotonic()
    with look.ProgressDialog(f"Reading {path.name}", parent) as progress:
        while True:
            try:
                found = answer.get(timeout=_LOOK_SECONDS)
            except Empty:
                past = monotonic() - begun
                if past * 1000 > look.PATIENCE_MS and not progress(past / (past + _USUAL_SECONDS)):
                    return None
                continue
            if isinstance(found, BaseException):
                raise found
            return found


def _loaded(path: Path) -> Loaded:
    tokenizer = text.open_tokenizer(path)
    try:
        return Loaded(tokenizer, tables.embedding_rows(path.absolute().parent, tokenizer.n_ids))
    except (OSError, ValueError) as error:
        return Loaded(tokenizer, None, f"the model's embedding is not opened: {error}")
