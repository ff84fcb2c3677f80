"""The scripts that get numbers out of libraries, run where these are installed; the check reads what they write.

``pip install mlx mlx-cpu mlx-lm gguf`` brings those of MLX and GGUF.
"""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import gguf_bench
import numpy as np
import pytest
from transformers import LlamaConfig, LlamaForCausalLM

from posenc_core import identify
from posenc_gui.check.snippets import SNIPPETS

LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 8192}  # fmt: skip
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}


def config_of(scaling: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "model_type": "llama", "hidden_size": 128, "num_hidden_layers": 1, "intermediate_size": 16,
        "num_attention_heads": 2, "rms_norm_eps": 1e-5, "vocab_size": 16, "head_dim": 64,
        "max_position_embeddings": 131072, "rope_theta": 500000.0, "rope_scaling": scaling,
    }  # fmt: skip


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Runs the script of that title in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def ran(title: str, **names: Any) -> None:
        exec(compile(SNIPPETS[title], title, "exec"), {"__name__": "script", **names})  # as it is pasted

    return ran


@pytest.mark.parametrize("scaling", [None, LLAMA3, YARN])
def test_transformers(run: Callable[..., None], scaling: dict[str, Any] | None) -> None:
    config = config_of(scaling)
    run("transformers", model=LlamaForCausalLM(LlamaConfig(**config)))
    assert identify("inv_freq.npy", against=config).is_right


@pytest.mark.parametrize("scaling", [None, LLAMA3, YARN] if find_spec("mlx") and find_spec("mlx_lm") else [])
def test_mlx(run: Callable[..., None], scaling: dict[str, Any] | None) -> None:
    from mlx_lm.models import llama

    config = config_of(scaling)
    run("MLX", model=llama.Model(llama.ModelArgs(**config)))
    found = identify("rotated.npz", against=config)
    assert found.is_right, found.sentences
    assert found.kind == "rotation"


@pytest.mark.parametrize("which", ["divisors", "linear", "plain", "yarn"] if find_spec("gguf") else [])
def test_gguf(run: Callable[..., None], which: str) -> None:
    scaling = {"rope__scaling__type": which, "rope__scaling__factor": 4.0} if which in ("linear", "yarn") else {}
    divisors = {"rope_freqs.weight": [1.0] * 40 + [8.0] * 24} if which == "divisors" else {}
    Path("model.gguf").write_bytes(gguf_bench.gguf(gguf_bench.llama(**scaling), divisors))
    if which == "yarn":
        with pytest.raises(SystemExit, match="posenc engines"):
            run("llama.cpp (GGUF)")
        return
    run("llama.cpp (GGUF)")
    found = identify("inv_freq.npy", against=Path("model.gguf"))
    assert found.is_right, found.sentences
    plain = 500000.0 ** (-np.arange(0, 128, 2) / 128)
    by = {"divisors": np.repeat([1.0, 8.0], [40, 24]), "linear": 4.0, "plain": 1.0}[which]
    assert np.load("inv_freq.npy") == pytest.approx(plain / by, rel=1e-12)
