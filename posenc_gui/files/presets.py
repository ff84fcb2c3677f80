"""Well-known encodings by name, each with its source; a preset is a file in ``resources/presets``."""

import json
import logging
import os
import re
from dataclasses import replace
from functools import cache
from typing import Any

from msgspec import structs

from posenc_core import Document
from posenc_core.fields import decode_json, open_regular
from posenc_core.session import Model
from posenc_gui.look import resource

_ABOUT = ("title", "source", "group", "model", "config", "layer", "lengths")
"""The keys of a preset's file beside those of a session; ``group`` is the sub-menu, if any.

A model's preset has the model's name and its ``config``, the content of a config.json; ``layer`` is the one to show,
and ``lengths`` are the trained and the target length if the source has them and the config does not.
"""

_NAME = re.compile(r"[\w.-]{1,64}")
"""A name cannot lead to another folder."""

_LARGEST = 2**20
_LONGEST = 200
"""Bytes of a file, and characters of its title, source and group."""

_log = logging.getLogger(__name__)


def preset(name: str, document: Document | None = None) -> Document:
    """The document, a new one for None, with the preset's encoding, and its model if it is one of a model.

    A preset replaces the whole encoding and the model with its window; number of positions and sentence are replaced if
    the preset names them. ValueError with one sentence for an unknown name or a damaged file.
    """
    before = document or Document()
    view = before.view if before.model is None else replace(before.view, longest_distance=None)
    before = replace(before, model=None, view=view)
    try:
        values = _read(name)
        text = json.dumps(before.to_dict() | {key: value for key, value in values.items() if key not in _ABOUT})
    except RecursionError:
        raise ValueError(_damaged(name, "it is nested too deeply")) from None
    shown = Document.from_json(text, before.tables, filter(None, [before.tokenizer]))
    if "config" not in values:
        return shown.named(source=values["title"].partition(":")[0])
    model = _model(name, values)
    if values.get("layer", 0) not in range(len(model.layers)):
        raise ValueError(_damaged(name, "the model has no such layer"))
    return shown.with_model(model, values.get("layer"))


def preset_names() -> tuple[str, ...]:
    """The names of all presets, in alphabetical order."""
    with os.scandir(resource("presets")) as entries:
        names = [entry.name for entry in entries]
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


def preset_groups() -> dict[str, tuple[str, ...]]:
    """The names by group, both in alphabetical order; the names without a group, of textbook encodings, come first.

    A damaged file is skipped and named in the log.
    """
    groups: dict[str, list[str]] = {"": []}
    for name in preset_names():
        try:
            groups.setdefault(_read(name).get("group", ""), []).append(name)
        except ValueError as error:
            _log.warning("%s", error)
    return {group: tuple(groups[group]) for group in sorted(groups)}


def preset_title(name: str) -> str:
    """The title of the preset in one line; ValueError for an unknown name."""
    return str(_read(name)["title"])


def preset_config(name: str) -> dict[str, Any]:
    """The content of the config.json of a model's preset; ValueError for an unknown name or a preset of no model."""
    config = _read(name).get("config")
    if config is None:
        raise ValueError(f"the preset {name!r} is of no model")
    if not isinstance(config, dict):
        raise ValueError(_damaged(name, "its config is not an object"))
    return config


def _model(name: str, values: dict[str, Any]) -> Model:
    from posenc_core import open_model  # loaded on first use, to keep the start of the window fast

    config, lengths = preset_config(name), values.get("lengths")
    try:
        model = open_model(config)
    except ValueError as error:
        raise ValueError(_damaged(name, str(error))) from None
    model = structs.replace(model, name=str(values.get("model", values["title"])), source=values["source"])
    if lengths is None:
        return model
    if (
        not isinstance(lengths, list)
        or len(lengths) != 2
        or not all(type(each) is int and each > 0 for each in lengths)
    ):
        raise ValueError(_damaged(name, "its lengths are not two whole numbers from 1"))
    trained, target = lengths
    return structs.replace(model, trained_length=trained, target_length=target, lengths_from="the preset's source")


@cache
def _read(name: str) -> dict[str, Any]:
    path = resource("presets", f"{name}.json")
    if not _NAME.fullmatch(name) or not path.is_file():
        raise ValueError(f"there is no preset {name[:40]!r}; the presets are {', '.join(preset_names())}")
    with open_regular(path) as stream:
        data = stream.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise ValueError(_damaged(name, "it is too large"))
    values = decode_json(data, _damaged(name, "it"))
    told = [values.get(key) for key in ("title", "source")]
    if not all(_is_line(each) and each for each in told) or not _is_line(values.get("group", "")):
        raise ValueError(_damaged(name, "title, source or group is missing or not a single line"))
    return values


def _is_line(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and len(value) <= _LONGEST


def _damaged(name: str, why: str) -> str:
    return f"the preset {name[:40]!r} is damaged: {why}"
