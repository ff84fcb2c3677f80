"""Keys with a value of null are not missing keys; expected values are of transformers 5.23.0's classes."""

from typing import Any

import pytest

from posenc_core import Linear, Rotary, frequencies, open_model

SIZES: dict[str, Any] = {"hidden_size": 512, "num_attention_heads": 4, "head_dim": 128, "num_hidden_layers": 4}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}


@pytest.mark.parametrize("keys", [{}, {"rope_scaling": YARN}], ids=["plain", "scaled"])
@pytest.mark.parametrize("model_type", ["glm", "moonshine", "nemotron", "phi", "qwen3_5_text", "stablelm"])
def test_a_share_of_null_is_the_whole_head_where_a_class_fills_in_a_missing_one(
    model_type: str, keys: dict[str, Any]
) -> None:
    model = open_model({**SIZES, **keys, "model_type": model_type, "partial_rotary_factor": None})
    rotating = [layer.encoding for layer in model.layers if layer.encoding is not None]
    assert {len(frequencies(each)) for each in rotating} == {64}
    assert "partial_rotary_factor is null in the file, not missing: all columns of a head rotate" in model.notes


def test_a_share_of_null_is_that_of_a_class_with_another_key() -> None:
    model = open_model({**SIZES, "model_type": "gpt_neox", "partial_rotary_factor": None})
    rotary = model.layers[0].encoding
    assert isinstance(rotary, Rotary)
    assert len(frequencies(rotary)) == 16


PLAIN = {"rope_type": "default", "rope_theta": 3e4}


@pytest.mark.parametrize(
    ("model_type", "labels", "expected"),
    [
        ("lfm3", ("full_attention", "sliding_attention"), {(64, 1e6)}),
        ("ultrabert", ("full_attention", "sliding_attention"), {(64, 1e4)}),
        ("dots3_note_text", ("indexed_attention", "sliding_attention"), {(32, 8e7)}),
        ("deepseek_v4", ("main", "compress"), {(256, 1e4)}),
        ("gemma3_text", ("full_attention", "sliding_attention"), {(128, 1e6), (128, 1e4)}),
    ],
)
def test_empty_parameters_of_a_label(
    model_type: str, labels: tuple[str, ...], expected: set[tuple[int, float]]
) -> None:
    """Some classes fill them in as unscaled ones of one base, some as the label's own."""
    found = open_model({"model_type": model_type, "rope_parameters": {label: {} for label in labels}}).layers
    rotations = [layer.encoding.rotation for layer in found if layer.encoding is not None]
    assert {(each.n_columns // 2, each.rope_theta) for each in rotations if each is not None} == expected
    assert {each.scaling for each in rotations if each is not None} == {None}


@pytest.mark.parametrize("model_type", ["gemma3_text", "olmo3", "mellum", "step3p5"])
def test_parameters_under_a_type_count_beside_a_type_for_all_where_the_class_has_that_type(model_type: str) -> None:
    nested = {**PLAIN, "full_attention": {**YARN, "rope_theta": 5e4}}
    layers = open_model({"model_type": model_type, "rope_parameters": nested}).layers
    full = next(layer.encoding for layer in layers if layer.layer_type in (None, "full_attention"))
    assert full is not None
    assert full.rotation is not None
    assert (full.rotation.rope_theta, getattr(full.rotation.scaling, "factor", None)) == (5e4, 4.0)


@pytest.mark.parametrize("text", [{}, None])
def test_a_text_part_without_keys_is_that_of_the_class_beside_a_picture_part_too(text: Any) -> None:
    """``LlavaConfig.__post_init__``: a Llama with its defaults."""
    vision = {"model_type": "siglip_vision_model", "hidden_size": 1152, "num_attention_heads": 16}
    model = open_model({"model_type": "llava", "text_config": text, "vision_config": vision})
    assert model.layers == open_model({"model_type": "llama"}).layers
    assert open_model({"model_type": "llava", "vision_config": vision}).layers == model.layers
    assert open_model({"model_type": "llava", "vision_config": vision}, "vision").layers[0].kind == "learned"


def test_a_file_with_equal_parameters_for_old_and_new_versions_has_no_note_on_either() -> None:
    scaling = {**YARN, "rope_theta": 1e6}
    model = open_model({**SIZES, "model_type": "qwen3", "rope_theta": 1e6, "rope_parameters": scaling,
                        "rope_scaling": scaling})  # fmt: skip
    assert not any("rope_parameters" in note for note in model.notes)


def test_an_older_name_of_a_scaling_counts_for_a_label_without_a_name() -> None:
    """``rope_parameters[label].update(rope_scaling)`` of ModernBERT's class; a label with a name keeps its own."""
    parameters = {"full_attention": dict(PLAIN), "sliding_attention": {"rope_theta": 3e4}}
    file = {
        "model_type": "modernbert",
        "rope_parameters": parameters,
        "rope_scaling": {"type": "linear", "factor": 5.0},
    }
    found = {layer.layer_type: layer.encoding for layer in open_model(file).layers}
    scalings = {name: each and each.rotation and each.rotation.scaling for name, each in found.items()}
    assert scalings == {"full_attention": None, "sliding_attention": Linear(5.0)}


def test_deepseek_v4_reads_its_labels_beside_a_type_for_all() -> None:
    nested = {"main": {**PLAIN, "rope_theta": 2e4}, "compress": {**PLAIN, "rope_theta": 6e4}, **PLAIN}
    found = open_model({"model_type": "deepseek_v4", "rope_parameters": nested}).layers
    rotations = [layer.encoding.rotation for layer in found if layer.encoding is not None]
    assert {each.rope_theta for each in rotations if each is not None} <= {2e4, 6e4}


def test_a_scaled_label_gives_the_base_beside_the_labels_to_one_without_a_base() -> None:
    """``standardize_rope_params`` runs again for a scaled label, when ``rope_theta`` is an attribute."""
    parameters = {"full_attention": {**YARN, "rope_theta": 5e4}, "sliding_attention": {}}
    file = {"model_type": "embedding_gemma2_text", "rope_parameters": parameters, "rope_theta": 7e4}
    layers = open_model(file).layers
    bases = {layer.layer_type: layer.encoding and layer.encoding.rotation for layer in layers}
    assert {name: each and each.rope_theta for name, each in bases.items()} == {
        "full_attention": 5e4,
        "sliding_attention": 7e4,
    }


SCALED = {"rope_type": "yarn", "rope_theta": 5e5, "factor": 4.0, "original_max_position_embeddings": 2048}
LLAMA = {"model_type": "llama", "hidden_size": 256, "num_attention_heads": 4, "num_hidden_layers": 2,
         "max_position_embeddings": 8192}  # fmt: skip


@pytest.mark.parametrize(
    ("parameters", "fails"),
    [
        ({**SCALED, "rope_theta": None}, ["rope_theta"]),
        ({**SCALED, "original_max_position_embeddings": None}, ["original_max_position_embeddings"]),
        ({**SCALED, "partial_rotary_factor": None}, ["partial_rotary_factor"]),
        (
            {
                **SCALED,
                "beta_fast": None,
                "beta_slow": None,
                "attention_factor": None,
                "mscale": None,
                "truncate": None,
            },
            [],
        ),
        ({"rope_type": "default", "rope_theta": 5e5, "partial_rotary_factor": None}, []),
        ({"rope_type": "proportional", "rope_theta": 5e5, "factor": None}, ["factor"]),
    ],
)
def test_a_null_that_the_class_cannot_compute_with_is_told(parameters: dict[str, Any], fails: list[str]) -> None:
    """Llama's rotary module of transformers 5.23.0, built with each of these: a TypeError, or none."""
    notes = open_model({**LLAMA, "rope_parameters": parameters}).notes
    told = [note.partition(" is null, with which transformers 5.23.0 fails")[0] for note in notes if "fails" in note]
    assert told == [f"rope_parameters.{key}" for key in fails]


def test_a_base_of_null_beside_the_scaling_is_told() -> None:
    scaling = {"rope_type": "linear", "factor": 2.0}
    notes = open_model({**LLAMA, "rope_theta": None, "rope_scaling": scaling}).notes
    assert "rope_theta is null, with which transformers 5.23.0 fails: remove the key" in notes
    assert not any("fails" in note for note in open_model({**LLAMA, "rope_scaling": scaling}).notes)


def test_phi_3_reads_yarn_as_longrope() -> None:
    """``Phi3Config.convert_rope_params_to_dict`` and ``validate_rope`` of transformers 5.23.0."""
    config = {**LLAMA, "model_type": "phi3", "original_max_position_embeddings": 2048}
    lists = {"short_factor": [1.0] * 32, "long_factor": [2.0] * 32}
    older, newer = ({**config, "rope_scaling": {"type": name, **lists}} for name in ("yarn", "longrope"))
    assert open_model(older).layers[0].encoding == open_model(newer).layers[0].encoding
    for kind in ("linear", "yarn"):
        notes = open_model({**config, "rope_scaling": {"type": kind, "factor": 2.0}}).notes
        told = f"transformers 5.23.0 refuses rope_type '{kind}' in model_type 'phi3', whose class has only 'longrope'"
        assert told in notes
    assert not any("refuses" in note for note in open_model(config).notes)
