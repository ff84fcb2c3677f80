"""The lines of a script for the cosines and sines of rotary embeddings."""

import math
from typing import TYPE_CHECKING

from posenc_core.encodings.sinusoid_source import frequency_source
from posenc_core.explain import Dialect, Snippet, number_list
from posenc_core.numerics import residue_of

if TYPE_CHECKING:
    from posenc_core.encodings.rotary import Rotary


def rotary_source(encoding: "Rotary", code: Dialect) -> Snippet:
    """Frequencies, their scaling, then the table."""
    r, scaling = encoding.n_columns, encoding.scaling
    begin = Snippet((
        f"base, r = {encoding.rope_theta!r}, {r}",
        f"pairs = {code.counted(str(r // 2))}",
        "frequencies = base ** (-2 * pairs / r)  # rad per position",
    ))  # fmt: skip
    if scaling is not None:
        frequencies = encoding.frequencies()
        fast = bool((abs(frequencies) > math.pi).any())
        begin = _without_turns(encoding, code) if fast else begin + scaling.source(frequencies, code)
    elif encoding.rope_theta < 1:
        begin = frequency_source(encoding.rope_theta, r // 2, lambda pair: (2 * pair, r), code)
    halves = encoding.pairing == "half_split"
    first, second = (f":{r // 2}", f"{r // 2}:") if halves else ("0::2", "1::2")
    factor = "" if encoding.attention_factor == 1 else "attention_factor * "
    return begin + Snippet((
        "angles = positions[:, None] * frequencies",
        f"table = {code.zeros(str(r))}  # pair i turns by (cos, sin)",
        f"table[:, {first}] = {factor}{code.module}.cos(angles)",
        f"table[:, {second}] = {factor}{code.module}.sin(angles)",
    ))  # fmt: skip


def _without_turns(encoding: "Rotary", code: Dialect) -> Snippet:
    """Scaled frequencies of more than half a turn a position, written out: to take turns off needs many digits."""
    frequencies = encoding.frequencies().tolist()
    less = [float(residue_of(each)) if abs(each) > math.pi else each for each in frequencies]
    factor = () if encoding.attention_factor == 1 else (f"attention_factor = {encoding.attention_factor!r}",)
    return Snippet((
        "# the scaled frequencies, less whole turns a position: to take these off needs more digits than float64 has",
        f"frequencies = {code.numbers(number_list(less))}  # rad per position",
        *factor,
    ))  # fmt: skip
