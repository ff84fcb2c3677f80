"""CACHE TIMELINE: the base of each cached key, and the errors of its angles at the present length."""

from collections.abc import Sequence
from contextlib import suppress

from posenc_core import Document, Encoding, Rotary
from posenc_core.fields import IntegerField, optional
from posenc_core.long_context import grows_with_cache
from posenc_core.rope_scaling import DynamicNtk
from posenc_core.session import FAMILY
from posenc_gui.model import Cursor, Need, PanelSpec, even_stops, every_encoding, field_course, texts_beside

CACHE_LENGTH = optional(
    IntegerField(
        name="cache_length",
        label="cached keys n",
        short="n",
        help="Number of keys in the cache, each rotated with the base of the length at its arrival. None uses "
        "the target length.",
        default=16_384,
        minimum=1,
        maximum=10**9,
        step=256,
        unit="keys",
    )
)

_FACTOR, _HEAD_DIM = 4.0, 64
_STOPS = 241


def cache_length(document: Document) -> int:
    """The number of keys in the cache: the user's, else the target length."""
    return document.option(CACHE_LENGTH) or document.lengths.target


def has_dynamic(document: Document, index: int) -> Encoding | None:
    """The encoding at an index if its base grows with the length, as RoPE's with dynamic NTK."""
    encoding = document.encodings[index].encoding
    return encoding if grows_with_cache(encoding) else None


def _missing(document: Document) -> Need | None:
    if any(has_dynamic(document, index) for index in range(len(document.encodings))):
        return None
    sentence = "Cache timeline needs RoPE with dynamic NTK, whose base grows with the sequence."
    return Need(sentence, "Show dynamic NTK", Rotary.family, encoding=_with_dynamic(document))


def _with_dynamic(document: Document) -> Encoding:
    """The document's encoding with dynamic NTK, as RoPE; a wider one if it has too few columns."""
    scaling = DynamicNtk(_FACTOR, document.lengths.trained, document.seq_len)
    rotation = document.edited(FAMILY.name, Rotary.family).encoding.rotation
    with suppress(ValueError):
        if rotation is not None:
            return rotation.scaled_by(scaling)
    return Rotary(_HEAD_DIM, scaling=scaling)


def _stops(document: Document, cursor: Cursor) -> Sequence[int]:
    return even_stops(1, document.lengths.target, _STOPS)


SPEC = PanelSpec(
    **texts_beside(__package__),
    least_size=(270, 240),
    export_size=(720, 560),
    options=(CACHE_LENGTH,),
    controls=(CACHE_LENGTH.name,),
    find_missing=_missing,
    find_stand_ins=lambda document: {CACHE_LENGTH.name: document.lengths.target},
    course=field_course(CACHE_LENGTH.name, ("n", "cached keys n", "keys"), 80, _stops, cache_length),
    drawn=every_encoding,
)
