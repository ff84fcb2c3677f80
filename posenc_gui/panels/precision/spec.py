"""PRECISION: what rounding leaves of the position in RoPE's angles, for all encodings of the document.

Who computes in which arithmetic is read from the engines' packages (``posenc_core/engines``, ``docs/engines.md``).
"""

from posenc_core import Encoding, Rotary
from posenc_core.fields import ChoiceField, FlagField
from posenc_gui.model import Need, PanelSpec, turns_columns

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
        ("bfloat16", "everything in bfloat16, beginning with the position"),
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
    "bfloat16": "none of the seven engines read here",
    "bfloat16_inv_freq": "none of the seven engines; a model cast as a whole",
    "llama_cpp": "llama.cpp",
}
"""The engines that compute angles so, by the arithmetic's name."""


_FASTEST = 1e25
"""Frequency in rad per token above which angles are beyond float32: that of a base near 0."""


def is_computed(encoding: Encoding) -> bool:
    """Whether a model computes the encoding's table of angles at run time, in numbers that float32 holds."""
    rotation = encoding.rotation
    if rotation is None or not turns_columns(encoding):
        return False
    return bool((rotation.pairs.frequencies <= _FASTEST).all())


SPEC = PanelSpec(
    package=__package__,
    title="Precision",
    hint="what rounding leaves of the position",
    explanation=(
        "How far the cosines and sines of RoPE are off if a model computes their angles in the arithmetic that is "
        "chosen, over the position. Engines compute angles in float32. A point is the largest error of 64 positions, "
        "or of all where it stands for fewer, and of the pairs. Below are the numbers from the position to its rounded "
        "cosine and sine, and the error that each rounding adds. These are errors of the rotation alone."
    ),
    handling=(
        "Point at a place for the position and the pair with its largest error. Up and Down choose the pair, Left and "
        "Right the place. Drag the line L, or set L and the target length L′, at which the axis ends, in Spectrum."
    ),
    more=(
        "The headline counts the positions of the trained length L whose rounded cosines and sines differ. Who "
        "computes in which arithmetic is read from LlamaRotaryEmbedding in transformers, get_rope in vLLM and SGLang, "
        "initialize_rope in mlx-lm, RoPE in exllamav3, RopeEmbeddingUtils in TensorRT-LLM, and ggml_rope_cache_init "
        "in llama.cpp. Hardware may keep more digits inside."
    ),
    least_size=(250, 220),
    export_size=(720, 520),
    needs=Need(
        "Precision needs the angles of RoPE, which models compute at run time in float32.", "Show RoPE", Rotary.family
    ),
    options=(ARITHMETIC, BITS),
    controls=(ARITHMETIC.name, BITS.name),
    suits=is_computed,
)
