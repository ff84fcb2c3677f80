"""RoPE on two axes against the classes of transformers, and against the tables that their models run."""

import importlib
import re
from typing import Any

import numpy as np
import pytest
import torch
from comparing import Compare
from library_models import config_class
from model_facts.models import model_classes
from model_facts.running import load_all
from transformers import AutoConfig
from transformers.models.dinov3_vit import DINOv3ViTConfig, modeling_dinov3_vit
from transformers.models.ernie4_5_vl_moe import configuration_ernie4_5_vl_moe, modeling_ernie4_5_vl_moe
from transformers.models.llama4.configuration_llama4 import Llama4VisionConfig
from transformers.models.llama4.modeling_llama4 import Llama4VisionRotaryEmbedding
from transformers.models.qwen2_vl import modeling_qwen2_vl
from transformers.models.qwen3_vl import configuration_qwen3_vl, modeling_qwen3_vl

from posenc_core import Document, open_model
from posenc_core.encodings import RopeAxes
from posenc_core.model_rules import facts_of
from posenc_core.model_rules.vision_parts import vision_facts

SINGLE = 5e-7
"""transformers computes frequencies and angles in float32; the angles here are below 8 rad."""

TALL, WIDE = 5, 7
AXIAL = sorted(
    each
    for each, part in vision_facts().parts.items()
    if part.rule != "normalised" and each not in ("mlcd", "llama4_vision_model")
)
BROKEN = {"glm4v_moe_text", "qwen3_omni_moe_text"}
TEXTS = sorted(vision_facts().texts.keys() - BROKEN)
"""Types whose default widths are no multiples of their heads."""


def places() -> torch.Tensor:
    return torch.stack(torch.meshgrid(torch.arange(TALL), torch.arange(WIDE), indexing="ij"), -1).reshape(-1, 2)


def config_of(model_type: str, module: Any) -> Any:
    found = [each for each in vars(module).values() if getattr(each, "model_type", None) == model_type]
    return found[0]()


@pytest.mark.parametrize("model_type", AXIAL)
def test_the_table_of_a_vision_part(model_type: str, compare: Compare) -> None:
    path, names = facts_of(model_type).source.split(":")
    name = "transformers." + path.removesuffix(".py").replace("/", ".")
    module = importlib.import_module(name)
    config = config_of(model_type, importlib.import_module(name.replace("modeling_", "configuration_")))
    running = getattr(module, names.split(",")[0])(config)
    given = torch.nn.functional.pad(places(), (1, 0)) if model_type.startswith("minimax") else places()
    given = given[None] if model_type == "gemma4_vision" else given
    theirs = [each.double().numpy().reshape(TALL * WIDE, -1) for each in running(torch.zeros(1), given)]
    layers = open_model({**config.to_dict(), "model_type": model_type}).layers
    encoding = next(layer.encoding for layer in layers if layer.encoding is not None)
    document = Document(grid=f"{TALL}x{WIDE}").with_encoding(encoding)
    half = encoding.n_columns // 2
    table = document.encoding.in_halves().values(np.arange(TALL * WIDE), np.arange(2 * half))
    for ours, other in zip((table[:, :half], table[:, half:]), theirs, strict=True):
        spread = np.repeat(ours, 2, axis=1) if encoding.parameters()["pairing"] == "interleaved" else np.tile(ours, 2)
        if model_type == "gemma4_vision":  # halves within each axis, as the note on it says
            spread = np.concatenate([np.tile(each, 2) for each in np.split(ours, 2, axis=1)], axis=1)
        compare("vision parts on two axes", spread, other, SINGLE)


def test_llama_4_counts_rows_and_columns_from_1(compare: Compare) -> None:
    """The last row is that of the vector of the whole picture, which does not turn."""
    config = Llama4VisionConfig()
    side = config.image_size // config.patch_size
    theirs = Llama4VisionRotaryEmbedding(config).freqs_ci[:, 0].to(torch.complex128).numpy()
    assert (theirs[-1] == 1).all()
    encoding = open_model(config.to_dict()).layers[0].encoding
    assert isinstance(encoding, RopeAxes)
    shown = Document(grid=f"{side + 1}x{side + 1}").with_encoding(encoding).encoding
    assert isinstance(shown, RopeAxes)
    half = shown.n_columns // 2
    table = shown.in_halves().values(np.arange((side + 1) ** 2), np.arange(2 * half)).reshape(side + 1, side + 1, -1)
    ours = table[1:, 1:].reshape(side**2, -1)
    compare("Llama 4's vision part", ours[:, :half], theirs[:-1].real, 3e-6)
    compare("Llama 4's vision part", ours[:, half:], theirs[:-1].imag, 3e-6)


@pytest.mark.parametrize("model_type", sorted(vision_facts().parts))
def test_a_table_beside_the_rotation_is_told_where_the_model_has_one(model_type: str) -> None:
    cls = config_class(model_type)
    load_all()
    with torch.device("meta"):
        model = model_classes()[cls][0](cls())
    of_positions = re.compile(r"pos_emb|position_emb|positional_emb")
    tables = [each for name, each in model.named_parameters() if of_positions.search(name) and each.numel() > 10**4]
    layers = open_model({**cls().to_dict(), "model_type": model_type}).layers
    told = [layer.sentence for layer in layers if layer.kind in ("rotary", "unsupported")]
    assert {"added as well" in sentence for sentence in told} == {bool(tables)}


def test_dinov3(compare: Compare) -> None:
    config = DINOv3ViTConfig()
    embedding = modeling_dinov3_vit.DINOv3ViTRopePositionEmbedding(config).eval()
    theirs = [each.double().numpy() for each in embedding(torch.zeros(1, 3, 224, 224))]
    encoding = open_model(config.to_dict()).layers[0].encoding
    assert isinstance(encoding, RopeAxes)
    table = encoding.values(np.arange(196), np.arange(64))
    for ours, other in zip((table[:, :32], table[:, 32:]), theirs, strict=True):
        compare("DINOv3", np.tile(ours, 2), other, SINGLE)


SCALED: dict[str, dict[str, Any]] = {
    "": {},
    "yarn": {"factor": 4.0, "original_max_position_embeddings": 32768},
    "linear": {"factor": 8.0},
    "llama3": {
        "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192,
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("model_type", "rope_type"),
    [(each, kind) for each in TEXTS for kind in SCALED if not (kind and "ernie" in each)],
)
def test_a_language_model_that_sees_opens_with_the_table_of_its_class(
    model_type: str, rope_type: str, compare: Compare
) -> None:
    """A text of 3 tokens and a picture of 2 x 4 patches; GLM-4V's default sections are those of half a head.

    ERNIE's class refuses a scaling.
    """
    path, names = facts_of(model_type).source.split(":")
    name = "transformers." + path.removesuffix(".py").replace("/", ".")
    config = config_of(model_type, importlib.import_module(name.replace("modeling_", "configuration_")))
    if model_type in ("glm4v_text", "glm_image_text"):
        config.rope_parameters = {**config.rope_parameters, "partial_rotary_factor": 0.5}
    if rope_type:
        config.rope_parameters = {**config.rope_parameters, "rope_type": rope_type, **SCALED[rope_type]}
    opened = open_model({**config.to_dict(), "model_type": model_type})
    (encoding, *_) = [each.encoding for each in opened.layers if each.kind == "rotary"]
    assert isinstance(encoding, RopeAxes)
    assert (encoding.scaling is not None) == bool(rope_type)
    seen = Document().edited("grid", "3+2x4").with_encoding(encoding).encoding
    assert isinstance(seen, RopeAxes)
    places = torch.tensor(np.array([seen.cells.place(each) for each in range(11)]).T)[:, None].long()
    running = getattr(importlib.import_module(name), names.split(",")[0])(config)
    half, table = seen.n_columns // 2, seen.in_halves().values(np.arange(11), np.arange(seen.n_columns))
    for ours, other in zip((table[:, :half], table[:, half:]), running(torch.zeros(1), places), strict=True):
        theirs = other[0].double().numpy()
        is_twice = seen.pairing == "interleaved"
        spread = np.repeat(ours, 2, axis=1) if is_twice else np.tile(ours, 2)
        compare("language models that see", ours if theirs.shape == ours.shape else spread, theirs, SINGLE)


@pytest.mark.parametrize("kind", ["qwen2_vl", "qwen3_vl", "ernie"])
def test_sections_of_a_language_model(kind: str, compare: Compare) -> None:
    """Cosines and sines of a text of 3 tokens and a picture of 2 x 4 patches, in float32."""
    grid = "3+2x4"
    positions = np.arange(11)
    if kind == "qwen2_vl":
        encoding = RopeAxes(128, 1e6, "sections", "t,h,w", sections=(16, 24, 24), grid=grid)
    elif kind == "qwen3_vl":
        encoding = RopeAxes(128, 5e5, "interleaved_sections", "t,h,w", sections=(24, 20, 20), grid=grid)
    else:
        encoding = RopeAxes(128, 5e5, "ernie_3d", "t,h,w", "interleaved", sections=(22, 22, 20), grid=grid)
    cells = encoding.cells
    places = torch.tensor(np.array([cells.place(each) for each in positions.tolist()]).T)[:, None].long()
    theirs = _theirs(kind, places)
    table = encoding.in_halves().values(positions, np.arange(128))
    for ours, other in zip((table[:, :64], table[:, 64:]), theirs, strict=True):
        spread = np.repeat(ours, 2, axis=1) if kind == "ernie" else np.tile(ours, 2)
        compare("sections of language models", spread, other, 2e-6)


def _theirs(kind: str, places: torch.Tensor) -> list[Any]:
    """The cosines and the sines of the library, ``(n_positions, 128)`` each."""
    x = torch.zeros(1, 1, 1)
    if kind == "qwen2_vl":
        config = AutoConfig.for_model("qwen2_vl_text", hidden_size=128, num_attention_heads=1, rope_parameters={
            "rope_type": "default", "rope_theta": 1e6, "mrope_section": [16, 24, 24]})  # fmt: skip
        cosine, sine = modeling_qwen2_vl.Qwen2VLRotaryEmbedding(config)(x, places)
        if cosine.ndim == 4:  # an axis of coordinates, from which sections are taken
            parts = [16, 24, 24] * 2
            cosine, sine = (
                torch.cat([each[i % 3] for i, each in enumerate(whole.split(parts, -1))], -1)
                for whole in (cosine, sine)
            )
        return [cosine[0].double().numpy(), sine[0].double().numpy()]
    if kind == "qwen3_vl":
        own = configuration_qwen3_vl.Qwen3VLTextConfig(rope_parameters={
            "rope_type": "default", "rope_theta": 5e5, "mrope_section": [24, 20, 20]})  # fmt: skip
        cosine, sine = modeling_qwen3_vl.Qwen3VLTextRotaryEmbedding(own)(x, places)
        return [cosine[0].double().numpy(), sine[0].double().numpy()]
    text = configuration_ernie4_5_vl_moe.Ernie4_5_VLMoeTextConfig()
    cosine, sine = modeling_ernie4_5_vl_moe.Ernie4_5_VLMoeTextRotaryEmbedding(text)(x, places)
    cosine, sine = (each[0].double().numpy() for each in (cosine, sine))
    if cosine.shape[-1] == 64:
        cosine, sine = np.repeat(cosine, 2, axis=-1), np.repeat(sine, 2, axis=-1)
    return [cosine, sine]
