"""Counts and parts that a file leaves out are those of the class, as transformers 5.23.0's classes show them."""

from typing import Any

import pytest

from posenc_core import Rotary, open_model
from posenc_core.encodings import Alibi, T5Bias


@pytest.mark.parametrize(
    ("model_type", "keys", "heads"),
    [
        ("t5", {}, 8),
        ("mt5", {}, 6),
        ("switch_transformers", {}, 12),
        ("mpt", {}, 16),
        ("bloom", {}, 8),
        ("bloom", {"num_attention_heads": 32}, 32),
    ],
)
def test_a_head_count_that_is_not_given_is_that_of_the_class(model_type: str, keys: dict[str, Any], heads: int) -> None:
    encoding = open_model({"model_type": model_type, **keys}).layers[0].encoding
    assert isinstance(encoding, T5Bias | Alibi)
    assert encoding.n_heads == heads


@pytest.mark.parametrize(
    ("model_type", "keys", "said"),
    [
        ("t5", {}, ["num_heads: 8", "relative_attention_num_buckets: 32", "relative_attention_max_distance: 128"]),
        ("t5", {"num_heads": 12, "relative_attention_num_buckets": 32, "relative_attention_max_distance": 128}, []),
        ("mpt", {}, ["n_heads: 16"]),
        ("bloom", {}, ["n_head: 8"]),
        ("bloom", {"num_attention_heads": 32}, []),
        ("marian", {}, ["d_model: 1024"]),
        ("m2m_100", {"d_model": 64}, ["pad_token_id: 1"]),
        ("bert", {}, []),
    ],
)
def test_a_note_names_each_number_that_is_the_default_of_the_class(
    model_type: str, keys: dict[str, Any], said: list[str]
) -> None:
    notes = open_model({"model_type": model_type, **keys}).notes
    taken = f"is taken, the default of model_type '{model_type}'"
    expected = [f"the config gives no {each} {taken}" for each in said]
    assert [note for note in notes if note.startswith("the config gives no ")] == expected


@pytest.mark.parametrize(
    ("model_type", "kind", "said"),
    [
        ("bark", "learned", "model_type 'semantic' uses a learned table of positions"),
        ("parakeet_ctc", "unsupported", "sinusoids of relative positions, as in Transformer-XL"),
        ("parakeet_encoder", "unsupported", "sinusoids of relative positions, as in Transformer-XL"),
        ("sam3_vision_model", "rotary", "pairs turn by the row and the column of a patch"),
        ("wavlm", "unsupported", "biases by buckets of distance, which the queries gate"),
        ("fine_acoustics", "learned", "a learned table of positions"),
        ("clvp", "rotary", "32 of the 64 columns of a head rotate"),
        ("deberta-v2", "learned", "a learned table of positions, added to the tokens' vectors"),
        ("sew-d", "unsupported", "and learned vectors for distances, which its scores weigh twice"),
        ("swin", "unsupported", "learned biases by the offset along two axes, height and width"),
        ("fastspeech2_conformer", "unsupported", "sinusoids of relative positions, as in Transformer-XL"),
        ("detr", "unsupported", "sinusoids over two axes, height and width"),
        ("convnext", "unsupported", "convolutions, which have no positions"),
        ("udop", "unsupported", "biases by buckets of distance, in the text and along the two axes of the page"),
        ("got_ocr2_vision", "unsupported", "and learned vectors for the offset along each axis"),
        (
            "prophetnet",
            "learned",
            "biases by buckets of distance, and a learned table of positions, added to the tokens'",
        ),
        ("layoutlmv3", "unsupported", "learned tables of positions and of the page's coordinates, and biases by dist"),
        ("colpali", "rotary", "all 256 columns of a head rotate"),
        ("qwen2_5_omni", "rotary", "all 128 columns of a head rotate"),
    ],
)
def test_a_model_without_keys_is_what_its_class_makes(model_type: str, kind: str, said: str) -> None:
    layer = open_model({"model_type": model_type}).layers[0]
    assert layer.kind == kind
    assert said in layer.sentence


def test_a_file_of_bark_opens_its_first_transformer() -> None:
    sizes = {"hidden_size": 1024, "num_layers": 24, "block_size": 1024}
    parts = {f"{name}_config": sizes for name in ("semantic", "fine_acoustics")}
    model = open_model({"model_type": "bark", **parts})
    assert len(model.layers) == 24
    assert model.layers[0].table_shape == (1024, 1024)
    assert "the parameters are those of 'semantic_config'" in model.notes


@pytest.mark.parametrize(
    ("model_type", "key"),
    [("electra", "embedding_size"), ("albert", "embedding_size"), ("rembert", "input_embedding_size")],
)
def test_a_table_narrower_than_the_layers_has_the_columns_of_its_own_key(model_type: str, key: str) -> None:
    """ELECTRA's small model has 256 columns in its layers and 128 in its tables."""
    sizes = {"hidden_size": 256, key: 128, "max_position_embeddings": 512}
    layer = open_model({"model_type": model_type, **sizes}).layers[0]
    assert layer.table_shape == (512, 128)
    assert "an untrained table of 512 x 128" in layer.sentence


@pytest.mark.parametrize(
    ("model_type", "other", "bases"),
    [
        ("modernbert", "full_attention", {77777.0, 10000.0}),
        ("modernbert", "sliding_attention", {160000.0, 77777.0}),
        ("olmo3", "full_attention", {77777.0, 500000.0}),
        ("olmo3", "sliding_attention", {500000.0, 77777.0}),
        ("gemma3_text", "full_attention", {77777.0, 10000.0}),
        ("gemma3_text", "sliding_attention", {1000000.0, 77777.0}),
        ("neomme", "full_attention", {77777.0, 10000.0}),
        ("neomme", "sliding_attention", {1000000.0, 77777.0}),
    ],
)
def test_a_label_alone_leaves_the_other_to_the_class(model_type: str, other: str, bases: set[float]) -> None:
    nested = {other: {"rope_type": "default", "rope_theta": 77777.0}}
    layers = open_model({"model_type": model_type, "num_hidden_layers": 6, "rope_parameters": nested}).layers
    found = {layer.layer_type: layer.encoding for layer in layers}
    assert {each.rope_theta for each in found.values() if isinstance(each, Rotary)} == bases
    assert getattr(found[other], "rope_theta", None) == 77777.0


@pytest.mark.parametrize(
    ("model_type", "keys", "n_layers"),
    [
        ("kosmos_2_text_model", {}, 24),
        ("kosmos_2_5_text_model", {"layers": 7}, 7),
        ("kosmos_2_text_model", {"num_hidden_layers": 5}, 5),  # another name in its class
        ("trocr", {}, 12),
        ("trocr", {"decoder_layers": 6}, 6),
        ("prophetnet", {}, 12),
        ("prophetnet", {"num_encoder_layers": 3, "num_decoder_layers": 12}, 3),
        ("videoprism_vision_model", {}, 16),
        ("videoprism_vision_model", {"num_spatial_layers": 2}, 6),
        ("phi4_multimodal_audio", {}, 24),
        ("gemma3n_audio", {"conf_num_hidden_layers": 4}, 4),
        ("idefics2_perceiver", {}, 3),
    ],
)
def test_layers_are_counted_by_the_keys_of_the_class(model_type: str, keys: dict[str, int], n_layers: int) -> None:
    model = open_model({"model_type": model_type, **keys})
    assert len(model.layers) == n_layers
    assert not any("the number of layers is not in the file" in note for note in model.notes)


def test_a_default_number_of_layers_is_told() -> None:
    notes = open_model({"model_type": "videoprism_vision_model", "num_spatial_layers": 2}).notes
    assert [note for note in notes if "_layers is not in the file" in note] == [
        "num_temporal_layers is not in the file: 4 is taken, the default of model_type 'videoprism_vision_model'"
    ]


def test_canines_table_has_a_row_for_each_of_its_buckets() -> None:
    """``CanineEmbeddings``: ``nn.Embedding(num_hash_buckets, hidden_size)``."""
    keys = {"hidden_size": 768, "max_position_embeddings": 16384, "num_hash_buckets": 99}
    assert open_model({"model_type": "canine", **keys}).layers[0].table_shape == (99, 768)


def test_a_default_number_of_layers_is_told_where_a_rule_gives_them_types() -> None:
    told = "num_hidden_layers is not in the file: 32 is taken, the default of model_type 'qwen2'"
    assert told in open_model({"model_type": "qwen2", "hidden_size": 64, "num_attention_heads": 2}).notes


@pytest.mark.parametrize(
    ("keys", "types"),
    [
        ({}, ("linear_attention", "moe", "full_attention", "mlp")),
        ({"hybrid_override_pattern": "M*"}, ("mamba", "full_attention")),
        ({"layers_block_type": ["mamba", "attention", "mlp"]}, ("mamba", "full_attention", "mlp")),
    ],
)
def test_nemotron_h_has_as_many_layers_as_its_list(keys: dict[str, Any], types: tuple[str, ...]) -> None:
    """``NemotronHConfig.num_hidden_layers`` of transformers 5.23.0 is the length of the list, whatever is set."""
    model = open_model({"model_type": "nemotron_h", "num_hidden_layers": 52, **keys})
    assert tuple(layer.layer_type for layer in model.layers) == types
    assert (
        f"num_hidden_layers is 52 in the file, and the class of 'nemotron_h' has as many layers as its list: "
        f"{len(types)}" in model.notes
    )
