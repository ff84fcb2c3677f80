"""Layers of a model in words: their indices, and their positions."""

from posenc_core.session import Layer, ModelPart, runs_of
from posenc_gui.look import counted
from posenc_gui.model import column_noun

_MOST_RUNS = 5
"""Largest number of listed runs of layers; a rule is clearer than a longer list."""

_KINDS = {
    "rotary": "rotary",
    "none": "no rotation, no position",
    "learned": "table in the weights",
    "unsupported": "not shown",
}
"""By ``Layer.kind``; layers of other kinds are called by the title of their encoding."""


_NOTHING = ": there is nothing to show"
"""End of the sentence on a model without positions."""

_SCALED = "scales its queries"
"""Words of the sentence on a layer whose queries are multiplied by a learned factor of their position."""

_PARTS = {"leading": "first", "trailing": "last"}


def share_of_layers(indices: tuple[int, ...], n_layers: int) -> str:
    """``all 32 layers``, ``24 of 32 layers``, or ``layer 3 of 32``."""
    if len(indices) == n_layers:
        return f"all {counted(n_layers)} layers" if n_layers > 1 else "the only layer"
    if len(indices) == 1:
        return f"layer {counted(indices[0])} of {counted(n_layers)}"
    return f"{counted(len(indices))} of {counted(n_layers)} layers"


def part_words(part: ModelPart) -> str:
    """``Vision part (32 layers)``; without a number for 1 layer: the number is then unknown."""
    counted_layers = "" if part.n_layers == 1 else f" ({counted(part.n_layers)} layers)"
    return f"{part.title[:1].upper()}{part.title[1:]}{counted_layers}"


def indices_words(indices: tuple[int, ...], n_layers: int) -> str:
    """``0–2, 4–6, 8–10, …``; empty for all layers or a single one."""
    if len(indices) in (1, n_layers):
        return ""
    runs = [f"{first}–{last}" if first < last else str(first) for first, last in runs_of(indices)]
    return f"{', '.join(runs[:_MOST_RUNS])}{', …' if len(runs) > _MOST_RUNS else ''}"


def layer_words(layer: Layer) -> str:
    """Encoding and window of the layer: ``rotary, base 500,000, window 4,096``."""
    temperature = "" if layer.temperature is None else f"temperature ({layer.temperature.rule})"
    window = "" if layer.window is None else f"window {counted(layer.window)}{_ahead_words(layer)}"
    chunk = "" if layer.chunk is None else f"chunks of {counted(layer.chunk)}"
    chosen = "" if layer.chosen is None else f"best {counted(layer.chosen)} tokens"
    title = layer.kind if layer.encoding is None else layer.encoding.title
    kind = "no positions" if layer.sentence.endswith(_NOTHING) else _KINDS.get(layer.kind, title)
    if layer.kind == "none" and (layer.temperature is not None or _SCALED in layer.sentence):
        kind = "no rotation"
    return ", ".join(filter(None, (kind, *_encoding_words(layer), window, chunk, chosen, temperature)))


def _ahead_words(layer: Layer) -> str:
    """Words after the size of a two-sided window; empty for a window that ends at the query's own token."""
    if layer.ahead is None:
        return ""
    return " on each side" if layer.ahead == layer.window else f" before, {counted(layer.ahead)} after"


def _encoding_words(layer: Layer) -> tuple[str, ...]:
    encoding = layer.encoding
    if encoding is None or layer.kind == "none":
        return ()
    rotation = encoding.rotation
    if rotation is None:
        base = None if encoding.cells is None else encoding.parameters().get("rope_theta")
        told = "" if base is None else f"base {base:,.10g}"
        return told, f"{counted(encoding.n_columns)} {column_noun(encoding)}s"
    part = f"the {_PARTS[rotation.rotary_part]} {rotation.n_columns} of {rotation.head_dim} columns"
    width = "" if rotation.n_columns == rotation.head_dim else part
    scaling = "" if rotation.scaling is None else rotation.scaling.title
    back = "backwards" if rotation.direction < 0 else ""
    seen = encoding.brief if rotation.distance_rule is not None and layer.chunk is None else ""
    return f"base {rotation.rope_theta:,.10g}", width, scaling, back, seen
