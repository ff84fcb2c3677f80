"""Opening a model's tokenizer in a thread, with a progress dialog."""

from pathlib import Path

from msgspec import Struct
from PySide6.QtWidgets import QWidget

from posenc_core import tables, text
from posenc_core.numerics import beside
from posenc_gui import look

_USUAL_SECONDS = 1.0
"""For a vocabulary of 128,000 entries; the bar is at its half then."""


class Loaded(Struct, frozen=True):
    """A tokenizer, and the embedding in its folder; ``problem`` is a sentence why that cannot be read, or empty."""

    tokenizer: "text.ModelTokenizer"
    rows: "tables.ArrayTable | None"
    problem: str = ""


def load_tokenizer(path: Path, parent: QWidget) -> Loaded | None:
    """The tokenizer in the file, None if the user cancels; ValueError with one sentence if it cannot be opened."""
    with look.ProgressDialog(f"Reading {path.name}", parent) as progress:

        def report(past: float) -> None:
            if past * 1000 > look.PATIENCE_MS and not progress(past / (past + _USUAL_SECONDS)):
                raise tables.Cancelled

        try:
            return beside(lambda: _loaded(path), report, "tokenizer file")
        except tables.Cancelled:
            return None


def _loaded(path: Path) -> Loaded:
    tokenizer = text.open_tokenizer(path)
    try:
        return Loaded(tokenizer, tables.embedding_rows(path.absolute().parent, tokenizer.n_ids))
    except (OSError, ValueError) as error:
        return Loaded(tokenizer, None, f"the model's embedding is not opened: {error}")
