"""GGUF files: their keys as layers, divisors as frequencies, and damaged headers as sentences."""

import os
import struct
import tracemalloc

import numpy as np
import pytest
from gguf_bench import gguf, llama, text, written
from hostile import mutated_bytes, rewrite

from posenc_core import Alibi, Llama3, Rotary, Yarn, open_model
from posenc_core.model_config.gguf.header import read_gguf

RULE = Rotary(128, 500000.0, scaling=Llama3(8.0, 8192))
PUBLISHED = {0: 1.0, 28: 1.0, 29: 1.2074838712836622, 31: 2.0263132059050557, 34: 5.257326588708467, 35: 8.0, 63: 8.0}
EACH = 3000


def divisors():
    return RULE.pairs.unscaled / RULE.frequencies()


def test_the_divisors_of_a_file_give_the_frequencies_of_llama_3(tmp_path):
    model = open_model(written(tmp_path / "m.gguf", llama(), {"rope_freqs.weight": divisors()}))
    encoding = model.layers[0].encoding
    np.testing.assert_allclose(encoding.frequencies(), RULE.frequencies(), rtol=1e-7)
    assert (model.name, model.model_type, len(model.layers)) == ("Llama 3.1 8B", "llama", 4)
    assert encoding.pairing == "interleaved"
    assert model.target_length == 131072


def test_published_divisors_are_those_of_the_rule():
    """Computed elsewhere with 40 digits, for Llama 3.1 8B."""
    for pair, factor in PUBLISHED.items():
        assert divisors()[pair] == pytest.approx(factor, rel=1e-12)


@pytest.mark.parametrize("key", ["rope.dimension_count", "attention.key_length"])
def test_a_head_of_billions_of_columns_is_refused_before_lists_of_as_many_numbers(tmp_path, key):
    keys = llama() | {f"llama.{key}": 2**31, "llama.rope.scaling.attn_factor": 1.5}
    tracemalloc.start()
    with pytest.raises(ValueError, match="a head has at most 65,536 columns, got 2,147,483,648"):
        open_model(written(tmp_path / "m.gguf", keys))
    assert tracemalloc.get_traced_memory()[1] < 2**25
    tracemalloc.stop()


def test_a_base_that_alpha_gives_no_number_is_named(tmp_path):
    keys = {"general.architecture": "hunyuan_vl", "hunyuan_vl.block_count": 1, "hunyuan_vl.attention.key_length": 2}
    with pytest.raises(ValueError, match="alpha = 5 gives heads of 2 columns no base"):
        open_model(written(tmp_path / "m.gguf", keys | {"hunyuan_vl.rope.scaling.alpha": 5.0}))


def test_divisors_must_be_as_many_as_pairs(tmp_path):
    path = written(tmp_path / "m.gguf", llama(), {"rope_freqs.weight": [1.0, 2.0]})
    with pytest.raises(ValueError, match=r"rope_freqs.weight has 2 numbers, but 64 pairs rotate"):
        open_model(path)


def test_yarn_of_a_file(tmp_path):
    keys = {
        "rope__scaling__type": "yarn",
        "rope__scaling__factor": 4.0,
        "rope__scaling__original_context_length": 32768,
    }
    model = open_model(written(tmp_path / "m.gguf", llama(**keys)))
    assert model.layers[0].encoding.scaling == Yarn(4.0, 32768)
    assert (model.trained_length, model.target_length) == (32768, 131072)


def test_deepseek_holds_a_tenth_of_mscale_all_dim(tmp_path):
    values = {
        "general.architecture": "deepseek2",
        "deepseek2.block_count": 2,
        "deepseek2.context_length": 163840,
        "deepseek2.attention.key_length": 192,
        "deepseek2.attention.head_count": 128,
        "deepseek2.rope.dimension_count": 64,
        "deepseek2.rope.scaling.type": "yarn",
        "deepseek2.rope.scaling.factor": 40.0,
        "deepseek2.rope.scaling.original_context_length": 4096,
        "deepseek2.rope.scaling.yarn_log_multiplier": 0.1,
    }
    encoding = open_model(written(tmp_path / "m.gguf", values)).layers[0].encoding
    assert (encoding.n_columns, encoding.pairing) == (64, "interleaved")
    assert encoding.attention_factor == pytest.approx(1.0)
    assert encoding.softmax_scale_factor == pytest.approx((0.1 * np.log(40) + 1) ** 2, rel=1e-7)


@pytest.mark.parametrize(
    ("architecture", "pairing"), [("llama", "interleaved"), ("qwen2", "half_split"), ("gemma3", "half_split")]
)
def test_the_layout_comes_from_the_architecture(tmp_path, architecture, pairing):
    values = {key.replace("llama.", f"{architecture}."): each for key, each in llama().items()}
    values["general.architecture"] = architecture
    assert open_model(written(tmp_path / "m.gguf", values)).layers[0].encoding.pairing == pairing


@pytest.mark.parametrize(
    ("architecture", "sections", "pairing"),
    [
        ("glm4", [8, 12, 12, 0], "half_split"),
        ("glm4", [8, 0, 0, 0], "interleaved"),
        ("glm4", [0, 12, 12, 0], "interleaved"),
        ("glm4", 8, "half_split"),
        ("glm4", None, "interleaved"),
        ("bailingmoe3", [8, 12, 12, 0], "half_split"),
        ("bailingmoe3", None, "interleaved"),
        ("glm4moe", None, "half_split"),
        ("ernie4_5", [22, 22, 20, 0], "interleaved"),
        ("glm-dsa", [8, 12, 12, 0], "interleaved"),
    ],
)
def test_sections_of_pictures_change_the_layout_where_llama_cpp_says_so(tmp_path, architecture, sections, pairing):
    """llama.cpp's ``llama_model_rope_type``, with ``use_mrope`` for the first two sections above 0."""
    values = {key.replace("llama.", f"{architecture}."): each for key, each in llama().items()}
    values["general.architecture"] = architecture
    values |= {} if sections is None else {f"{architecture}.rope.dimension_sections": sections}
    assert open_model(written(tmp_path / "m.gguf", values)).layers[0].encoding.pairing == pairing


def test_an_unknown_layout_is_said(tmp_path):
    values = {key.replace("llama.", "newmodel."): each for key, each in llama().items()}
    values["general.architecture"] = "newmodel"
    model = open_model(written(tmp_path / "m.gguf", values))
    assert "the pair layout of 'newmodel' is not known; half_split is assumed" in model.notes


def test_layers_that_slide_or_stand_still(tmp_path):
    values = {
        "general.architecture": "gemma3",
        "gemma3.block_count": 12,
        "gemma3.attention.key_length": 256,
        "gemma3.attention.sliding_window": 1024,
        "gemma3.rope.freq_base": 1e6,
        "gemma3.rope.freq_base_swa": 1e4,
        "gemma3.context_length": 131072,
    }
    model = open_model(written(tmp_path / "m.gguf", values))
    assert [layer.window for layer in model.layers] == ([1024] * 5 + [None]) * 2
    assert [layer.encoding.rope_theta for layer in model.layers] == ([1e4] * 5 + [1e6]) * 2
    still = {key.replace("llama.", "smollm3."): each for key, each in llama(block_count=8).items()}
    still["general.architecture"] = "smollm3"
    model = open_model(written(tmp_path / "n.gguf", still))
    assert [layer.kind for layer in model.layers] == (["rotary"] * 3 + ["none"]) * 2


def of(architecture, **keys):
    """The keys of a small model of the architecture; two underscores are a point."""
    plain = {"block_count": 2, "context_length": 8192, "attention__key_length": 128, **keys}
    named = {f"{architecture}.{key.replace('__', '.')}": value for key, value in plain.items()}
    return {"general.architecture": architecture, **named}


YARN = {
    "rope__freq_base": 5e5, "rope__scaling__type": "yarn", "rope__scaling__factor": 8.0,
    "rope__scaling__original_context_length": 8192,
}  # fmt: skip


@pytest.mark.parametrize("architecture", ["gemma3", "gemma3n", "gemma-embedding", "modern-bert", "plamo3"])
def test_sliding_layers_without_a_base_have_that_of_llama_cpp_and_no_scaling(tmp_path, architecture):
    period = {"gemma3n": 5, "modern-bert": 3, "plamo3": 8}.get(architecture, 6)
    keys = of(architecture, block_count=period, attention__sliding_window=512, **YARN)
    layers = open_model(written(tmp_path / "m.gguf", keys)).layers
    full = 0 if architecture == "modern-bert" else period - 1
    for index, layer in enumerate(layers):
        expected = (5e5, Yarn(8.0, 8192)) if index == full else (1e4, None)
        assert (layer.encoding.rope_theta, layer.encoding.scaling) == expected
    sides = {(layer.window, layer.ahead) for layer in layers} - {(None, None)}
    assert sides == ({(256, 256)} if architecture in ("gemma-embedding", "modern-bert") else {(512, None)})


@pytest.mark.parametrize("architecture", ["gemma4", "mimo2", "step35"])
def test_the_same_where_the_file_lists_the_sliding_layers(tmp_path, architecture):
    keys = of(architecture, attention__sliding_window=512, attention__sliding_window_pattern=[1, 0], **YARN)
    local, full = (each.encoding for each in open_model(written(tmp_path / "m.gguf", keys)).layers)
    assert (local.rope_theta, local.scaling) == (1e4, None)
    assert (full.rope_theta, full.scaling) == (5e5, Yarn(8.0, 8192))
    assert (local.pairs.n_pairs, full.pairs.n_pairs) == (64, 32 if architecture == "step35" else 64)


def test_olmo_3_keeps_the_base_in_sliding_layers_and_does_not_scale_them(tmp_path):
    keys = of("olmo2", block_count=4, attention__sliding_window=4096, **YARN)
    layers = open_model(written(tmp_path / "m.gguf", keys)).layers
    assert {(layer.encoding.rope_theta, layer.encoding.scaling) for layer in layers[:3]} == {(5e5, None)}
    assert layers[3].encoding.scaling == Yarn(8.0, 8192)


def test_gpt_oss_scales_its_sliding_layers_alike(tmp_path):
    keys = of("gpt-oss", attention__sliding_window=128, **YARN)
    assert {layer.encoding.scaling for layer in open_model(written(tmp_path / "m.gguf", keys)).layers} == {
        Yarn(8.0, 8192)
    }


def test_the_attention_factor_of_a_file_multiplies(tmp_path):
    keys = of("llama", rope__scaling__attn_factor=0.5, **YARN)
    encoding = open_model(written(tmp_path / "m.gguf", keys)).layers[0].encoding
    assert encoding.attention_factor == pytest.approx(0.5 * (0.1 * np.log(8) + 1), rel=1e-12)
    plain = open_model(written(tmp_path / "n.gguf", of("llama", rope__scaling__attn_factor=0.5))).layers[0].encoding
    assert plain.attention_factor == 0.5
    np.testing.assert_allclose(plain.frequencies(), Rotary(128).frequencies(), rtol=1e-12)


def test_keys_of_yarn_count_where_the_code_reads_them(tmp_path):
    betas = {"rope__scaling__yarn_beta_fast": 16.0, "rope__scaling__yarn_beta_slow": 2.0}
    attention = {"rope__scaling__yarn_attn_factor": 0.5}
    plain, grok = (
        open_model(written(tmp_path / f"{name}.gguf", of(name, **YARN, **betas, **attention)))
        .layers[0]
        .encoding.scaling
        for name in ("llama", "grok")
    )
    assert plain == Yarn(8.0, 8192)
    assert grok == Yarn(8.0, 8192, 16.0, 2.0)


def test_a_window_that_the_code_does_not_read_is_said(tmp_path):
    model = open_model(written(tmp_path / "m.gguf", of("llama", attention__sliding_window=4096)))
    assert {layer.window for layer in model.layers} == {None}
    assert any("llama.cpp does not read attention.sliding_window 4096 in llama files" in note for note in model.notes)


def test_llama_4_has_chunks_and_layers_that_do_not_rotate(tmp_path):
    layers = open_model(written(tmp_path / "m.gguf", of("llama4", block_count=4))).layers
    assert [(layer.kind, layer.chunk) for layer in layers] == [("rotary", 8192)] * 3 + [("none", None)]
    assert [layer.temperature is None for layer in layers] == [True, True, True, False]
    without = of("llama4", block_count=4, attention__sliding_window=0)
    layers = open_model(written(tmp_path / "n.gguf", without)).layers
    assert {(layer.kind, layer.chunk) for layer in layers} == {("rotary", None)}


def test_deepseek_v4_has_two_bases_a_window_and_entries_beyond(tmp_path):
    keys = of(
        "deepseek4", block_count=3, attention__key_length=512, rope__dimension_count=64, attention__sliding_window=128,
        attention__compress_ratios=[0, 4, 128], attention__compress_rope_freq_base=160000.0, **YARN,
    )  # fmt: skip
    layers = open_model(written(tmp_path / "m.gguf", keys)).layers
    assert [(layer.window, layer.compressed) for layer in layers] == [(128, None), (128, 4), (128, 128)]
    assert [layer.encoding.rope_theta for layer in layers] == [5e5, 160000.0, 160000.0]
    assert [layer.encoding.scaling for layer in layers] == [None, *[Yarn(8.0, 8192, attention_factor=1.0)] * 2]
    assert {layer.encoding.rotary_part for layer in layers} == {"trailing"}


def test_layers_without_keys_and_values_have_no_attention(tmp_path):
    keys = of("lfm2", block_count=3, attention__head_count=8, attention__head_count_kv=[0, 2, 0])
    layers = open_model(written(tmp_path / "m.gguf", keys)).layers
    assert [layer.kind for layer in layers] == ["none", "rotary", "none"]
    layers = open_model(written(tmp_path / "n.gguf", of("qwen3next", block_count=8))).layers
    assert [layer.kind for layer in layers] == (["none"] * 3 + ["rotary"]) * 2


HOSTILE = [
    ({"attention__sliding_window_pattern": 2**64 - 1}, "sliding_window_pattern must be a list or a whole number"),
    ({"attention__sliding_window_pattern": 2**32}, "sliding_window_pattern must be a list or a whole number"),
    ({"attention__sliding_window_pattern": -1}, "sliding_window_pattern must be a list or a whole number"),
    ({"attention__sliding_window_pattern": "all"}, "sliding_window_pattern must be a list or a whole number"),
    ({"attention__sliding_window_pattern": [1]}, "sliding_window_pattern has 1 entries for 2 layers"),
    (
        {"attention__sliding_window_pattern": 2, "rope__scaling__attn_factor": float("inf")},
        "rope.scaling.attn_factor must be a number, got inf",
    ),
]


@pytest.mark.parametrize(("keys", "sentence"), HOSTILE, ids=range(len(HOSTILE)))
def test_values_that_no_code_could_use_are_refused_in_a_sentence(tmp_path, keys, sentence):
    path = written(tmp_path / "m.gguf", of("gemma3", attention__sliding_window=512, **keys))
    with pytest.raises(ValueError, match=sentence):
        open_model(path)


@pytest.mark.parametrize("scale", ["0.1", [0.1, 0.2]])
def test_a_temperature_that_is_no_number_is_refused_in_a_sentence(tmp_path, scale):
    path = written(tmp_path / "m.gguf", of("mistral3", attention__temperature_scale=scale))
    with pytest.raises(ValueError, match=r"attention.temperature_scale must be a number, got"):
        open_model(path)


def test_other_positions(tmp_path):
    bloom = {
        "general.architecture": "bloom",
        "bloom.block_count": 2,
        "bloom.attention.head_count": 16,
        "bloom.attention.max_alibi_bias": 8.0,
    }
    assert open_model(written(tmp_path / "m.gguf", bloom)).layers[0].encoding == Alibi(16)
    gpt2 = {"general.architecture": "gpt2", "gpt2.block_count": 2, "gpt2.context_length": 4}
    model = open_model(written(tmp_path / "n.gguf", gpt2, {"position_embd.weight": np.ones((4, 6))}))
    assert model.layers[0].kind == "learned"
    assert (model.tables[0].shape, model.tables[0].first_row) == ((4, 6), 0)


DAMAGED = {
    "this is not a GGUF file: it does not begin with 'GGUF'": b"NOPE" + bytes(64),
    "this GGUF file is of version 1; versions 2 and 3 are read": b"GGUF" + struct.pack("<I", 1) + bytes(64),
    "this GGUF file is big-endian": b"GGUF" + struct.pack(">I", 3) + bytes(64),
    "this GGUF file ends too early, or its header counts more than it contains": gguf(llama())[:100],
    "counts 9,223,372,036,854,775,808 keys": b"GGUF" + struct.pack("<IQQ", 3, 0, 2**63) + bytes(64),
    "a text of 1,073,741,824 bytes": b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2**30) + bytes(64),
    "a value of the unknown type 99": b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<I", 99),
    "has the key 'a' twice": b"GGUF"
    + struct.pack("<IQQ", 3, 0, 2)
    + (text("a") + struct.pack("<IB", 0, 1)) * 2
    + bytes(64),
    "lists nested more than twice": b"GGUF"
    + struct.pack("<IQQ", 3, 0, 1)
    + text("a")
    + struct.pack("<IIQIQIQ", 9, 9, 1, 9, 1, 9, 1)
    + bytes(64),
    "names no architecture": gguf({"general.name": "x"}),
}


@pytest.mark.parametrize(("sentence", "data"), DAMAGED.items(), ids=range(len(DAMAGED)))
def test_a_damaged_header_is_one_sentence(tmp_path, sentence, data):
    (tmp_path / "m.gguf").write_bytes(data)
    with pytest.raises(ValueError, match=r".") as refused:
        open_model(tmp_path / "m.gguf")
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_lists_of_lists_and_long_lists_are_skipped(tmp_path):
    nested = text("nested") + struct.pack("<IIQ", 9, 9, 2) + (struct.pack("<IQ", 4, 3) + bytes(12)) * 2
    scores = text("scores") + struct.pack("<IIQ", 9, 6, 5000) + bytes(20000)
    last = text("general.architecture") + struct.pack("<I", 8) + text("llama")
    (tmp_path / "m.gguf").write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 3) + nested + scores + last)
    assert read_gguf(tmp_path / "m.gguf").values == {"general.architecture": "llama"}


def test_lying_counts_take_no_memory(tmp_path):
    lists = (struct.pack("<IIQ", 9, kind, 2**60) for kind in (4, 8, 9, 12))
    for number, each in enumerate(lists):
        path = tmp_path / f"{number}.gguf"
        path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + each + bytes(4096))
        tracemalloc.start()
        with pytest.raises(ValueError, match="ends too early"):
            read_gguf(path)
        assert tracemalloc.get_traced_memory()[1] < 2**21
        tracemalloc.stop()


def refusal(path):
    """The sentence by which a file is refused, empty for one that is opened."""
    try:
        open_model(path)
    except ValueError as error:
        return str(error)
    return ""


def test_damaged_files_open_or_are_refused_in_a_sentence(tmp_path, count):
    seeds = [gguf(llama(), {"rope_freqs.weight": divisors()}), gguf(llama(attention__sliding_window=4))]
    path, opened = tmp_path / "m.gguf", 0
    for data in mutated_bytes(seeds, EACH, 31):
        rewrite(path, data)
        reason = refusal(path)
        assert "\n" not in reason
        opened += not reason
    assert EACH > opened > 20
    count("hostile GGUF files tried", EACH)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "m.gguf")
    with pytest.raises(ValueError, match="it is a device or a pipe, not a file"):
        open_model(tmp_path / "m.gguf")


def test_a_base_is_written_as_in_the_card_of_a_config(tmp_path):
    model = open_model(written(tmp_path / "m.gguf", llama(rope__freq_base=11158840.0)))
    assert model.layers[0].sentence == "llama.rope.freq_base is 11,158,840: all 128 columns of a head rotate"
    half = open_model(written(tmp_path / "h.gguf", llama(rope__dimension_count=64)))
    assert half.layers[0].sentence == "llama.rope.freq_base is 500,000: 64 of the 128 columns of a head rotate"
