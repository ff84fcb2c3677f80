"""UNSEEN ANGLES: the positions at which the pairs of an encoding and its scalings leave the arcs of their training."""

from posenc_core import Document, Rotary
from posenc_gui.model import TARGET_LENGTHS, Need, PanelSpec, every_encoding, texts_beside, turns_pairs


def _used(document: Document) -> tuple[str, ...]:
    """The lengths, and the longest distance if a model may limit it."""
    is_asked = document.model is not None or document.view.longest_distance is not None
    return _LENGTHS + (("longest_distance",) if is_asked else ())


_LENGTHS = ("trained_length", "target_length")

SPEC = PanelSpec(
    **texts_beside(__package__),
    least_size=(254, 220),
    export_size=(900, 520),
    needs=Need("Unseen angles needs pairs that turn with the position.", "Show RoPE", Rotary.family),
    course=TARGET_LENGTHS,
    controls=(*_LENGTHS, "longest_distance"),
    find_used=_used,
    suits=turns_pairs,
    drawn=every_encoding,
)
