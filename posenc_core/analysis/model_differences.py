"""Differences between the positional encodings of two models, layer by layer."""

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Encoding, Rotation, at_length
from posenc_core.long_context import NEVER, drift, pairs_that_turn
from posenc_core.session import Layer, Model

_SAME = 1e-6
"""Largest relative difference of two frequencies that are the same: a GGUF file has divisors in float32."""


_LONG_TEXT = 10**8
"""Tokens, more than any original length."""

_GGUF = ".gguf"
"""The end of a file's name. Converters permute columns to fit the layout of llama.cpp, which is no difference."""

_LAYOUT = "pair layout"


class Difference(Struct, frozen=True):
    """One difference: its name, its value in either model, and a ``remark``, a sentence with details."""

    what: str
    first: str
    second: str
    remark: str = ""


class LayerDifferences(Struct, frozen=True):
    """Layers, by their indices from 0, that have the same differences."""

    indices: tuple[int, ...]
    differences: tuple[Difference, ...]


def length_differences(a: Model, b: Model) -> tuple[Difference, ...]:
    """The differences of the lengths and of the number of layers."""
    return _differing(
        ("original length", _length(_original(a)), _length(_original(b))),
        ("target length", _length(a.target_length), _length(b.target_length)),
        ("number of layers", len(a.layers), len(b.layers)),
    )


def layer_differences(a: Model, b: Model) -> tuple[LayerDifferences, ...]:
    """The differences of the layers that both models have, equal ones together, in the order of the first layer."""
    permuted = a.source.endswith(_GGUF) != b.source.endswith(_GGUF)
    known: dict[tuple[int, int], tuple[Difference, ...]] = {}
    found: dict[tuple[Difference, ...], list[int]] = {}
    for index, (one, other) in enumerate(zip(a.layers, b.layers, strict=False)):
        key = id(one), id(other)
        if key not in known:
            known[key] = tuple(each for each in _of_layers(one, other) if each.what != _LAYOUT or not permuted)
        if known[key]:
            found.setdefault(known[key], []).append(index)
    return tuple(LayerDifferences(tuple(indices), differences) for differences, indices in found.items())


def _of_layers(a: Layer, b: Layer) -> tuple[Difference, ...]:
    cool, warm = (None if each.temperature is None else each.temperature.sentence for each in (a, b))
    differences = _differing(
        ("kind", a.kind, b.kind),
        ("window", _window(a), _window(b)),
        ("chunk", a.chunk, b.chunk),
        ("tokens per compressed entry", a.compressed, b.compressed),
        ("tokens chosen by an indexer", a.chosen, b.chosen),
        ("query temperature", cool, warm),
    )
    if a.encoding is None or b.encoding is None or a.encoding == b.encoding:
        return differences
    if a.encoding.rotation is not None and b.encoding.rotation is not None:
        differences += _of_rotations(a.encoding.rotation, b.encoding.rotation)
        return differences + _of_frequencies(a.encoding, b.encoding)
    one, other = a.encoding.parameters(), b.encoding.parameters()
    named = (
        ("family", a.encoding.family, b.encoding.family),
        *((n, one.get(n), other.get(n)) for n in {**one, **other}),
    )
    return differences + _differing(*named)


def _window(layer: Layer) -> str | int | None:
    """The tokens of the window; in words if it reaches beyond the query's own."""
    if layer.ahead is None:
        return layer.window
    return f"{layer.window:,} before and {layer.ahead:,} after"


def _of_rotations(a: Rotation, b: Rotation) -> tuple[Difference, ...]:
    return _differing(
        (_LAYOUT, a.pairing, b.pairing),
        ("direction", a.direction, b.direction),
        ("rotated part of the head", a.rotary_part, b.rotary_part),
        ("head width", a.head_dim, b.head_dim),
        ("rotated columns", _rotated(a), _rotated(b)),
        ("attention factor", a.attention_factor, b.attention_factor),
        ("factor of the softmax scale", a.softmax_scale_factor, b.softmax_scale_factor),
    )


def _rotated(rotation: Rotation) -> int:
    """The columns of the pairs that turn."""
    return 2 * int(np.count_nonzero(rotation.pairs.frequencies))


def _of_frequencies(a: Encoding, b: Encoding) -> tuple[Difference, ...]:
    """The pairs whose frequencies differ, and the first position with a deviation above 45 degrees."""
    turning = [pairs_that_turn(each, "drift needs").turning for each in (a, b)]
    n_pairs = min(map(len, turning))
    one, other = (each[:n_pairs] for each in turning)
    apart, size = np.abs(one - other), np.maximum(np.abs(one), np.abs(other))
    differing = np.flatnonzero(apart > _SAME * size)
    if not len(differing):
        return _differing(("frequencies of longer texts", _of_longer_texts(a), _of_longer_texts(b)))
    worst = int(differing[np.argmax(apart[differing] / size[differing])])
    off = drift(a, b)
    remark = f"{len(differing)} of {n_pairs} pairs differ, pair {worst} the most"
    if off.pair != NEVER:
        remark += f"; the first pair off by more than 45 degrees is pair {off.pair} at position {off.position:,}"
    remark += _length_told(a, b)
    return (Difference(f"frequency of pair {worst}", f"{one[worst]:.10g}", f"{other[worst]:.10g}", remark),)


def _length_told(*encodings: Encoding) -> str:
    """Which texts are compared, where the frequencies follow their length; *Drift* compares at the target length."""
    follow = [name for name, each in zip(("the first", "the second"), encodings, strict=True) if _follows(each)]
    return f"; in short texts, whose length the frequencies of {' and '.join(follow)} follow" if follow else ""


def _of_longer_texts(encoding: Encoding) -> str:
    return "follow the length" if _follows(encoding) else "are the same"


def _follows(encoding: Encoding) -> bool:
    """Whether the frequencies depend on the length of the text: those of dynamic NTK and of LongRoPE."""
    return at_length(encoding, _LONG_TEXT) != at_length(encoding, 1)


def _differing(*rows: tuple[str, object, object]) -> tuple[Difference, ...]:
    return tuple(Difference(what, _told(a), _told(b)) for what, a, b in rows if a != b)


def _original(model: Model) -> int | None:
    """The original length; None if one key gives the only length."""
    is_only = model.trained_length == model.target_length and "," not in model.lengths_from
    return None if is_only else model.trained_length


def _length(length: int | None) -> int | str:
    return "not given" if length is None else length


def _told(value: object) -> str:
    if value is None:
        return "none"
    return f"{value:,}" if type(value) is int else f"{value:.10g}" if isinstance(value, float) else str(value)
