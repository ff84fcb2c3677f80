"""Rotary keys in the engines' own model classes; each expected value was read in the engine's released source."""

import json
import math

import pytest
from engine_cases import latent, llama, public

from posenc_core import compare_engines
from posenc_core.engines import ENGINES

SOME = ["sliding_attention", "full_attention"] * 2
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}


def row_of(engine, config, length=None):
    (row,) = compare_engines(config, length, engines=[engine]).rows
    return row


def rotation_of(engine, config, length=None):
    row = row_of(engine, config, length)
    assert row.computed.encoding is not None, row.computed.refuses or row.computed.unknown
    return row.computed.encoding.rotation


def magnitude(factor, mscale=1.0):
    return 0.1 * mscale * math.log(factor) + 1


def named(model_type, scaling, **more):
    return {**llama({"head_dim": 128, **scaling}), "model_type": model_type, **more}


def test_deepseeks_class_in_vllm_keeps_its_own_amplitude_beside_attention_factor_1() -> None:
    """deepseek_v2.py takes deepseek_llama_scaling, which get_rope makes with the same class."""
    config = latent({"rotary_dim": 64, **YARN, "attention_factor": 1.0, "mscale_all_dim": 0.707})
    found = rotation_of("vllm", config)
    assert found.attention_factor == pytest.approx(magnitude(4) / magnitude(4, 0.707))
    assert found.softmax_scale_factor == 1
    scaled = rotation_of("vllm", latent({"rotary_dim": 64, **YARN, "attention_factor": 1.5, "mscale_all_dim": 0.707}))
    assert scaled.softmax_scale_factor == pytest.approx(magnitude(4, 0.707) ** 2)


def test_deepseeks_class_takes_every_scaling_for_yarn() -> None:
    config = latent({"rotary_dim": 64, "rope_type": "linear", "factor": 4.0, "max_position_embeddings": 16384})
    assert row_of("vllm", config).computed.refuses == "KeyError: 'original_max_position_embeddings'"
    found = rotation_of("sglang", config)
    assert found.attention_factor == pytest.approx(magnitude(4))
    assert found.scaling.original_max_position_embeddings == 16384


@pytest.mark.parametrize("model_type", ["mixtral", "gemma", "olmo", "starcoder2", "granitemoe", "stablelm"])
def test_classes_of_sglang_that_hand_on_no_scaling(model_type: str) -> None:
    config = named(model_type, {**YARN, "rope_theta": 5e5, "partial_rotary_factor": 1.0})
    row = row_of("sglang", config)
    rotation = row.computed.encoding.rotation
    assert (rotation.scaling, rotation.rope_theta) == (None, 5e5)
    assert "its class passes no scaling to the rotation: yarn has no effect" in row.computed.ignored


@pytest.mark.parametrize("engine", ["vllm", "sglang"])
def test_a_whole_factor_of_linear_scaling_is_refused(engine: str) -> None:
    config = llama({"head_dim": 128, "rope_type": "linear", "factor": 4})
    assert row_of(engine, config).computed.refuses.startswith("TypeError: 'int' object is not iterable")
    config["rope_scaling"]["factor"] = 4.0
    assert row_of(engine, config).verdict == "same"


@pytest.mark.parametrize("engine", ["vllm", "sglang", "mlx-lm", "exllamav3"])
def test_a_null_among_yarns_betas_is_refused(engine: str) -> None:
    config = llama({"head_dim": 128, **YARN, "beta_fast": None})
    assert row_of(engine, config).computed.refuses == "TypeError: beta_fast is null"
    assert row_of("transformers", config).verdict == "same"


@pytest.mark.parametrize("engine", ["vllm", "sglang"])
def test_longrope_in_neighbouring_columns_is_refused(engine: str) -> None:
    lists = {"short_factor": [1.0] * 64, "long_factor": [2.0] * 64, "original_max_position_embeddings": 4096}
    config = named("glm4", {"rope_type": "longrope", **lists, "max_position_embeddings": 8192}, partial_rotary_factor=1)
    assert "only supports neox_style" in row_of(engine, config).computed.refuses


def test_a_length_beside_the_parameters() -> None:
    """vLLM lets transformers standardise the parameters again; of SGLang's classes Llama's alone reads the key."""
    beside = {"original_max_position_embeddings": 2048, "max_position_embeddings": 16384}
    for model_type, lengths in (("llama", (2048, 2048)), ("qwen2", (2048, 4096))):
        config = named(model_type, YARN, **beside)
        found = [rotation_of(engine, config).scaling for engine in ("vllm", "sglang")]
        assert tuple(each.original_max_position_embeddings for each in found) == lengths


def test_gpt_oss_in_vllm_hands_on_six_keys_alone() -> None:
    scaling = {**YARN, "beta_fast": 32.0, "beta_slow": 1.0, "attention_factor": 1.5}
    config = named("gpt_oss", scaling, layer_types=["full_attention"] * 2)
    assert rotation_of("vllm", config).attention_factor == pytest.approx(magnitude(4))
    del config["rope_scaling"]["beta_fast"]
    assert row_of("vllm", config).computed.refuses == "KeyError: 'beta_fast'"


def test_the_softmax_of_exllamav3_has_the_factor_of_the_file() -> None:
    config = latent({"rotary_dim": 64, **YARN, "mscale": 1.0, "mscale_all_dim": 1.0, "max_position_embeddings": 65536})
    found = rotation_of("exllamav3", config)
    assert found.scaling.factor == 16, "max_position_embeddings over the original length"
    assert found.softmax_scale_factor == pytest.approx(magnitude(4) ** 2)


def test_phi3s_yarn_in_exllamav3_follows_the_cache() -> None:
    config = named("phi3", YARN, max_position_embeddings=16384)
    assert rotation_of("exllamav3", config, 8192).scaling.factor == 2


@pytest.mark.parametrize(
    ("model_type", "scaling", "told"),
    [
        ("internlm2", YARN, "ValueError: rope_scaling must contain 'type'"),
        ("internlm2", {**YARN, "type": "yarn"}, "ValueError: rope_scaling only supports 'linear' or 'dynamic'"),
        ("qwen2_moe", {**YARN, "type": "yarn"}, "ValueError: rope_scaling only supports 'linear'"),
        ("ministral3", {}, "TypeError: 'NoneType' object is not subscriptable: the file has no rope_parameters"),
        ("granite", {}, "TypeError: ModelArgs needs 'rope_theta', which the file does not give"),
        ("stablelm", {"rope_theta": 1.0},
         "TypeError: ModelArgs needs 'partial_rotary_factor', which the file does not give"),
    ],
)  # fmt: skip
def test_modules_of_mlx_lm_that_refuse(model_type: str, scaling: dict, told: str) -> None:
    assert row_of("mlx-lm", named(model_type, scaling)).computed.refuses == told


def test_ministral_3_needs_the_factor_of_its_queries_in_mlx_lm() -> None:
    config = named("ministral3", {})
    config["rope_parameters"] = {**YARN, "rope_theta": 1e6}
    del config["rope_scaling"]
    assert row_of("mlx-lm", config).computed.refuses == "KeyError: 'llama_4_scaling_beta'"


def test_modules_of_mlx_lm_that_do_not_read_a_key() -> None:
    ernie = row_of("mlx-lm", named("ernie4_5", {**YARN, "rope_theta": 5e5}))
    assert ernie.computed.encoding.rotation.scaling is None
    assert "its module has no scaling: yarn has no effect" in ernie.computed.ignored
    assert rotation_of("mlx-lm", named("qwen", {"rope_theta": 5e5})).rope_theta == 10000
    share = latent({"rotary_dim": 64, **YARN, "partial_rotary_factor": 0.5})
    assert rotation_of("mlx-lm", share).pairs.n_pairs == 32


def test_a_refusal_is_about_every_layer_of_a_file() -> None:
    config = named("gemma3_text", {"rope_type": "dynamic", "factor": 4.0}, num_hidden_layers=6)
    rows = compare_engines(config, engines=["exllamav3"]).rows
    assert [row.verdict for row in rows] == ["refuses", "refuses"]


LONG = {"sliding_window": 4096, "max_position_embeddings": 32768}


def test_windows_that_were_not_read_are_said_to_be_so() -> None:
    config = named("minimax_m2", {"rope_theta": 1e4}, **LONG)
    rows = {row.engine: row for row in compare_engines(config, 32768).rows}
    unread = rows["tensorrt-llm"]
    assert (unread.verdict, unread.computed.window, unread.computed.window_read) == ("same angles", None, False)
    assert "its window was not read; the model's class has none" in unread.computed.notes
    found = compare_engines(named("minimax_m2", {"rope_theta": 1e4}, **{**LONG, "sliding_window": 32768}), 32768)
    assert {row.verdict for row in found.rows if row.engine == "tensorrt-llm"} == {"same"}


def test_engines_whose_class_for_mistral_has_no_window() -> None:
    config = named("mistral", {"rope_theta": 1e4}, **LONG)
    rows = {row.engine: row for row in compare_engines(config, 32768).rows}
    assert {row.computed.window_read for row in rows.values()} == {True}
    without = {name for name, row in rows.items() if row.differences == ("window 4,096, here none",)}
    assert without == {"sglang", "mlx-lm", "exllamav3", "llama.cpp"}, "no line of theirs for Mistral has a window"
    assert {rows[name].write.text for name in without} == {""}
    told = "no key, flag or override gives these layers the window of the model's class"
    assert {rows[name].write.limit for name in without} == {told}
    assert {row.verdict for row in compare_engines(config, 4096).rows} == {"same"}


def test_a_window_that_was_not_read_is_no_disagreement() -> None:
    config = named("minimax_m2", {"rope_theta": 1e4}, **LONG)
    table = compare_engines(config, 32768, engines=["exllamav3", "tensorrt-llm"])
    assert table.agree
    assert table.words == "1 engine agrees, 1 agrees in angles (window not read)"
    yarn = {"rope_type": "yarn", "factor": 4.0, "attention_factor": 1.5, "original_max_position_embeddings": 8192}
    (row,) = compare_engines({**config, "rope_scaling": yarn}, 32768, engines=["tensorrt-llm"]).rows
    assert row.verdict == "different"
    assert not any("window" in told for told in row.differences)


@pytest.mark.parametrize(
    ("model_type", "more", "found"),
    [
        ("mistral", {}, [4096]), ("starcoder2", {}, [4096]), ("cohere2", {"layer_types": SOME}, [4096]),
        ("gpt_oss", {"layer_types": SOME}, [4096, None]), ("qwen3", {}, [None]), ("llama", {}, [None]),
        ("mixtral", {}, [None]), ("phi3", {}, [None]), ("exaone4", {"sliding_window_pattern": 4}, [4096]),
    ],
)  # fmt: skip
def test_windows_of_tensorrt_llms_pytorch_classes(model_type: str, more, found) -> None:
    """Each was read in its file in tensorrt_llm/_torch/models."""
    config = named(model_type, {"rope_theta": 1e4}, num_hidden_layers=4, **LONG, **more)
    rows = compare_engines(config, 32768, engines=["tensorrt-llm"]).rows
    assert [(row.computed.window, row.computed.window_read, row.computed.mark) for row in rows] == [
        (each, True, "read") for each in found
    ]


def test_a_list_of_layers_that_the_class_ignores_counts_where_the_engine_reads_it() -> None:
    """mlx-lm's models/llama.py and TensorRT-LLM's modeling_mistral.py; transformers' Mistral has one window for all."""
    config = named("mistral", {"rope_theta": 1e4}, num_hidden_layers=4, **LONG, layer_types=SOME)
    for row in compare_engines(config, 32768, engines=["mlx-lm", "tensorrt-llm"]).rows:
        assert row.differences == ("window 4,096, here none",)
        assert "2 of these 4 layers have no window" in row.computed.notes
        assert ("layer_types" in row.write.text) == (row.engine == "tensorrt-llm"), "without it, all have one"
    config["layer_types"] = SOME[:1] * 4
    mlx, trt = compare_engines(config, 32768, engines=["mlx-lm", "tensorrt-llm"]).rows
    assert mlx.computed.refuses.startswith("ValueError: 'full_attention' is not in list")
    assert trt.verdict == "same"


def test_the_key_that_makes_up_for_a_window() -> None:
    llama_with_one = named("llama", {"rope_theta": 1e4}, **LONG)
    (row,) = compare_engines(llama_with_one, 32768, engines=["vllm"]).rows
    assert row.differences == ("window none, here 4,096",)
    assert row.write.text == """--hf-overrides '{"sliding_window": null}'"""
    cohere = named("cohere2", {"rope_theta": 1e4}, num_hidden_layers=4, **LONG, layer_types=SOME)
    (row,) = compare_engines(cohere, 32768, engines=["exllamav3"]).rows
    assert row.differences == ("window 4,096, here 4,097",)
    assert (row.write.text, row.write.where) == ('{\n  "sliding_window": 4095\n}', "in config.json")


def test_settings_for_the_angles_are_told_beside_a_window_that_stays() -> None:
    config = named("mistral", {"rope_theta": 1e4, "attention_factor": 1.25, **YARN}, **LONG)
    (row,) = compare_engines(config, 32768, engines=["llama.cpp"]).rows
    assert row.write.text.startswith("--rope-scaling yarn --rope-scale 4.0")
    assert row.write.limit.endswith("no key, flag or override gives these layers the window of the model's class")


SLIDING = {"sliding_window": 1024, "max_position_embeddings": 32768, "num_hidden_layers": 6}
KINDS = {"layer_types": ["sliding_attention"] * 5 + ["full_attention"]}
OF_GEMMA = {"rope_parameters": {kind: {"rope_type": "default", "rope_theta": 1e6} for kind in KINDS["layer_types"]}}


@pytest.mark.parametrize(
    ("engine", "model_type", "more", "windows"),
    [
        ("sglang", "qwen3", {}, [None]),
        ("sglang", "gemma3_text", {}, [1024, None]),
        ("sglang", "gemma2", {"layer_types": ["sliding_attention", "full_attention"] * 3}, [1024, None]),
        ("mlx-lm", "gemma2", KINDS, [None, None]),
        ("mlx-lm", "gemma3_text", {}, [1024, None]),
        ("mlx-lm", "olmo3", KINDS, [1024, None]),
        ("mlx-lm", "mistral", {}, [None]),
        ("mlx-lm", "smollm3", {**KINDS, "use_sliding_window": True}, [1024, None]),
        ("exllamav3", "gemma3_text", {}, [1024, None]),
        ("exllamav3", "olmo3", KINDS, [1025, None]),
        ("exllamav3", "cohere2", KINDS, [1025]),
        ("llama.cpp", "gemma2", {"layer_types": ["sliding_attention", "full_attention"] * 3}, [1024, None]),
        ("llama.cpp", "gemma3_text", {}, [1024, None]),
        ("llama.cpp", "olmo3", KINDS, [1024, None]),
        ("llama.cpp", "mistral", {}, [None]),
    ],
)
def test_windows_of_engines_by_the_layers_that_have_one(engine, model_type, more, windows) -> None:
    """Each was read in the module of the engine that ``tools/read_engine_facts.py`` names."""
    rows = compare_engines(named(model_type, {"rope_theta": 1e4}, **SLIDING, **more), 32768, engines=[engine]).rows
    assert [row.computed.window for row in rows] == windows
    assert {row.computed.window_read for row in rows} == {True}


def test_a_chunk_counts_as_a_window_of_its_size() -> None:
    """src/models/llama4.cpp has 8192 for every file; vLLM reads attention_chunk_size."""
    config = public("meta-llama--Llama-4-Scout-17B-16E-Instruct")
    names = ["transformers", "vllm", "llama.cpp", "mlx-lm"]
    found = {row.engine: (row.computed.window, row.verdict) for row in compare_engines(config, engines=names).rows}
    assert found == {
        "transformers": (8192, "same"), "vllm": (8192, "same"), "llama.cpp": (8192, "same"),
        "mlx-lm": (None, "same angles"),
    }  # fmt: skip
    config["text_config"]["attention_chunk_size"] = 4096
    (row,) = compare_engines(config, engines=["llama.cpp"]).rows
    assert row.differences == ("window 4,096, here 8,192",)


def test_layers_that_a_graph_of_llama_cpp_does_not_give_a_window_differ() -> None:
    """Gemma 2's graph has a window in layers of even numbers, whichever the file's layer_types name."""
    config = named("gemma2", {"rope_theta": 1e4}, **SLIDING, layer_types=["full_attention", "sliding_attention"] * 3)
    rows = compare_engines(config, 32768, engines=["llama.cpp"]).rows
    assert [row.differences for row in rows] == [("window none, here 1,024",), ("window 1,024, here none",)]
    mixed = {**config, "layer_types": ["sliding_attention"] * 3 + ["full_attention"] * 3}
    rows = compare_engines(mixed, 32768, engines=["llama.cpp"]).rows
    assert [row.computed.notes[0] for row in rows] == ["1 of these 3 layers has no window",
                                                       "1 of these 3 layers has a window of 1,024 tokens"]  # fmt: skip


def test_the_older_name_of_longrope_is_known_to_sglang_in_phis_classes_alone() -> None:
    lists = {"short_factor": [1.0] * 64, "long_factor": [2.0] * 64, "original_max_position_embeddings": 4096}
    config = named("llama", {"type": "su", **lists, "max_position_embeddings": 32768})
    assert row_of("sglang", config).computed.refuses == "ValueError: Unknown RoPE scaling type su"
    assert row_of("sglang", {**config, "model_type": "phi3"}).verdict == "same"


def test_longrope_in_vllm_names_the_length_without_a_setting() -> None:
    lists = {"short_factor": [1.0] * 64, "long_factor": [2.0] * 64, "original_max_position_embeddings": 4096}
    row = row_of("vllm", named("phi3", {"rope_type": "longrope", **lists, "max_position_embeddings": 32768}))
    assert row.computed.lengths.endswith("without --max-model-len it is that original length")


def windows_of(config, length=None):
    rows = compare_engines(config, length, engines=["vllm"]).rows
    return [(row.indices[0], row.computed.window, row.computed.mark) for row in rows]


@pytest.mark.parametrize(("model_type", "columns"), [("stablelm", 32), ("phi", 64), ("nemotron", 64)])
def test_a_share_that_a_file_leaves_out_is_the_classs_in_llama_cpps_converter(model_type: str, columns: int) -> None:
    """The keys of a run of the converter; a type that its transformers does not know has no defaults."""
    assert row_of("llama.cpp", named(model_type, {})).computed.columns == columns
    unknown = row_of("llama.cpp", named("stablelm_epoch", {}, architectures=["StableLMEpochForCausalLM"]))
    assert unknown.computed.refuses == "KeyError: 'partial_rotary_factor'"


def test_windows_of_vllms_classes() -> None:
    """config/cache.py has one window for all layers, which models/qwen2.py uses; others have one per layer."""
    kinds = {"layer_types": ["full_attention", "sliding_attention"] * 2, "num_hidden_layers": 4}
    some = {"sliding_window": 1024, "max_position_embeddings": 32768}
    mixed = named("qwen2", {}, use_sliding_window=True, max_window_layers=1, **some)
    assert windows_of(mixed) == [(0, None, "run"), (1, None, "read")]
    (_, row) = compare_engines(mixed, engines=["vllm"]).rows
    assert row.differences == ("window 1,024, here none",)
    assert row.computed.source.file == "engine/arg_utils.py"
    assert [each[1] for each in windows_of({**mixed, "max_window_layers": 0})] == [1024]
    assert [each[1] for each in windows_of(named("gemma2", {}, **some, **kinds))] == [None, 1024]
    assert [each[1] for each in windows_of(named("cohere2", {}, **some, **kinds))] == [1025], (
        "full layers do not rotate"
    )
    assert windows_of(named("llama", {}, **some)) == [(0, 1024, "read")], (
        "the key counts though the class has no window"
    )
    gpt_oss = named("gpt_oss", {**YARN, "beta_fast": 32.0, "beta_slow": 1.0}, **{**some, **kinds})
    assert [each[:2] for each in windows_of(gpt_oss)] == [(0, 1024), (1, None)], "layers of even numbers have it"
    with pytest.raises(ValueError, match=r"sliding_window must be an integer, got \[1, 2\]"):
        windows_of({**gpt_oss, "sliding_window": [1, 2]})


FLAT = {"head_dim": 128, "rope_theta": 5e5, "partial_rotary_factor": 0.5}


@pytest.mark.parametrize("model_type", ["gemma3_text", "gemma3n_text"])
def test_the_share_of_a_flat_file_reaches_each_kind_of_layers_in_vllm(model_type: str) -> None:
    """standardize_rope_params copies it into the parameters of every layer type, which transformers' class ignores."""
    config = named(model_type, FLAT, partial_rotary_factor=0.5, num_hidden_layers=6)
    rows = compare_engines(config, engines=["transformers", "vllm"]).rows
    assert {(row.engine, row.computed.columns) for row in rows} == {("transformers", 128), ("vllm", 64)}


def test_mimo_in_vllm_reads_the_keys_beside_parameters_alone() -> None:
    beside = {"rope_theta": 5e6, "swa_rope_theta": 1e4, "partial_rotary_factor": 0.334}
    kinds = {"layer_types": ["full_attention", "sliding_attention"], "num_hidden_layers": 2, "head_dim": 192}
    inner = {"rope_type": "default", "rope_theta": 5e6, "partial_rotary_factor": 0.334}
    nested = {"rope_parameters": {"full_attention": inner, "sliding_attention": {**inner, "rope_theta": 1e4}}}
    base = {"model_type": "mimo_v2_flash", "max_position_embeddings": 4096, **kinds}
    for given, bases, columns in ((beside, [5e6, 1e4], 64), (nested, [1e6, 1e6], 192)):
        rows = compare_engines({**base, **given}, engines=["vllm"]).rows
        assert [row.computed.encoding.rotation.rope_theta for row in rows] == bases
        assert {row.computed.columns for row in rows} == {columns}


def test_flat_parameters_reach_lagunas_class_in_vllm_though_not_in_transformers() -> None:
    kinds = {"layer_types": ["full_attention", "sliding_attention"], "num_hidden_layers": 2}
    rows = compare_engines(named("laguna", {**YARN, "rope_theta": 3e5}, **kinds), engines=["transformers", "vllm"]).rows
    found = {(row.engine, row.layer_type): row.computed.encoding.rotation for row in rows}
    for kind in kinds["layer_types"]:
        assert found["transformers", kind].scaling is None
        theirs = found["vllm", kind]
        assert (theirs.rope_theta, theirs.scaling.factor, theirs.pairs.n_pairs) == (3e5, 4.0, 64)


@pytest.mark.parametrize(
    ("kind", "told"),
    [("dynamic", "'>' not supported between instances of 'NoneType' and 'int'"),
     ("longrope", "unsupported operand type(s) for /: 'NoneType' and 'int'")],
)  # fmt: skip
def test_gpt_oss_in_mlx_lm_hands_no_length_to_the_rotation(kind: str, told: str) -> None:
    lists = {"short_factor": [1.0] * 64, "long_factor": [2.0] * 64, "original_max_position_embeddings": 4096}
    scaling = {"rope_type": kind, **({"factor": 4.0} if kind == "dynamic" else lists)}
    row = row_of("mlx-lm", named("gpt_oss", scaling, layer_types=["full_attention"] * 2))
    assert row.computed.refuses == f"TypeError: {told}: no max_position_embeddings reaches the rotation"


def test_qwen3_5_has_its_share_from_other_places_in_sglang_and_mlx_lm() -> None:
    inner = {"rope_type": "default", "rope_theta": 1e7, "partial_rotary_factor": 0.5}
    text = {"head_dim": 256, "hidden_size": 2048, "num_attention_heads": 8, "num_hidden_layers": 4}
    text |= {"model_type": "qwen3_5_text", "rope_parameters": inner, "max_position_embeddings": 8192}
    config = {"model_type": "qwen3_5", "text_config": text}
    names = ["transformers", "sglang", "mlx-lm", "exllamav3"]
    found = {row.engine: row.computed.columns for row in compare_engines(config, engines=names).rows}
    assert found == {"transformers": 128, "sglang": 64, "mlx-lm": 128, "exllamav3": 128}
    assert row_of("sglang", config).computed.mark == "read", "its own configuration was not run"
    inner.pop("partial_rotary_factor")
    assert rotation_of("mlx-lm", config).pairs.n_pairs == 32


def test_a_file_without_architectures_is_taken_for_that_of_its_model_type() -> None:
    config = named("internlm2", {"rope_theta": 1e6})
    rows = {row.engine: row.computed for row in compare_engines(config).rows}
    told = "the file names no architecture: InternLM2ForCausalLM, that of its model_type, is taken"
    assert {name for name, found in rows.items() if told in found.notes} == {
        "vllm", "sglang", "llama.cpp", "tensorrt-llm",
    }  # fmt: skip
    assert rows["exllamav3"].refuses == "AssertionError: Unknown architecture InternLM2ForCausalLM in config.json"
    config["architectures"] = ["InternLM2ForCausalLM"]
    assert not any(told in row.computed.notes for row in compare_engines(config).rows)


def test_gemma_4s_layer_types_have_parameters_of_their_own_in_each_engine() -> None:
    rows = compare_engines(public("nvidia--Gemma-4-31B-IT-NVFP4")).rows
    assert {row.engine for row in rows if row.verdict == "same"} == set(ENGINES) - {"tensorrt-llm"}
    inner = {"sliding_attention": {"rope_type": "default", "rope_theta": 2e4},
             "full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.5}}  # fmt: skip
    config = public("nvidia--Gemma-4-31B-IT-NVFP4")
    config["text_config"]["rope_parameters"] = inner
    for engine, bases in (("exllamav3", [2e4, 1e6]), ("mlx-lm", [2e4, 1e4]), ("llama.cpp", [2e4, 1e4])):
        rows = compare_engines(config, engines=[engine]).rows
        found = [row.computed.encoding and row.computed.encoding.rotation.rope_theta for row in rows]
        assert found == bases


def test_laguna_in_sglang_honours_attention_factor() -> None:
    inner = {**YARN, "rope_theta": 5e5, "attention_factor": 1.5}
    config = named("laguna", {}, layer_types=["full_attention"] * 2)
    config["rope_parameters"] = {"full_attention": inner}
    del config["rope_scaling"]
    assert rotation_of("sglang", config).attention_factor == pytest.approx(1.5)


def test_an_odd_number_of_columns_counts_in_the_base_of_dynamic_ntk() -> None:
    config = named("glm4_moe", {"rope_theta": 1e4, "rope_type": "dynamic", "factor": 2.0}, partial_rotary_factor=0.5)
    config |= {"head_dim": 42, "max_position_embeddings": 4096}
    base = 1e4 * 3 ** (21 / 19)
    assert rotation_of("sglang", config).pairs.frequencies[1] == pytest.approx(base ** (-2 / 21), rel=1e-12)


@pytest.mark.parametrize("model_type", ["granitemoehybrid", "bamba"])
def test_granites_converter_writes_the_base_of_the_class_that_it_names(model_type: str) -> None:
    """conversion/granite.py: ``GraniteMoeModel.set_gguf_parameters(self)``, whose bases write base and scaling."""
    config = named(model_type, {"rope_type": "linear", "factor": 4.0, "rope_theta": 1e7})
    config |= {"position_embedding_type": "rope", "attn_layer_indices": [0, 1], "attn_rotary_emb": 128}
    config |= {"layer_types": ["full_attention"] * config["num_hidden_layers"]} if model_type != "bamba" else {}
    rotation = rotation_of("llama.cpp", config)
    assert (rotation.rope_theta, rotation.scaling.factor) == (1e7, 4.0)


def test_gtes_ntk_and_jinas_yarn_reach_the_rotation_of_vllms_encoders() -> None:
    """models/config.py: ``rotary_kwargs`` has the rope_parameters, from which bert_with_rope.py makes the rotation."""
    sizes = {"hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 2, "max_position_embeddings": 8192}
    new = {"model_type": "new", "architectures": ["GteNewModel"], **sizes, "rope_theta": 5e5}
    row = row_of("vllm", {**new, "rope_scaling": {"type": "ntk", "factor": 2.0}})
    assert row.verdict == "same"
    assert row.computed.source.file == "layers/rotary_embedding/ntk_scaling_rope.py"
    assert row.computed.encoding.rotation.pairs.frequencies[-1] == pytest.approx(1e6 ** (-31 / 32) / 2 ** (1 / 32))
    flash = {"model_type": "xlm-roberta", "architectures": ["XLMRobertaModel"], "position_embedding_type": "rotary"}
    found = rotation_of("vllm", {**flash, **sizes, "rotary_emb_base": 2e4, "rope_scaling": YARN})
    assert (found.rope_theta, found.scaling.factor) == (2e4, 4.0)


def test_llama_cpps_converter_takes_groks_original_for_yarn() -> None:
    """conversion/grok.py: "seems to have been a mistake"; SGLang leaves the frequencies as they are."""
    config = {"model_type": "git", "architectures": ["Grok1ForCausalLM"], "hidden_size": 8192, "head_dim": 128,
              "num_attention_heads": 64, "num_hidden_layers": 2, "rope_theta": 208533496, "rope_type": "original",
              "max_position_embeddings": 131072, "original_max_position_embeddings": 8192, "scaling_factor": 16.0,
              "extrapolation_factor": 1.0, "attn_factor": 1.0, "beta_fast": 8, "beta_slow": 1,
              "attn_temperature_len": 1024}  # fmt: skip
    row = row_of("llama.cpp", config)
    scaling = row.computed.encoding.rotation.scaling
    assert (row.verdict, row.computed.source.file) == ("different", "conversion/grok.py")
    assert (scaling.rope_type, scaling.factor, scaling.original_max_position_embeddings) == ("yarn", 16.0, 8192)
    assert scaling.beta_fast == 8.0
    assert row_of("sglang", config).verdict == "same"
    assert row_of("sglang", {**config, "rope_type": "yarn_log"}).verdict == "unknown"
    del config["extrapolation_factor"]
    assert row_of("llama.cpp", config).computed.refuses == "KeyError: 'extrapolation_factor'"


def test_a_window_to_both_sides_is_counted_without_the_querys_own_token() -> None:
    """vLLM gives its kernels 64 + 1 tokens for ModernBERT, and they keep 64 on each side (v1/attention/backends)."""
    keys = {"hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 6, "local_attention": 128}
    config = {"model_type": "modernbert", "architectures": ["ModernBertModel"], **keys, "max_position_embeddings": 8192}
    rows = compare_engines(config, engines=["vllm"]).rows
    assert [(row.computed.window, row.differences) for row in rows] == [(None, ()), (64, ())]


def test_settings_are_written_under_the_key_of_the_text_in_the_file() -> None:
    text = {"model_type": "qwen2", "hidden_size": 3584, "num_attention_heads": 28, "num_hidden_layers": 4,
            "max_position_embeddings": 32768, "rope_scaling": {"type": "dynamic", "factor": 2.0}}  # fmt: skip
    whole = {"model_type": "internvl_chat", "architectures": ["InternVLChatModel"], "llm_config": text}
    rows = {row.engine: row for row in compare_engines(whole).rows}
    written = rows["vllm"].write.text.removeprefix("--hf-overrides '").removesuffix("'")
    assert list(json.loads(written)) == list(json.loads(rows["exllamav3"].write.text)) == ["llm_config"]


def test_an_architecture_that_vllm_has_under_another_name_is_compared_under_that() -> None:
    """GteNewModel of vLLM's models/registry.py, whose files name NewModel."""
    sizes = {"hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 2, "max_position_embeddings": 8192}
    config = {"model_type": "new", "architectures": ["NewModel"], **sizes, "rope_theta": 160000}
    row = row_of("vllm", config)
    assert row.verdict == "same"
    assert row.computed.notes[0].endswith("""--hf-overrides '{"architectures": ["GteNewModel"]}'""")


def test_chunks_that_an_engine_does_not_read_are_told_beside_its_angles() -> None:
    chunks = {"chunk_size": 8192, "local_size": 1024, "original_max_position_embeddings": 8192}
    config = named("qwen2", {"rope_theta": 1e7}, dual_chunk_attention_config=chunks)
    notes = {row.engine: row.computed.notes[-1] for row in compare_engines(config, 32768).rows}
    assert notes["mlx-lm"].endswith("mlx-lm does not read it, and no distance is remapped as in the model")
    assert notes["vllm"].endswith("whether it remaps distances as the model does was not read")


def test_a_hybrid_without_rotation_names_the_reason_of_its_attention() -> None:
    config = {"model_type": "granitemoehybrid", "hidden_size": 1536, "num_attention_heads": 12, "num_hidden_layers": 2,
              "position_embedding_type": "nope", "layer_types": ["mamba", "attention"]}  # fmt: skip
    with pytest.raises(ValueError, match="no layer of this model rotates: position_embedding_type is 'nope'"):
        compare_engines(config, 4096)


def test_a_model_without_rotation_and_length_is_not_asked_for_a_length() -> None:
    config = {"model_type": "mamba2", "hidden_size": 2560, "num_hidden_layers": 4}
    with pytest.raises(ValueError, match="no layer of this model rotates"):
        compare_engines(config)


def test_a_base_for_each_layer_is_not_said_to_be_no_number() -> None:
    config = named("step3p5", {"rope_theta": [5e6, 1e4]}, num_hidden_layers=2, layer_types=SOME[1::-1])
    rows = compare_engines(config, 4096, engines=["llama.cpp"]).rows
    told = "the converter's translation of a base for each layer was not read"
    assert {row.computed.unknown for row in rows} == {told}


@pytest.mark.parametrize(("model_type", "layout"), [("glm4v", "interleaved"), ("glm4v_moe", "half_split")])
def test_vllm_makes_the_text_of_glms_pictures_with_its_classes_for_texts(model_type: str, layout: str) -> None:
    """models/glm4_1v.py names Glm4ForCausalLM and Glm4MoeForCausalLM."""
    text = {"model_type": f"{model_type}_text", "hidden_size": 4096, "head_dim": 128, "num_attention_heads": 32,
            "num_hidden_layers": 2, "max_position_embeddings": 65536, "rope_theta": 10000.0,
            "partial_rotary_factor": 0.5}  # fmt: skip
    text["rope_scaling"] = {"type": "default", "mrope_section": [8, 12, 12]}
    name = {"glm4v": "Glm4vForConditionalGeneration", "glm4v_moe": "Glm4vMoeForConditionalGeneration"}[model_type]
    row = row_of("vllm", {"model_type": model_type, "architectures": [name], "text_config": text})
    assert (row.verdict, row.computed.columns) == ("same", 64)
    assert row.computed.encoding.rotation.pairing == layout


def test_a_base_of_the_models_code_alone_is_lost_in_a_gguf_file() -> None:
    """conversion/base.py writes the base of the file, llama-model.cpp has 10,000 without one; mlx-lm needs a type."""
    sizes = {"hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 2, "max_position_embeddings": 8192}
    config = {"architectures": ["CogVLMForCausalLM"], "num_multi_query_heads": 8, **sizes}
    row = row_of("llama.cpp", config)
    assert row.differences[0] == "base 500000, here 10000"
    assert row.write.text == "--rope-scaling none --rope-freq-base 500000.0"
    assert row_of("llama.cpp", {**config, "rope_theta": 500000.0}).verdict == "same"
    assert row_of("mlx-lm", config).computed.refuses == "KeyError: 'model_type'"
