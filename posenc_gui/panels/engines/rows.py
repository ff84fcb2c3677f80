"""The rows of engines for a document: for its model's configuration, or for its encoding written as one."""

import json
from collections.abc import Iterator
from functools import lru_cache

from posenc_core import Document, Encoding
from posenc_core.engines import EngineRow, EngineTable, compare_engines
from posenc_core.model_config import written_back

_LONGEST = 10**8
_LONGEST_TEXT = 160


def table_of(document: Document) -> EngineTable:
    """The rows for the first layers with the chosen encoding; ValueError with one sentence if there are none."""
    if document.encoding.rotation is None:
        raise ValueError("Engines compares rotations: the chosen encoding does not rotate.")
    length = min(document.lengths.target, _LONGEST)
    model = document.model
    if model is not None and model.config:
        found = _compared(model.config, length)
        rows = tuple(row for row in found.rows if _shown_layer(document) in row.indices)
        if rows:
            return EngineTable(rows, found.length, found.facts_read)
    return _compared(_written(document.encoding, document.lengths.trained, length), length)


def is_models(document: Document) -> bool:
    """Whether the rows are about the model's own configuration."""
    return document.model is not None and bool(document.model.config) and _shown_layer(document) is not None


def _shown_layer(document: Document) -> int | None:
    """The index of the model's first layer with the chosen encoding at the document's length; None without one.

    Among layers with equal encodings, those with the document's longest distance are preferred.
    """
    found = [
        (group.layer.longest_distance != document.lengths.longest_distance, group.indices[0])
        for group in (() if document.model is None else document.model.groups)
        if (encoding := group.layer.encoding) is not None
        and document.with_encoding(encoding).encoding == document.encoding.seen_from(None)
    ]
    return min(found)[1] if found else None


def sentences(row: EngineRow) -> Iterator[str]:
    """Sentences on a row, the verdict first."""
    found = row.computed
    source = f"{found.source.file}, {found.source.function}" if found.source.file else ""
    parts = (row.verdict, *row.differences, found.refuses, found.unknown, row.parting, found.lengths)
    yield from filter(None, (*parts, *found.ignored, *found.notes, source and f"{found.mark} in {source}"))
    if row.write is not None:
        text = row.write.text
        short = text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}..."
        yield f"write {row.write.where}: {short}" if text else row.write.limit


@lru_cache(maxsize=8)
def _compared(config: str, length: int) -> EngineTable:
    return compare_engines(json.loads(config), length)


@lru_cache(maxsize=8)
def _written(encoding: Encoding, trained: int, target: int) -> str:
    """A configuration of Llama with the rotation of this encoding."""
    rotation = encoding.rotation
    if rotation is None:
        raise ValueError("an encoding that does not rotate has no such configuration")
    parameters = json.loads(written_back(rotation, "rope_parameters").text)
    longest, scaling = max(trained, target), rotation.scaling
    if scaling is not None and scaling.original_length is not None:
        factor = 1 if scaling.grows_with_length else scaling.parameters().get("factor") or 1
        longest = min(round(scaling.original_length * factor), _LONGEST)
    width = {"head_dim": rotation.head_dim, "hidden_size": rotation.head_dim, "num_attention_heads": 1}
    return json.dumps({"num_hidden_layers": 1, **width, "max_position_embeddings": longest, **parameters})
