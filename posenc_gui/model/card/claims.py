"""The card of a model: statements in the order of their weight, each with the keys of the files that it rests on."""

from collections.abc import Iterator

from msgspec import Struct

from posenc_core.fields import one_line
from posenc_core.model_config import Evidence, evidence_named, evidence_of_layer, evidence_of_part
from posenc_core.session import LayerGroup, Model, ModelPart
from posenc_gui.look import counted
from posenc_gui.model.card.layers import indices_words, layer_words, part_words, share_of_layers

SURPRISING, LENGTHS, LAYERS, KEYS = "surprising", "lengths", "layers", "keys"
"""The topics of claims, in the order of a card."""

_TRAINED_FROM = ("seq_length", "the preset's source")
"""Begin of ``Model.lengths_from`` if the first length is a trained length."""

_REMAPPED_FROM = "dual_chunk_attention_config"
"""Its begin if distances are changed in place of frequencies."""

_NO_KEY = "No key in the files: the code of the model's class decides this."
_UNDER_KEY = "The file has the names and values under this key."
_NOWHERE = "no layer has positions"
_MOST_KEYS = 16
_LONGEST_VALUE = 60

_ABOUT_KEYS = ("the parameters are those of ", "the config gives no ", "the number of layers is not in the file")
_TAKEN = " is not in the file: "


class Claim(Struct, frozen=True):
    """A statement on a model, its topic, and its keys in the files; none if the class decides."""

    topic: str
    text: str
    evidence: tuple[Evidence, ...] = ()

    @property
    def tip(self) -> str:
        """The keys with their values, a line each."""
        lines = [evidence_line(each) for each in self.evidence[:_MOST_KEYS]]
        left_out = len(self.evidence) - len(lines)
        none = _UNDER_KEY if self.text.startswith(_ABOUT_KEYS[0]) else _NO_KEY
        return "\n".join([*lines, f"and {left_out} more keys"] if left_out else lines) or none

    @property
    def copied(self) -> str:
        """The statement and its keys, as text to paste."""
        return "\n".join([self.text, *(f"  {each}" for each in self.evidence)])


def evidence_line(evidence: Evidence) -> str:
    """``rope_theta = 500000.0``, a long value cut."""
    line = one_line(str(evidence))
    return line if len(line) <= len(evidence.key) + _LONGEST_VALUE else f"{line[: len(evidence.key) + _LONGEST_VALUE]}…"


def claims_of(model: Model) -> Iterator[Claim]:
    """The statements of the card: surprising ones, lengths, layers, and then places and defaults of keys."""
    yield from (note_claim(model, each) for each in model.notes if not _is_about_keys(each))
    yield lengths_claim(model)
    yield from (group_claim(model, each) for each in model.groups)
    yield from (part_claim(model, each) for each in model.parts)
    yield from (note_claim(model, each) for each in model.notes if _is_about_keys(each))


def note_claim(model: Model, note: str) -> Claim:
    """The claim of one of the model's notes."""
    if note == _NOWHERE:
        found = (each for group in model.groups for each in evidence_of_layer(model, group.indices[0]))
        return Claim(SURPRISING, note, tuple(dict.fromkeys(found)))
    return Claim(KEYS if _is_about_keys(note) else SURPRISING, note, evidence_named(model, note))


def lengths_claim(model: Model) -> Claim:
    """The claim on the lengths, even if the files name none."""
    words = lengths_words(model)
    if not words:
        return Claim(LENGTHS, "The files give no length.")
    told = f" ({model.lengths_from})" if model.lengths_from else ""
    text = f"{words[:1].upper()}{words[1:]}{told}."
    return Claim(LENGTHS, text, evidence_named(model, model.lengths_from))


def lengths_words(model: Model) -> str:
    """``original length 8,192, before the scaling; made for 131,072 tokens``; empty if the files name no length.

    A length counts as trained only if a file, or the source of a preset, calls it so.
    """
    trained, target = model.trained_length, model.target_length
    if trained is not None and target is not None and trained != target:
        made = f"made for {counted(target)}"
        if model.lengths_from.startswith(_TRAINED_FROM):
            return f"trained on {counted(trained)} tokens, {made}"
        before = "its distances are remapped" if model.lengths_from.startswith(_REMAPPED_FROM) else "the scaling"
        return f"original length {counted(trained)}, before {before}; {made} tokens"
    length = target if trained is None else trained
    noun = "positions of its encoder" if model.lengths_from == "max_source_positions" else "tokens"
    return "" if length is None else f"made for {counted(length)} {noun}"


def group_claim(model: Model, group: LayerGroup) -> Claim:
    """The claim on equal layers."""
    count, layer = len(model.layers), group.layer
    which, listed = share_of_layers(group.indices, count), indices_words(group.indices, count)
    head = f"{which[:1].upper()}{which[1:]}{f' ({listed})' if listed else ''}: {one_line(layer_words(layer))}"
    text = f"{head}; {one_line(layer.sentence)}" if layer.sentence else head
    return Claim(LAYERS, text, evidence_of_layer(model, group.indices[0]))


def part_claim(model: Model, part: ModelPart) -> Claim:
    """The claim on a part beside the text."""
    words = f"{part_words(part)}: {one_line(layer_words(part.layer))}"
    text = f"{words}; {one_line(part.layer.sentence)}" if part.layer.sentence else words
    return Claim(LAYERS, text, evidence_of_part(model, part))


def _is_about_keys(note: str) -> bool:
    """Whether the note names the place of a key, or the default of a missing one."""
    return note.startswith(_ABOUT_KEYS) or _TAKEN in note
