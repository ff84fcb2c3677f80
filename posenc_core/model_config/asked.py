"""The encodings to compare numbers with: of a model, a preset, a document, or an encoding itself."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from posenc_core.encodings import ENCODINGS, Encoding, Rotary
from posenc_core.fields import decode_json, open_regular, shortened
from posenc_core.model_config.opening import open_model
from posenc_core.session import MAXIMUM_BYTES, Document, Model

Asked = Encoding | Document | Model | Mapping[str, Any] | str | os.PathLike[str] | None

_INSTALLED = Path(__file__).parents[1] / "resources" / "presets"
_CHECKOUT = Path(__file__).parents[2] / "resources" / "presets"
_LARGEST = 2**20


def asked_encodings(asked: Asked) -> tuple[Encoding, ...]:
    """The distinct encodings of the request, one per kind of layer; empty for None.

    ``asked``: an encoding, a document, a model, a parsed config.json, its path, the path of a session, or the name of a
    preset or of a family with its default parameters. TypeError or ValueError with one sentence for anything
    else, and for a model whose positions are not shown.
    """
    if asked is None:
        return ()
    if isinstance(asked, Encoding):
        return (asked,)
    if isinstance(asked, Document):
        return (asked.encoding,)
    if isinstance(asked, Model):
        return _of_model(asked)
    if isinstance(asked, Mapping):
        return _of_model(open_model(asked))
    if not isinstance(asked, str | os.PathLike):
        raise TypeError(f"against must be a configuration, a preset, a document or an encoding, got {shortened(asked)}")
    path, named = Path(asked), shortened(str(asked))
    preset = (_INSTALLED if _INSTALLED.is_dir() else _CHECKOUT) / f"{path.name}.json"
    try:
        if path.name == str(asked) and not path.exists():
            if preset.is_file():
                return _of_preset(preset)
            if path.name in ENCODINGS:
                return (ENCODINGS[path.name].from_parameters({}),)
        if path.suffix.lower() == ".posenc":
            with open_regular(path) as stream:
                return (Document.from_json(stream.read(MAXIMUM_BYTES + 1)).encoding,)
        return _of_model(open_model(path))
    except FileNotFoundError:
        raise ValueError(f"there is no file, no preset and no family {named}") from None
    except OSError as error:
        raise ValueError(f"{named} cannot be read: {(error.strerror or str(error)).lower()}") from None


def _of_model(model: Model) -> tuple[Encoding, ...]:
    found = dict.fromkeys(_table_of(layer.encoding) for layer in model.layers if layer.encoding is not None)
    if not found:
        raise ValueError(f"{shortened(model.name)} has no encoding that is shown: {model.layers[0].sentence}")
    return tuple(variant for encoding in found for variant in _variants(encoding))


def _table_of(encoding: Encoding) -> Encoding:
    """The encoding of the cosines and sines that a model computes: without changed distances."""
    own = encoding.rotation
    if own is None or own.distance_rule is None:
        return encoding
    return Rotary(own.head_dim, own.rope_theta, own.pairing, scaling=own.scaling)


def _variants(encoding: Encoding) -> tuple[Encoding, ...]:
    """The encoding, and its form in long sequences if it has a separate list for these."""
    parameters = encoding.parameters()
    if "long_factor" not in parameters or parameters["seq_len"] is not None:
        return (encoding,)
    return encoding, encoding.edited("seq_len", parameters["max_position_embeddings"])


def _of_preset(path: Path) -> tuple[Encoding, ...]:
    """The encodings of a preset: for a model, of the layer to show, or of all layers."""
    with open_regular(path) as stream:
        values = decode_json(stream.read(_LARGEST), f"the preset {path.stem}")
    if "config" not in values:
        whole = Document().to_dict() | {name: values[name] for name in ("encoding", "seq_len") if name in values}
        return (Document.from_json(json.dumps(whole)).encoding,)
    model = open_model(values["config"])
    shown = model.layers[values["layer"]].encoding if "layer" in values else None
    return _of_model(model) if shown is None else _variants(_table_of(shown))
