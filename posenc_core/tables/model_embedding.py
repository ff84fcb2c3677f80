"""The embedding of a model's tokens, in the file of its weights."""

import re
from pathlib import Path

from posenc_core.fields import shortened
from posenc_core.tables.array_table import ArrayTable
from posenc_core.tables.table_files import open_table, tables_in

WEIGHTS_NAME = "model.safetensors"

_EMBEDDINGS = re.compile(r"(^|[./])(wte|embed_tokens|word_embeddings|tok_embeddings|embed_in)\.weight$")
"""The names in GPT-2, in Llama and most models after it, in BERT and BLOOM, in Meta's own files, and in GPT-NeoX."""


def embedding_rows(folder: Path, n_ids: int) -> ArrayTable | None:
    """The embedding in a folder's ``model.safetensors``, mapped into memory; None if the folder has none.

    A link that leads out of the folder is not followed. ValueError with one plain sentence for a file that cannot be
    read, and for an embedding of fewer than ``n_ids`` rows.
    """
    file = folder / WEIGHTS_NAME
    if not file.exists() or (file.is_symlink() and file.resolve().parent != folder.resolve()):
        return None
    found = [tensor.name for tensor in tables_in(file) if _EMBEDDINGS.search(tensor.name)]
    if not found:
        return None
    rows = open_table(file, min(found, key=len))
    if rows.shape[0] < n_ids:
        raise ValueError(
            f"{shortened(rows.label)} has {rows.shape[0]} rows, the tokenizer has ids up to {n_ids - 1}: they belong "
            "to different models"
        )
    _ = rows.largest  # raises for numbers that cannot be shown, among the examined ones
    return rows
