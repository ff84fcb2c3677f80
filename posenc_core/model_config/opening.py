"""A model from files of any kind or from a parsed configuration."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from posenc_core.fields import shortened
from posenc_core.model_config.config import ModelConfig
from posenc_core.model_config.description import describe
from posenc_core.model_config.folder import CONFIG, folder_model, name_of, read_config
from posenc_core.model_config.gguf import gguf_model, read_gguf
from posenc_core.session import Model


def open_model(source: str | Path | Mapping[str, Any], part: str | None = None) -> Model:
    """Positions of a model's files, layer by layer.

    ``source`` is the path of a ``config.json``, of a GGUF file or of a model's folder, or the parsed names and values
    of a configuration. ``part`` names a sub-configuration: "text" (the default if there is one), "vision", "audio",
    "encoder", or its key. Of the weights only tables of positions are opened, no code is run and no network is used.
    ValueError with one sentence for files without facts about positions, OSError for a file that cannot be read.
    """
    if isinstance(source, Mapping):
        return describe(source, name="", source="a mapping", part=part)
    if not isinstance(source, str | Path):
        raise TypeError(f"source must be a path or a mapping of names to values, got {shortened(source)}")
    path = Path(source)
    if path.is_dir():
        return folder_model(path, part)
    if path.suffix.lower() == ".gguf":
        return gguf_model(read_gguf(path), path.stem)
    return describe(read_config(path), name=name_of(path), source=path.name, part=part)


def model_files(source: str | Path | Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, Model, Path | None]:
    """A configuration, the model that it describes, and the path of the GGUF file beside it, None without one.

    ``source`` is as in ``open_model``; the config.json of a GGUF file is in its folder. Without one, the model is that
    of the GGUF file, and the configuration None. Errors are those of ``open_model``.
    """
    if isinstance(source, Mapping) or not isinstance(source, str | Path):
        return source, open_model(source), None
    path = Path(source)
    is_gguf = path.suffix.lower() == ".gguf" and not path.is_dir()
    file = path if is_gguf else None
    if path.is_dir():
        file = next(iter(sorted(path.glob("*.gguf"))), None)
    config = path / CONFIG if path.is_dir() else path.parent / CONFIG if is_gguf else path
    if file is not None and not config.is_file():
        return None, open_model(file), file
    if path.is_dir() and not config.is_file():
        raise ValueError(f"there is neither a {CONFIG} nor a .gguf file in {shortened(path.name)}")
    values = read_config(config)
    return values, describe(values, name=name_of(config), source=CONFIG), file


def model_in(config: ModelConfig, path: Path) -> Model:
    """``open_model`` of a path whose ``config.json`` is already parsed."""
    return describe(config.values, name=name_of(path), source=path.name)
