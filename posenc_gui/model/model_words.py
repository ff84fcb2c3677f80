"""What a model does with positions, in words, for the window and the terminal."""

import numpy as np

from posenc_core import Encoding
from posenc_core.analysis import pair_shares, slowdowns
from posenc_core.session import Layer, Model, runs_of
from posenc_gui.look import counted, significant
from posenc_gui.model.wording import column_noun

_MOST_RUNS = 5
"""Runs of layers that are listed; a rule says more than a longer list."""

_KINDS = {
    "rotary": "rotates",
    "none": "no rotation, no position",
    "learned": "learned table",
    "unsupported": "not shown",
}
"""By ``Layer.kind``; layers of other kinds are called by the title of their encoding."""


_TRAINED_FROM = ("seq_length", "the preset's source")
"""How ``Model.lengths_from`` begins where the first length is one of training."""

_PARTS = {"leading": "first", "trailing": "last"}


def shares_words(encoding: Encoding) -> str:
    """``64 pairs; 29 kept, 6 blended, 29 slowed 8 times``."""
    own = _own_shares(encoding)
    if own:
        return own
    shares, n_pairs = pair_shares(encoding), len(encoding.frequencies())
    pairs = f"{counted(n_pairs)} pair{'s' if n_pairs > 1 else ''}"
    if not shares.blended and not shares.slowed:
        return f"{pairs}, none scaled"
    slowed = f"slowed {significant(shares.factor)} times"
    told = ((shares.kept, "kept"), (shares.blended, "blended"), (shares.slowed, slowed))
    return f"{pairs}; {', '.join(f'{counted(count)} {what}' for count, what in told if count)}"


def _own_shares(encoding: Encoding) -> str:
    """The shares where no factor tells them: pairs that stand still, and pairs with a divisor of their own."""
    slower = slowdowns(encoding)
    still = np.isinf(slower)
    if still.any():
        turning, half = int((~still).sum()), encoding.n_columns // 2
        where = f"columns 0-{turning - 1} and {half}-{half + turning - 1}"
        return f"{counted(turning)} pairs turn ({where}), {counted(int(still.sum()))} stand still"
    if pair_shares(encoding).blended > len(slower) / 2:  # LongRoPE lists them, NTK's follow from its base
        least, most = (significant(float(each), 3) for each in (slower.min(), slower.max()))
        return f"{counted(len(slower))} pairs; each pair has its own divisor, {least} to {most}"
    return ""


def lengths_words(model: Model) -> str:
    """``original length 8,192, before the scaling; made for 131,072 tokens``; empty where the files name no length.

    A length of training is one that a file, or the source of a preset, calls so.
    """
    trained, target = model.trained_length, model.target_length
    if trained is not None and target is not None and trained != target:
        made = f"made for {counted(target)}"
        if model.lengths_from.startswith(_TRAINED_FROM):
            return f"trained on {counted(trained)} tokens, {made}"
        return f"original length {counted(trained)}, before the scaling; {made} tokens"
    length = target if trained is None else trained
    return "" if length is None else f"made for {counted(length)} tokens"


def share_of_layers(indices: tuple[int, ...], n_layers: int) -> str:
    """``all 32 layers``, ``24 of 32 layers``, or ``layer 3 of 32``."""
    if len(indices) == n_layers:
        return f"all {counted(n_layers)} layers" if n_layers > 1 else "the only layer"
    if len(indices) == 1:
        return f"layer {counted(indices[0])} of {counted(n_layers)}"
    return f"{counted(len(indices))} of {counted(n_layers)} layers"


def indices_words(indices: tuple[int, ...], n_layers: int) -> str:
    """``0–2, 4–6, 8–10, …``; empty for all layers or a single one."""
    if len(indices) in (1, n_layers):
        return ""
    runs = [f"{first}–{last}" if first < last else str(first) for first, last in runs_of(indices)]
    return f"{', '.join(runs[:_MOST_RUNS])}{', …' if len(runs) > _MOST_RUNS else ''}"


def layer_words(layer: Layer) -> str:
    """What the layer does, and over how many tokens it attends: ``rotates, base 500,000, window 4,096``."""
    temperature = "" if layer.temperature is None else f"temperature ({layer.temperature.rule})"
    window = "" if layer.window is None else f"window {counted(layer.window)}"
    chunk = "" if layer.chunk is None else f"chunks of {counted(layer.chunk)}"
    title = layer.kind if layer.encoding is None else layer.encoding.title
    kind = _KINDS.get(layer.kind, title)
    return ", ".join(filter(None, (kind, *_encoding_words(layer), window, chunk, temperature)))


def _encoding_words(layer: Layer) -> tuple[str, ...]:
    encoding = layer.encoding
    if encoding is None or layer.kind == "none":
        return ()
    rotation = encoding.rotation
    if rotation is None:
        return (f"{counted(encoding.n_columns)} {column_noun(encoding)}s",)
    part = f"the {_PARTS[rotation.rotary_part]} {rotation.n_columns} of {rotation.head_dim} columns"
    width = "" if rotation.n_columns == rotation.head_dim else part
    scaling = "" if rotation.scaling is None else rotation.scaling.title
    back = "backwards" if rotation.direction < 0 else ""
    seen = encoding.brief if rotation.distance_rule is not None and layer.chunk is None else ""
    return f"base {rotation.rope_theta:,.10g}", width, scaling, back, seen
