"""Sentences of a model's card: each is what the model's own code does."""

from typing import Any

import pytest

from posenc_core import open_model, rope_from_config

SIZES: dict[str, Any] = {"hidden_size": 512, "num_attention_heads": 4, "num_hidden_layers": 4}
YARN: dict[str, Any] = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "original_max_position_embeddings": 8192, "low_freq_factor": 1.0}
LATENT = {"qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "kv_lora_rank": 512}
GEMMA4 = {
    "full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6},
    "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
}


def layer(index: int = 0, **keys: Any) -> str:
    return open_model({**SIZES, **keys}).layers[index].sentence


def notes(**keys: Any) -> tuple[str, ...]:
    return open_model({**SIZES, **keys}).notes


@pytest.mark.parametrize("scaling", [YARN | {"factor": 8.0, "original_max_position_embeddings": 8192},
                                     LLAMA3 | {"high_freq_factor": 4.0}])  # fmt: skip
def test_the_product_of_factor_and_original_length_is_compared(scaling: dict[str, Any]) -> None:
    said = "factor 8 x original_max_position_embeddings 8,192 = 65,536, but max_position_embeddings is 131,072"
    assert said in notes(model_type="llama", max_position_embeddings=131072, rope_scaling=scaling)
    assert said not in notes(model_type="llama", max_position_embeddings=65536, rope_scaling=scaling)


def test_gemma_4_says_which_columns_turn() -> None:
    keys = {"model_type": "gemma4_text", "layer_types": ["sliding_attention"] * 3 + ["full_attention"]}
    told = layer(3, **keys, head_dim=256, global_head_dim=512, rope_parameters=GEMMA4)
    assert "64 pairs turn (columns 0-63 and 256-319), 192 do not turn" in told


@pytest.mark.parametrize("model_type", ["deepseek_v3", "deepseek_v32", "glm_moe_dsa", "kimi_k2"])
def test_latent_attention_has_columns_without_position_beside(model_type: str) -> None:
    assert "the 64 rotary columns of a head turn, beside 128 without position" in layer(model_type=model_type, **LATENT)


@pytest.mark.parametrize(
    ("model_type", "pairs"),
    [("deepseek_v32", "half_split"), ("axk2", "half_split"), ("hy_v4", "half_split"),
     ("glm_moe_dsa", "interleaved"), ("mistral_large4_text", "interleaved"), ("dots3_note_text", "interleaved")],
)  # fmt: skip
def test_an_indexer_chooses_tokens(model_type: str, pairs: str) -> None:
    """``*Indexer.forward`` of each class calls the function of halves or that of neighbours."""
    told = layer(model_type=model_type, index_topk=2048, **LATENT)
    assert (
        "an indexer chooses the best 2,048 tokens up to the query's own (index_topk); "
        f"the indexer's own pairs are {pairs}" in told
    )


def test_models_without_an_indexer_say_nothing_of_one() -> None:
    assert "indexer" not in layer(model_type="deepseek_v3", **LATENT)
    types = ["indexed_attention", "sliding_attention"] * 2
    assert "indexer" not in layer(1, model_type="dots3_note_text", layer_types=types)


def test_glm_5_next_chooses_groups_of_tokens() -> None:
    """``Glm5NextTextIndexer.forward``: 2048 // 16 groups, and the newest tokens that fill no group."""
    told = layer(3, model_type="glm5_next_text")
    assert (
        "an indexer chooses the best 128 groups of 16 tokens, and the newest tokens of no full group, "
        "up to the query's own" in told
    )
    without = layer(3, model_type="glm5_next_text", index_kpool_always_select_tail=False)
    assert "the best 128 groups of 16 tokens up to the query's own" in without


@pytest.mark.parametrize(("switch", "chosen"), [({}, True), ({"use_dsa": True}, True), ({"use_dsa": False}, False)])
def test_dots_3_note_chooses_tokens_unless_its_file_says_otherwise(switch: dict[str, Any], chosen: bool) -> None:
    """``Dots3NoteTextConfig.__post_init__``: full attention stands for attention to chosen tokens."""
    types = {"layer_types": ["full_attention", "sliding_attention"] * 2}
    for keys in ({}, types):
        assert ("an indexer chooses" in layer(model_type="dots3_note_text", **switch, **keys)) == chosen


SHARED: list[dict[str, Any]] = [
    {"indexer_types": ["full", "full", "shared", "shared"]},
    {"index_topk_pattern": "FFSS"},
    {"index_topk_freq": 4, "index_skip_topk_offset": 2},
]


@pytest.mark.parametrize("keys", SHARED, ids=lambda keys: next(iter(keys)))
def test_layers_without_an_indexer_say_whose_choice_they_take(keys: dict[str, Any]) -> None:
    """As ``GlmMoeDsaConfig`` reads the keys, in transformers 5.23.0."""
    told = [layer(index, model_type="glm_moe_dsa", index_topk=2048, **LATENT, **keys) for index in range(4)]
    shared = "it attends to the best 2,048 tokens that the indexer of an earlier layer chose (index_topk)"
    assert ["an indexer chooses" in each for each in told] == [True, True, False, False]
    assert [each.startswith(shared) for each in told] == [False, False, True, True]


REORDERED = "the pairs are columns 2i and 2i + 1; transformers rotates them and returns the first columns of all pairs"


def test_the_order_of_the_rotated_columns_is_that_of_the_class() -> None:
    """DeepSeek V2's class multiplies complex numbers, which stay in their places; V3's gathers the halves."""
    for model_type, changes in (("deepseek_v3", True), ("glm_moe_dsa", True), ("deepseek_v2", False)):
        assert any(note.startswith(REORDERED) for note in notes(model_type=model_type, **LATENT)) == changes


@pytest.mark.parametrize(
    ("model_type", "pairing"), [("deepseek_v3", "half_split"), ("glm_moe_dsa", "interleaved"), ("glm", "interleaved")]
)
def test_rope_interleave_counts_where_the_class_reads_it(model_type: str, pairing: str) -> None:
    rotary = rope_from_config({**SIZES, **LATENT, "model_type": model_type, "rope_interleave": False})
    assert rotary.pairing == pairing
    ignored = f"transformers 5.23.0 ignores rope_interleave in model_type '{model_type}'"
    assert (ignored in rotary.warnings) == (pairing == "interleaved")


def test_deepseek_v4_rotates_the_width_that_its_file_gives_and_turns_the_output_back() -> None:
    keys = {**SIZES, "model_type": "deepseek_v4", "head_dim": 128, "compress_ratios": [0, 0, 4, 128]}
    model = open_model({**keys, "qk_rope_head_dim": 32})
    assert {each.encoding.rotation.n_columns for each in model.layers if each.encoding and each.encoding.rotation} == {
        32
    }
    assert not any(note.startswith("partial_rotary_factor") for note in model.notes)
    assert any("turns the rotated columns of the attention's output back" in note for note in model.notes)
    half = open_model({**keys, "qk_rope_head_dim": 32, "partial_rotary_factor": 0.5}).layers[0].encoding
    assert half is not None
    assert half.rotation is not None
    assert half.rotation.n_columns == 64  # a given share counts before the width


@pytest.mark.parametrize(
    ("model_type", "turning"), [("llama", 128), ("ministral3", 128), ("minimax_m2", 64), ("a_type_of_its_own", 64)]
)
def test_rotary_dim_counts_where_the_class_reads_it(model_type: str, turning: int) -> None:
    """Of 201 rotating classes of transformers 5.23.0 three read it: CodeGen's, GPT-J's and MiniMax M2's."""
    rotary = rope_from_config({**SIZES, "model_type": model_type, "head_dim": 128, "rope_theta": 1e4, "rotary_dim": 64})
    assert rotary.n_columns == turning
    ignored = f"transformers 5.23.0 ignores rotary_dim in model_type '{model_type}': it rotates all"
    assert (ignored in rotary.warnings) == (turning == 128)


def test_linear_attention_is_no_missing_attention() -> None:
    said = notes(model_type="qwen3_5_moe_text", layer_types=["linear_attention"] * 3 + ["full_attention"])
    assert "3 of 4 layers have linear attention or a state-space model: linear_attention (layer_types)" in said
    assert not any("no attention" in note for note in said)


def test_minimax_m3_chooses_blocks_in_the_layers_that_its_list_names() -> None:
    sparse = {"sparse_attention_freq": [0, 1, 1, 1], "sparse_topk_blocks": 16, "sparse_block_size": 128}
    keys = {"model_type": "minimax_m3_vl_text", "head_dim": 128, "sparse_attention_config": sparse}
    assert "indexer" not in layer(0, **keys)
    assert "an indexer chooses the best 16 blocks of 128 tokens up to the query's own" in layer(1, **keys)


@pytest.mark.parametrize(
    ("blocks", "said"),
    [(1, ", which is always among them"), (2, ", the last 2 of which are always among them"), (0, "")],
)
def test_minimax_m3_always_attends_to_the_nearest_blocks(blocks: int, said: str) -> None:
    """``MiniMaxM3VLIndexer``: the scores of local blocks are infinite."""
    sparse = {"sparse_attention_freq": [0, 1, 1, 1], "sparse_topk_blocks": 16, "sparse_block_size": 128}
    keys = {"model_type": "minimax_m3_vl_text", "sparse_attention_config": {**sparse, "sparse_local_block": blocks}}
    assert f"blocks of 128 tokens up to the query's own{said};" in layer(1, head_dim=128, **keys)


@pytest.mark.parametrize("keys", [{"rope_theta": 1e4, "partial_rotary_factor": 1.0}, {"rope_theta": 1e4}, {}])
def test_rotary_keys_that_nothing_uses_are_named(keys: dict[str, Any]) -> None:
    found = [each for each in notes(model_type="nemotron_h", hybrid_override_pattern="M*-M", **keys) if "use" in each]
    named = " and ".join(keys)
    assert found == ([f"no layer rotates: the model does not use {named} of its file"] if keys else [])
    rotating = notes(model_type="llama", rope_theta=1e4)
    assert not any("does not use" in each for each in rotating)


def test_ministrals_queries_have_a_factor_that_is_shown() -> None:
    parameters = YARN | {"rope_theta": 1e6, "llama_4_scaling_beta": 0.1}
    model = open_model({**SIZES, "model_type": "ministral3", "rope_parameters": parameters})
    assert model.layers[0].temperature is not None
    assert not any("not shown" in note for note in model.notes)


def test_llamas_cross_attention_attends_to_the_picture() -> None:
    keys = {"model_type": "mllama_text_model", "cross_attention_layers": [1], "rope_theta": 5e5}
    assert "it attends to the picture's vectors" in layer(1, **keys)
    said = notes(**keys)
    assert "1 of 4 layers attend to the picture: cross_attention (cross_attention_layers)" in said
    assert not any("no attention" in note for note in said)


@pytest.mark.parametrize(
    ("model_type", "interleaved", "in_turns"),
    [
        ("qwen3_vl_text", True, True),
        ("qwen3_vl_text", False, True),  # its class slices the pairs by threes whatever the key says
        ("qwen3_5_moe_text", None, True),
        ("qwen2_vl_text", True, False),  # and this one splits them
        ("a_type_of_its_own", True, True),
        ("a_type_of_its_own", False, False),
    ],
)
def test_the_sections_of_pictures_take_turns_where_the_class_takes_them_so(
    model_type: str, interleaved: bool | None, in_turns: bool
) -> None:
    sections = {"rope_type": "default", "mrope_section": [24, 20, 20], "rope_theta": 1e6, "partial_rotary_factor": 1.0}
    keys = {"mrope_interleaved": interleaved} if interleaved is not None else {}
    (note,) = (each for each in notes(model_type=model_type, head_dim=128, rope_parameters=sections | keys)
               if each.startswith("mrope_section"))  # fmt: skip
    said = ", which take turns pair by pair" if in_turns else ""
    assert f"divides the pairs among time, height and width{said}: text is shown" in note


def test_sections_that_do_not_fit_are_read_where_the_class_runs_with_them() -> None:
    """``Qwen3VLTextRotaryEmbedding`` slices the pairs, ``Qwen2VLRotaryEmbedding`` cannot split them."""
    sections = {"rope_parameters": {"rope_type": "default", "mrope_section": [24, 20, 20], "rope_theta": 1e6}}
    said = notes(model_type="qwen3_vl_text", head_dim=72, **sections)
    assert any("it sums to 64, not to 36, and pairs of no section turn by time" in note for note in said)
    with pytest.raises(ValueError, match="mrope_section must sum to rotary_dim/2 = 36, got 64"):
        open_model({**SIZES, "model_type": "qwen2_vl_text", "head_dim": 72, **sections})


def test_the_ramp_of_gpt_oss_is_not_rounded() -> None:
    said = "truncate is false: the ends of the ramp between kept and slowed pairs are not rounded to whole pairs"
    assert said in notes(model_type="gpt_oss", head_dim=64, rope_scaling={**YARN, "truncate": False})
    assert said not in notes(model_type="gpt_oss", head_dim=64, rope_scaling={**YARN, "truncate": True})


def test_a_hybrid_model_without_rotation_begins_with_that() -> None:
    assert notes(model_type="nemotron_h", hybrid_override_pattern="M*-M")[0] == "no layer has positions"


@pytest.mark.parametrize(
    ("model_type", "said"),
    [
        (
            "whisper",
            "in its encoder, and a learned table in its decoder, added to the frames' and tokens' vectors",
        ),
        ("marian", "fixed sinusoids, added to the tokens' vectors before the first layer"),
        ("musicgen_decoder", "fixed sinusoids, the cosines first"),
        ("voxtral_encoder", "a frozen table of positions, which begins as sinusoids, added to the frames' vectors"),
    ],
)
def test_tables_are_added_once_and_frozen_ones_are_called_so(model_type: str, said: str) -> None:
    assert said in layer(model_type=model_type, d_model=64, max_position_embeddings=128)


def test_deepseek_v2_is_interleaved() -> None:
    encoding = open_model({**SIZES, "model_type": "deepseek_v2", **LATENT}).layers[0].encoding
    assert encoding is not None
    assert encoding.rotation is not None
    assert encoding.rotation.pairing == "interleaved"


@pytest.mark.parametrize(("base", "told"), [(10000.0, "10,000"), (1e7, "10,000,000"), (500000.0, "500,000")])
def test_a_base_is_written_in_one_way(base: float, told: str) -> None:
    assert layer(model_type="llama", rope_theta=base).startswith(f"the base is {told}: ")


def test_unlimited_ocr_keeps_its_prompt_in_view() -> None:
    """``UnlimitedOcrTextConfig``: its window slides over generated tokens alone."""
    told = "it attends to all tokens of the prompt, and to the last 128 generated ones (sliding_window)"
    model = open_model({"model_type": "unlimited_ocr_text"})
    assert told in model.layers[0].sentence
    assert model.layers[0].window is None


@pytest.mark.parametrize(("part", "said"), [("vision_config", "patches'"), ("audio_config", "frames'")])
def test_tables_of_parts_are_added_to_what_these_read(part: str, said: str) -> None:
    types = {"vision_config": "siglip_vision_model", "audio_config": "voxtral_encoder"}
    text = {**SIZES, "model_type": "llama", "rope_theta": 1e4}
    model = open_model(
        {"model_type": "llava", "text_config": text, part: {"model_type": types[part], "hidden_size": 64}}
    )
    (shown,) = model.parts
    assert f"added to the {said} vectors before the first layer" in shown.layer.sentence


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"model_type": "whisper"}, "frames' and tokens'"),
        ({"model_type": "qwen2_audio_encoder"}, "frames'"),
        ({"model_type": "voxtral_encoder"}, "frames'"),
        ({"model_type": "audioflamingo3_encoder"}, "frames'"),
        ({"model_type": "vivit", "tubelet_size": [2, 16, 16]}, "patches'"),
        ({"model_type": "internvl_vision"}, "patches'"),
        ({"model_type": "vit", "patch_size": 16}, "patches'"),
        ({"model_type": "bert"}, "tokens'"),
    ],
)
def test_tables_are_added_to_what_a_model_reads(keys: dict[str, Any], said: str) -> None:
    assert f"added to the {said} vectors before the first layer" in layer(d_model=64, **keys)


def test_numbers_of_tokens_are_grouped() -> None:
    assert "the last 4,096 tokens" in layer(model_type="mistral", sliding_window=4096)
    assert "within chunks of 8,192 tokens" in layer(model_type="llama4_text", attention_chunk_size=8192)


def test_a_rotation_over_several_axes_that_is_not_shown_is_called_so() -> None:
    text = {**SIZES, "model_type": "llama", "rope_theta": 1e4}
    model = open_model(
        {"model_type": "llava", "text_config": text, "vision_config": {"model_type": "vjepa2", "hidden_size": 1024}}
    )
    (shown,) = model.parts
    assert "have three axes, time, height and width: their rotation is not shown" in shown.layer.sentence


def test_minimax_m3_sees_pictures_on_three_axes_without_a_table() -> None:
    vision = {"model_type": "clip_vision_model", "rope_mode": "3d", "hidden_size": 1280, "num_attention_heads": 16}
    text = {**SIZES, "model_type": "minimax_m3_vl_text"}
    model = open_model({"model_type": "minimax_m3_vl", "text_config": text, "vision_config": vision})
    (shown,) = model.parts
    assert shown.layer.sentence == "pairs turn by the frame, the row and the column of a patch"


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"model_type": "whisper", "max_target_positions": 300}, "300 positions for tokens (max_target_positions)"),
        ({"model_type": "whisper"}, "448 positions for tokens (max_target_positions), the default of model_type"),
        ({"model_type": "speech_to_text"}, "1,024 positions for tokens (max_target_positions), the default of"),
    ],
)
def test_the_positions_of_a_decoder_of_speech_are_told(keys: dict[str, Any], said: str) -> None:
    assert any(note.startswith(f"the decoder has {said}") for note in notes(**keys))


def test_a_still_layer_of_mistral_large_4_scales_its_queries() -> None:
    still = [each for each in open_model({"model_type": "mistral_large4"}).layers if each.kind == "none"]
    assert len(still) == 18
    assert all(each.sentence.endswith("each head scales its queries by their position, as in layers that rotate")
               for each in still)  # fmt: skip


DOTS = {"model_type": "dots3_note_text", "rope_parameters": {"rope_type": "proportional", "rope_theta": 1e4}}


def test_dots_3_refuses_frequencies_wider_than_its_vectors() -> None:
    """Its class is built with them, and its first call fails; with equal widths it runs."""
    with pytest.raises(ValueError, match="counts from swa_head_dim 256, but 64 columns of a head rotate"):
        open_model({**DOTS, "head_dim": 64, "qk_rope_head_dim": 64})
    with pytest.raises(ValueError, match="counts from head_dim 256, but 64 columns"):
        open_model({**DOTS, "swa_head_dim": 64, "swa_qk_nope_head_dim": 0})
    equal = {"head_dim": 64, "qk_rope_head_dim": 64, "swa_head_dim": 64, "swa_qk_nope_head_dim": 0}
    assert {each.kind for each in open_model({**DOTS, **equal}).layers} == {"rotary"}
