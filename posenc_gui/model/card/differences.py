"""Two models beside each other: lines of a table with a column for each, for the window and the terminal."""

from collections.abc import Iterator

from msgspec import Struct

from posenc_core.analysis import Difference, layer_differences, length_differences
from posenc_core.session import Model
from posenc_gui.model.card.layers import indices_words, share_of_layers


class DifferingLayers(Struct, frozen=True):
    """Differences of equal layers under a title, ``10 of 12 layers (0–4, 6–10)``; the title is empty for lengths."""

    title: str
    differences: tuple[Difference, ...]


def differences_of(a: Model, b: Model) -> Iterator[DifferingLayers]:
    """Differences of two models: their lengths, then their common layers; none for equal models."""
    lengths, common = length_differences(a, b), min(len(a.layers), len(b.layers))
    if lengths:
        yield DifferingLayers("", lengths)
    for each in layer_differences(a, b):
        listed = indices_words(each.indices, common)
        which = f"{share_of_layers(each.indices, common)}{f' ({listed})' if listed else ''}"
        yield DifferingLayers(which, each.differences)
