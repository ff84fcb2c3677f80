"""A model's folder: its configuration, tables, tokenizer and GGUF files, and contradictions between them."""

import os
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings import LearnedTable
from posenc_core.fields import open_regular, shortened
from posenc_core.model_config.config import MAXIMUM_BYTES, ModelConfig
from posenc_core.model_config.description import describe, readable_name
from posenc_core.model_config.gguf import gguf_model, read_gguf
from posenc_core.model_config.learned_tables import INDEX_SUFFIX, find_tables
from posenc_core.model_config.trained_positions import with_trained
from posenc_core.session import FoundTable, Model

MOST_NAMES = 1000
"""Names of a folder that are looked at."""

CONFIG, _TOKENIZER = "config.json", "tokenizer.json"
_PARAMS = "params.json"
"""The configuration of Meta's and Mistral's own code, read where there is no other."""

_SAME = 1e-6
"""Largest relative difference of frequencies that are the same: a GGUF file has divisors in float32."""

Notes = tuple[str, ...]


def folder_model(folder: Path, part: str | None = None) -> Model:
    """The model in a folder; ValueError with one sentence for a folder without a config.json or GGUF file.

    No subfolder is read, and no link that leads out of the folder is followed. Contradictions between two files are
    among the first notes.
    """
    files, notes = _files(folder)
    gguf = next((path for name, path in sorted(files.items()) if name.lower().endswith(".gguf")), None)
    named = CONFIG if CONFIG in files or _PARAMS not in files else _PARAMS
    if named not in files:
        if gguf is None:
            name = shortened(folder.absolute().name)
            raise ValueError(f"the folder {name} has neither a config.json nor a .gguf file")
        model = gguf_model(read_gguf(gguf), gguf.stem)
        return replace(model, notes=(*notes, *model.notes), tokenizer=files.get(_TOKENIZER))
    config = read_config(files[named])
    model = describe(config, name=readable_name(name_of(files[named])), source=named, part=part)
    tables, table_notes = find_tables(files, config)
    read = [named, *sorted({table.file.name for table in tables})]
    if gguf is not None:
        other, other_notes = _other_model(gguf)
        notes = (*(_disagreements(model, other, gguf.name) if other else ()), *other_notes, *notes)
        read.append(gguf.name)
    model, more = _with_table(model, tables)
    model, misfits = with_trained(model, files)
    return replace(
        model,
        source=", ".join(read),
        notes=(*dict.fromkeys((*notes, *more, *misfits, *table_notes, *model.notes)),),
        tables=tables,
        tokenizer=files.get(_TOKENIZER),
    )


def _files(folder: Path) -> tuple[dict[str, Path], Notes]:
    """The regular files of the folder by name, and notes on omitted files."""
    inside, left_out = folder.resolve(), list[str]()
    with os.scandir(folder) as entries:
        listed = list(islice(entries, MOST_NAMES + 1))
    files = {}
    for entry in listed[:MOST_NAMES]:
        if not _is_read(entry.name) or not entry.is_file():
            continue
        if entry.is_symlink() and Path(entry.path).resolve().parent != inside:
            left_out.append(entry.name)
        else:
            files[entry.name] = Path(entry.path)
    notes = tuple(
        f"{shortened(name)} is a link that leads out of the folder and is not followed; open that file itself"
        for name in sorted(left_out)
    )
    if len(listed) > MOST_NAMES:
        notes += (f"the folder has more than {MOST_NAMES:,} files; further files were not read",)
    return files, notes


def _is_read(name: str) -> bool:
    return name in (CONFIG, _PARAMS, _TOKENIZER) or name.lower().endswith((".gguf", ".safetensors", INDEX_SUFFIX))


def read_config(path: Path) -> Mapping[str, Any]:
    """The names and values in the file; ValueError for anything but a regular file with a JSON object."""
    with open_regular(path) as stream:
        return ModelConfig.parse(stream.read(MAXIMUM_BYTES + 1)).values


def name_of(path: Path) -> str:
    """The model's name from its file or its folder; for a snapshot in a cache, from the folder above."""
    if path.name not in (CONFIG, _PARAMS):
        return path.stem
    folder = path.absolute().parent
    return folder.parent.parent.name if folder.parent.name == "snapshots" else folder.name


def _other_model(path: Path) -> tuple[Model | None, Notes]:
    try:
        return gguf_model(read_gguf(path), path.stem), ()
    except ValueError as error:
        return None, (f"{path.name}: {error}",)


def _disagreements(model: Model, other: Model, name: str) -> Iterator[str]:
    """Sentences on contradictions between the configuration and a GGUF file."""
    rows: list[tuple[str, object, object]] = [
        ("the number of layers", len(model.layers), len(other.layers)),
        ("the target length", model.target_length, other.target_length),
    ]
    one, two = (None if each.rotary is None else each.rotary.rotation for each in (model, other))
    if one is not None and two is not None:
        rows.append(("rope_theta", one.rope_theta, two.rope_theta))
        rows.append(("the number of pairs", one.pairs.n_pairs, two.pairs.n_pairs))
    for what, first, second in rows:
        if first is not None and second is not None and first != second:
            yield f"{CONFIG} and {name} disagree on {what}: {first:,} and {second:,}"
    if one is None or two is None or one.rope_theta != two.rope_theta:
        return
    a, b = one.pairs.frequencies, two.pairs.frequencies
    if len(a) == len(b):
        off = np.flatnonzero(np.abs(a - b) > _SAME * np.maximum(a, b))
        if len(off):
            yield (
                f"{CONFIG} and {name} disagree on the scaled frequencies of {len(off)} pairs, "
                f"the first of which is pair {off[0]}: {a[off[0]]:.7g} and {b[off[0]]:.7g}"
            )


def _with_table(model: Model, tables: tuple[FoundTable, ...]) -> tuple[Model, Notes]:
    """The model with its learned table as the encoding of its layers, if the table was found and can be read."""
    if not tables or not any(layer.kind == "learned" for layer in model.layers):
        return model, ()
    table = next((each for each in tables if "decoder" in each.tensor), tables[0])
    try:
        encoding = LearnedTable.from_file(table.file, table.tensor, table.first_row or 0)
    except ValueError as error:
        return model, (str(error),)
    return model.with_layers(lambda each: replace(each, encoding=encoding) if each.kind == "learned" else each), ()
