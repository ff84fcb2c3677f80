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


class Model(Struct, frozen=True):
    """What a model uses for positions, in words, and what its configuration does not say about that.

    ``interleaved``: columns 2i and 2i + 1 turn together. ``heads``: keys of the number of ALiBi's heads, the first one
    given counts. ``tensor``: how the name of a learned table ends, empty for a tensor that is no table. For sinusoids:
    ``layout``, ``spacing``, ``offset`` as in ``Sinusoidal``, None for ``pad_token_id + 1``, and the keys of their width
    and number.
    """

    uses: str
    interleaved: bool = False
    heads: tuple[str, ...] = ()
    tensor: str = ""
    layout: str = "concatenated"
    spacing: str = "paper"
    offset: int | None = 0
    width: str = "d_model"
    length: str = "max_position_embeddings"


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
    **dict.fromkeys(("marian", "pegasus"), Model(SINUSOIDS)),
    "xlm": Model(SINUSOIDS, layout="interleaved", width="emb_dim"),
    **dict.fromkeys(("m2m_100", "fsmt"), Model(SINUSOIDS, spacing="tensor2tensor", offset=None)),
    "xglm": Model(SINUSOIDS, spacing="tensor2tensor", offset=2),
    "speech_to_text": Model(SINUSOIDS, spacing="tensor2tensor", offset=None, length="max_source_positions"),
    "whisper": Model(SINUSOIDS, spacing="tensor2tensor", length="max_source_positions"),
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
    """The entry for the configuration's ``model_type``, None for an unknown one; Falcon's key ``alibi`` is obeyed."""
    name = config.get("model_type")
    model = MODELS.get(name) if isinstance(name, str) else None
    return Model(ALIBI, heads=model.heads) if model and model.heads and config.get("alibi") is True else model
