"""Kinds of positions that the tensors and modules of the library's models are for, by their names."""

import re
import warnings
from typing import Any

from model_facts.fields import parts
from model_facts.models import built

KINDS = {
    "rotation": (
        r"(^|\.)rot\w*\.(original_)?inv_freq|freqs_ci|attn\.embed_positions$|\.RoFormerSinus\w*$|"
        r"\.\w*(Rot\w+Embedding|RopePositionEmbedding|R[oO][pP][eE]\w*Attention)$",
        r"columns of a head (rotate|turn)|pairs turn|their rotation is not shown|a rotation by",
    ),
    "sinusoids": (
        r"(?<!RoFormer)Sinus(?!Position)\w*Position\w*$|PositionEmbeddingSine$|^embeddings\.position_embedding$",
        "sinusoids|sines",
    ),
    "a learned table": (
        r"(^|\.)(wpe|(?!query)\w*embed_positions|positions?_embed|(char_)?position_embeddings?|pos_embed)(\.weight)?$",
        "table",
    ),
    "tables of a page": (r"[xyhw]_position_embeddings", "page"),
    "a table of frames": (r"time_embeddings", "frames"),
    "vectors by the offset along each axis": (r"rel_pos_[hw]$", "learned vectors for the offset along each axis"),
    "biases by buckets": (
        r"relative_attention_bias(\.(?!bias_values)|$)|rel_attn_embed|relative_pos_embeddings",
        "by buckets of distance",
    ),
    "biases by distance": (r"rel_pos_bias|bias_values", "biases by distance|a learned bias for each distance"),
    "relative sinusoids": (
        r"relative_k_proj|linear_pos\.|relative_position_embedding\.pos_proj",
        "as in Transformer-XL|relative positions in its speech encoder",
    ),
    "Shaw's vectors": (
        r"emb_rel_k|rel_pos_emb\.|distance_embedding|pe_k\.",
        "as Shaw's|relative positions in its speech encoder",
    ),
    "a convolution": (r"pos_conv_embed", "a convolution over neighbours"),
    "disentangled vectors": (r"rel_embeddings", "learned vectors for distances, which its scores weigh twice"),
    "biases by the offset along axes": (
        r"relative_position_bias_table|attention_biases$",
        "by the offset along two axes|two axes, height and width",
    ),
    "biases that a network makes": (r"continuous_position_bias", "a small network makes"),
    "sinusoids of boxes": (r"bbox_sinusoid", "sinusoids of the boxes of words"),
    "random projections": (r"shared\w*_embedding\.positional_embedding", "random projections"),
    "axial tables": (r"position_embeddings\.weights", "rows and columns of a text"),
}
"""The pattern of names, and the words of which one stands in a true sentence on the model, by the kind."""

_TRIES: tuple[dict[str, Any], ...] = (
    {"num_hidden_layers": 2}, {}, {"vocab_size": 32}, {"prediction_length": 8, "context_length": 16},
)  # fmt: skip


def positions_in(models: list[Any], cls: Any) -> dict[str, Any] | None:
    """The class of the plainest model that is built, and the kinds of positions in it; None without a model."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns of tensors without entries
        model = built(models, cls, _TRIES)
    if model is None:
        return None
    parameters, buffers = ([name for name, _ in each] for each in (model.named_parameters(), model.named_buffers()))
    names = [*parameters, *buffers]
    names += [f".{type(module).__name__}" for module in model.modules()]
    fixed = {f"{path}.weight" for path, module in model.named_modules() if "Sinus" in type(module).__name__}
    others = {"a learned table": {*buffers, *fixed}, "sinusoids": {*parameters}}
    searched = {kind: [name for name in names if name not in others.get(kind, ())] for kind in KINDS}
    found = [kind for kind, (pattern, _) in KINDS.items() if any(re.search(pattern, name) for name in searched[kind])]
    return {"class": type(model).__name__, "has": found, **({"of_parts": True} if parts(cls) else {})}
