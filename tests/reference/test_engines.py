"""Findings on engines, compared with the source of the engines whose packages are installed.

``pip install --no-deps vllm sglang mlx-lm exllamav3`` installs them; no module of an engine is imported.
"""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Optional

import deepseek_lifted
import numpy as np
import pytest
from comparing import Compare
from engine_cases import ROWS, llama
from engine_page import rows_of
from engines_lifted import INSTALLED
from lifted import lift, package
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from posenc_core import compare_engines, identify
from posenc_core.engines import questions_of
from posenc_core.engines.asking import answer

CLOSE = 1e-12
"""Relative. The lifted lines run in float64."""

CONFIGURATIONS = 320


def drawn(kind: str, some: random.Random) -> tuple[dict, int]:
    """A configuration of the kind with drawn parameters, and a length."""
    width = some.choice((32, 64, 96, 128))
    original = some.choice((2048, 4096, 8192, 32768))
    factor = some.choice((2.0, 4.0, 7.5, 16.0, 40.0, round(some.uniform(1.01, 60), 3)))
    base = some.choice((1e4, 5e5, 1e6, 8e6))
    given = {"rope_type": kind, "head_dim": width, "rope_theta": base, "factor": factor}
    longest = some.choice((original, int(original * factor)))
    maybe = [("original_max_position_embeddings", original)] if some.random() < 0.9 else []
    if kind == "yarn":
        maybe += [("beta_fast", some.choice((16, 32, 48))), ("beta_slow", some.choice((1, 2)))]
        maybe += [("attention_factor", 1.25), ("attn_factor", 0.7), ("truncate", False), ("mscale", 0.707)]
        maybe += [("mscale_all_dim", some.choice((1.0, 0.707))), ("factor", factor)]
    elif kind == "llama3":
        maybe = [("low_freq_factor", 1.0), ("high_freq_factor", some.choice((4.0, 8.0)))]
        maybe += [("original_max_position_embeddings", original)]
        given.update(maybe)
    elif kind == "longrope":
        lists = [[round(some.uniform(1, top), 3) for _ in range(width // 2)] for top in (2, 40)]
        given |= {"short_factor": lists[0], "long_factor": lists[1], "original_max_position_embeddings": original}
        del given["factor"]
        maybe = [("attention_factor", 1.3), ("short_mscale", 1.1), ("long_mscale", 1.24)]
        longest = int(original * factor)
    elif kind == "dynamic":
        maybe = [("max_trained_positions", original)]
    given |= dict(some.sample(maybe, some.randint(0, len(maybe))))
    if kind == "yarn" and some.random() < 0.7:
        given["original_max_position_embeddings"] = original
    if kind == "default":
        del given["factor"]
    length = some.choice((original, original + 1, original + 2, longest, 2 * longest, some.randint(1, 300_000)))
    return llama(given, max_position_embeddings=longest), length


@pytest.mark.parametrize("engine", INSTALLED)
def test_frequencies_and_amplitudes(engine: str, compare: Compare) -> None:
    some, tried = random.Random(20261124), Counter()
    kinds = ("default", "linear", "dynamic", "yarn", "yarn", "yarn", "llama3", "longrope")
    for index in range(CONFIGURATIONS):
        kind = kinds[index % len(kinds)]
        config, length = drawn(kind, some)
        (question,) = questions_of(config, length)
        ours = answer(engine, question)
        if ours.unknown:  # nothing is claimed
            tried["unknown"] += 1
            continue
        if ours.refuses:
            with pytest.raises(Exception, match=ours.refuses.partition(":")[2].strip().split(":")[0][:20]):
                INSTALLED[engine](question)
            tried["refused"] += 1
            continue
        theirs, rotation = INSTALLED[engine](question), ours.encoding.rotation
        compare(f"{engine}, {kind} (relative)", rotation.pairs.frequencies, theirs.frequencies, CLOSE, relative=True)
        compare(f"{engine}, amplitudes (relative)", rotation.attention_factor, theirs.amplitude, CLOSE, relative=True)
        tried["compared"] += 1
    assert tried["compared"] + tried["refused"] >= 300, tried


@pytest.mark.parametrize("engine", [name for name in INSTALLED if name == "sglang"])
def test_an_odd_number_of_columns_in_the_base_of_dynamic_ntk(engine: str, compare: Compare) -> None:
    """The row glm4-odd-dynamic is from these lines."""
    row = next(each for each in ROWS if each["id"] == "glm4-odd-dynamic")
    (question,) = questions_of(row["config"], 4096)
    theirs, (recorded,) = INSTALLED[engine](question), row["engines"].values()
    assert len(theirs.frequencies) == recorded["pairs"]
    assert theirs.frequencies[1] == pytest.approx(recorded["w[1]"], rel=1e-8)
    ours = answer(engine, question).encoding.rotation
    compare(f"{engine}, odd columns (relative)", ours.pairs.frequencies, theirs.frequencies, CLOSE, relative=True)


@pytest.mark.parametrize("window", [1, 4, 10])
@pytest.mark.parametrize("folder", [found for found in (package("mlx_lm"),) if found is not None])
def test_masks_of_mlx_lm_keep_the_tokens_of_the_window(folder: Path, window: int) -> None:
    """The query's own token among them, as in transformers: rules of windows add nothing for mlx-lm."""
    space: dict = {"mx": np, "Optional": Optional}
    lift(folder / "models" / "base.py", {"create_causal_mask": None}, space)
    mask = space["create_causal_mask"](10, window_size=window)
    assert np.array_equal(mask.sum(1), np.minimum(np.arange(10) + 1, window))


@pytest.mark.parametrize("engine", deepseek_lifted.INSTALLED)
def test_deepseeks_classes(engine: str, compare: Compare) -> None:
    """Every rope_type, which these classes take for YaRN, with the factor of the softmax."""
    some, tried = random.Random(20261126), Counter()
    kinds = ("default", "linear", "dynamic", "yarn", "yarn", "yarn", "llama3", "longrope")
    for index in range(CONFIGURATIONS):
        config, length = drawn(kinds[index % len(kinds)], some)
        rotated = {"qk_rope_head_dim": config.pop("head_dim"), "qk_nope_head_dim": 128, "kv_lora_rank": 512}
        if some.random() < 0.3:
            config["rope_scaling"]["attention_factor"] = 1.0
        if some.random() < 0.2:
            config["original_max_position_embeddings"] = 1024
        (question,) = questions_of({**config, **rotated, "model_type": "deepseek_v3"}, length)
        ours = answer(engine, question)
        if ours.refuses:
            with pytest.raises(Exception, match=ours.refuses.partition(":")[2].strip().split(":")[0][:20]):
                deepseek_lifted.INSTALLED[engine](question)
            tried["refused"] += 1
            continue
        (theirs, softmax), rotation = deepseek_lifted.INSTALLED[engine](question), ours.encoding.rotation
        compare(f"{engine}, DeepSeek (relative)", rotation.pairs.frequencies, theirs.frequencies, CLOSE, relative=True)
        compare(f"{engine}, amplitudes (relative)", rotation.attention_factor, theirs.amplitude, CLOSE, relative=True)
        compare(f"{engine}, softmax (relative)", rotation.softmax_scale_factor, softmax, CLOSE, relative=True)
        tried["compared"] += 1
    assert tried["compared"] >= 200, tried


def test_the_functions_of_transformers_as_they_are_released(compare: Compare) -> None:
    """In float32, within 2e-7 rad per token."""
    some, kinds = random.Random(20261125), tuple(ROPE_INIT_FUNCTIONS)
    for index in range(CONFIGURATIONS):
        kind = kinds[index % len(kinds)]
        if kind == "proportional":  # Gemma 4's own
            continue
        config, length = drawn(kind, some)
        (question,) = questions_of(config, length)
        released = LlamaConfig(**{key: each for key, each in config.items() if key != "model_type"})
        theirs, amplitude = ROPE_INIT_FUNCTIONS[kind](released, "cpu", seq_len=length)
        ours = question.rotation
        compare(f"transformers as released, {kind}", ours.pairs.frequencies, theirs.numpy(), 2e-7)
        compare("transformers as released, amplitudes", ours.attention_factor, amplitude, 1e-12)


SAME_TO = 2e-6
"""Relative. Numbers closer than this are called the same."""

WRITTEN = [name for name in INSTALLED if name != "transformers"]


@pytest.mark.parametrize("engine", WRITTEN)
def test_what_to_write_makes_the_engines_lines_compute_what_the_class_does(engine: str, compare: Compare) -> None:
    some, tried = random.Random(20261127), 0
    for index in range(160):
        config, length = drawn(("dynamic", "yarn", "yarn", "longrope")[index % 4], some)
        (row,) = compare_engines(config, length, engines=[engine]).rows
        if row.write is None or not row.write.text or row.computed.unknown:
            continue
        (question,) = questions_of(overridden(engine, config, row.write.text), length)
        theirs, rotation = INSTALLED[engine](question), row.wanted.rotation
        compare(
            f"{engine}, overridden (relative)", rotation.pairs.frequencies, theirs.frequencies, SAME_TO, relative=True
        )
        compare(f"{engine}, overridden amplitudes", rotation.attention_factor, theirs.amplitude, SAME_TO, relative=True)
        tried += 1
    assert tried >= 20, tried


def overridden(engine: str, config: dict, text: str) -> dict:
    """The configuration as the engine has it after the text: vLLM sets the keys, SGLang merges, a file is edited."""
    written = json.loads(text.partition("'")[2].rpartition("'")[0] if text.startswith("--") else text)
    keys = ("rope_scaling", "rope_parameters", "rope_theta", "partial_rotary_factor")
    kept = {key: each for key, each in config.items() if key not in keys}
    if engine == "sglang":
        parsed = LlamaConfig(**{key: each for key, each in config.items() if key != "model_type"})
        parsed.rope_parameters.pop("type", None)
        written["rope_parameters"] = parsed.rope_parameters | written["rope_parameters"]
    return kept | written


TRACED = [row for row in rows_of("Real models, traced") if package(row[5].partition("/")[0]) is not None]


@pytest.mark.parametrize("row", TRACED, ids=lambda row: f"{row[0]}: {row[2]}")
def test_the_line_that_makes_a_difference_is_in_the_package(row: list[str]) -> None:
    place, _, number = row[5].rpartition(":")
    top, _, inside = place.partition("/")
    lines = (package(top) / inside).read_text(encoding="utf-8").splitlines()
    assert row[6].strip("`") in lines[int(number) - 1]


@pytest.mark.parametrize("engine", [name for name in INSTALLED if name == "vllm"])
@pytest.mark.parametrize("more", [{}, {"max_trained_positions": 2048}])
def test_a_cache_of_dynamic_ntk_is_recognised_as_the_engines(engine: str, more: dict) -> None:
    config = llama({"rope_type": "dynamic", "factor": 2.0, "head_dim": 64, "max_position_embeddings": 4096, **more})
    (question,) = questions_of(config, 16384)
    angles = np.outer(np.arange(256), INSTALLED[engine](question).frequencies)
    cache = np.concatenate([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    found = identify(cache, against=config)
    said = next(each for each in found.sentences if each.startswith("This is what vLLM 0.33.0"))
    assert "one base for the whole length" in said
    assert found.is_right == (not more), "the class scales nothing up to max_position_embeddings"
