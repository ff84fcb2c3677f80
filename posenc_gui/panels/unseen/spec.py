"""UNSEEN ANGLES: the positions at which the pairs of an encoding and its scalings leave the arcs of their training."""

from posenc_core import Document, Rotary
from posenc_gui.model import TARGET_LENGTHS, Need, PanelSpec, every_encoding, turns_pairs


def _used(document: Document) -> tuple[str, ...]:
    """The lengths, and the longest distance if a model may limit it."""
    is_asked = document.model is not None or document.view.longest_distance is not None
    return _LENGTHS + (("longest_distance",) if is_asked else ())


_LENGTHS = ("trained_length", "target_length")

SPEC = PanelSpec(
    package=__package__,
    title="Unseen angles",
    hint="angles that training never showed",
    explanation=(
        "One map per encoding: pairs from fast to slow by positions up to the target length L′. Training showed "
        "the full circle of a pair that turned at least once within the trained length L. Of a slower pair "
        "training showed an arc; its angle is unseen where it is larger than any in training. Unseen describes "
        "single pairs: it does not measure quality."
    ),
    handling="Drag the dotted line L, or type both lengths. Up and Down choose the pair.",
    more=(
        "The maps are the encoding as trained, its own scaling, the scalings that Spectrum compares, and encodings "
        "B to D. L is the length in the files; the texts in training may have been shorter. Scores depend on "
        "distances, up to the last position or the reach of a window or a chunk. In exported numbers, −1 marks a "
        "pair that is never unseen."
    ),
    least_size=(254, 220),
    export_size=(900, 520),
    needs=Need("Unseen angles needs pairs that turn with the position.", "Show RoPE", Rotary.family),
    course=TARGET_LENGTHS,
    controls=(*_LENGTHS, "longest_distance"),
    find_used=_used,
    suits=turns_pairs,
    find_drawn=every_encoding,
)
