"""Models whose files choose their positions, by keys as ``modeling_<model_type>.py`` of transformers 5.23.0 reads."""

from typing import Any

import pytest

from posenc_core import Sinusoidal, open_model
from posenc_core.encodings import RopeAxes

RELATIVE = "learned vectors for distances, which its scores weigh twice"
TABLE = "a learned table of positions"
OFFSETS = "learned biases by the offset along two axes, height and width"
CONVOLVED = "a convolution over neighbours (num_conv_pos_embeddings), added before the first layer"
NOTHING = "uses no positions: there is nothing to show"

CHOICES: list[tuple[str, dict[str, Any], str]] = [
    ("deberta", {}, f"uses {TABLE}, added"),
    ("deberta-v2", {"relative_attention": True, "position_biased_input": False}, f"uses {RELATIVE}, which this"),
    ("deberta-v2", {"relative_attention": True}, f"uses {RELATIVE}, and {TABLE}, added"),
    ("deberta", {"position_biased_input": False}, NOTHING),
    ("beit", {}, NOTHING),
    ("beit", {"use_relative_position_bias": True}, f"uses {OFFSETS}, which this"),
    ("data2vec-vision", {"use_shared_relative_position_bias": True}, f"uses {OFFSETS}, which this"),
    ("beit", {"use_absolute_position_embeddings": True}, f"uses {TABLE}, added to the patches' vectors"),
    ("beit", {"use_relative_position_bias": True, "use_absolute_position_embeddings": True},
     f"uses {OFFSETS}, and {TABLE}, added to the patches' vectors"),
    ("swin", {"use_absolute_embeddings": True}, f"uses {OFFSETS}, and {TABLE}, added to the patches' vectors"),
    ("vitdet", {}, f"uses {TABLE}, added to the patches' vectors"),
    ("vitdet", {"use_relative_position_embeddings": True},
     f"uses learned vectors for the offset along each axis, and {TABLE}, added"),
    ("internvl_vision", {"use_absolute_position_embeddings": False}, NOTHING),
    ("layoutlmv3", {"has_relative_attention_bias": False},
     "uses learned tables of positions and of the page's coordinates, which this"),
    ("sew-d", {"relative_attention": False}, f"uses {CONVOLVED}, which this"),
    ("timesfm", {}, NOTHING),
    ("timesfm", {"use_positional_embedding": True}, "fixed sinusoids of min_timescale to max_timescale"),
    ("patchtst", {}, "sinusoids over the patches of a series, shifted and scaled"),
    ("patchtst", {"positional_encoding_type": "random"}, "a learned table of the patches of a series"),
    ("patchtsmixer", {}, NOTHING),
    ("patchtsmixer", {"use_positional_encoding": True}, "sinusoids over the patches of a series"),
    ("wav2vec2-bert", {}, "learned vectors for relative positions, as Shaw's"),
    ("wav2vec2-bert", {"position_embeddings_type": "relative"},
     "sinusoids of relative positions, as in Transformer-XL"),
    ("wav2vec2-bert", {"position_embeddings_type": None}, NOTHING),
    ("wav2vec2-conformer", {}, f"{CONVOLVED}, and sinusoids of relative positions, as in Transformer-XL"),
    ("wav2vec2-conformer", {"position_embeddings_type": None}, f"uses {CONVOLVED}, which this"),
    ("timm_wrapper", {}, "the positions of a model of the package timm (architecture)"),
]  # fmt: skip


@pytest.mark.parametrize(("model_type", "keys", "said"), CHOICES)
def test_a_sentence_names_the_positions_that_the_keys_choose(model_type: str, keys: dict[str, Any], said: str) -> None:
    assert said in open_model({"model_type": model_type, **keys}).layers[0].sentence


@pytest.mark.parametrize("model_type", ["wav2vec2-bert", "wav2vec2-conformer"])
def test_the_rotary_speech_encoders_rotate_with_their_key_alone(model_type: str) -> None:
    kinds = [open_model({"model_type": model_type, **keys}).layers[0].kind
             for keys in ({"position_embeddings_type": "rotary"}, {})]  # fmt: skip
    assert kinds == ["rotary", "unsupported"]


def test_a_decoder_of_trocr_has_sinusoids_without_its_table() -> None:
    keys = {"model_type": "trocr", "d_model": 64, "use_learned_position_embeddings": False, "pad_token_id": 1}
    encoding = open_model(keys).layers[0].encoding
    assert isinstance(encoding, Sinusoidal)
    assert (encoding.d_model, encoding.spacing, encoding.offset) == (64, "tensor2tensor", 2)


@pytest.mark.parametrize(
    ("part", "inner", "said"),
    [
        ("sam3_vision_model", {"backbone_config": {"model_type": "sam3_vit_model"}}, "repeated to the picture's size"),
        ("sam2_vision_model", {}, "a learned table of two axes, and one for each window"),
        ("unlimited_ocr_vision", {}, "uses a learned table of positions, added to the patches' vectors"),
        ("deepseek_ocr2_vision", {}, "all 128 columns of a head rotate"),
    ],
)
def test_a_part_of_parts_opens_its_own_part(part: str, inner: dict[str, Any], said: str) -> None:
    text = {"model_type": "llama", "hidden_size": 512, "num_attention_heads": 4}
    (shown,) = open_model({"text_config": text, "vision_config": {"model_type": part, **inner}}).parts
    assert said in shown.layer.sentence


def test_llama_4_sees_pictures_on_two_axes() -> None:
    """``Llama4VisionRotaryEmbedding``: columns of the picture before rows, each counted from 1."""
    keys = {"hidden_size": 1408, "num_attention_heads": 16, "image_size": 336, "patch_size": 14, "rope_theta": 10000}
    layer = open_model({"model_type": "llama4_vision_model", **keys}).layers[0]
    assert layer.encoding == RopeAxes(88, 1e4, "shared", "w,h", "interleaved", grid="24x24")
    assert any("counts rows and columns from 1" in note for note in layer.encoding.warnings)
    assert "a learned table of positions is added as well" in layer.sentence
