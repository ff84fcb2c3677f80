"""FIRE's networks and Inkling's banks are read from the weights in a model's folder; a misfit is one sentence."""

import json
import re

import numpy as np
import pytest
from safetensors_bench import write

from posenc_core import open_model

FIRE = {"model_type": "gpt", "position_embedding_type": "fire", "num_attention_heads": 4, "num_hidden_layers": 2}
INKLING = {"model_type": "inkling_text", "num_hidden_layers": 6}
LLAMA = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 1, "num_hidden_layers": 1}
NETWORK = "mlp.0.weight", "mlp.0.bias", "mlp.2.weight", "mlp.2.bias"


def drawn(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def module(seed=0, heads=4, **changed):
    """The tensors of a module of FIRE by their names."""
    shapes = dict(zip(NETWORK, [(32, 1), (32,), (heads, 32), (heads,)], strict=True))
    network = {name: drawn(seed, *shape) for name, shape in shapes.items()}
    scalars = {"c": np.float32(-0.2), "init_L": np.float32(512), "L_multiplier": np.float32(-0.5)}
    return {**network, **scalars, **changed}


def folder(tmp_path, config, tensors):
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    write(tmp_path / "model.safetensors", {name: ("F32", array) for name, array in tensors.items()})
    return open_model(tmp_path)


def biases(parts, query):
    """The bias of each head for the keys 0 to the query, in float64 by the authors' lines of code."""
    w1, b1, w2, b2 = (np.asarray(parts[name], np.float64) for name in NETWORK)
    c, length = float(parts["c"]), abs(float(parts["L_multiplier"]) * float(parts["init_L"]))
    apart = query - np.arange(query + 1)
    x = np.log(abs(c * apart) + 1) / (np.log(abs(c * max(query, length)) + 1) + 1e-6)
    return np.maximum(x[:, None] * w1[:, 0] + b1, 0) @ w2.T + b2


@pytest.mark.parametrize("query", [5, 300])
def test_a_shared_network_of_fire_is_that_of_every_layer(tmp_path, query) -> None:
    parts = module()
    model = folder(tmp_path, FIRE, {f"transformer.fire.{name}": array for name, array in parts.items()})
    assert len({id(layer) for layer in model.layers}) == 1
    found = model.layers[0].encoding.seen_from(query).values(np.arange(-query, 1), np.arange(4))
    np.testing.assert_allclose(found, biases(parts, query), rtol=1e-12, atol=1e-12)
    assert not any("simulated" in note for note in model.notes)


def test_networks_of_layers_come_in_the_order_of_their_numbers(tmp_path) -> None:
    config = {**FIRE, "num_hidden_layers": 11}
    tensors = {
        f"layers.{layer}.attn.fire.{name}": array for layer in range(11) for name, array in module(layer).items()
    }
    model = folder(tmp_path, config, tensors)
    for layer in (0, 2, 10):
        found = model.layers[layer].encoding.seen_from(9).values(np.arange(-9, 1), np.arange(4))
        np.testing.assert_allclose(found, biases(module(layer), 9), rtol=1e-12, atol=1e-12)


def test_a_length_between_two_positions_is_said(tmp_path) -> None:
    tensors = {f"fire.{name}": array for name, array in module(L_multiplier=np.float32(0.2505)).items()}
    model = folder(tmp_path, FIRE, tensors)
    assert model.layers[0].encoding.threshold == 128
    assert "FIRE's threshold L is 128.256, shown rounded to 128" in model.notes


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"mlp.0.bias": drawn(1, 31)}, "'fire': w1 and b1 must have one number per unit each, got 32 and 31"),
        (
            {"mlp.0.weight": drawn(1, 1, 32)},
            "'fire': w1 must have one number per unit, the shape units x 1, got 1 x 32",
        ),
        (
            {"mlp.2.weight": drawn(1, 4, 31)},
            "'fire': w2 must be heads x units = 4 x 32 numbers, since b2 has 4 and w1 has 32, got 4 x 31",
        ),
        (
            {"mlp.2.weight": drawn(1, 32, 4)},
            "'fire': w2 must be heads x units = 4 x 32 numbers, since b2 has 4 and w1 has 32, got 32 x 4",
        ),
        (module(heads=3), "'fire': the network has 3 heads, the model has 4"),
        ({"c": drawn(1, 2)}, "'fire': c must be one number, got 2"),
        ({"c": np.float32(0)}, "'fire': c must be"),
        ({"L_multiplier": np.float32(np.nan)}, "'fire': threshold must be"),
        ({"mlp.2.bias": np.full(4, np.nan, np.float32)}, r"'fire': b2\[0\] must be"),
    ],
)
def test_weights_that_are_no_network_are_a_note(tmp_path, changed, sentence) -> None:
    model = folder(tmp_path, FIRE, {f"fire.{name}": array for name, array in module(**changed).items()})
    assert model.layers == open_model(FIRE).layers
    assert [note for note in model.notes if re.match(sentence, note)]


def test_missing_tensors_and_networks_of_other_layers_are_a_note(tmp_path) -> None:
    parts = module()
    del parts["init_L"]
    model = folder(tmp_path, FIRE, {f"fire.{name}": array for name, array in parts.items()})
    assert "'fire' has no tensor init_L, which FIRE needs" in model.notes
    tensors = {f"layers.{layer}.{name}": array for layer in range(3) for name, array in module().items()}
    model = folder(tmp_path, FIRE, tensors)
    assert "the weights have 3 networks of FIRE, the model has 2 layers with it" in model.notes


def test_the_network_of_another_module_is_not_taken_for_fire_s(tmp_path) -> None:
    model = folder(tmp_path, FIRE, {f"vision.{name}": drawn(0, 4, 4) for name in NETWORK})
    assert model.layers == open_model(FIRE).layers
    assert any("simulated" in note for note in model.notes)


def test_the_first_layer_of_each_kind_has_its_trained_profiles(tmp_path) -> None:
    banks = {layer: drawn(layer, 3, 8 if layer < 5 else 12) for layer in range(6)}
    tensors = {f"model.layers.{layer}.self_attn.rel_logits_proj.proj": bank for layer, bank in banks.items()}
    model = folder(tmp_path, INKLING, tensors)
    assert [layer.kind for layer in model.layers] == ["bias", *["unsupported"] * 4, "bias"]
    for layer in (0, 5):
        encoding = model.layers[layer].encoding
        np.testing.assert_array_equal(encoding.profiles, banks[layer])
        wanted = encoding.weights @ banks[layer].astype(np.float64)
        found = encoding.values(-np.arange(banks[layer].shape[1]), np.arange(encoding.n_columns))
        np.testing.assert_allclose(found, wanted.T, rtol=1e-12, atol=1e-14)
    assert any("shown are those of layers 0 and 5, with simulated states" in note for note in model.notes)


@pytest.mark.parametrize(
    ("bank", "sentence"),
    [
        (drawn(0, 12), r".*: bank must be an array d_rel x rel_extent, got 12$"),
        (np.full((2, 4), np.inf, np.float32), r".*: bank\[0\] must be"),
        (drawn(0, 2000, 2), r".*: d_rel must be"),
    ],
)
def test_a_bank_that_is_none_is_a_note(tmp_path, bank, sentence) -> None:
    model = folder(tmp_path, INKLING, {"model.layers.0.self_attn.rel_logits_proj.proj": bank})
    assert model.layers == open_model(INKLING).layers
    assert [note for note in model.notes if re.match(sentence, note)]


@pytest.mark.parametrize("config", [FIRE, INKLING, LLAMA], ids=["fire", "bank", "rotation"])
def test_a_damaged_file_is_said_in_one_sentence(tmp_path, config) -> None:
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (tmp_path / "model.safetensors").write_bytes(b"\x20\0\0\0\0\0\0\0{")
    model = open_model(tmp_path)
    assert model.layers == open_model(config).layers
    assert len([note for note in model.notes if "it is cut off in its header" in note]) == 1
