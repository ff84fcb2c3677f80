"""PRECISION: rounding errors of RoPE's angles by position, for all encodings of the document.

The arithmetic of each engine was read from its package (``posenc_core/engines``, ``docs/engines.md``).
"""

from posenc_core import Encoding, Rotary
from posenc_core.fields import ChoiceField, FlagField
from posenc_gui.model import Need, PanelSpec, every_encoding, texts_beside, turns_columns

ARITHMETIC = ChoiceField(
    name="arithmetic",
    label="arithmetic",
    short="in",
    help="The numbers in which a model computes its angles and their cosines and sines.",
    default="float32",
    choices=(
        ("float32", "everything in float32, as transformers does it"),
        ("float32_to_bfloat16", "in float32, then cosine and sine cast to bfloat16"),
        ("float32_to_float16", "in float32, then cosine and sine cast to float16"),
        ("bfloat16", "everything in bfloat16, including the position"),
        ("bfloat16_inv_freq", "in float32, with inv_freq cast to bfloat16"),
        ("llama_cpp", "the running product of llama.cpp, in float32"),
    ),
)

BITS = FlagField(
    name="precision_bits",
    label="bits",
    help="Write the bits of the rounded numbers in hexadecimal.",
    default=False,
)

COMPUTED_BY = {
    "float32": "transformers, SGLang, mlx-lm, exllamav3, TensorRT-LLM",
    "float32_to_bfloat16": "vLLM, for a model in bfloat16",
    "float32_to_float16": "vLLM, for a model in float16",
    "bfloat16": "None of the seven engines computes it this way.",
    "bfloat16_inv_freq": "None of the seven engines computes it this way; a model cast as a whole does.",
    "llama_cpp": "llama.cpp",
}
"""The engines that compute angles so, by the arithmetic's name."""


_FASTEST = 1e25
"""Frequency in rad per token above which angles are beyond float32, with a base near 0."""


def is_computed(encoding: Encoding) -> bool:
    """Whether a model computes the encoding's table of angles at run time, in numbers within float32."""
    rotation = encoding.rotation
    if rotation is None or not turns_columns(encoding):
        return False
    return bool((rotation.pairs.frequencies <= _FASTEST).all())


SPEC = PanelSpec(
    **texts_beside(__package__),
    least_size=(250, 220),
    export_size=(720, 520),
    needs=Need(
        "Precision needs pairs of RoPE that turn with the position: models compute their angles in float32.",
        "Show RoPE",
        Rotary.family,
    ),
    options=(ARITHMETIC, BITS),
    controls=(ARITHMETIC.name, BITS.name),
    suits=is_computed,
    drawn=every_encoding,
)
