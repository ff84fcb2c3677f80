"""Public models' files open as people who know these models would describe them; the descriptions are by hand."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from cases import each_case

from posenc_core import Rotary, frequencies, open_model
from posenc_core.model_config import Layer, Model

FILES = Path(__file__).parents[2] / "data" / "model_configs"
EVERY = tuple(sorted(path.stem for path in FILES.glob("*.json")))
OWN_INDEXER = (0, 1, *range(2, 78, 4))
HALVES, NEIGHBOURS = "half_split", "interleaved"


class Group(NamedTuple):
    """Equal layers: their indices, and what each of them does. ``pairs`` and ``base`` are None without rotation."""

    indices: tuple[int, ...]
    kind: str = "rotary"
    base: float | None = None
    pairs: int | None = None
    layout: str | None = None
    head: int | None = None
    scaling: str | None = None
    window: int | None = None
    chunk: int | None = None
    temperature: str | None = None


class Described(NamedTuple):
    """Hand-written description of a model: groups of layers, the lengths L and L', and words of a note."""

    groups: tuple[Group, ...]
    trained: int | None
    target: int | None
    said: str = ""


def rope(
    indices: Iterable[int], base: float, pairs: int, head: int | None = None, layout: str = HALVES, **others: Any
) -> Group:
    return Group(tuple(indices), "rotary", base, pairs, layout, head or 2 * pairs, **others)


def still(indices: Iterable[int], **others: Any) -> Group:
    return Group(tuple(indices), "none", **others)


def alike(n_layers: int, base: float, pairs: int, length: int | None, said: str = "", **others: Any) -> Described:
    """A model whose layers are all alike, without extension of its length."""
    return Described((rope(range(n_layers), base, pairs, **others),), length, length, said)


def extended(
    n_layers: int, base: float, pairs: int, trained: int, target: int, scaling: str, **others: Any
) -> Described:
    said = others.pop("said", "")
    return Described((rope(range(n_layers), base, pairs, scaling=scaling, **others),), trained, target, said)


MINIMAX_M3 = Described((rope(range(3), 5e6, 32, head=128), rope(range(3, 60), 5e6, 32, head=128)), 1048576, 1048576)


def one_in(period: int, count: int) -> tuple[int, ...]:
    """The last layer of every period."""
    return tuple(range(period - 1, count, period))


def rest(indices: Iterable[int], count: int) -> tuple[int, ...]:
    return tuple(sorted(set(range(count)) - set(indices)))


def at(letter: str, pattern: str) -> tuple[int, ...]:
    return tuple(index for index, each in enumerate(pattern) if each == letter)


def llama4(**scaling: Any) -> tuple[Group, ...]:
    full = one_in(4, 48)
    return (
        rope(rest(full, 48), 5e5, 64, layout=NEIGHBOURS, chunk=8192, **scaling),
        still(full, temperature="llama4"),
    )


def deepseek(n_layers: int = 61, target: int = 163840, base: float = 1e4) -> Described:
    return extended(n_layers, base, 32, 4096, target, "yarn", layout=NEIGHBOURS, said="softmax scale")


def qwen3_5(n_layers: int) -> Described:
    """Attention in every fourth layer, with a quarter of a head of 256 columns rotated."""
    full = one_in(4, n_layers)
    groups = (still(rest(full, n_layers)), rope(full, 1e7, 32, head=256))
    return Described(groups, 262144, 262144, "time, height and width")


def gemma(n_layers: int, full: dict[str, Any], target: int, trained: int | None = None, **sliding: Any) -> Described:
    last = one_in(6, n_layers)
    groups = (rope(rest(last, n_layers), 1e4, 128, window=1024, **sliding), rope(last, 1e6, **full))
    return Described(groups, trained, target)


def gpt_oss(n_layers: int) -> Described:
    even, odd = range(0, n_layers, 2), range(1, n_layers, 2)
    groups = (rope(even, 1.5e5, 32, scaling="yarn", window=128), rope(odd, 1.5e5, 32, scaling="yarn"))
    return Described(groups, 4096, 131072)


def nemotron(pattern: str, length: int) -> Described:
    """State-space layers, experts or networks without attention, and attention that does not rotate."""
    kinds = dict.fromkeys(pattern)
    return Described(tuple(still(at(letter, pattern)) for letter in kinds), length, length, "do not rotate")


V4_FLASH = (
    rope((0, 1), 1e4, 32, head=512, layout=NEIGHBOURS, window=128),
    rope(range(2, 43, 2), 1.6e5, 32, head=512, layout=NEIGHBOURS, scaling="yarn", window=128),
    rope(range(3, 43, 2), 1.6e5, 32, head=512, layout=NEIGHBOURS, scaling="yarn", window=128),
)
V4_PRO = (
    rope((0, *range(1, 61, 2)), 1.6e5, 32, head=512, layout=NEIGHBOURS, scaling="yarn", window=128),
    rope(range(2, 61, 2), 1.6e5, 32, head=512, layout=NEIGHBOURS, scaling="yarn", window=128),
)
NANO = "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME"
LLAMA3 = {"trained": 8192, "target": 131072, "scaling": "llama3"}
MINISTRAL = {"scaling": "yarn", "temperature": "ministral3"}

BY_HAND = {
    "meta-llama--Meta-Llama-3.1-8B": extended(32, 5e5, 64, **LLAMA3),
    "llama3_1_8b": extended(32, 5e5, 64, **LLAMA3),
    "meta-llama--Meta-Llama-3.1-405B": extended(126, 5e5, 64, **LLAMA3),
    "llama3_2_1b": extended(16, 5e5, 32, **LLAMA3),
    "llama3_2_3b": extended(28, 5e5, 64, **LLAMA3),
    "llama-2-7b-hf": alike(32, 1e4, 64, 4096, "no rope_theta"),
    "llama2_13b": alike(40, 1e4, 64, 2048),
    "codellama_7b": alike(32, 1e6, 64, 16384),
    "codellama_34b": alike(48, 1e6, 64, 16384),
    "tinyllama_1b_chat_v1.0": alike(22, 1e4, 32, 2048),
    "smollm2_360m": alike(32, 1e5, 32, 8192),
    "llava": alike(32, 1e4, 64, 4096, "4096 columns in 32 heads"),
    "llama-3.2-90b-vision": Described(
        (rope(rest((3, 8, 13), 100), 5e5, 64, scaling="llama3"), still((3, 8, 13))), 8192, 131072, "text_config"
    ),
    "meta-llama--Llama-4-Scout-17B-16E-Instruct": Described(llama4(scaling="llama3"), 8192, 10485760, "both 1"),
    "meta-llama--Llama-4-Maverick-17B-128E-Instruct": Described(llama4(), 1048576, 1048576, "12 of 48 layers"),
    "Qwen--Qwen3-0.6B": alike(28, 1e6, 64, 40960),
    "Qwen--Qwen3-8B": alike(36, 1e6, 64, 40960),
    "Qwen--Qwen3-32B": alike(64, 1e6, 64, 40960),
    "Qwen--Qwen3-30B-A3B": alike(48, 1e6, 64, 40960),
    "Qwen--Qwen3-VL-4B-Instruct": alike(36, 5e6, 64, 262144, "time, height and width"),
    "Qwen--Qwen3-VL-32B-Instruct": alike(64, 5e6, 64, 262144, "time, height and width"),
    "Qwen--Qwen3.5-35B-A3B": qwen3_5(40),
    "Qwen--Qwen3.5-122B-A10B": qwen3_5(48),
    "nvidia--Qwen3.6-27B-NVFP4": qwen3_5(64),
    "qwen": alike(24, 1e4, 64, 8192, "use_dynamic_ntk", temperature="log-n"),
    "qwen2": alike(24, 1e6, 64, 4096),
    "XiaomiMiMo--MiMo-7B-Base": alike(36, 640000, 64, 32768),
    "deepseek-ai--DeepSeek-V3": deepseek(),
    "deepseek-ai--DeepSeek-R1": deepseek(),
    "deepseek-ai--DeepSeek-V3.2": deepseek(),
    "deepseek-v2-lite": deepseek(27),
    "kimi-k2-as-deepseek_v3": deepseek(target=131072, base=5e4),
    "nvidia--Kimi-K2.6-NVFP4": deepseek(target=262144, base=5e4),
    "deepseek-ai--DeepSeek-V4-Flash": Described(V4_FLASH, 65536, 1048576),
    "deepseek-ai--DeepSeek-V4-Pro": Described(V4_PRO, 65536, 1048576),
    "sgl-project--DeepSeek-V4-Pro-FP8": Described(V4_PRO, 65536, 1048576),
    "zai-org--GLM-5": alike(78, 1e6, 32, 202752, layout=NEIGHBOURS),
    "zai-org--GLM-5.2": Described(
        tuple(rope(each, 8e6, 32, layout=NEIGHBOURS) for each in (OWN_INDEXER, sorted({*range(78)} - {*OWN_INDEXER}))),
        1048576,
        1048576,
    ),
    "ernie-4.5-0.3b-pt": alike(18, 5e5, 64, 131072, layout=NEIGHBOURS),
    "gpt_j": alike(28, 1e4, 32, 2048, head=256, layout=NEIGHBOURS),
    "mistral-nemo-instruct-2407": alike(40, 1e6, 64, 131072),
    "mistralai--Mixtral-8x7B-v0.1": alike(32, 1e6, 64, 32768),
    "ministral3_3b_2512": extended(26, 1e6, 64, 16384, 262144, **MINISTRAL),
    "devstral-small-2": extended(40, 1e8, 64, 8192, 393216, **MINISTRAL),
    "voxtral-mini-3b": alike(30, 1e8, 64, 131072),
    "gemma_2b": alike(18, 1e4, 128, 8192),
    "gemma2_2b": Described((rope(range(0, 26, 2), 1e4, 128, window=4096), rope(range(1, 26, 2), 1e4, 128)), 8192, 8192),
    "gemma-3-12b-it": gemma(48, {"pairs": 128, "scaling": "linear"}, 131072),
    "nvidia--Gemma-4-31B-IT-NVFP4": gemma(60, {"pairs": 256, "scaling": "proportional"}, 262144, 262144),
    "olmo-3-7b": Described(
        (rope(rest(one_in(4, 32), 32), 5e5, 64, window=4096), rope(one_in(4, 32), 5e5, 64, scaling="yarn")),
        8192,
        65536,
    ),
    "openai--gpt-oss-20b": gpt_oss(24),
    "openai--gpt-oss-120b": gpt_oss(36),
    "MiniMaxAI--MiniMax-M2.7": alike(62, 5e6, 32, 204800, head=128),
    "MiniMaxAI--MiniMax-M3": MINIMAX_M3,
    "nvidia--MiniMax-M3-NVFP4": MINIMAX_M3,
    "nvidia--NVIDIA-Nemotron-3-Nano-30B-A3B-NVFP4": nemotron(NANO, 262144),
    "phi-1_5": alike(24, 1e4, 16, 2048, head=64),
    "phi-2": alike(32, 1e4, 16, 2048, head=80),
    "phi-3_5": extended(32, 1e4, 48, 4096, 131072, "longrope", window=262144, said="long_factor"),
    "stablelm": alike(32, 1e4, 10, 4096, head=80),
    "redpajama_3b_v1": alike(32, 1e4, 40, 2048),
    "starcoder2": alike(32, 1e6, 64, 16384, window=4096),
    "internlm2_5_7b": extended(32, 1e6, 64, 32768, 65536, "dynamic", said="depend on the length"),
    "minicpm_2b_sft_bf16": alike(40, 1e4, 32, 4096),
    "deepseek": alike(28, 1e4, 64, 4096),
    "baichuan": alike(32, 1e4, 64, 4096),
    "stepfun-ai--Step-3.7-Flash": Described(
        (rope(range(0, 45, 4), 1e4, 64), rope(rest(range(0, 45, 4), 45), 1e4, 64, window=512)), 65536, 65536
    ),
    "gpt2_medium": Described((Group(tuple(range(24)), "learned"),), 1024, 1024),
    "gpt_bigcode": Described((Group(tuple(range(24)), "learned"),), 2048, 2048),
}


def opened(name: str) -> Model:
    return open_model(FILES / f"{name}.json")


def seen(model: Model) -> Iterator[Group]:
    for group in model.groups:
        layer = group.layer
        rule = layer.temperature.rule if layer.temperature is not None else None
        own = None if layer.encoding is None else layer.encoding.rotation
        if own is not None:
            scaling = own.scaling.rope_type if own.scaling is not None else None
            rotation = (own.rope_theta, own.pairs.n_pairs, own.pairing, own.head_dim, scaling)
        else:
            rotation = (None, None, None, None, None)
        yield Group(group.indices, layer.kind, *rotation, layer.window, layer.chunk, rule)


@each_case("name", BY_HAND)
def test_a_model_is_described_as_a_person_who_knows_it_would(name: str) -> None:
    model, described = opened(name), BY_HAND[name]
    assert sorted(seen(model)) == sorted(described.groups)
    assert (model.trained_length, model.target_length) == (described.trained, described.target)
    assert any(described.said in note for note in (*model.notes, ""))


def test_the_columns_and_the_direction_that_rotate() -> None:
    v4 = opened("deepseek-ai--DeepSeek-V4-Flash").layers[5].encoding
    assert isinstance(v4, Rotary)
    assert (v4.n_columns, v4.head_dim, v4.rotary_part, v4.attention_factor) == (64, 512, "trailing", 1.0)
    nanochat = open_model({"model_type": "nanochat", "num_hidden_layers": 1}).layers[0].encoding
    assert isinstance(nanochat, Rotary)
    assert nanochat.direction == -1
    olmo = opened("olmo-3-7b").layers[3].encoding
    assert isinstance(olmo, Rotary)
    assert olmo.attention_factor == pytest.approx(0.1 * np.log(8) + 1)


@each_case("name", EVERY)
def test_every_file_opens_with_sentences_and_equal_layers_once(name: str) -> None:
    model = opened(name)
    assert model.name == name.rpartition("--")[2]
    assert model.model_type
    assert model.source == f"{name}.json"
    for sentence in (*model.notes, *(layer.sentence for layer in model.layers)):
        assert sentence
        assert sentence.isprintable()
    distinct: list[Layer] = [group.layer for group in model.groups]
    assert all(one != other for index, one in enumerate(distinct) for other in distinct[:index])
    assert all(layer.kind != "unsupported" for layer in distinct)


def test_many_models_are_described_by_hand(count: Any) -> None:
    assert len(BY_HAND) >= 60
    assert set(BY_HAND) <= set(EVERY)
    count("public models' files opened", len(EVERY))
    count("of them compared with a description by hand", len(BY_HAND))


@each_case("name", [name for name in BY_HAND if BY_HAND[name].groups[0].kind == "rotary"])
def test_frequencies_without_scaling_are_powers_of_the_base(name: str) -> None:
    for layer, group in zip((each.layer for each in opened(name).groups), seen(opened(name)), strict=True):
        if group.kind == "rotary" and group.scaling is None:
            assert group.base is not None
            assert group.pairs is not None
            expected = [group.base ** (-i / group.pairs) for i in range(group.pairs)]
            np.testing.assert_allclose(frequencies(layer.encoding), expected, rtol=1e-12)
