"""Derivations of a number as text, LaTeX and Python, and scripts that compute a table."""

from posenc_core.faces import on_demand
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posenc_core.explain.derivation import Derivation, Digits, Rounded, Step, bracketed, shifted, significant
    from posenc_core.explain.glossary import GLOSSARY, glossary_words
    from posenc_core.explain.harmonic import DECIMAL_CONTEXT
    from posenc_core.explain.rotary import RotaryEntry, ScaledEntry
    from posenc_core.explain.rotation import passed_through, rotation_steps
    from posenc_core.explain.script import Dialect, MOST_NUMBERS, NUMPY, Snippet, TORCH, number_list, template_lines
    from posenc_core.explain.script import written_out
    from posenc_core.explain.sinusoidal import SinusoidalEntry, padding_steps
    from posenc_core.explain.sources import Source, bibtex, source_named
    from posenc_core.explain.sums import Sum, Term, amplified_step, angle_step, listed, number_step, product_words
    from posenc_core.explain.sums import shown_angle, shown_number, turn_words
    from posenc_core.explain.t5 import BucketEntry, bucket_starts
    from posenc_core.explain.thresholds import ARC_ROUNDING, drift_derivation, unseen_derivation
else:
    __getattr__ = on_demand(__name__)
