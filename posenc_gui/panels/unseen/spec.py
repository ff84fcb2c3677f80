"""UNSEEN ANGLES: the positions at which the pairs of an encoding and its scalings leave the arcs of their training."""

from posenc_core import Rotary
from posenc_gui.model import TARGET_LENGTHS, Need, PanelSpec, turns_pairs

SPEC = PanelSpec(
    package=__package__,
    title="Unseen angles",
    hint="which angles training never showed",
    explanation=(
        "One map an encoding: pairs from fast to slow by positions up to the target length L′. A pair that turned at "
        "least once within the trained length L saw the full circle. A slower one saw an arc, and is outside it where "
        "its angle is larger than any in training. Unseen describes single pairs: it does not measure quality."
    ),
    handling="Drag the dotted line L, or type both lengths. Up and Down choose the pair.",
    more=(
        "The maps are the encoding as trained, its own scaling, those that Spectrum compares, and encodings B to D. L "
        "is what the files say; the text that the model saw may have been shorter. Scores see distances of tokens, "
        "which reach as far as positions do. In the numbers, −1 stands for a pair that never is unseen."
    ),
    least_size=(290, 220),
    export_size=(900, 520),
    needs=Need("Unseen angles needs pairs that turn with the position.", "Show RoPE", Rotary.family),
    course=TARGET_LENGTHS,
    controls=("trained_length", "target_length"),
    suits=turns_pairs,
)
