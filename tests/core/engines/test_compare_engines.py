"""``compare_engines``: verdicts, where engines part, what to write, and what cannot be compared."""

import json
import subprocess
import sys
from datetime import date

import numpy as np
import pytest
from cases import each_case
from engine_cases import ROWS, cases, latent, llama, public
from gguf_bench import gguf
from gguf_bench import llama as llama_file

from posenc_core import compare_engines, drift, open_model, unseen_angles
from posenc_core.engines import ENGINES, EngineTable, all_facts, questions_of
from posenc_core.engines.asking import answer

YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768, "head_dim": 128}
AMPLITUDE = llama({**YARN, "attention_factor": 1.25, "rope_theta": 1e6})
CONTROL = next(row["config"] for row in ROWS if row["id"] == "llama3-control")


def verdicts(config, length=None, **more):
    return {row.engine: row.verdict for row in compare_engines(config, length, **more).rows}


def test_a_plain_llama_is_the_same_everywhere() -> None:
    table = compare_engines(llama({"rope_type": "default", "head_dim": 128}), 4096)
    assert table.agree
    assert [row.engine for row in table.rows] == list(ENGINES)
    assert all(row.position is None and row.score_factor == 1 for row in table.rows)


def test_llama_3_1_is_the_same_everywhere() -> None:
    assert set(verdicts(llama(CONTROL)).values()) == {"same"}


def test_deepseek_v3_is_the_same_everywhere_and_scales_its_softmax() -> None:
    table = compare_engines(latent(next(row["config"] for row in ROWS if row["id"] == "deepseek-v3-control")))
    assert {row.verdict for row in table.rows} == {"same"}
    factors = [row.computed.encoding.rotation.softmax_scale_factor for row in table.rows]
    assert factors == pytest.approx([1.873854207] * 7, rel=1e-6)


def test_a_row_says_where_it_parts_and_by_how_much() -> None:
    given = next(row["config"] for row in ROWS if row["id"] == "yarn-truncate-false")
    table = compare_engines(llama(given), 131072)
    row = next(each for each in table.rows if each.engine == "mlx-lm")
    parted = drift(row.wanted, row.computed.encoding)
    assert (row.position, row.pair) == (parted.position, parted.pair)
    assert row.unseen == unseen_angles(row.computed.encoding, 4096, 131072).count
    assert row.differences == ("9 of 32 frequencies differ, pair 17 the most: 0.000129319, here 0.000227948",)
    assert "truncate False has no effect" in row.computed.ignored


def test_a_position_beyond_the_length_is_not_told() -> None:
    given = {**YARN, "rope_theta": 1e6, "beta_fast": 16.0}
    (row,) = compare_engines(llama(given), 100, engines=["llama.cpp"]).rows
    parted = drift(row.wanted, row.computed.encoding)
    assert (row.verdict, row.position, row.pair) == ("different", None, None)
    assert parted.position >= 100
    table = compare_engines(llama(given), parted.position, engines=["llama.cpp"])
    assert (table.rows[0].position, table.words) == (None, "1 engine differs")
    table = compare_engines(llama(given), parted.position + 1, engines=["llama.cpp"])
    assert table.rows[0].position == parted.position
    assert table.words == f"1 engine differs from position {parted.position:,} on"


def test_the_factor_on_scores_is_the_square_of_the_amplitudes() -> None:
    row = next(each for each in compare_engines(AMPLITUDE).rows if each.engine == "sglang")
    assert row.differences == ("attention factor 1.25, here 1.138629436",)
    assert row.score_factor == pytest.approx((1.138629436 / 1.25) ** 2, rel=1e-8)


def test_the_length_of_the_text_decides_between_the_lists_of_phi() -> None:
    short, long = (verdicts(public("phi-3_5"), length) for length in (4096, 131072))
    assert {engine for engine, verdict in short.items() if verdict == "different"} == {"mlx-lm"}
    assert set(long.values()) == {"same"}


def test_an_engines_own_setting_counts_for_it_alone() -> None:
    settings = {"vllm": {"max_model_len": 131072}, "exllamav3": {"cache_size": 131072}}
    found = verdicts(public("phi-3_5"), 4096, settings=settings)
    assert [engine for engine, verdict in found.items() if verdict == "different"] == ["vllm", "mlx-lm", "exllamav3"]


def test_a_max_model_len_that_contradicts_the_file_is_named() -> None:
    table = compare_engines(public("phi-3_5"), 4096, engines=["vllm"], settings={"vllm": {"max_model_len": 10**6}})
    assert (
        "vLLM refuses max_model_len 1,000,000 above the 131,072 that it derives from the file"
        in (table.rows[0].computed.notes[0])
    )


@pytest.mark.parametrize(("length", "is_refused"), [(4096, False), (4097, True), (20_000, True)])
def test_a_text_above_max_model_len_is_refused(length: int, is_refused: bool) -> None:
    settings = {"vllm": {"max_model_len": 4096}}
    (row,) = compare_engines(public("llama3_1_8b"), length, engines=["vllm"], settings=settings).rows
    sentence = f"vLLM refuses a text of {length:,} tokens above max_model_len 4,096"
    assert (sentence in row.computed.notes) is is_refused
    assert row.computed.too_long == (sentence if is_refused else "")


def without_rotary_keys(config):
    return {key: each for key, each in config.items() if key[:5] not in ("rope_", "parti")}


def of_type(layer_type, questions):
    return next(each for each in questions if (each.layer.layer_type or "") == layer_type)


@each_case("case", [case for case in cases() if case.layer == 0], lambda case: case.name)
def test_the_suggested_keys_make_the_engine_agree_with_the_class(case) -> None:
    for row in compare_engines(case.config, case.length, engines=[case.engine]).rows:
        if row.verdict == "same" or row.write is None:
            assert row.write is None
            continue
        assert row.write.text or row.write.limit
        if row.write.text.startswith("{"):  # keys of a config.json in the place of its own
            length, written = compare_engines(case.config, case.length).length, json.loads(row.write.text)
            kept = case.config if "sliding_window" in written else without_rotary_keys(case.config)
            asked = of_type(row.layer_type, questions_of({**kept, **written}, length))
            found = answer(case.engine, asked)
            assert found.window == of_type(row.layer_type, questions_of(case.config, length)).window
            ours, theirs = row.wanted.rotation, found.encoding.rotation
            assert theirs.pairs.frequencies == pytest.approx(ours.pairs.frequencies, rel=2e-6)
            assert theirs.attention_factor == pytest.approx(ours.attention_factor, rel=2e-6)


def test_the_suggested_keys_for_an_attention_factor() -> None:
    rows = {row.engine: row.write for row in compare_engines(AMPLITUDE).rows}
    assert "--override-kv llama.rope.scaling.attn_factor=float:1.09781107" in rows["llama.cpp"].text
    assert rows["llama.cpp"].limit == "--yarn-attn-factor has no effect where YaRN is on"
    assert json.loads(rows["sglang"].text.partition("'")[2].rstrip("'"))["rope_parameters"]["attn_factor"] == (
        pytest.approx(1.25 / 1.138629436, rel=1e-8)
    )
    assert rows["vllm"] is None


def test_a_length_of_a_text_that_the_class_follows_is_the_only_one_that_settings_are_right_for() -> None:
    given = next(row["config"] for row in ROWS if row["id"] == "dynamic-ntk")
    row = next(each for each in compare_engines(llama(given), 8192).rows if each.engine == "vllm")
    assert json.loads(row.write.text.partition("'")[2].rstrip("'")) == {
        "rope_parameters": {"rope_type": "default", "rope_theta": pytest.approx(30527.7367488, rel=1e-9)}
    }
    assert row.write.limit.startswith("valid only for texts of 8,192 tokens")


def test_an_unknown_model_type_is_unknown_and_not_guessed() -> None:
    config = {**llama(CONTROL), "model_type": "no_such_model"}
    found = {row.engine: row.computed.unknown for row in compare_engines(config).rows if row.verdict == "unknown"}
    assert found["vllm"] == "no class for 'no_such_model' was read in vllm 0.33.0"
    assert set(found) == set(ENGINES) - {"transformers", "tensorrt-llm", "mlx-lm"}
    (row,) = compare_engines(config, engines=["mlx-lm"]).rows
    assert row.computed.refuses == "ValueError: Model type no_such_model not supported."
    assert found["llama.cpp"] == "no class for 'no_such_model' was read in llama.cpp of llama-cpp-python 0.3.36"


def test_a_model_that_vllm_gives_to_transformers_is_computed_by_its_class() -> None:
    rows = compare_engines(public("olmo-3-7b"), engines=["vllm"]).rows
    assert {row.verdict for row in rows} == {"same"}
    assert {row.computed.mark for row in rows} == {"read"}


def test_every_answer_names_its_source_and_its_mark() -> None:
    for name in ("phi-3_5", "openai--gpt-oss-20b", "gemma-3-12b-it", "deepseek-ai--DeepSeek-V3"):
        for row in compare_engines(public(name)).rows:
            source = row.computed.source
            assert source.project
            assert source.version
            assert row.computed.mark in (("",) if row.verdict == "unknown" else ("run", "read", "reported"))
            assert row.verdict == "unknown" or (source.file and source.function and row.computed.arithmetic)


def test_the_facts_have_a_day_and_versions() -> None:
    found = all_facts()
    assert date.fromisoformat(found.read) >= date(2026, 11, 1)
    assert all(each.version.replace(".", "").isdigit() for each in found.engines.values())


@pytest.mark.parametrize(
    ("length", "sentence"),
    [
        (0, "length must be an integer >= 1, got 0"),
        (10**8 + 1, "length must be at most 100,000,000 tokens, got 100000001"),
    ],
)
def test_a_length_out_of_bounds_is_refused(length, sentence) -> None:
    with pytest.raises(ValueError, match=sentence):
        compare_engines(AMPLITUDE, length)


@pytest.mark.parametrize("length", [1, 10**8])
def test_the_shortest_and_the_longest_length_are_compared(length) -> None:
    for name in ("phi-3_5", "meta-llama--Meta-Llama-3.1-8B"):
        table = compare_engines(public(name), length)
        assert table.length == length
        assert all(row.verdict in ("same", "same angles", "different") for row in table.rows)


def test_missing_lengths_are_a_sentence() -> None:
    config = {key: each for key, each in AMPLITUDE.items() if key != "max_position_embeddings"}
    del config["rope_scaling"]
    config["model_type"] = ""
    with pytest.raises(ValueError, match=r"^the files have no length: set the number of tokens"):
        compare_engines(config)


@pytest.mark.parametrize(
    ("engines", "settings", "sentence"),
    [
        (["vlm"], None, r"there is no engine 'vlm'; the engines are transformers, vllm, "),
        (None, {"vlm": {}}, r"there is no engine 'vlm'"),
        (None, {"vllm": {"ctx": 1}}, r"vllm has no setting 'ctx'; it has max_model_len"),
        (None, {"mlx-lm": {"ctx": 1}}, r"mlx-lm has no setting 'ctx'; it has none"),
        (None, {"vllm": {"max_model_len": -1}}, r"max_model_len of vllm must be a number above 0, got -1"),
        (
            None,
            {"llama.cpp": {"rope_scaling": "ntk"}},
            r"must be none, linear or yarn, got .ntk.",
        ),
    ],
)
def test_unknown_engines_and_settings_are_refused(engines, settings, sentence) -> None:
    with pytest.raises(ValueError, match=sentence):
        compare_engines(AMPLITUDE, engines=engines, settings=settings)


def test_a_model_without_rotation_is_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"^no layer of this model rotates: model_type 'gpt2' uses a learned table"):
        compare_engines(public("gpt2_medium"))


def test_a_gguf_file_alone_has_what_llama_cpp_computes_and_the_rest_is_not_known(tmp_path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf(llama_file(), {"rope_freqs.weight": [1.0] * 40 + [8.0] * 24}))
    table = compare_engines(path)
    rows = {row.engine: row for row in table.rows}
    found = rows.pop("llama.cpp")
    rotation = found.computed.encoding.rotation
    plain = 5e5 ** (-np.arange(0, 128, 2) / 128)
    assert rotation.pairs.frequencies == pytest.approx(plain / np.repeat([1, 8], [40, 24]), rel=1e-12)
    assert rotation.pairing == "interleaved"
    assert "permuted" in " ".join(found.computed.notes)
    assert (found.verdict, found.unseen, found.write, table.agree) == ("unknown", 0, None, False)
    told = "config.json is needed beside 'model.gguf': the file does not say what the model's class computes"
    assert [row.computed.unknown for row in rows.values()] == [told] * 6


def test_settings_of_llama_cpp_replace_keys_of_the_file(tmp_path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf(llama_file(rope__scaling__type="yarn", rope__scaling__factor=4.0)))
    settings = {"rope_freq_base": 1e6, "yarn_orig_ctx": 32768, "yarn_beta_fast": 16.0}
    (row,) = compare_engines(path, engines=["llama.cpp"], settings={"llama.cpp": settings}).rows
    rotation = row.computed.encoding.rotation
    assert rotation.rope_theta == 1e6
    assert (rotation.scaling.original_length, rotation.scaling.beta_fast) == (32768, 16.0)


def test_a_folder_without_a_config_and_a_gguf_file_is_a_sentence(tmp_path) -> None:
    with pytest.raises(ValueError, match=r"^there is neither a config\.json nor a \.gguf file in "):
        compare_engines(tmp_path)


def test_a_gguf_file_of_an_unknown_architecture_is_not_guessed(tmp_path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(llama(CONTROL)))
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf({"general.architecture": "nobodys", "nobodys.block_count": 2}))
    with pytest.raises(ValueError, match="nobodys"):
        compare_engines(path)


def test_a_gguf_file_without_its_divisors_parts_from_the_config_beside_it(tmp_path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(llama(CONTROL)))
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf(llama_file()))
    rows = {row.engine: row for row in compare_engines(path).rows}
    assert rows["llama.cpp"].verdict == "different"
    plain = CONTROL["rope_theta"] ** (-np.arange(0, 128, 2) / 128)
    smooth = np.clip((plain * 8192 / (2 * np.pi) - 1) / 3, 0, 1)
    apart = np.abs(plain - ((1 - smooth) * plain / 8 + smooth * plain))
    assert rows["llama.cpp"].position == int(np.pi / 4 / apart.max()) + 1
    assert rows["llama.cpp"].pair == np.argmax(apart)
    assert "convert it again" in rows["llama.cpp"].write.limit
    assert rows["vllm"].verdict == "same"


def test_a_config_that_an_engine_refuses_says_so_in_its_place() -> None:
    rows = {row.engine: row for row in compare_engines(llama({"rope_type": "dynamic", "factor": 2.0, "head_dim": 128,
                                                              "max_position_embeddings": 4096})).rows}  # fmt: skip
    assert rows["exllamav3"].verdict == "refuses"
    assert rows["exllamav3"].computed.refuses == "ValueError: Unknown rope_type: dynamic"
    assert EngineTable((rows["exllamav3"],), 4096, "").words == "1 engine refuses"
    assert rows["exllamav3"].write.text


def test_a_base_of_the_engines_own_class_is_traced_to_the_class() -> None:
    (row,) = compare_engines(public("minicpm-moe-8x2b"), engines=["mlx-lm"]).rows
    assert row.differences[0] == "base 10000, here 1000000"
    assert (row.computed.source.file, row.computed.source.function) == ("models/minicpm.py", "ModelArgs")
    assert row.computed.notes == ("its class has the base 1,000,000, which the file omits",)


@pytest.mark.parametrize("name", [
    "openai--gpt-oss-20b", "openai--gpt-oss-120b", "kimi-k2-as-deepseek_v3", "nvidia--Kimi-K2.7-Code-NVFP4",
    "internlm2_5_7b", "minicpm_2b", "minicpm-moe-8x2b", "gemma-3-12b-it", "phi-3_5", "Qwen--Qwen3-8B",
])  # fmt: skip
def test_each_difference_of_a_real_model_names_lines_and_a_reason(name) -> None:
    for row in compare_engines(public(name)).rows:
        if row.verdict == "different":
            found = row.computed
            assert found.source.version
            assert found.source.file.endswith((".py", ".cpp", ".c"))
            assert found.source.function
            assert found.lengths or found.ignored or found.notes, f"{row.engine}: {row.differences}"


def test_importing_the_core_does_not_load_the_room() -> None:
    script = "import posenc_core, sys; print([name for name in sys.modules if 'engines' in name])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_llama_cpps_betas_are_flags_that_count() -> None:
    config = llama({**YARN, "rope_theta": 1e6, "beta_fast": 16.0})
    (row,) = compare_engines(config, engines=["llama.cpp"]).rows
    assert "beta_fast 16.0 has no effect" in row.computed.ignored
    assert "--yarn-beta-fast 16.0" in row.write.text
    flags = {"rope_scaling": "yarn", "rope_scale": 4.0, "yarn_orig_ctx": 32768, "yarn_beta_fast": 16.0}
    assert compare_engines(config, engines=["llama.cpp"], settings={"llama.cpp": flags}).agree


def test_a_layout_that_differs_from_the_classs_is_a_note_and_no_difference() -> None:
    """vLLM permutes the weights of Llama 4 to fit its layout, and changes that of Ernie 4.5 after its call."""
    (row,) = compare_engines(public("ernie-4.5-0.3b-pt"), engines=["vllm"]).rows
    assert row.verdict == "same"
    assert any("whether weights are permuted to fit was not read" in note for note in row.computed.notes)


def test_mlx_lm_loads_the_module_of_the_whole_model() -> None:
    rows = compare_engines(public("meta-llama--Llama-4-Scout-17B-16E-Instruct"), engines=["mlx-lm"]).rows
    assert {row.verdict for row in rows} <= {"same", "same angles"}


@pytest.mark.parametrize("name", ["zai-org--GLM-5", "nvidia--Gemma-4-31B-IT-NVFP4", "Qwen--Qwen3.5-35B-A3B"])
def test_an_engine_that_was_not_read_is_not_called_different(name) -> None:
    assert {row.verdict for row in compare_engines(public(name), 8192).rows} <= {"same", "same angles", "unknown"}


@pytest.mark.parametrize(
    "name", ["phi-3_5", "gemma-3-12b-it", "meta-llama--Llama-4-Scout-17B-16E-Instruct", "qwen3-14b"]
)
def test_a_session_keeps_what_engines_need_of_a_configuration(name) -> None:
    whole, kept = public(name), json.loads(open_model(public(name)).config)
    told = [[(row.engine, row.verdict, row.differences) for row in compare_engines(each, 8192).rows]
            for each in (whole, kept)]  # fmt: skip
    assert told[0] == told[1]


@pytest.mark.parametrize("model_type", ["phi3", "phi4_multimodal"])
@pytest.mark.parametrize("kind", ["linear", "dynamic", "yarn"])
def test_a_scaling_that_the_models_configuration_refuses_is_refused_by_transformers(model_type, kind) -> None:
    config = llama({"rope_type": kind, "factor": 4.0, "head_dim": 64}, model_type=model_type)
    row = next(row for row in compare_engines(config).rows if row.computed.source.project == "transformers")
    assert (row.verdict, row.computed.encoding) == ("refuses", None)
    assert "must be one of ['longrope']" in row.computed.refuses


@pytest.mark.parametrize(("beside", "expected"), [({}, 4096), ({"original_max_position_embeddings": 1024}, 1024)])
def test_phi3_reads_its_original_length_beside_the_scaling_alone(beside, expected) -> None:
    listed = {"short_factor": [1.0] * 32, "long_factor": [2.0] * 32, "original_max_position_embeddings": 8192}
    config = llama({"rope_type": "longrope", "head_dim": 64, **listed}, model_type="phi3", **beside)
    (question,) = questions_of(config, 100)
    assert question.rotation.scaling.original_max_position_embeddings == expected


@pytest.mark.parametrize("kind", ["dynamic", "longrope"])
def test_a_missing_length_is_no_number_of_a_class_that_was_not_read(kind) -> None:
    lists = {"short_factor": [1.0] * 32, "long_factor": [2.0] * 32, "original_max_position_embeddings": 1024}
    config = llama({"rope_type": kind, "head_dim": 64, **({"factor": 2.0} if kind == "dynamic" else lists)})
    del config["max_position_embeddings"]
    (question,) = questions_of(config, 4096)
    found = answer({"dynamic": "mlx-lm", "longrope": "exllamav3"}[kind], question)
    assert found.encoding is None
    assert "max_position_embeddings" in found.unknown + found.refuses


def test_a_null_with_which_the_class_fails_is_a_refusal_of_transformers() -> None:
    yarn = {"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0}
    for parameters, verdict in (({**yarn, "original_max_position_embeddings": None}, "refuses"), (yarn, "same")):
        config = {**llama({"head_dim": 128}), "model_type": "llama", "rope_parameters": parameters}
        (row,) = compare_engines(config, 4096, engines=["transformers"]).rows
        assert (row.verdict, "is null" in row.computed.refuses) == (verdict, verdict == "refuses")
