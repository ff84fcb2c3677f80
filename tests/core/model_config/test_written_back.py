"""Rotations as settings of other programs, read back: the same frequencies for every preset and every scaling."""

import json
import math
import shlex

import numpy as np
import pytest

from posenc_core import (
    DynamicNtk,
    FrequencyScale,
    Linear,
    Llama3,
    LongRope,
    NtkAware,
    NtkByParts,
    Proportional,
    Rotary,
    Yarn,
    rope_from_config,
)
from posenc_core.model_config import FORMS, written_back
from posenc_core.rope_scaling import FrequencyDivisors, LeRope, ServedNtk, ThetaScale, YarnLog
from posenc_gui.files.presets import preset, preset_names

ROTARY = {name: each for name in preset_names() if isinstance(each := preset(name).encoding, Rotary)}
SCALED = {
    "freq_scale": Rotary(64, scaling=FrequencyScale(0.25)),
    "linear": Rotary(64, scaling=Linear(8.0)),
    "ntk": Rotary(64, scaling=NtkAware(4.0)),
    "dynamic": Rotary(64, scaling=DynamicNtk(2.0, 4096, 16384)),
    "ntk_by_parts": Rotary(64, scaling=NtkByParts(4.0, 4096)),
    "yarn": Rotary(64, scaling=Yarn(16.0, 4096, attention_factor=1.1)),
    "yarn, not truncated": Rotary(64, scaling=Yarn(16.0, 4096, truncate=False)),
    "deepseek": Rotary(64, scaling=Yarn(40.0, 4096, mscale=1.0, mscale_all_dim=1.0)),
    "llama3": Rotary(64, 500000.0, scaling=Llama3(8.0, 8192)),
    "longrope": Rotary(8, scaling=LongRope((1.0, 1.1, 1.2, 1.3), (1.0, 2.0, 4.0, 8.0), 4096, 131072)),
    "proportional": Rotary(64, scaling=Proportional(0.25)),
    "partial": Rotary(64, rotary_dim=16),
    "one mscale": Rotary(64, scaling=Yarn(40.0, 4096, mscale_all_dim=1.0)),
    "listed": Rotary(8, scaling=FrequencyDivisors((1.0, 1.0, 2.0, 8.0), 1.1)),
    "vllm_ntk": Rotary(64, scaling=ServedNtk(4.0, 0.625)),
    "yarn_log": Rotary(64, scaling=YarnLog(16.0, 4096)),
    "theta_scale": Rotary(64, scaling=ThetaScale(4.0, 4096)),
    "lerope": Rotary(8, scaling=LeRope(16.0, 4096, lerope_alpha=(0.1, 0.0, -0.2, 1.0))),
}
ALL = ROTARY | SCALED


def config_of(text):
    """The JSON object, or that of vLLM's option."""
    words = shlex.split(text)
    return json.loads(words[1] if words[0] == "--hf-overrides" else text)


def read_again(encoding, config):
    length = {}
    if isinstance(encoding.scaling, DynamicNtk):
        length = {"max_position_embeddings": encoding.scaling.original_max_position_embeddings}
    if isinstance(encoding.scaling, LongRope):
        length = {"max_position_embeddings": encoding.scaling.max_position_embeddings}
    deepseek = getattr(encoding.scaling, "mscale_all_dim", None) is not None  # no other class scales its softmax
    partial = encoding.n_columns != encoding.head_dim  # which Llama's class does not obey without scaling
    named = {"model_type": "glm4_moe" if partial else "llama"}
    if deepseek:
        named = {"model_type": "deepseek_v3", "qk_rope_head_dim": encoding.head_dim}
    whole = {"head_dim": encoding.head_dim, **named, **length, **config}
    return rope_from_config(whole, getattr(encoding.scaling, "seq_len", None))


@pytest.mark.parametrize("form", ["rope_parameters", "rope_scaling", "vllm"])
@pytest.mark.parametrize("name", ALL)
def test_a_written_configuration_has_the_same_frequencies(name, form):
    written = written_back(ALL[name].rotation, form)
    again = read_again(ALL[name], config_of(written.text))
    np.testing.assert_allclose(again.frequencies(), ALL[name].frequencies(), rtol=1e-14)
    assert again.attention_factor == pytest.approx(ALL[name].attention_factor, rel=1e-14)
    assert again.softmax_scale_factor == pytest.approx(ALL[name].softmax_scale_factor, rel=1e-14)
    assert again.n_columns == ALL[name].n_columns
    assert "the pair layout and the head width" in written.limits[0]


def by_options(encoding, text):
    """The rotation that llama.cpp makes of its options, as its own code has it."""
    words = shlex.split(text)
    given = dict(zip(words[::2], words[1::2], strict=True))
    base, kind = float(given["--rope-freq-base"]), given["--rope-scaling"]
    factor = float(given.get("--rope-scale", 0)) or 1 / float(given.get("--rope-freq-scale", 1))
    if kind == "none":
        return Rotary(encoding.head_dim, base, rotary_dim=encoding.rotary_dim)
    if kind == "linear":
        return Rotary(encoding.head_dim, base, rotary_dim=encoding.rotary_dim, scaling=Linear(factor))
    assert given["--yarn-ext-factor"] == "1.0"
    attention = float(given["--yarn-attn-factor"]) * (0.1 * math.log(factor) + 1)
    ends = float(given["--yarn-beta-fast"]), float(given["--yarn-beta-slow"])
    scaling = Yarn(factor, int(given["--yarn-orig-ctx"]), *ends, attention)
    return Rotary(encoding.head_dim, base, rotary_dim=encoding.rotary_dim, scaling=scaling)


@pytest.mark.parametrize("name", ALL)
def test_options_of_llama_cpp_give_the_same_frequencies(name):
    written = written_back(ALL[name].rotation, "llama.cpp")
    if not written.text:
        assert "llama.cpp has no option for" in written.limits[0]
        return
    again = by_options(ALL[name], written.text)
    assert ALL[name].softmax_scale_factor == 1, "no option of llama.cpp scales the softmax"
    np.testing.assert_allclose(again.frequencies(), ALL[name].frequencies(), rtol=1e-14)
    assert again.attention_factor == pytest.approx(ALL[name].attention_factor, rel=1e-12)


def test_a_share_that_many_classes_ignore_is_said():
    told = "many classes of transformers, Llama's among them, ignore partial_rotary_factor in rope_type 'default'"
    assert told in written_back(SCALED["partial"].rotation, "rope_parameters").limits
    assert told not in written_back(SCALED["linear"].rotation, "rope_parameters").limits


@pytest.mark.parametrize(("head_dim", "rotary_dim"), [(88, 30), (88, 60), (100, 58), (224, 122), (96, 24)])
def test_a_written_share_gives_the_columns_as_classes_round_them(head_dim, rotary_dim):
    text = written_back(Rotary(head_dim, rotary_dim=rotary_dim).rotation, "rope_parameters").text
    assert int(head_dim * json.loads(text)["rope_parameters"]["partial_rotary_factor"]) == rotary_dim


def test_the_place_and_the_direction_of_a_rotation_are_said_to_be_missing():
    told = "the direction of the rotation and the place of the rotated columns are not among these settings"
    for other in (Rotary(8, direction=-1), Rotary(8, rotary_dim=4, rotary_part="trailing")):
        assert told in written_back(other.rotation, "vllm").limits
    assert told not in written_back(Rotary(8, rotary_dim=4).rotation, "vllm").limits


def test_most_presets_have_options_of_llama_cpp():
    assert sum(bool(written_back(each.rotation, "llama.cpp").text) for each in ROTARY.values()) >= 10


def test_the_softmax_of_a_scaling_without_a_form_is_said_to_be_missing():
    lerope = Rotary(8, scaling=LeRope(16.0, 4096, mscale_all_dim=1.0))
    assert "the factor of the softmax scale is not among these settings" in written_back(lerope.rotation, "vllm").limits


@pytest.mark.parametrize("form", FORMS)
def test_every_form_says_what_it_leaves_out(form):
    assert all(written_back(each.rotation, form).limits for each in ALL.values())
