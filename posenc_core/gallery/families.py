"""The families of encodings in the order of their story, each with parameters that suit the present document."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from posenc_core.encodings import ENCODINGS, Encoding
from posenc_core.fields import SEQ_LEN
from posenc_core.rope_scaling import SCALING, SCALINGS, RopeScaling
from posenc_core.session import ContextLengths, Document, compared_encodings, wanted_parameters


class StoryFamily(Struct, frozen=True):
    """A family of the story: what it does in a few words and in a sentence, and its encoding for a document.

    ``own`` names the width where that is not the document's, ``head_dim 8``; empty where it is.
    """

    name: str
    title: str
    brief: str
    summary: str
    encoding: Encoding
    own: str = ""


class _Card(Struct, frozen=True):
    """A family, alone or with a scaling that has a card of its own."""

    kind: type[Encoding]
    scaling: type[RopeScaling] | None = None

    @property
    def name(self) -> str:
        """The name of the family or of the scaling."""
        return self.kind.family if self.scaling is None else self.scaling.rope_type


def story_names() -> tuple[str, ...]:
    """The names of the families in the order of the story, from the first naive idea to those in use today.

    A scaling with a card of its own follows the family that it scales; registered families are the last.
    """
    return tuple(each.name for each in _cards())


def story_families(document: Document) -> tuple[StoryFamily, ...]:
    """Every family in the order of the story, with the width and the length of the document where it takes them.

    The document's own encoding stands for its family as it is. A family that refuses the document's width has one of
    its own: a binary code as many bits as the length needs, RoPE and Transformer-XL the next even number.
    """
    return _story_families(
        tuple(_cards(document.encoding.family)), document.encoding, document.seq_len, document.lengths
    )


def _cards(chosen: str = "") -> Iterator[_Card]:
    """The families with a card; one that needs the user's own text has a card while it is the ``chosen`` one."""
    for kind in ENCODINGS.values():
        if kind.in_gallery or (kind.shown_if_chosen and kind.family == chosen):
            yield _Card(kind)
        if SCALING in kind.FIELDS:
            yield from (_Card(kind, scaling) for scaling in SCALINGS.values() if scaling.summary)


@lru_cache(maxsize=8)
def _story_families(
    cards: tuple[_Card, ...], present: Encoding, seq_len: int, lengths: ContextLengths
) -> tuple[StoryFamily, ...]:
    wanted = wanted_parameters(present, {SEQ_LEN.name: seq_len})
    found = []
    for card in cards:
        encoding = present if present.family == card.kind.family else card.kind.suited(wanted)
        encoding = _scaled(encoding, card, lengths)
        own = "" if encoding.n_columns == present.n_columns else _width_words(encoding)
        if card.scaling is None:
            words = (encoding.title, encoding.brief, encoding.summary)
        else:
            words = (f"RoPE with {card.scaling.title}", card.scaling.brief, card.scaling.summary)
        found.append(StoryFamily(card.name, *words, encoding, own))
    return tuple(found)


def _scaled(encoding: Encoding, card: _Card, lengths: ContextLengths) -> Encoding:
    """The encoding with the card's scaling, from the trained to the target length or else four times as long.

    Without a scaling, one that has a card of its own is taken away.
    """
    rotation = encoding.rotation
    if rotation is None:
        return encoding
    present = rotation.scaling
    if card.scaling is None:
        return rotation.scaled_by(None) if present is not None and present.summary else encoding
    if present is not None and present.rope_type == card.name:
        return encoding
    reached = lengths if lengths.factor > 1 else replace(lengths, target=4 * lengths.trained)
    compared = compared_encodings(encoding, (card.name,), reached).encodings
    found = next((each.encoding for each in compared if each.name == card.name), None)
    if found is None:  # it does not take these parameters or lengths
        return _scaled(card.kind.from_parameters({}), card, Document().lengths)
    return found


def _width_words(encoding: Encoding) -> str:
    named = encoding.parameters().get(encoding.WIDTH_NAME)
    return f"{encoding.n_columns:,} columns" if named is None else f"{encoding.WIDTH_NAME} {named:,}"
