"""What this program says of engines, against the engines' own lines where their packages are installed.

``pip install --no-deps vllm sglang mlx-lm exllamav3`` brings them: nothing of them is imported.
"""

import random
from collections import Counter

import numpy as np
import pytest
from comparing import Compare
from engine_cases import llama
from engine_page import rows_of
from engines_lifted import INSTALLED
from lifted import package
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from posenc_core import identify
from posenc_core.engines import questions_of
from posenc_core.engines.comparing import answer

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
