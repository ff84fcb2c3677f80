"""The parameters of rotary encodings and of their scalings to longer contexts: bounds, labels and help of each."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from posenc_core.fields import (
    BASE,
    ChoiceField,
    FactorsField,
    Field,
    FloorField,
    FreqScaleField,
    IntegerField,
    RealField,
    ShareField,
    SignField,
    optional,
)


def _length(name: str, label: str, about: str, synonyms: str = "") -> IntegerField:
    return IntegerField(
        name=name, label=label, help=about, default=4096, minimum=1, maximum=2**53, unit="positions", synonyms=synonyms
    )


ORIGINAL_LENGTH = _length(
    "original_max_position_embeddings",
    "ori&ginal_max_position_embeddings",
    "Number of positions in training, before the context was extended.",
    "L (papers), yarn_orig_ctx (llama.cpp)",
)
MAXIMUM_LENGTH = _length(
    "max_position_embeddings",
    "ma&x_position_embeddings",
    "Number of positions that the model allows after the extension.",
    "L′ (papers)",
)
SEQUENCE_LENGTH = _length("seq_len", "seq_le&n", "Number of positions of the sequence that is encoded.")

FACTOR = FloorField(
    name="factor",
    help="Target length divided by the trained length.",
    default=4.0,
    floor=1.0,
    slider=(1.0, 64.0),
    logarithmic=True,
    synonyms="s = L′/L (papers), scale, rope_scale and 1/rope_freq_scale (llama.cpp)",
)
NTK_FACTOR = replace(FACTOR, synonyms="s (YaRN paper), alpha (exllama)")

FREQ_SCALE = FreqScaleField(
    name="freq_scale",
    label="freq_scale",
    help="Multiplies every angle: 1/N makes the context N times as long.",
    default=1.0,
    above=0.0,
    slider=(0.01, 1.0),
    logarithmic=True,
    spoken="rope_freq_scale",
    synonyms="rope_freq_scale (llama.cpp)",
)

ATTENTION_FACTOR = RealField(
    name="attention_factor",
    help="Multiplies cosines and sines; attention scores change by its square.",
    default=1.0,
    above=0.0,
    slider=(0.5, 2.0),
    synonyms="√(1/t) (YaRN paper)",
)

PARTIAL = ShareField(
    name="partial_rotary_factor",
    label="partial_&rotary_factor",
    help="The share of a head's columns that is rotated.",
    default=1.0,
    slider=(0.01, 1.0),
    synonyms="rotary_pct",
)


def turn_count(name: str, label: str, about: str, default: float, synonyms: str = "") -> RealField:
    """A number of turns > 0 within the original length."""
    return RealField(
        name=name, label=label, help=about, default=default, above=0.0, slider=(0.5, 64.0), logarithmic=True,
        synonyms=synonyms,
    )  # fmt: skip


def _mscale(name: str, label: str, about: str) -> FloorField:
    return FloorField(name=name, label=label, help=about, default=1.0, floor=0.0, slider=(0.0, 2.0))


MSCALE = _mscale(
    "mscale", "&mscale", "DeepSeek's factor of 0.1 ln(factor) for cosines and sines; 0 counts as not given."
)
MSCALE_ALL_DIM = _mscale(
    "mscale_all_dim",
    "mscale_all_&dim",
    "DeepSeek's factor of 0.1 ln(factor) in the divisor of cosines and sines, whose square scales the softmax; "
    "0 counts as not given.",
)

SHORT_FACTOR = FactorsField(
    name="short_factor",
    help="Divisors of the pairs' frequencies in sequences up to the original length.",
    default=(),
)
LONG_FACTOR = FactorsField(
    name="long_factor",
    help="Divisors of the pairs' frequencies in longer sequences.",
    default=(),
)
DIVISORS = FactorsField(
    name="divisors",
    help="Divisors of the pairs' frequencies: 1 leaves a pair unchanged, 8 makes it eight times slower.",
    default=(),
    synonyms="rope_freqs.weight (GGUF), freq_factors (llama.cpp)",
)
ORIGINAL_LENGTH_FROM_2 = replace(ORIGINAL_LENGTH, minimum=2)  # its logarithm is a divisor

HEAD_DIM = IntegerField(
    name="head_dim",
    help="Number of columns of each head's queries and keys.",
    default=128,
    minimum=1,
    maximum=65536,
    step=2,
    unit="columns",
    synonyms="D, d_k, hidden_size / num_attention_heads, qk_rope_head_dim",
)

ROPE_THETA = replace(
    BASE,
    name="rope_theta",
    label="&rope_theta",
    help="Base of the geometric progression of wavelengths: the larger, the slower the last pairs.",
    slider=(1.0, 1e8),
    synonyms="base, rotary_emb_base, rope_freq_base",
)

PAIRING = ChoiceField(
    name="pairing",
    help="Which columns turn together: i and i + r/2 (Hugging Face Llama, GPT-NeoX), or 2i and 2i + 1 (RoFormer, "
    "GPT-J, Meta's Llama). The numbers are the same, permuted.",
    default="half_split",
    choices=(("half_split", "column i with i + r/2"), ("interleaved", "column 2i with 2i + 1")),
    titles=("half-split (Llama, Qwen)", "interleaved (GPT-J)"),
)

ROTARY_DIM = optional(
    replace(
        HEAD_DIM,
        name="rotary_dim",
        label="r&otary_dim",
        help="Number of columns that are rotated; none means all of the head.",
        minimum=2,
        synonyms="r, rotary_ndims, n_rot, partial_rotary_factor x head_dim",
    )
)


class _RotaryPartField(ChoiceField, frozen=True, kw_only=True):
    """The choice of the rotated columns, relevant only for partly rotated heads."""

    def visible_fields(self, parameters: Mapping[str, Any]) -> tuple[Field, ...]:
        """The field itself, or nothing while all columns are rotated."""
        width, rotated = parameters.get(HEAD_DIM.name), parameters.get(ROTARY_DIM.name)
        return () if rotated is None or rotated == width else (self,)


ROTARY_PART = _RotaryPartField(
    name="rotary_part",
    label="rotary_par&t",
    help="Rotated columns of a partly rotated head: the first, or the last.",
    default="leading",
    choices=(("leading", "the first rotary_dim columns of the head"), ("trailing", "the last ones")),
    titles=("leading (GPT-NeoX)", "trailing (DeepSeek V4)"),
)

DIRECTION = SignField(
    name="direction",
    label="d&irection",
    help="The sign of the angles. Scores depend on the distance alone with either.",
    default=1,
    choices=(("1", "column i turns towards its partner"), ("-1", "in the opposite direction")),
    titles=("1 (RoFormer)", "-1 (nanochat)"),
)
