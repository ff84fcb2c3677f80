"""Trained factors of frequencies in a model's files: LeRoPE."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings import Encoding
from posenc_core.fields import shortened
from posenc_core.model_rules import Notes
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling import LeRope, Yarn
from posenc_core.session import Layer, Model
from posenc_core.tables import tensors_ending

_ENDINGS = ("lerope.alpha", "rotary_emb.alpha")


def with_alphas(model: Model, files: Mapping[str, Path]) -> tuple[Model, Notes]:
    """The model with the factors that its files have for the pairs of its rotations, and notes on what does not fit.

    ``files`` are those of the folder by name. All rotating layers share the first such tensor. Source: transformers,
    ``modeling_mistral_large4``, ``rotary_emb.alpha``.
    """
    if all(each.encoding is None or each.encoding.rotation is None for each in model.layers):
        return model, ()
    for name, path in sorted(files.items()):
        if not name.endswith(".safetensors"):
            continue
        try:
            found = tensors_ending(path, _ENDINGS)
        except ValueError as error:
            return model, (str(error),)
        for tensor, numbers in found.items():
            try:
                return _scaled(model, np.asarray(numbers, np.float64)), ()
            except ValueError as error:
                return model, (f"{name}, {shortened(tensor)}: {error}",)
    return model, ()


def _scaled(model: Model, alphas: FloatArray) -> Model:
    """The model with these logarithms of factors; ValueError with a sentence where they do not fit a rotation."""
    made: dict[int, Layer] = {}
    for layer in model.layers:
        if id(layer) not in made:
            encoding = layer.encoding
            fits = layer.kind == "rotary" and encoding is not None and encoding.rotation is not None
            made[id(layer)] = replace(layer, encoding=_with_factors(encoding, alphas)) if fits else layer
    return replace(model, layers=tuple(made[id(layer)] for layer in model.layers))


def _with_factors(encoding: Encoding | None, alphas: FloatArray) -> Encoding:
    """The rotation with these logarithms of factors after its YaRN, or without another scaling."""
    assert encoding is not None
    rotation = encoding.rotation
    assert rotation is not None
    if alphas.shape != (rotation.pairs.n_pairs,):
        shape = " x ".join(map(str, alphas.shape)) or "one"
        raise ValueError(f"LeRoPE needs a number per pair, {rotation.pairs.n_pairs}, got {shape}")
    own = rotation.scaling or Yarn(1.0, 4096)
    if own.rope_type != Yarn.rope_type:
        raise ValueError(f"LeRoPE is shown after YaRN alone, this model has {own.title}")
    return rotation.scaled_by(LeRope(**own.parameters(), lerope_alpha=tuple(alphas.tolist())))
