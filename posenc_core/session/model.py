"""A model as its files describe it: what each layer does with positions, and for which lengths it was made."""

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from posenc_core.encodings import Encoding
from posenc_core.rope_scaling import QueryTemperature


class Layer(Struct, frozen=True):
    """What one layer of a model does with positions.

    ``kind``: "rotary", "none" (the layer adds no position), "learned", "sinusoidal", "bias", or "unsupported", whose
    ``sentence`` says why it is not shown. ``encoding`` is None if the layer has none. ``window`` (tokens) is that of
    sliding attention, ``chunk`` (tokens) that of chunked attention, None for attention to all tokens before.
    ``temperature`` is the factor of queries by their position, if it has one. ``layer_type`` is the model's own name of
    layers of this kind, None if all layers are of one kind. ``sentence`` also tells which key of the files decides,
    and what follows from it.
    """

    kind: str
    encoding: Encoding | None = None
    window: int | None = None
    chunk: int | None = None
    temperature: QueryTemperature | None = None
    layer_type: str | None = None
    sentence: str = ""


class FoundTable(Struct, frozen=True):
    """A learned table of positions in a model's files.

    ``shape`` counts rows and columns; ``first_row`` is the row of the first token, None if it is not known.
    """

    file: Path
    tensor: str
    shape: tuple[int, int]
    first_row: int | None
    remark: str


class LayerGroup(Struct, frozen=True):
    """Equal layers of a model: their indices from 0 in increasing order, and what each of them does."""

    indices: tuple[int, ...]
    layer: Layer


class Model(Struct, frozen=True):
    """What a model's files say about positions.

    ``name`` is for titles, ``source`` names the files that were read. ``trained_length`` and ``target_length`` (tokens)
    are the length that the model was first trained on and the one that it was made for, None if the files do not
    tell; ``lengths_from`` names the keys. ``layers`` has one entry a layer; equal ones are the same object. ``notes``
    are plain sentences about what is surprising, missing, assumed or contradictory, the most important first.
    """

    name: str
    model_type: str
    source: str
    layers: tuple[Layer, ...]
    trained_length: int | None = None
    target_length: int | None = None
    lengths_from: str = ""
    notes: tuple[str, ...] = ()
    tables: tuple[FoundTable, ...] = ()
    tokenizer: Path | None = None

    @property
    def groups(self) -> tuple[LayerGroup, ...]:
        """The equal layers, in the order of their first one."""
        members: dict[int, list[int]] = {}
        for index, layer in enumerate(self.layers):
            members.setdefault(id(layer), []).append(index)
        return tuple(LayerGroup(tuple(indices), self.layers[indices[0]]) for indices in members.values())

    @property
    def rotary(self) -> Encoding | None:
        """The encoding of the first layer that rotates; None without such a layer."""
        shown = (each.encoding for each in self.layers)
        return next((each for each in shown if each is not None and each.rotation is not None), None)

    def without_folders(self) -> "Model":
        """The model with its files' names in the place of their paths, which a session does not tell."""
        tables = tuple(replace(each, file=Path(each.file.name)) for each in self.tables)
        return replace(self, tables=tables, tokenizer=self.tokenizer and Path(self.tokenizer.name))
