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
    said = "factor 8 x original_max_position_embeddings 8192 = 65536, but max_position_embeddings is 131072"
    assert said in notes(model_type="llama", max_position_embeddings=131072, rope_scaling=scaling)
    assert said not in notes(model_type="llama", max_position_embeddings=65536, rope_scaling=scaling)


def test_gemma_4_says_which_columns_turn() -> None:
    keys = {"model_type": "gemma4_text", "layer_types": ["sliding_attention"] * 3 + ["full_attention"]}
    told = layer(3, **keys, head_dim=256, global_head_dim=512, rope_parameters=GEMMA4)
    assert "64 pairs turn (columns 0-63 and 256-319), 192 stand still" in told


@pytest.mark.parametrize("model_type", ["deepseek_v3", "deepseek_v32", "glm_moe_dsa", "kimi_k2"])
def test_latent_attention_has_columns_without_position_beside(model_type: str) -> None:
    assert "the 64 rotary columns of a head turn, beside 128 without position" in layer(model_type=model_type, **LATENT)


def test_an_indexer_chooses_tokens() -> None:
    chosen = "an indexer chooses the best 2,048 tokens up to its own (index_topk); "
    assert f"{chosen}its own rotation turns halves" in layer(model_type="deepseek_v32", index_topk=2048, **LATENT)
    assert f"{chosen}its rotation is interleaved" in layer(model_type="glm_moe_dsa", index_topk=2048, **LATENT)
    assert "indexer" not in layer(model_type="deepseek_v3", **LATENT)


SHARED = [
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
    assert "3 of 4 layers have linear attention or a state-space model: linear_attention" in said
    assert not any("no attention" in note for note in said)


def test_minimax_m3_chooses_blocks_in_the_layers_that_its_list_names() -> None:
    sparse = {"sparse_attention_freq": [0, 1, 1, 1], "sparse_topk_blocks": 16, "sparse_block_size": 128}
    keys = {"model_type": "minimax_m3_vl_text", "head_dim": 128, "sparse_attention_config": sparse}
    assert "indexer" not in layer(0, **keys)
    assert "an indexer chooses the best 16 blocks of 128 tokens up to its own" in layer(1, **keys)


def test_ministrals_queries_have_a_factor_that_is_shown() -> None:
    parameters = YARN | {"rope_theta": 1e6, "llama_4_scaling_beta": 0.1}
    model = open_model({**SIZES, "model_type": "ministral3", "rope_parameters": parameters})
    assert model.layers[0].temperature is not None
    assert not any("not shown" in note for note in model.notes)


def test_llamas_cross_attention_attends_to_the_picture() -> None:
    keys = {"model_type": "mllama_text_model", "cross_attention_layers": [1], "rope_theta": 5e5}
    assert "it attends to the picture's vectors" in layer(1, **keys)
    said = notes(**keys)
    assert "1 of 4 layers attend to the picture: cross_attention" in said
    assert not any("no attention" in note for note in said)


@pytest.mark.parametrize(("interleaved", "said"), [(True, ", which take turns pair by pair"), (False, "")])
def test_the_sections_of_qwen_take_turns_where_its_key_says_so(interleaved: bool, said: str) -> None:
    sections = {
        "rope_type": "default",
        "mrope_section": [24, 20, 20],
        "mrope_interleaved": interleaved,
        "rope_theta": 1e6,
    }
    (note,) = (each for each in notes(model_type="qwen3_vl_text", head_dim=128, rope_parameters=sections)
               if each.startswith("mrope_section"))  # fmt: skip
    assert f"divides the pairs among time, height and width{said}: text is shown" in note


def test_the_ramp_of_gpt_oss_is_not_rounded() -> None:
    said = "truncate is false: the ends of the ramp between kept and slowed pairs are not rounded to whole pairs"
    assert said in notes(model_type="gpt_oss", head_dim=64, rope_scaling={**YARN, "truncate": False})
    assert said not in notes(model_type="gpt_oss", head_dim=64, rope_scaling={**YARN, "truncate": True})


def test_a_hybrid_model_without_rotation_begins_with_that() -> None:
    assert notes(model_type="nemotron_h", hybrid_override_pattern="M*-M")[0] == "no layer has positions"


@pytest.mark.parametrize(
    ("model_type", "said"),
    [
        ("whisper", "fixed sinusoids in its encoder, and a learned table in its decoder, added to the tokens' vectors"),
        ("marian", "fixed sinusoids, added to the tokens' vectors before the first layer"),
        ("musicgen_decoder", "fixed sinusoids, the cosines first"),
        ("voxtral_encoder", "a frozen table of positions, which begins as sinusoids, added to the tokens' vectors"),
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
