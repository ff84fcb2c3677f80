"""A model as its files describe it: the positions of each layer, and its lengths."""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from posenc_core import encodings, rope_scaling
from posenc_core.encodings import Encoding
from posenc_core.fields import FARTHEST, shortened

LONGEST_TEXT = 4096
"""Characters of a text about a model; a longer text is cut."""

LONGEST_CONFIG = 2**16
"""Characters of the keys of a configuration; a longer one is omitted."""

MOST_LISTED = 1000
"""Notes, and tables, of a model; further ones are omitted."""

MOST_PARTS = 16
"""Parts of a model beside its text; further ones are omitted."""

LARGEST = FARTHEST
"""The largest length in tokens, and the largest number of rows or columns of a table."""


class Layer(Struct, frozen=True):
    """Positions in one layer of a model.

    ``kind``: "rotary", "none" (the layer adds no position), "learned", "sinusoidal", "bias", or "unsupported", whose
    ``sentence`` gives the reason. ``encoding`` is None if the layer has none. ``window`` (tokens) is that of
    sliding attention up to a query's own token, included; if the query also sees ``ahead`` tokens after its own,
    ``window`` counts those before it. ``chunk`` (tokens) is that of chunked attention, ``compressed`` the tokens of an
    entry that summarizes those before the window, ``chosen`` the most tokens that an indexer picks. All are None for
    attention to all tokens before. ``temperature`` is the factor of queries by their position, if it has one.
    ``layer_type`` is the model's own name of layers of this kind, None if all layers are of one kind. ``sentence`` also
    names the decisive key of the files and its consequence. ``table_shape`` counts rows and columns of a learned
    table whose numbers are only in the weights.
    """

    kind: str
    encoding: Encoding | None = None
    window: int | None = None
    chunk: int | None = None
    temperature: "rope_scaling.QueryTemperature | None" = None
    layer_type: str | None = None
    sentence: str = ""
    ahead: int | None = None
    compressed: int | None = None
    table_shape: tuple[int, int] | None = None
    chosen: int | None = None

    def __post_init__(self) -> None:
        """Cut texts; ValueError for a length out of bounds."""
        _cut(self, "layer_type", "sentence")
        _check_lengths(self, "window", "chunk", "ahead", "compressed", "chosen")

    @property
    def shown(self) -> Encoding | None:
        """The encoding of the layer, or for a table in the weights an untrained one of its shape; None without both."""
        if self.encoding is not None or self.table_shape is None:
            return self.encoding
        return encodings.LearnedTable.untrained(*self.table_shape)

    @property
    def longest_distance(self) -> int | None:
        """The largest distance of a query and a key that it sees, in tokens; None without a bound."""
        if self.compressed is not None:
            return None
        if self.window is not None and self.ahead is not None:
            return max(self.window, self.ahead)
        tokens = self.chunk if self.window is None else self.window
        return None if tokens is None else tokens - 1


class FoundTable(Struct, frozen=True):
    """A learned table of positions in a model's files.

    ``shape`` counts rows and columns; ``first_row`` is the row of the first token, None if it is not known.
    """

    file: Path
    tensor: str
    shape: tuple[int, int]
    first_row: int | None
    remark: str

    def __post_init__(self) -> None:
        """Cut texts; ValueError for a shape out of bounds."""
        _cut(self, "tensor", "remark")
        if not all(0 <= size <= LARGEST for size in self.shape):
            rows, columns = self.shape
            size = f"{rows:,} rows and {columns:,} columns"
            raise ValueError(f"the table {shortened(self.tensor)} has {size}; both must be at most 2^53")


class LayerGroup(Struct, frozen=True):
    """Equal layers of a model: their indices from 0 in increasing order, and their common layer."""

    indices: tuple[int, ...]
    layer: Layer


class ModelPart(Struct, frozen=True):
    """A part of a model beside the text: its name, the number of its layers, and the first that adds positions.

    The name is ``vision``, ``audio``, ``encoder``, ``talker``, ``codec`` and so on. If the layers differ, the layer's
    sentence says what each group of them does.
    """

    name: str
    n_layers: int
    layer: Layer

    @property
    def title(self) -> str:
        """Title of the part within a sentence: ``vision part``, ``vector quantiser``, ``code predictor``."""
        return _TITLES.get(self.name, self.name)


_TITLES = {
    "vision": "vision part",
    "audio": "audio part",
    "code2wav": "waveform decoder",
    "dit": "diffusion transformer",
    "acoustic": "acoustic encoder",
    "semantic": "semantic encoder",
    "qformer": "Q-Former",
    "vq": "vector quantiser",
    "image": "image encoder",
    "video": "video encoder",
    "multimodal": "multimodal encoder",
    "word timestamp": "word timestamp head",
}
"""Titles of parts whose name alone is no title, by the name."""


class Model(Struct, frozen=True):
    """Positions of a model, as its files describe them.

    ``name`` is for titles, ``source`` names the files that were read. ``trained_length`` and ``target_length`` (tokens)
    are the length of the first training and the intended length, None if the files do not define them; ``lengths_from``
    names the keys. ``layers`` has one entry per layer; equal layers are one object. ``notes`` are plain sentences about
    surprising, missing, assumed or contradictory facts, the most important first. ``config`` has the keys of the
    config.json that engines read about positions, as JSON; empty without one. ``header`` has those of a GGUF file.
    ``parts`` are the parts other than the one with the ``layers``.
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
    config: str = ""
    header: str = ""
    parts: tuple[ModelPart, ...] = ()

    def __post_init__(self) -> None:
        """Cut texts and lists; ValueError for a length out of bounds."""
        _cut(self, "name", "model_type", "source", "lengths_from")
        force_setattr(self, "notes", tuple(note[:LONGEST_TEXT] for note in self.notes[:MOST_LISTED]))
        force_setattr(self, "tables", self.tables[:MOST_LISTED])
        _check_lengths(self, "trained_length", "target_length")

    @property
    def groups(self) -> tuple[LayerGroup, ...]:
        """The equal layers, in the order of their first one."""
        return groups_of(self.layers)

    def with_layers(self, change: Callable[[Layer], Layer]) -> "Model":
        """The model with the changed layers; equal layers stay one object."""
        changed = {id(group.layer): change(group.layer) for group in self.groups}
        return replace(self, layers=tuple(changed[id(each)] for each in self.layers))

    def at(self, index: int) -> tuple[str, Layer]:
        """The name and the layer with this index: the parts are counted after the layers; IndexError for no layer."""
        if index < len(self.layers):
            return f"layer {index}", self.layers[index]
        part = self.parts[index - len(self.layers)]
        return part.title, part.layer

    @property
    def rotary(self) -> Encoding | None:
        """The encoding of the first layer that rotates; None without such a layer."""
        shown = (each.encoding for each in self.layers)
        return next((each for each in shown if each is not None and each.rotation is not None), None)

    @property
    def first_shown(self) -> int:
        """The index of the first layer that adds positions, or else of the first with an encoding, or else 0."""
        return first_shown(self.layers)

    def without_folders(self) -> "Model":
        """The model with its files' names in place of their paths, which sessions leave out."""
        tables = tuple(replace(each, file=Path(each.file.name)) for each in self.tables)
        return replace(self, tables=tables, tokenizer=self.tokenizer and Path(self.tokenizer.name))


def groups_of(layers: Sequence[Layer]) -> tuple[LayerGroup, ...]:
    """The layers that are one object, in the order of their first one."""
    members: dict[int, list[int]] = {}
    for index, layer in enumerate(layers):
        members.setdefault(id(layer), []).append(index)
    return tuple(LayerGroup(tuple(indices), layers[indices[0]]) for indices in members.values())


def first_shown(layers: tuple[Layer, ...]) -> int:
    """The index of the first layer that adds positions, or else of the first with an encoding, or else 0."""
    shown = [index for index, each in enumerate(layers) if each.shown is not None]
    return next((index for index in shown if layers[index].kind != "none"), next(iter(shown), 0))


def _cut(record: Struct, *names: str) -> None:
    """Cut the texts of these names to the longest that a session has."""
    for name in names:
        text = getattr(record, name)
        if text is not None and len(text) > LONGEST_TEXT:
            force_setattr(record, name, f"{text[: LONGEST_TEXT - 1]}…")


def _check_lengths(record: Struct, *names: str) -> None:
    """ValueError with one sentence unless each length is None, or from 1 to the largest that a session has."""
    for name in names:
        length = getattr(record, name)
        if length is not None and not 1 <= length <= LARGEST:
            raise ValueError(f"{name} must be from 1 to 2^53 tokens, got {shortened(length)}")
