"""Facts read in the library's source, not from classes: models with their own rotation or count of positions."""

import inspect
import re
from typing import Any

AXES = {
    "DINOv3ViTRopePositionEmbedding": ["height", "width"],
    "EomtDinov3RotaryEmbedding": ["height", "width"],
    "Sapiens2RopePositionEmbedding": ["height", "width"],
    "EfficientLoFTRRotaryEmbedding": ["height", "width"],
    "Llama4VisionRotaryEmbedding": ["height", "width"],
    "MiniMaxM3VLVisionRotaryEmbedding": ["time", "height", "width"],
    "EsmFold2RotaryEmbedding": ["x", "y", "z", "residue"],
}
"""The axes of the positions of modules whose class does not say "axial", and of those with more than two."""

METHODS = {
    "Wav2Vec2BertRotaryPositionalEmbedding": "Wav2Vec2BertSelfAttention._apply_rotary_embedding",
    "Wav2Vec2ConformerRotaryPositionalEmbedding": "Wav2Vec2ConformerSelfAttention._apply_rotary_embedding",
}
"""The methods that turn halves where no function does."""

BY_READING: dict[str, dict[str, Any]] = {
    "roformer": {
        "source": "models/roformer/modeling_roformer.py:RoFormerSelfAttention.apply_rotary_position_embeddings",
        "positions": "rotary",
        "layout": "interleaved",
    },
    **{
        name: {
            "source": f"models/{name}/modeling_{name}.py:create_sinusoidal_positions,apply_rotary_pos_emb",
            "positions": "rotary",
            "layout": "interleaved",
        }
        for name in ("gptj", "codegen")
    },
    "gpt_neo": {
        "positions": "learned",
        "told": {"uses": "a learned table of positions", "tensor": "wpe.weight"},
        "layer_types": {"period": ["full_attention", "sliding_attention"]},
    },
    "vjepa2": {
        "source": "models/vjepa2/modeling_vjepa2.py:VJEPA2RopeAttention",
        "positions": "rotary_axes",
        "axes": ["time", "height", "width"],
    },
    **{name: {"positions": "none"} for name in ("kimi_linear", "nemotron_h", "glm5_next_text", "jamba", "zamba")},
    **{name: {"positions": "none"} for name in ("mamba", "mamba2", "falcon_mamba")},
    **{name: {"positions": "none", "layer_types": {"period": ["recurrent"]}} for name in ("rwkv", "xlstm")},
}
"""Facts that override all others, each read in ``modeling_<model_type>.py``.

The attention of Kimi Linear, Nemotron-H, GLM 5 Next's text, Jamba and Zamba rotates nothing: order comes from their
recurrent layers.
"""


def media_axes(rotary: type) -> list[str] | None:
    """The axes of images and videos in a module of text positions, None if it has one axis only."""
    code = inspect.getsource(rotary)
    if rotary.__name__ == "NeoMMERotaryEmbedding":
        return ["row", "column"]
    return ["time", "height", "width"] if "mrope_section" in code else None


def take_turns(rotary: type) -> bool:
    """Whether neighbouring pairs turn by different axes; else each axis has pairs that follow each other."""
    return re.search(r"mrope_section\[\w+\] \* 3", inspect.getsource(rotary)) is not None
