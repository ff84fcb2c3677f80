"""LeRoPE's factors are read from the weights in a model's folder, and a misfit is one sentence."""

import json
import math
import re

import numpy as np
import pytest
from safetensors_bench import write

from posenc_core import Rotary, Yarn, frequencies, open_model
from posenc_core.rope_scaling import LeRope

YARN = {"type": "yarn", "factor": 2048.0, "original_max_position_embeddings": 512, "attention_factor": 1.0}
CONFIG = {"model_type": "mistral_large4_text", "num_hidden_layers": 8, "qk_rope_head_dim": 64,
          "rope_parameters": {"rope_type": "yarn", "rope_theta": 1e4, **YARN}}  # fmt: skip
ALPHA = np.array([(pair - 16) / 100 for pair in range(32)], np.float32)


def folder(tmp_path, alpha, config=CONFIG, name="model.lerope.alpha"):
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    write(tmp_path / "model.safetensors", {name: ("F32", alpha), "other.weight": ("F32", np.zeros(3, np.float32))})
    return open_model(tmp_path)


def rotations(model):
    return [each.encoding for each in model.layers if each.kind == "rotary"]


@pytest.mark.parametrize("name", ["model.lerope.alpha", "model.rotary_emb.alpha"])
def test_each_pair_turns_by_its_trained_factor(tmp_path, name) -> None:
    model = folder(tmp_path, ALPHA, name=name)
    plain = rotations(open_model(CONFIG))[0]
    wanted = [theta * math.exp(float(alpha)) for theta, alpha in zip(frequencies(plain), ALPHA, strict=True)]
    assert len(rotations(model)) > 3
    for each in rotations(model):
        np.testing.assert_allclose(frequencies(each), wanted, rtol=1e-14)
    assert len({id(layer) for layer in model.layers}) == len({id(layer) for layer in open_model(CONFIG).layers})


@pytest.mark.parametrize(
    ("alpha", "sentence"),
    [
        (ALPHA[:31], "LeRoPE needs a number per pair, 32, got 31"),
        (ALPHA.reshape(4, 8), "LeRoPE needs a number per pair, 32, got 4 x 8"),
        (np.full(32, 90, np.float32), r"lerope_alpha\[0\]"),
        (np.full(32, np.nan, np.float32), r"lerope_alpha\[0\]"),
    ],
)
def test_numbers_that_do_not_fit_are_a_note(tmp_path, alpha, sentence) -> None:
    model = folder(tmp_path, alpha)
    assert rotations(model) == rotations(open_model(CONFIG))
    (note,) = [each for each in model.notes if "lerope.alpha" in each]
    assert note.startswith("model.safetensors, ")
    assert re.search(sentence, note)


def test_another_scaling_is_said_and_a_plain_rotation_has_factors_alone(tmp_path) -> None:
    llama = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 1, "num_hidden_layers": 1}
    (plain,) = rotations(folder(tmp_path, ALPHA, llama))
    assert isinstance(plain.scaling, LeRope)
    np.testing.assert_allclose(frequencies(plain), frequencies(Rotary(64)) * np.exp(ALPHA.astype(float)), rtol=1e-14)
    linear = folder(tmp_path, ALPHA, {**llama, "rope_scaling": {"type": "linear", "factor": 2.0}})
    assert any("LeRoPE is shown only after YaRN" in note for note in linear.notes)
    assert Yarn(1.0, 4096).amplitude == 1.0
