"""What each ``model_type`` of a ``config.json`` uses for positions."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

ROTARY = "rotary positions"
SINUSOIDS = "fixed sinusoids"
LEARNED = "a learned table of positions"
ALIBI = "ALiBi biases"
BUCKETS = "biases by buckets of distance"
TRANSFORMER_XL = "Transformer-XL's sinusoids of relative positions"


class Sinusoids(Struct, frozen=True):
    """How a model makes its sinusoids, and the names that its configuration has for their width and number.

    ``offset`` is the first token's position, None where that is ``pad_token_id + 1``.
    """

    layout: str
    spacing: str
    offset: int | None = 0
    width: str = "d_model"
    length: str = "max_position_embeddings"


class Model(Struct, frozen=True):
    """What a model uses for positions, in words, and what its configuration does not say about that.

    ``interleaved``: columns 2i and 2i + 1 turn together. ``heads``: keys of the number of ALiBi's heads, of which the
    first that is there counts. ``tensor``: how the name of a learned table ends, empty for other tensors than tables.
    """

    uses: str
    interleaved: bool = False
    heads: tuple[str, ...] = ()
    sinusoids: Sinusoids | None = None
    tensor: str = ""


def _sinusoidal(
    layout: str, spacing: str, offset: int | None = 0, width: str = "d_model", length: str = "max_position_embeddings"
) -> Model:
    return Model(SINUSOIDS, sinusoids=Sinusoids(layout, spacing, offset, width, length))


_BERT, _DECODER = "position_embeddings.weight", "embed_positions.weight"
_DISENTANGLED = "learned vectors for distances, which its scores weigh twice"

# Sources: modeling_<model_type>.py of Hugging Face transformers. Layout and spacing of the sinusoids were compared with
# that code number by number (largest difference 3e-8 for Marian and XLM, 9e-7 for M2M100 and Whisper, whose angles are
# float32). The first token's position is read from transformers 4.44.2: XGLM adds 2 whatever its padding, M2M100, FSMT
# and Speech2Text add pad_token_id + 1.
MODELS = {
    **dict.fromkeys(("llama", "mistral", "qwen2", "phi3", "gemma", "gemma2", "gpt_neox"), Model(ROTARY)),
    **dict.fromkeys(("gptj", "codegen", "roformer", "cohere", "cohere2"), Model(ROTARY, interleaved=True)),
    "falcon": Model(ROTARY, heads=("num_attention_heads", "n_head")),
    "bloom": Model(ALIBI, heads=("n_head", "num_attention_heads")),
    "mpt": Model(ALIBI, heads=("n_heads",)),
    **dict.fromkeys(("t5", "mt5", "umt5", "longt5", "switch_transformers"), Model(BUCKETS)),
    "transfo-xl": Model(TRANSFORMER_XL),
    **dict.fromkeys(("marian", "pegasus"), _sinusoidal("concatenated", "paper")),
    "xlm": _sinusoidal("interleaved", "paper", width="emb_dim"),
    **dict.fromkeys(("m2m_100", "fsmt"), _sinusoidal("concatenated", "tensor2tensor", None)),
    "xglm": _sinusoidal("concatenated", "tensor2tensor", 2),
    "speech_to_text": _sinusoidal("concatenated", "tensor2tensor", None, length="max_source_positions"),
    "whisper": _sinusoidal("concatenated", "tensor2tensor", length="max_source_positions"),
    **dict.fromkeys(
        ("bert", "roberta", "xlm-roberta", "camembert", "distilbert", "albert", "electra"),
        Model(LEARNED, tensor=_BERT),
    ),
    **dict.fromkeys(("gpt2", "gpt_neo", "gpt_bigcode"), Model(LEARNED, tensor="wpe.weight")),
    **dict.fromkeys(("bart", "mbart", "opt", "biogpt", "blenderbot"), Model(LEARNED, tensor=_DECODER)),
    "openai-gpt": Model(LEARNED, tensor="positions_embed.weight"),
    "vit": Model(LEARNED),
    "xlnet": Model("sinusoids of relative positions"),
    "musicgen": Model("sinusoids with the cosines first"),
    **dict.fromkeys(("deberta", "deberta-v2"), Model(_DISENTANGLED)),
}
"""Many models beside these have rotary positions, and say so in their keys."""


def model_of(config: Mapping[str, Any]) -> Model | None:
    """The entry for the configuration's ``model_type``; None for an unknown model."""
    name = config.get("model_type")
    return MODELS.get(name) if isinstance(name, str) else None


def positions_of(config: Mapping[str, Any]) -> str:
    """What the model uses for positions, in words; empty for an unknown model."""
    model = model_of(config)
    if model is None:
        return ""
    return ALIBI if model.heads and config.get("alibi") is True else model.uses
