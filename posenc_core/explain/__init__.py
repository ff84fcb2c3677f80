"""Derivations: how a number comes about, as text, LaTeX and Python; scripts that make a table."""

from posenc_core.explain.derivation import Derivation, Digits, Step, significant, times
from posenc_core.explain.rotary import rotary_steps
from posenc_core.explain.rotation import rotation_steps
from posenc_core.explain.script import MOST_NUMBERS, NUMPY, TORCH, Dialect, Snippet, number_list, written_out
from posenc_core.explain.sinusoidal import padding_steps, sinusoidal_steps
from posenc_core.explain.t5 import t5_steps
from posenc_core.explain.t5_buckets import bucket_starts
