"""GGUF files: their keys as layers, divisors as frequencies, and damaged headers as sentences."""

import os
import struct
import tracemalloc

import numpy as np
import pytest
from gguf_bench import gguf, llama, text, written
from hostile import mutated_bytes

from posenc_core import Alibi, Llama3, Rotary, Yarn, open_model
from posenc_core.model_config.gguf import read_gguf

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
    "this is no GGUF file: it does not begin with 'GGUF'": b"NOPE" + bytes(64),
    "this GGUF file is of version 1; versions 2 and 3 are read": b"GGUF" + struct.pack("<I", 1) + bytes(64),
    "this GGUF file is big-endian": b"GGUF" + struct.pack(">I", 3) + bytes(64),
    "this GGUF file ends too early, or its header counts more than it holds": gguf(llama())[:100],
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
        path.write_bytes(data)
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
