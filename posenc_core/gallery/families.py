"""The families of encodings in the order of their story, each with parameters that suit the present document."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from posenc_core.encodings import ENCODINGS, GROUPS, Effect, Encoding, group_of
from posenc_core.fields import SEQ_LEN, ChoiceField
from posenc_core.rope_scaling import SCALING, SCALINGS, RopeScaling
from posenc_core.session import ContextLengths, Document, compared_encodings, wanted_parameters


class StoryFamily(Struct, frozen=True):
    """A family of the story: its effect in a few words and in a sentence, and its encoding for a document.

    ``own`` names a width other than the document's, ``head_dim 8``; else it is empty.
    """

    name: str
    title: str
    brief: str
    summary: str
    encoding: Encoding
    own: str = ""


class _Card(Struct, frozen=True):
    """A family, alone or with a scaling that has a separate card."""

    kind: type[Encoding]
    scaling: type[RopeScaling] | None = None

    @property
    def name(self) -> str:
        """The name of the family or of the scaling."""
        return self.kind.family if self.scaling is None else self.scaling.rope_type


STORY = "story"

PAGE = ChoiceField(
    name="page",
    label="&families",
    help="The families to show: those of the story from the first idea to RoPE, or all of a group.",
    default=STORY,
    choices=((STORY, "First idea to RoPE"), *GROUPS.items()),
    titles=("First idea to RoPE", *GROUPS.values()),
)


def story_names(page: str = STORY) -> tuple[str, ...]:
    """The names of a page's families in the order of the story, from the first naive idea to those in use today.

    A scaling with a card of its own follows the family that it scales; registered families are the last.
    """
    return tuple(each.name for each in _cards(page))


def story_families(document: Document, page: str = STORY) -> tuple[StoryFamily, ...]:
    """A page's families in the order of the story, with the width and length of the document where possible.

    The document's own family follows if it belongs to another page.
    The document's own encoding represents its family. A family that refuses the document's width has another
    width: a binary code as many bits as the length needs, RoPE and Transformer-XL the next even number.
    """
    cards, kind = tuple(_cards(page, document.encoding.family)), type(document.encoding)
    if kind.in_gallery and kind not in (each.kind for each in cards):
        cards = (*cards, _Card(kind))
    return _story_families(cards, document.encoding, document.seq_len, document.lengths)


def _cards(page: str, chosen: str = "") -> Iterator[_Card]:
    """The page's families with a card; the ``chosen`` one has a card also outside the gallery."""
    for kind in ENCODINGS.values():
        is_chosen = not kind.in_gallery and kind.family == chosen and kind.effect is not Effect.NONE
        if not is_chosen and not (kind.in_story if page == STORY else group_of(kind) == page):
            continue
        if kind.in_gallery or is_chosen:
            yield _Card(kind)
        if SCALING in kind.FIELDS and kind.in_story:
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

    For a card without scaling, a scaling with a separate card is removed.
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
    if found is None:  # it does not accept these parameters or lengths
        return _scaled(card.kind.from_parameters({}), card, Document().lengths)
    return found


def _width_words(encoding: Encoding) -> str:
    named = encoding.parameters().get(encoding.WIDTH_NAME)
    return f"{encoding.n_columns:,} columns" if named is None else f"{encoding.WIDTH_NAME} {named:,}"
