"""Keys about layers count where the class reads them; expected values are of transformers 5.23.0's classes."""

from typing import Any

import pytest

from posenc_core import frequencies, open_model
from posenc_core.model_config import evidence_named
from posenc_core.rope_scaling import Linear

SIZES: dict[str, Any] = {"hidden_size": 512, "num_attention_heads": 4, "num_hidden_layers": 4, "rope_theta": 1e4}

UNREAD: tuple[dict[str, Any], ...] = (
    {"hybrid_override_pattern": "M*-E"},
    {"attn_type_list": [0, 1, 0, 1]},
    {"no_rope_layers": [0, 1, 0, 1]},
    {"no_rope_layer_interval": 2},
    {"layer_rope_theta": [0, 1e4, 0, 1e4]},
    {"attn_layer_indices": [0]},
    {"cross_attention_layers": [1]},
    {"layer_types": ["linear_attention", "full_attention"] * 2},
    {"compress_ratios": [0, 4, 128, 0]},
    {"kv_channels": 32},
    {"attention_head_dim": 32},
    {"mla_use_nope": True},
    {"attn_temperature_tuning": True, "floor_scale": 16},
    {"use_logn_attn": True, "seq_length": 16},
)


def opened(**keys: Any) -> Any:
    return open_model({**SIZES, **keys})


@pytest.mark.parametrize("keys", UNREAD, ids=lambda keys: next(iter(keys)))
@pytest.mark.parametrize("model_type", ["llama", "mistral", "gpt_neox"])
def test_a_key_that_the_class_does_not_read_changes_no_layer_and_is_named(
    model_type: str, keys: dict[str, Any]
) -> None:
    plain, given = opened(model_type=model_type), opened(model_type=model_type, **keys)
    assert given.layers == plain.layers
    named = f"model_type {model_type!r} does not read {next(iter(keys))} here"
    (note,) = (each for each in given.notes if each.startswith(named))
    assert next(iter(keys)) in [each.key for each in evidence_named(given, note)]


def test_a_list_that_asks_for_nothing_is_not_named() -> None:
    """MiniMax M2's files have ``attn_type_list`` with 1, full attention, for each layer."""
    assert not any("attn_type_list" in note for note in opened(model_type="minimax_m2", attn_type_list=[1] * 4).notes)


@pytest.mark.parametrize("keys", UNREAD[:2], ids=lambda keys: next(iter(keys)))
def test_code_that_is_not_known_reads_any_of_the_keys(keys: dict[str, Any]) -> None:
    assert {layer.kind for layer in opened(model_type="a_type_of_its_own", **keys).layers} == {"none", "rotary"}


def test_mimo_follows_the_list_of_its_file() -> None:
    layers = opened(model_type="mimo_v2_flash", hybrid_layer_pattern=[1, 0, 0, 1], sliding_window_size=127).layers
    assert [layer.window for layer in layers] == [128, None, None, 128]


@pytest.mark.parametrize("model_type", ["qwen2", "qwen3", "qwen2_moe"])
def test_a_window_that_is_switched_on_and_not_given_is_that_of_the_class(model_type: str) -> None:
    given = {
        "model_type": model_type,
        "use_sliding_window": True,
        "max_window_layers": 0 if model_type != "qwen2_moe" else 4,
    }
    windows = [layer.window for layer in opened(**given).layers]
    assert windows == ([4096, None, 4096, None] if model_type == "qwen2_moe" else [4096] * 4)
    assert {layer.window for layer in opened(**given | {"use_sliding_window": False}).layers} == {None}


def test_dots_3_note_has_the_window_of_its_class() -> None:
    model = open_model({"model_type": "dots3_note_text"})
    assert sum(layer.window == 512 for layer in model.layers) == 33
    off = open_model({"model_type": "dots3_note_text", "use_sliding_window": False})
    assert {layer.window for layer in off.layers} == {None}


def test_zamba_2_has_the_list_of_its_class() -> None:
    layers = open_model({"model_type": "zamba2", "use_mem_rope": True}).layers
    assert [index for index, layer in enumerate(layers) if layer.kind == "rotary"] == [
        6,
        12,
        18,
        24,
        30,
        36,
        42,
        47,
        51,
    ]


NESTED = {
    "full_attention": {"rope_type": "yarn", "rope_theta": 5e4, "factor": 8.0, "original_max_position_embeddings": 64}
}


def test_parameters_under_a_type_are_not_read_where_the_layers_have_no_types() -> None:
    """The class makes {"full_attention": ..., "rope_type": "default", "rope_theta": 10000.0} of them."""
    model = opened(model_type="llama", rope_parameters=NESTED)
    assert model.rotary.rotation.scaling is None
    assert model.rotary.rotation.rope_theta == 1e4
    said = "no layer of model_type 'llama' is of that type: transformers 5.23.0 ignores rope_parameters.full_attention"
    assert said in model.notes
    unknown = opened(model_type="a_type_of_its_own", rope_parameters=NESTED)
    assert unknown.rotary.rotation.scaling is not None


@pytest.mark.parametrize(
    ("keys", "attending"),
    [
        ({"num_hidden_layers": 12}, [2, 7]),
        ({"num_hidden_layers": 13, "attn_layer_period": 3, "attn_layer_offset": 1}, [2, 4, 7, 10]),
        ({"num_hidden_layers": 9, "attn_layer_period": 2, "attn_layer_offset": 0}, [2, 3, 5, 7]),
    ],
)
def test_zambas_period_begins_behind_its_first_three_layers(keys: dict[str, Any], attending: list[int]) -> None:
    layers = open_model({"model_type": "zamba", **keys}).layers
    assert [index for index, layer in enumerate(layers) if layer.encoding is not None] == attending


def test_parameters_under_a_type_that_no_layer_has_are_not_read() -> None:
    """``nested_rope_parameter_keys`` looks among the types of the layers, which are all sliding here."""
    window = {"use_sliding_window": True, "sliding_window": 64, "max_window_layers": 0}
    assert opened(model_type="qwen2", rope_parameters=NESTED, **window).rotary.rotation.scaling is None
    assert opened(model_type="qwen2", rope_parameters=NESTED).rotary.rotation.scaling is not None


def test_deepseek_v4_drops_entries_behind_its_last_layer() -> None:
    layers = opened(model_type="deepseek_v4", head_dim=128, compress_ratios=[0, 4, 128, 4, 0, 0]).layers
    assert [layer.compressed for layer in layers] == [None, 4, 128, 4]


TWO_TYPES = {"layer_types": ["full_attention", "sliding_attention"] * 2}


@pytest.mark.parametrize(
    ("model_type", "keys", "said"),
    [
        ("qwen2", TWO_TYPES | {"sliding_window": 7}, "use_sliding_window is not true: transformers 5.23.0 refuses"),
        ("qwen2", TWO_TYPES | {"use_sliding_window": True, "sliding_window": None}, "sliding_window is null: trans"),
        ("qwen2", {"use_sliding_window": True, "sliding_window": 0, "max_window_layers": 2}, "sliding_window is 0: "),
        (
            "qwen2_moe",
            TWO_TYPES,
            "use_sliding_window is not true: the queries of sliding_attention layers see no token",
        ),
        ("qwen3_moe", {"use_sliding_window": True, "sliding_window": 0}, "sliding_window is 0: the queries see no tok"),
        ("mistral", {"sliding_window": 0}, "sliding_window is 0: the queries see no token"),
        ("smollm3", TWO_TYPES, "sliding_window is not given: transformers 5.23.0 refuses sliding_attention layers"),
    ],
)
def test_a_window_without_a_size_is_named(model_type: str, keys: dict[str, Any], said: str) -> None:
    """The masks of the classes were recorded: no key, or an error of ``create_sliding_window_causal_mask``."""
    model = opened(model_type=model_type, **keys)
    assert {layer.window for layer in model.layers} == {None}
    assert sum(note.startswith(said) for note in model.notes) == 1


@pytest.mark.parametrize(
    ("model_type", "keys"),
    [
        ("qwen2", {}),
        ("qwen2", {"use_sliding_window": False, "sliding_window": 7, "max_window_layers": 2}),
        ("qwen2_moe", {}),
        ("qwen3_moe", {"sliding_window": 0}),
        ("mistral", {"sliding_window": None}),
    ],
)
def test_a_model_without_windows_has_no_sentence_on_them(model_type: str, keys: dict[str, Any]) -> None:
    assert not any("window" in note for note in opened(model_type=model_type, **keys).notes)


@pytest.mark.parametrize(
    ("model_type", "keys", "base"),
    [("moonshine_streaming", {"rope_theta": 2e4}, 2e4), ("apertus", {"rope_theta": 2e4}, 2e4)],
)
def test_parameters_of_layers_that_a_class_does_not_have_leave_those_beside_them(
    model_type: str, keys: dict[str, Any], base: float
) -> None:
    """``convert_rope_params_to_dict``: the class's own parameters stand for a file without any alone."""
    nested = {"full_attention": {"rope_type": "linear", "factor": 3.0, "rope_theta": 777.0}}
    rotation = opened(model_type=model_type, rope_parameters=nested, **keys).layers[0].encoding
    assert (rotation.rope_theta, rotation.scaling, rotation.n_columns) == (base, None, 128)


def test_a_scaling_of_mimo_hands_the_share_beside_it_to_layers_computed_later() -> None:
    """``standardize_rope_params`` of transformers 5.23.0, called by the scaling of the full layers: 96 columns each."""
    plain = {"rope_type": "default", "rope_theta": 10000.0}
    yarn = {"rope_type": "yarn", "rope_theta": 1e6, "factor": 4.0, "original_max_position_embeddings": 32768}
    for full, columns in ((yarn, 96), ({**plain, "rope_theta": 1e6}, 64)):
        keys = {"rope_parameters": {"full_attention": full, "sliding_attention": plain}, "partial_rotary_factor": 0.5}
        layers = opened(model_type="mimo_v2_flash", head_dim=192, hybrid_layer_pattern=[0, 1, 1, 0], **keys).layers
        assert [layer.encoding.rotation.n_columns for layer in layers] == [columns] * 4


def test_mimo_takes_nested_parameters_of_the_older_key() -> None:
    nested = {
        "full_attention": {"rope_type": "default", "rope_theta": 777.0},
        "sliding_attention": {"rope_type": "linear", "rope_theta": 1e6, "factor": 3.0},
    }
    layers = opened(model_type="mimo_v2_flash", head_dim=64, rope_scaling=nested, **TWO_TYPES).layers
    found = [layer.encoding.rotation for layer in layers[:2]]
    assert found[1].rope_theta == 1e6
    assert found[1].scaling == Linear(3.0)
    assert found[1].n_columns == 64


def test_the_layers_of_moonshines_decoder_are_counted() -> None:
    keys = {**SIZES, "num_hidden_layers": None, "decoder_num_hidden_layers": 5, "encoder_num_hidden_layers": 3}
    assert len(open_model({**keys, "model_type": "moonshine"}).layers) == 5


def test_minimax_m3_reads_nested_parameters_of_types_that_its_file_lists() -> None:
    nested = {"full_attention": {"rope_type": "default", "rope_theta": 777.0}}
    for types, base in (({}, 5e6), ({"layer_types": ["full_attention"] * 4}, 777.0)):
        keys = {"rope_theta": 5e6, "rope_parameters": nested, **types}
        assert opened(model_type="minimax_m3_vl_text", **keys).layers[0].encoding.rotation.rope_theta == base


def test_deepseek_v4_reads_both_nested_parameters_or_none() -> None:
    both = {label: {"rope_type": "default", "rope_theta": base} for label, base in (("main", 777.0), ("compress", 9e4))}
    keys = {"compress_ratios": [0, 4, 128, 0], "head_dim": 128, "qk_rope_head_dim": 64}
    for given, bases in ((both, {777.0, 9e4}), ({"main": both["main"]}, {1e4, 1.6e5})):
        layers = opened(model_type="deepseek_v4", rope_parameters=given, **keys).layers
        assert {layer.encoding.rotation.rope_theta for layer in layers} == bases


def test_olmo_hybrid_rotates_by_a_base_that_all_layers_share_alone() -> None:
    nested = {"full_attention": {"rope_type": "default", "rope_theta": 777.0}}
    keys = {"layer_types": ["linear_attention", "full_attention"] * 2, "num_key_value_heads": 4}
    assert {layer.kind for layer in opened(model_type="olmo_hybrid", rope_parameters=nested, **keys).layers} == {"none"}
    flat = opened(model_type="olmo_hybrid", rope_parameters=nested["full_attention"], **keys).layers
    assert [layer.kind for layer in flat] == ["none", "rotary"] * 2


def test_neomme_does_not_read_the_older_name_of_a_type() -> None:
    """``convert_rope_params_to_dict`` sets a missing ``rope_type`` to the default one before ``type`` is looked for."""
    full = {"type": "yarn", "rope_theta": 777.0, "factor": 2, "original_max_position_embeddings": 64}
    model = opened(model_type="neomme", head_dim=64, rope_parameters={"full_attention": full})
    assert {layer.encoding.rotation.scaling for layer in model.layers} == {None}
    assert "model_type 'neomme' reads 'rope_type' alone, not 'type': nothing is scaled" in model.notes
    named = opened(model_type="neomme", head_dim=64, rope_parameters={"full_attention": {"rope_type": "yarn", **full}})
    assert {layer.encoding.rotation.scaling is None for layer in named.layers} == {True, False}


def test_empty_parameters_of_dots_3_note_have_the_base_of_all_layers() -> None:
    """The class copies them under each type of layers, and reads ``swa_rope_theta`` only where there are none."""
    for given, bases in (({}, {777.0}), (None, {777.0, 5e4})):
        layers = opened(model_type="dots3_note_text", rope_theta=777.0, rope_parameters=given).layers
        assert {layer.encoding.rotation.rope_theta for layer in layers} == bases


def test_a_share_alone_names_no_scaling() -> None:
    """transformers takes the default type for parameters without a name."""
    rotation = opened(model_type="stablelm", rope_scaling={"partial_rotary_factor": 0.5}).rotary.rotation
    assert (rotation.scaling, rotation.n_columns) == (None, 64)


V4 = {"compress_ratios": [0, 4, 128, 0], "head_dim": 128, "qk_rope_head_dim": 64}


def test_deepseek_v4_takes_nested_parameters_of_the_older_key() -> None:
    both = {label: {"rope_type": "default", "rope_theta": base} for label, base in (("main", 777.0), ("compress", 9e4))}
    model = opened(model_type="deepseek_v4", rope_scaling=both, **V4)
    assert {layer.encoding.rotation.rope_theta for layer in model.layers} == {777.0, 9e4}
    assert not any("rope_scaling" in note for note in model.notes)
    others = {label: {"rope_type": "default", "rope_theta": 5.0} for label in ("full_attention", "sliding_attention")}
    layers = opened(model_type="deepseek_v4", rope_parameters=others, **V4).layers
    assert {layer.encoding.rotation.rope_theta for layer in layers} == {1e4, 1.6e5}


def test_deepseek_v4_turns_its_share_of_pairs_of_type_proportional() -> None:
    """The module of its class has 64 frequencies, of which ``64/128`` of the pairs turn; the numbers are its own."""
    layers = opened(model_type="deepseek_v4", rope_scaling={"rope_type": "proportional"}, **V4).layers
    turning = frequencies(layers[1].encoding)
    assert (len(turning), int((turning > 0).sum())) == (64, 32)
    assert turning[31] == pytest.approx(1.6e5 ** (-62 / 128), rel=1e-12)


def test_gpt_neox_counts_rotated_columns_from_a_head_dim_that_its_heads_do_not_have() -> None:
    """Its rotation has ``int(24 * 0.25)`` = 6 columns, its heads have 512 / 4 = 128; both are of the class, run."""
    model = opened(model_type="gpt_neox", head_dim=24, rotary_pct=0.25)
    rotation = model.rotary.rotation
    assert (rotation.head_dim, rotation.n_columns) == (128, 6)
    named = "head_dim 24 only counts the rotated columns: heads of model_type 'gpt_neox' have"
    assert any(note.startswith(named) for note in model.notes)


def test_jetmoe_has_two_names_of_a_width_of_which_head_dim_counts() -> None:
    """``attribute_map`` of its class sets ``kv_channels`` to the ``head_dim`` beside it."""
    model = opened(model_type="jetmoe", head_dim=64, kv_channels=32)
    assert model.rotary.rotation.head_dim == 64


def test_neomme_takes_nested_parameters_of_the_older_key_as_they_are() -> None:
    """They replace those whose share the class filled in, so that a head turns as a whole; ``type`` is read there."""
    both = {"full_attention": {"type": "linear", "factor": 2.0, "rope_theta": 777.0},
            "sliding_attention": {"rope_theta": 55.0}}  # fmt: skip
    model = opened(model_type="neomme", head_dim=64, rope_scaling=both)
    rotations = {layer.encoding.rotation for layer in model.layers}
    assert {(each.rope_theta, each.n_columns, each.scaling) for each in rotations} == {
        (777.0, 64, Linear(2.0)),
        (55.0, 64, None),
    }
    assert not any("reads 'rope_type' alone" in note for note in model.notes)


def test_dots_3_note_reads_a_nested_rope_scaling() -> None:
    both = {"indexed_attention": {"rope_type": "linear", "factor": 2.0, "rope_theta": 777.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 55.0}}  # fmt: skip
    layers = opened(model_type="dots3_note_text", rope_scaling=both).layers
    assert {(layer.encoding.rotation.rope_theta, layer.encoding.rotation.scaling) for layer in layers} == {
        (777.0, Linear(2.0)),
        (55.0, None),
    }


def test_parameters_of_types_that_dots_3_note_does_not_have_leave_the_base_of_its_class() -> None:
    """The class copies them under each of its types, where nothing reads them."""
    foreign = {"hybrid": {"rope_type": "linear", "factor": 2.0, "rope_theta": 777.0}}
    model = opened(model_type="dots3_note_text", rope_parameters=foreign, rope_theta=5e5)
    assert {(layer.encoding.rotation.rope_theta, layer.encoding.rotation.scaling) for layer in model.layers} == {
        (5e5, None)
    }
    assert any("does not read rope_parameters here" in note for note in model.notes)


@pytest.mark.parametrize("first", [0, 1])
def test_mistral_large_4_scales_queries_of_layers_without_rotation_too(first: int) -> None:
    model = opened(model_type="mistral_large4_text", no_rope_layers=[first, 1, 1, 0])
    told = "each head also scales its queries by a learned s ln(p + 1) + b, in layers without rotation too; "
    assert f"{told}the numbers are in the weights" in model.notes


def test_sections_of_axes_that_a_class_does_not_have_are_named_and_not_checked() -> None:
    sections = {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [4, 2, 2]}
    model = opened(model_type="qwen2_5_omni_dit", head_dim=64, rope_parameters=sections)
    assert model.rotary.rotation.n_columns == 64
    told = "model_type 'qwen2_5_omni_dit' does not read mrope_section: its positions have one axis"
    assert [note for note in model.notes if "mrope_section" in note] == [told]


@pytest.mark.parametrize(
    "keys", [{"model_type": "llama"}, {"model_type": "qwen3"}, {"model_type": "mimo_v2", "sliding_window": 128}]
)
def test_a_chunk_changes_no_distance_in_a_class_without_chunks(keys: dict[str, Any]) -> None:
    """MiMo V2's files have attention_chunk_size beside their windows; only Llama 4's class reads it."""
    assert opened(**keys, attention_chunk_size=128).layers == opened(**keys).layers
    chunked = opened(model_type="llama4_text", attention_chunk_size=128).layers[0].encoding
    assert type(chunked).__name__ == "DistanceRemap"


def test_mimos_own_base_and_share_are_not_said_to_be_missing() -> None:
    """The class ignores the keys, whose values in the model's file are its own."""
    own = {"swa_rope_theta": 10000, "partial_rotary_factor": 0.334, "head_dim": 192, "sliding_window": 128}
    file = {"model_type": "mimo_v2_flash", **own, "hybrid_layer_pattern": [0, 1, 1, 1]}
    assert not any("base" in note or "rope_theta" in note for note in opened(**{**file, "rope_theta": 5e6}).notes)
    told = "model_type 'mimo_v2_flash' does not read rope_theta here: 70000.0 is without effect"
    assert told in opened(**{**file, "rope_theta": 7e4}).notes
