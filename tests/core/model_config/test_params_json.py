"""Files of Meta's and Mistral's own code: ``params.json``."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc_core import open_model
from posenc_core.engines import compare_engines
from posenc_core.rope_scaling import QueryTemperature

META: dict[str, Any] = {
    "dim": 4096, "n_layers": 4, "n_heads": 32, "n_kv_heads": 8, "multiple_of": 1024, "norm_eps": 1e-5,
    "rope_theta": 500000.0, "vocab_size": 128256,
}  # fmt: skip
MISTRAL: dict[str, Any] = {
    "dim": 4096, "n_layers": 8, "head_dim": 128, "hidden_dim": 12288, "n_heads": 32, "n_kv_heads": 8, "norm_eps": 1e-5,
    "rope_theta": 1e6, "vocab_size": 131072,
}  # fmt: skip
GROWTH = {"original_max_position_embeddings": 16384, "beta": 0.1}
YARN = {"original_max_position_embeddings": 16384, "factor": 16, "apply_scale": False, "beta": 32, "alpha": 1}


def _rotation(config: dict[str, Any], layer: int = 0) -> Any:
    encoding = open_model(config).layers[layer].encoding
    assert encoding is not None
    assert encoding.rotation is not None
    return encoding.rotation


def _scaled(factor: float, high: float) -> list[float]:
    """``apply_scaling`` of llama-models, ``llama3/model.py``, for one head of 128 columns."""
    found, low, length = [], 1.0, 8192
    for pair in range(64):
        frequency = 500000.0 ** (-2 * pair / 128)
        wavelength = 2 * math.pi / frequency
        if wavelength < length / high:
            found.append(frequency)
        elif wavelength > length / low:
            found.append(frequency / factor)
        else:
            smooth = (length / wavelength - low) / (high - low)
            found.append((1 - smooth) * frequency / factor + smooth * frequency)
    return found


def test_metas_and_mistrals_code_turns_neighbours_of_a_column() -> None:
    """``apply_rotary_emb`` of both: ``view_as_complex`` of columns 2i and 2i + 1."""
    for config in (META, MISTRAL):
        assert _rotation(config).pairing == "interleaved"
        assert not any("not known" in note for note in open_model(config).notes)


def test_the_switch_of_metas_scaling_has_the_numbers_of_metas_code() -> None:
    scaled = _rotation({**META, "use_scaled_rope": True}).pairs.frequencies
    np.testing.assert_allclose(scaled, _scaled(8.0, 4.0), rtol=1e-12)
    told = "use_scaled_rope: Meta's code scales the frequencies by the rule of Llama 3"
    assert any(note.startswith(told) for note in open_model({**META, "use_scaled_rope": True}).notes)
    assert not any(note.startswith(told) for note in open_model(META).notes)


def test_llama_4_has_numbers_of_its_own_and_layers_without_rotation() -> None:
    """``ModelArgs.validate`` of llama-models, ``llama4/args.py``."""
    config = {**META, "use_scaled_rope": True, "nope_layer_interval": 4}
    scaling = _rotation(config).scaling
    assert (scaling.factor, scaling.high_freq_factor) == (16, 1)
    assert [layer.kind for layer in open_model(config).layers] == ["rotary", "rotary", "rotary", "none"]
    given = {**config, "rope_scaling_factor": 2.0, "rope_high_freq_factor": 3.0}
    np.testing.assert_allclose(_rotation(given).pairs.frequencies, _scaled(2.0, 3.0), rtol=1e-12)


@pytest.mark.parametrize(
    ("keys", "base"), [({}, 1e6), ({"sliding_window": 4096}, 1e4), ({"rope_theta": 1e8}, 1e8)], ids=str
)
def test_mistrals_code_has_its_own_base_where_the_file_has_none(keys: dict[str, Any], base: float) -> None:
    without = {key: each for key, each in MISTRAL.items() if key != "rope_theta"}
    assert _rotation({**without, **keys}).rope_theta == base
    assert _rotation({key: each for key, each in META.items() if key != "rope_theta"}).rope_theta == 1e4


def test_mistrals_list_of_windows_is_repeated() -> None:
    """Ministral 8B's list, read by vLLM's ``_remap_mistral_sliding_window``."""
    layers = open_model({**MISTRAL, "sliding_window": [None, 32768, 32768, 32768]}).layers
    assert [layer.window for layer in layers] == [None, 32768, 32768, 32768] * 2
    for listed in ([1024, 32768], [1024, {}], []):
        with pytest.raises(ValueError, match="sliding_window must be an integer"):
            open_model({**MISTRAL, "sliding_window": listed})


def test_mistrals_yarn_and_the_growth_of_its_queries_are_read() -> None:
    """vLLM's ``_remap_mistral_yarn_args``: without ``apply_scale`` the attention factor is 1."""
    scaling = _rotation({**MISTRAL, "yarn": YARN}).scaling
    assert (scaling.rope_type, scaling.factor, scaling.original_max_position_embeddings) == ("yarn", 16, 16384)
    assert (scaling.beta_fast, scaling.beta_slow, scaling.amplitude) == (32, 1, 1)
    usual = _rotation({**MISTRAL, "yarn": {**YARN, "apply_scale": True}}).scaling
    assert usual.amplitude == pytest.approx(0.1 * math.log(16) + 1, rel=1e-12)
    wanted = QueryTemperature("ministral3", {"llama_4_scaling_beta": 0.1, "original_max_position_embeddings": 16384})
    for keys in ({"yarn": YARN}, {}):
        layer = open_model({**MISTRAL, "llama_4_scaling": GROWTH, **keys}).layers[0]
        assert layer.temperature == wanted
        assert (getattr(_rotation({**MISTRAL, **keys}).scaling, "factor", None) == 16) == bool(keys)


def test_mistrals_pictures_are_a_part_beside_the_text() -> None:
    vision = {"hidden_size": 1024, "num_attention_heads": 16, "image_size": 1540, "patch_size": 14, "rope_theta": 1e4,
              "num_hidden_layers": 24}  # fmt: skip
    (part,) = open_model({**MISTRAL, "vision_encoder": vision}).parts
    assert (part.name, part.layer.kind) == ("vision", "rotary")


def test_a_model_kept_in_a_session_is_read_as_its_file() -> None:
    config = {**MISTRAL, "yarn": YARN, "llama_4_scaling": GROWTH, "sliding_window": [None, 1024]}
    model = open_model(config)
    assert open_model(json.loads(model.config)).layers == model.layers


def test_engines_are_not_compared_by_a_file_that_they_do_not_read() -> None:
    with pytest.raises(ValueError, match=r"by a config\.json, and these are the keys of a params\.json"):
        compare_engines({**MISTRAL, "max_position_embeddings": 32768})


def test_a_folder_with_a_params_json_alone_is_opened_under_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "Llama3.1-8B"
    folder.mkdir()
    (folder / "params.json").write_text(json.dumps(META), encoding="utf-8")
    for path in (folder, folder / "params.json"):
        model = open_model(path)
        assert (model.name, model.source) == ("Llama3.1-8B", "params.json")
        assert model.layers == open_model(META).layers
    other = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2}
    (folder / "config.json").write_text(json.dumps(other), encoding="utf-8")
    assert open_model(folder).source == "config.json"


def test_the_names_of_a_config_json_are_said_to_be_none_of_the_file() -> None:
    told = "the file is a params.json: its scaling and windows are named here as in a config.json"
    assert told in open_model({**MISTRAL, "yarn": YARN}).notes
    assert told in open_model({**MISTRAL, "sliding_window": [None, 1024]}).notes
    assert told not in open_model(MISTRAL).notes


def test_a_distilbert_without_a_type_is_no_params_json() -> None:
    config = {"dim": 768, "n_layers": 6, "n_heads": 12, "hidden_dim": 3072, "max_position_embeddings": 512}
    with pytest.raises(ValueError, match="names no model_type"):
        open_model(config)


def test_the_first_files_of_minimax_m2_are_read_as_the_later_ones() -> None:
    config = {"architectures": ["MiniMaxM2ForCausalLM"], "hidden_size": 3072, "num_attention_heads": 48,
              "head_dim": 128, "num_hidden_layers": 4, "rotary_dim": 64, "rope_theta": 5e6,
              "attn_type_list": [1] * 4}  # fmt: skip
    older, newer = ({**config, "model_type": name} for name in ("minimax", "minimax_m2"))
    assert open_model(older).layers == open_model(newer).layers
    assert _rotation(older).n_columns == 64
