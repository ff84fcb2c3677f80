"""Learned tables of positions in a model's ``.safetensors`` files: their tensors, and the row of the first token.

Source of the rows: ``modeling_*.py`` of transformers 5.23.0.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from posenc_core.fields import decode_json, read_regular, shortened
from posenc_core.model_rules import Values, first_row_of
from posenc_core.session import FoundTable
from posenc_core.tables import Tensor, is_positional_name, tables_in

INDEX_SUFFIX = ".safetensors.index.json"

_LARGEST_INDEX = 64 * 2**20
_MOST_NAMES = 2_000_000
_MOST_TABLES = 64
"""Tables that are listed: a model that has biases in every layer has more."""


_CLASS_FIRST = frozenset(
    ["vit", "deit", "dinov2", "vit_mae", "vit_msn", "beit", "audio-spectrogram-transformer", "timesformer", "vivit"]
)

Notes = tuple[str, ...]


def find_tables(files: Mapping[str, Path], config: Mapping[str, Any]) -> tuple[tuple[FoundTable, ...], Notes]:
    """The tables of positions in a folder's files by name, likely tables first, and notes on unreadable files.

    ``config`` is the model's configuration, which determines the row of the first token. Of a sharded model only the
    file with such a tensor must be present.
    """
    index = next((path for name, path in sorted(files.items()) if name.endswith(INDEX_SUFFIX)), None)
    if index is not None:
        return _of_shards(index, files, config)
    found, notes = list[FoundTable](), Notes()
    for name, path in sorted(files.items()):
        if name.endswith(".safetensors"):
            tables, more = _in_file(path, config)
            found += tables
            notes += more
    return tuple(found[:_MOST_TABLES]), notes


def first_row(config: Mapping[str, Any]) -> tuple[int | None, str]:
    """The row of the first token in a model's table, None if it is not known, and a remark."""
    kind = config.get("model_type")
    if kind in _CLASS_FIRST:
        return 0, "row 0 is the class token's; then come the patches, row by row"
    if not isinstance(kind, str) or not kind:
        return None, "the row of the first token is not known"
    return first_row_of(Values.of(config))


def _in_file(path: Path, config: Mapping[str, Any]) -> tuple[list[FoundTable], Notes]:
    try:
        tensors = tables_in(path)
    except ValueError as error:
        return [], (str(error),)
    return _found(path, (each for each in tensors if each.is_positional), config), ()


def _found(path: Path, tensors: Iterable[Tensor], config: Mapping[str, Any]) -> list[FoundTable]:
    row, remark = first_row(config)
    tables = []
    for tensor in tensors:
        rows, columns = tensor.table_shape
        inside = row if row is not None and row < rows else None
        tables.append(FoundTable(path, tensor.name, (rows, columns), inside, remark))
    return tables


def _of_shards(
    index: Path, files: Mapping[str, Path], config: Mapping[str, Any]
) -> tuple[tuple[FoundTable, ...], Notes]:
    try:
        shards = _shards(index)
    except ValueError as error:
        return (), (f"{index.name}: {error}",)
    found: list[FoundTable] = []
    notes: Notes = ()
    for name in sorted(set(shards.values())):
        if name not in files:
            tensor = next(tensor for tensor, shard in shards.items() if shard == name)
            notes += (f"the file {name[:120]!r}, which contains the tensor {tensor[:80]!r}, is not in the folder",)
            continue
        tables, more = _in_file(files[name], config)
        found += (each for each in tables if shards.get(each.tensor) == name)
        notes += more
    return tuple(found[:_MOST_TABLES]), notes


def _shards(index: Path) -> dict[str, str]:
    """The file of each tensor of positions; ValueError with one sentence for a damaged index."""
    names = decode_json(read_regular(index, _LARGEST_INDEX), "it").get("weight_map")
    if not isinstance(names, dict) or len(names) > _MOST_NAMES:
        raise ValueError(f"its weight_map is not an object with at most {_MOST_NAMES:,} names")
    shards = {tensor: shard for tensor, shard in names.items() if is_positional_name(tensor)}
    for shard in shards.values():
        if not isinstance(shard, str) or not is_plain_name(shard):
            raise ValueError(f"it names the file {shortened(shard)}, which is not a plain name of a file beside it")
    return shards


def is_plain_name(name: str) -> bool:
    """Whether a name is a file's in the same folder on any system: no separator, drive, only dots or NUL."""
    return name not in ("", ".", "..") and not any(each in name for each in "/\\:\0")
