"""The document that the export command starts from: a session, a table, a preset or a model, and others to compare."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from posenc_core import Document, LearnedTable
from posenc_core.session import LETTERS, Model, NamedEncoding
from posenc_core.tables import ArrayTable, embedding_rows, open_table
from posenc_core.text import ModelTokenizer, open_tokenizer
from posenc_gui.cli.field_flags import given_fields
from posenc_gui.cli.parser import names_preset
from posenc_gui.export import named_path
from posenc_gui.files import is_session, open_session, preset, read_config, read_model, with_config


def first_document(arguments: argparse.Namespace) -> Document:
    """The document without its single fields; ValueError or FileError with one sentence if an argument is wrong."""
    table = _table(arguments)
    tokenizer, rows = _tokenizer(arguments)
    tables, tokenizers = [each for each in (table, rows) if each is not None], list(filter(None, [tokenizer]))
    document = Document()
    if arguments.session is not None:
        document = open_session(named_path(arguments.session), tables, tokenizers)
    if tokenizer is not None and document.tokenizer != tokenizer:
        document = document.with_tokenizer(tokenizer, rows)
    if table is not None and table not in document.tables:
        document = document.with_encoding(LearnedTable(table))
    if arguments.preset is not None:
        document = preset(arguments.preset, document)
    if arguments.config is not None:
        document = _with_model(document, named_path(arguments.config), arguments.layer_type)
    elif arguments.layer_type is not None:
        raise ValueError("--layer-type needs --config, the model's config.json")
    return document


def with_compared(document: Document, others: Sequence[str]) -> Document:
    """The document with one more encoding for each preset or file; errors as above. The first stays chosen."""
    free = len(LETTERS) - len(document.encodings)
    if len(others) > free:
        raise ValueError(f"--compare accepts at most {free} encodings here: {len(LETTERS)} can be compared in all")
    added = [_compared(document, text) for text in others]
    return document.with_encodings([*document.encodings, *added], document.current)


def _compared(document: Document, text: str) -> NamedEncoding:
    """The encoding of a preset, a session, or a model's first layer that has one."""
    if names_preset(Path(text)):
        shown = preset(text, document)
    else:
        path = named_path(text)
        tokenizers = filter(None, [document.tokenizer])
        shown = (
            open_session(path, document.tables, tokenizers) if is_session(path) else _with_model(document, path, None)
        )
    chosen = shown.encodings[shown.current]
    return chosen if chosen.name or chosen.source else NamedEncoding(chosen.encoding, "", Path(text).stem)


def _with_model(document: Document, path: Path, layer_type: str | None) -> Document:
    """The document with the positions of a model, or of its layers of one type if given."""
    is_folder = os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises for a name that is too long
    if is_folder or path.suffix.lower() == ".gguf":
        model = read_model(path)
        return document.with_model(model, _layer_of(model, layer_type))
    config = read_config(path)
    has_types = bool(config.layer_types)
    document, model = with_config(document, config, path, layer_type if has_types else None), read_model(path, config)
    if layer_type is not None and not has_types:  # the layers have the same positions and may differ in their windows
        _layer_of(model, layer_type)
    return _of_length(document, model, layer_type)


def _of_length(document: Document, model: Model, layer_type: str | None) -> Document:
    """The document of a ``config.json`` with the model's name and lengths, and the window of the layers it shows."""
    alike = [index for index, each in enumerate(model.layers) if each.encoding == document.encoding]
    if not alike and layer_type is not None:
        return document
    of_type = [index for index in alike if model.layers[index].layer_type == layer_type]
    shown = document.with_model(model, (of_type or alike)[0] if alike else None)
    chosen = replace(shown.encodings[shown.current], encoding=document.encoding)  # with the warnings of the file
    listed = [*shown.encodings]
    listed[shown.current] = chosen
    return shown.with_encodings(listed, shown.current)


def _layer_of(model: Model, layer_type: str | None) -> int | None:
    """The first layer of the type, None for any; ValueError with one sentence if no such layer has an encoding."""
    found = [index for index, each in enumerate(model.layers) if layer_type in (None, each.layer_type)]
    if not found:
        types = sorted({each.layer_type for each in model.layers if each.layer_type})
        if not types:
            raise ValueError("--layer-type: all layers of this model have the same positions; leave it out")
        raise ValueError(f"--layer-type must be one of {', '.join(types)}, got {layer_type}")
    shown = [index for index in found if model.layers[index].encoding is not None]
    if not shown:
        raise ValueError(f"{model.name}: {model.layers[found[0]].sentence}")
    return None if layer_type is None else shown[0]


def _table(arguments: argparse.Namespace) -> ArrayTable | None:
    """The table that ``--table`` names, None without it; ValueError with one sentence if it cannot be opened."""
    if arguments.table is None:
        if arguments.tensor is not None:
            raise ValueError("--tensor needs --table, the .safetensors file that contains it")
        return None
    return open_table(named_path(arguments.table), arguments.tensor)


def _tokenizer(arguments: argparse.Namespace) -> tuple[ModelTokenizer | None, ArrayTable | None]:
    """The tokenizer that ``--tokenizer`` names, and the embedding in its folder if it may be shown.

    ValueError with one sentence for files that cannot be opened.
    """
    if arguments.tokenizer is None:
        return None, None
    path = named_path(arguments.tokenizer)
    tokenizer = open_tokenizer(path)
    shows_rows = given_fields(arguments).get("embedding") == "model" or arguments.session is not None
    return tokenizer, embedding_rows(path.absolute().parent, tokenizer.n_ids) if shows_rows else None
