"""What numbers are compared with: the encodings of a configuration, a preset, a document, or an encoding itself."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from posenc_core.encodings import Encoding
from posenc_core.fields import decode_json, open_regular, shortened
from posenc_core.model_config import open_model
from posenc_core.session import Document, Model

_INSTALLED = Path(__file__).parents[1] / "resources" / "presets"
_CHECKOUT = Path(__file__).parents[2] / "resources" / "presets"
_LARGEST = 2**20

Against = Encoding | Document | Model | Mapping[str, Any] | str | os.PathLike[str] | None


def asked_encodings(against: Against) -> tuple[Encoding, ...]:
    """The different encodings that are asked for, one for each kind of layer; empty for None.

    ``against``: an encoding, a document, a model, a parsed config.json, its path, or the name of a preset. TypeError or
    ValueError with one sentence for anything else, and for a model whose positions are not shown.
    """
    if against is None:
        return ()
    if isinstance(against, Encoding):
        return (against,)
    if isinstance(against, Document):
        return (against.encoding,)
    if isinstance(against, Model):
        return _of_model(against)
    if isinstance(against, Mapping):
        return _of_model(open_model(against))
    if not isinstance(against, str | os.PathLike):
        raise TypeError(f"against must be a configuration, a preset, a document or an encoding, got {shortened(against)}")
    path = Path(against)
    preset = (_INSTALLED if _INSTALLED.is_dir() else _CHECKOUT) / f"{path.name}.json"
    if not path.exists() and path.name == str(against) and preset.is_file():
        return _of_preset(preset)
    try:
        return _of_model(open_model(path))
    except FileNotFoundError:
        raise ValueError(f"there is no file and no preset {shortened(str(against))}") from None
    except OSError as error:
        raise ValueError(f"{shortened(str(against))} cannot be read: {(error.strerror or str(error)).lower()}") from None


def _of_model(model: Model) -> tuple[Encoding, ...]:
    found = dict.fromkeys(layer.encoding for layer in model.layers if layer.encoding is not None)
    if not found:
        raise ValueError(f"{shortened(model.name)} has no encoding that is shown: {model.layers[0].sentence}")
    return tuple(variant for encoding in found for variant in _variants(encoding))


def _variants(encoding: Encoding) -> tuple[Encoding, ...]:
    """The encoding, and what it is in long sequences where it has a list of its own for these."""
    parameters = encoding.parameters()
    if "long_factor" not in parameters or parameters["seq_len"] is not None:
        return (encoding,)
    return encoding, encoding.edited("seq_len", parameters["max_position_embeddings"])


def _of_preset(path: Path) -> tuple[Encoding, ...]:
    with open_regular(path) as stream:
        values = decode_json(stream.read(_LARGEST), f"the preset {path.stem}")
    if "config" in values:
        model = open_model(values["config"])
        shown = model.layers[values["layer"]].encoding if "layer" in values else None
        return _of_model(model) if shown is None else _variants(shown)
    whole = Document().to_dict() | {name: values[name] for name in ("encoding", "seq_len") if name in values}
    return (Document.from_json(json.dumps(whole)).encoding,)
