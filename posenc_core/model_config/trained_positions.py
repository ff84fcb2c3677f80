"""Trained numbers in a model's files: LeRoPE's factors of frequencies, FIRE's networks, banks of profiles."""

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings import Fire, GivenMlp, RelativeBank
from posenc_core.fields import shortened
from posenc_core.model_rules import Notes
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling import LeRope, Yarn
from posenc_core.session import Layer, Model
from posenc_core.tables import tensors_ending

_ALPHAS = ("lerope.alpha", "rotary_emb.alpha")
_NETWORK = ("mlp.0.weight", "mlp.0.bias", "mlp.2.weight", "mlp.2.bias")
_FIRE = (*_NETWORK, "c", "init_L", "L_multiplier")
_BANK = "rel_logits_proj.proj"

Tensors = Mapping[str, FloatArray]


def with_trained(model: Model, files: Mapping[str, Path]) -> tuple[Model, Notes]:
    """The model with the trained numbers of positions in its files, and notes on tensors that do not fit.

    ``files`` are those of the folder by name.
    """
    model, notes = with_alphas(model, files)
    for is_wanted, endings, fitted in (
        (_has_fire, tuple(f".{name}" for name in _FIRE), _with_networks),
        (_is_unsupported, (_BANK,), _with_banks),
    ):
        if any(map(is_wanted, model.layers)):
            tensors, more = _tensors(files, endings)
            try:
                model, said = fitted(model, tensors)
            except ValueError as error:
                said = (str(error),)
            notes = (*notes, *more, *said)
    return model, notes


def with_alphas(model: Model, files: Mapping[str, Path]) -> tuple[Model, Notes]:
    """The model with the factors of its rotations' pairs in its files, and notes on tensors that do not fit.

    ``files`` are the files of the folder by name. All rotating layers share the first such tensor. Source:
    transformers, ``modeling_mistral_large4``, ``rotary_emb.alpha``.
    """
    if all(each.encoding is None or each.encoding.rotation is None for each in model.layers):
        return model, ()
    for name, path in sorted(files.items()):
        if not name.endswith(".safetensors"):
            continue
        try:
            found = tensors_ending(path, _ALPHAS)
        except ValueError as error:
            return model, (str(error),)
        for tensor, numbers in found.items():
            try:
                return model.with_layers(partial(_scaled, np.asarray(numbers, np.float64))), ()
            except ValueError as error:
                return model, (f"{name}, {shortened(tensor)}: {error}",)
    return model, ()


def _scaled(alphas: FloatArray, layer: Layer) -> Layer:
    """A rotating layer with these logarithms of factors after its YaRN, or without another scaling; others stay.

    ValueError with a sentence if they do not fit the rotation.
    """
    rotation = None if layer.kind != "rotary" or layer.encoding is None else layer.encoding.rotation
    if rotation is None:
        return layer
    if alphas.shape != (rotation.pairs.n_pairs,):
        shape = " x ".join(map(str, alphas.shape)) or "one"
        raise ValueError(f"LeRoPE needs a number per pair, {rotation.pairs.n_pairs}, got {shape}")
    own = rotation.scaling or Yarn(1.0, 4096)
    if own.rope_type != Yarn.rope_type:
        raise ValueError(f"LeRoPE is shown only after YaRN, this model has {own.title}")
    scaling = LeRope(**own.parameters(), lerope_alpha=tuple(alphas.tolist()))
    return replace(layer, encoding=rotation.scaled_by(scaling))


def _tensors(files: Mapping[str, Path], endings: tuple[str, ...]) -> tuple[Tensors, Notes]:
    """The tensors with these endings by name, in the order of the numbers in their names; notes on damaged files."""
    found: dict[str, FloatArray] = {}
    notes = []
    for name, path in sorted(files.items()):
        if name.endswith(".safetensors"):
            try:
                found.update(tensors_ending(path, endings))
            except ValueError as error:
                notes.append(str(error))
    return dict(sorted(found.items(), key=lambda each: _by_number(each[0]))), tuple(notes)


def _by_number(name: str) -> list[tuple[int, str]]:
    """The name in parts that order it by its numbers: layer 10 after layer 9."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in name.split(".")]


def _has_fire(layer: Layer) -> bool:
    return layer.encoding is not None and layer.encoding.family == Fire.family


def _is_unsupported(layer: Layer) -> bool:
    return layer.kind == "unsupported"


def _with_networks(model: Model, tensors: Tensors) -> tuple[Model, Notes]:
    """The model with FIRE's trained networks: one for all layers, or one per layer in the order of their names.

    A module's tensors are those of the authors' code. Source: Li et al. 2023 (arXiv 2310.04418), appendix with the
    code.
    """
    ending = f".{_NETWORK[0]}"
    named = [name.removesuffix(ending) for name in tensors if name.endswith(ending)]
    modules = [name for name in named if f"{name}.c" in tensors]  # networks of other kinds have no c
    places = [place for place, layer in enumerate(model.layers) if _has_fire(layer)]
    if not modules:
        return model, ()
    if len(modules) not in (1, len(places)):
        raise ValueError(
            f"the weights have {len(modules)} networks of FIRE, the model has {len(places)} layers with it"
        )
    layers, first = list(model.layers), model.layers[places[0]]
    heads = 0 if first.encoding is None else first.encoding.n_columns
    made = [_fire_of(name, tensors, heads) for name in modules]
    trained = [replace(first, encoding=each) for each, _ in made]
    for turn, place in enumerate(places):
        layers[place] = trained[turn % len(trained)]
    simulated = () if first.encoding is None else first.encoding.warnings
    kept = tuple(note for note in model.notes if note not in simulated)
    return replace(model, layers=tuple(layers), notes=kept), tuple(dict.fromkeys(note for _, note in made if note))


def _fire_of(module: str, tensors: Tensors, heads: int) -> tuple[Fire, str]:
    """FIRE with the numbers of a module, and a note on a rounded L; ValueError with a sentence that names the module.

    ``heads`` are those of the model, for which the network has an output each.

    L is ``|L_multiplier init_L|``, and the authors' code divides by a logarithm plus 1e-6.
    """
    missing = [name for name in _FIRE if f"{module}.{name}" not in tensors]
    if missing:
        raise ValueError(f"{shortened(module)} has no tensor {missing[0]}, which FIRE needs")
    arrays = {name: np.asarray(tensors[f"{module}.{name}"], np.float64) for name in _FIRE}
    try:
        c, initial, multiplier = (_single(name, arrays[name]) for name in _FIRE[len(_NETWORK) :])
        length = abs(multiplier * initial)
        threshold = round(length) if np.isfinite(length) else -1
        made = Fire(abs(c), threshold, epsilon=True, mlp=GivenMlp.of(*(arrays[name] for name in _NETWORK)))
        if made.n_columns != heads:
            raise ValueError(f"the network has {made.n_columns} heads, the model has {heads}")
    except (TypeError, ValueError) as error:
        raise ValueError(f"{shortened(module)}: {error}") from None
    return made, "" if threshold == length else f"FIRE's threshold L is {length:.7g}, shown rounded to {threshold}"


def _single(name: str, array: FloatArray) -> float:
    if array.size != 1:
        raise ValueError(f"{name} must be one number, got {array.size}")
    return float(array.ravel()[0])


def _with_banks(model: Model, tensors: Tensors) -> tuple[Model, Notes]:
    """The model with the trained profiles of the first layer of each kind; other layers have other profiles.

    The bank of a layer has tens of thousands of numbers, which sessions contain. Source: transformers,
    ``modeling_inkling``, ``rel_logits_proj``.
    """
    layers, shown = list(model.layers), []
    for group in model.groups:
        place = group.indices[0]
        name = next(
            (each for each in tensors if re.search(rf"(^|\.)layers\.{place}\..*{re.escape(_BANK)}$", each)), None
        )
        if name is None or not _is_unsupported(group.layer):
            continue
        try:
            bank = RelativeBank.from_arrays(tensors[name])
        except (TypeError, ValueError) as error:
            raise ValueError(f"{shortened(name)}: {error}") from None
        layers[place] = replace(group.layer, kind="bias", encoding=bank, sentence=f"trained profiles of {name}")
        shown.append(str(place))
    if not shown:
        return model, ()
    which = " and ".join(shown)
    told = f"each layer has trained profiles of its own; shown are those of layers {which}, with simulated states"
    return replace(model, layers=tuple(layers)), (told,)
