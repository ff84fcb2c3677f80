"""The families of encodings in the order of their story, each with parameters that suit the present document."""

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from posenc_core.encodings import BinaryCode, Encoding, Rotary
from posenc_core.fields import WIDTH_NAMES
from posenc_core.rope_scaling import Yarn
from posenc_core.session import FAMILY, ContextLengths, Document, compared_encodings

YARN = "yarn"
"""The name of the story's last family, RoPE with YaRN."""

FAMILIES = (
    "integer",
    "normalized",
    "binary",
    "sinusoidal",
    "learned",
    "shaw",
    "transformer_xl",
    "t5",
    "alibi",
    "rotary",
    YARN,
)
"""The names of the families in the order of the story, from the first naive idea to those in use today."""

BRIEFS = {
    "integer": "counts without bound",
    "normalized": "share of the length",
    "binary": "digits that jump",
    "sinusoidal": "pairs of waves",
    "learned": "a trained row each",
    "shaw": "vector by distance",
    "transformer_xl": "waves of distance",
    "t5": "bias by bucket",
    "alibi": "bias by distance",
    "rotary": "turns q and k",
    YARN: "slows slow pairs",
}
"""What each family does, in a few words."""

_YARN_SUMMARY = "RoPE with its slow pairs slowed, so that a longer text shows fewer angles beyond training."
_WIDTHS = (*WIDTH_NAMES, "n_bits", "n_heads")


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


def story_families(document: Document) -> tuple[StoryFamily, ...]:
    """Every family in the order of the story, with the width and the length of the document where it takes them.

    The document's own encoding stands for its family as it is. A family that refuses the document's width has one of
    its own: a binary code as many bits as the length needs, RoPE and Transformer-XL the next even number.
    """
    return _story_families(document.encoding, document.seq_len, document.lengths)


@lru_cache(maxsize=8)
def _story_families(encoding: Encoding, seq_len: int, lengths: ContextLengths) -> tuple[StoryFamily, ...]:
    document = Document(seq_len=seq_len, encoding=encoding)
    return tuple(_family(document, lengths, name) for name in FAMILIES)


def _family(document: Document, lengths: ContextLengths, name: str) -> StoryFamily:
    present = document.encoding
    if name in ("rotary", YARN):
        encoding: Encoding = _rotary(document, lengths, name == YARN)
    elif present.family == name:
        encoding = present
    elif name == "binary":
        encoding = BinaryCode(BinaryCode.bits_for(document.seq_len))
    else:
        encoding = _suited(document, name)
    title, summary = ("RoPE with YaRN", _YARN_SUMMARY) if name == YARN else (encoding.title, encoding.summary)
    own = "" if encoding.n_columns == present.n_columns else _width_words(encoding)
    return StoryFamily(name, title, BRIEFS[name], summary, encoding, own)


def _suited(document: Document, name: str) -> Encoding:
    """The family's encoding in the document's width, or the next even one; its default where it has neither."""
    found, present = document.edited(FAMILY.name, name).encoding, document.encoding.parameters()
    width = next((present[each] for each in WIDTH_NAMES if each in present), 0)
    own = next((each for each in WIDTH_NAMES if each in found.parameters()), "")
    if not own or not width % 2 or found.parameters()[own] == width:
        return found
    try:
        return found.edited(own, width + 1)
    except ValueError:  # wider than the family can be
        return found


def _rotary(document: Document, lengths: ContextLengths, is_yarn: bool) -> Rotary:
    """RoPE without YaRN, or with it: from the trained to the target length where that is longer, else four times."""
    present = document.encoding
    rotary = present if isinstance(present, Rotary) else _suited(document, "rotary")
    assert isinstance(rotary, Rotary)
    if isinstance(rotary.scaling, Yarn) == is_yarn:
        return rotary
    reached = lengths if lengths.factor > 1 else replace(lengths, target=4 * lengths.trained)
    compared = {each.name: each.encoding for each in compared_encodings(rotary, (YARN,), reached).encodings}
    if is_yarn and YARN not in compared:  # it does not take these parameters or lengths
        return _rotary(Document(), Document().lengths, is_yarn)
    found = compared[YARN if is_yarn else "none"]
    assert isinstance(found, Rotary)  # as the one that it was made from
    return found


def _width_words(encoding: Encoding) -> str:
    parameters = encoding.parameters()
    named = next((f"{name} {parameters[name]:,}" for name in _WIDTHS if name in parameters), "")
    return named or f"{encoding.n_columns:,} columns"
