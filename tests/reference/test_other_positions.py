"""Models that do not rotate: the tables of those with sinusoids, and that those without positions have none."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from comparing import Compare
from library_models import FACTS, as_file, config_class
from model_facts.models import model_classes
from model_facts.running import load_all, small_model
from model_facts.tensors import positions_in
from transformers import CONFIG_MAPPING
from transformers.models.pegasus_x.modeling_pegasus_x import PegasusXSinusoidalPositionalEmbedding

from posenc_core import Sinusoidal, encode, open_model
from posenc_core.model_rules import facts_of

Count = Callable[[str, int], None]

SINUSOIDS = tuple(
    name
    for name, facts in FACTS.items()
    if facts.get("told", {}).get("shown") == "sinusoids" and name not in ("pegasus_x", "xlm")
)
WITHOUT = tuple(
    name
    for name, facts in FACTS.items()
    if facts.get("positions") == "none" or facts.get("told", {}).get("shown") == "nothing"
)

KEYS: dict[str, dict[str, Any]] = {
    name: {"prediction_length": 8, "context_length": 16}
    for name in ("autoformer", "informer", "time_series_transformer")
}
"""Keys without which no model is built."""

UNBUILT = {
    "edgetam_vision_model": "needs the package timm",
    "gemma3n_vision": "needs the package timm",
    "mamba2": "its numbers must fit each other",
    "muse_spark_audio": "its numbers must fit each other",
    "pp_ocrv5_server_det": "has no size without keys",
    "pp_ocrv6_medium_det": "has no size without keys",
    "sapiens2_head": "is a part without a model of its own",
    "zamba": "its numbers must fit each other",
    "glm5_next_text": "is built as the part of a whole",
    "moshi_depth": "is built as the part of a whole",
    "gemma4_unified_audio": "is a part without a model of its own",
    "idefics_perciever": "is a part without a model of its own",
    "vibevoice_diffusion": "is a part without a model of its own",
}

UNKNOWN = {"timm_backbone", "timm_wrapper", "gemma4_assistant", "nougat", "auto"}
"""Types whose architecture a key names, and names of other types' tokenizers and processors."""

LENGTH = 24


@cache
def runnable() -> dict[Any, list[Any]]:
    load_all()
    return model_classes()


def small(model_type: str) -> Any:
    cls = config_class(model_type)
    return small_model(runnable()[cls], cls, **KEYS.get(model_type, {}))


def tables(model: torch.nn.Module) -> Iterator[np.ndarray]:
    """The tensors of rows that the model's modules hold, those that are no parameters too."""
    for module in model.modules():
        own = [*module.parameters(recurse=False), *module.buffers(recurse=False)]
        own += [each for each in vars(module).values() if isinstance(each, torch.Tensor)]
        yield from (each.detach().double().squeeze().numpy() for each in own if each.squeeze().dim() == 2)


@pytest.mark.parametrize("model_type", SINUSOIDS)
def test_the_table_of_sinusoids_is_in_the_model(model_type: str, compare: Compare, count: Count) -> None:
    model = small(model_type)
    encoding = open_model(as_file(model.config)).layers[0].encoding
    assert isinstance(encoding, Sinusoidal)
    found = [each for each in tables(model) if each.shape[1] == encoding.n_columns and len(each) > encoding.offset + 1]
    rows = min(LENGTH, *(len(each) - encoding.offset for each in found)) if len(found) > 1 else LENGTH
    ours = encode(encoding, range(rows))
    theirs = min(
        (each[encoding.offset :][:rows] for each in found if len(each) >= rows + encoding.offset),
        key=lambda each: float(np.abs(each - ours).max()),
    )
    compare("tables of models with sinusoids", ours, theirs, 1e-5)
    count("models with sinusoids compared", 1)


def test_the_sinusoids_of_pegasus_x(compare: Compare) -> None:
    theirs = PegasusXSinusoidalPositionalEmbedding(16)(torch.zeros(1, LENGTH, 16))[0]
    encoding = open_model({"model_type": "pegasus_x", "d_model": 16, "num_hidden_layers": 2}).layers[0].encoding
    assert encoding is not None
    compare("tables of models with sinusoids", encode(encoding, range(LENGTH)), theirs, 1e-5)


@pytest.mark.parametrize("model_type", [name for name in WITHOUT if name not in UNBUILT])
def test_models_without_positions_have_no_tensors_of_them(model_type: str, count: Count) -> None:
    model = small(model_type)
    names = [name for name, _ in [*model.named_parameters(), *model.named_buffers()]]
    assert names
    of_positions = r"pos_?emb|(?<!point_)position|rel_pos|relative|rotary|inv_freq|embed_pos|pos_bias"
    assert [name for name in names if re.search(of_positions, name)] == []
    count("models without positions whose tensors were looked through", 1)


ROWS = json.loads((Path(__file__).parents[1] / "data" / "model_positions.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("model_type", ROWS["model_types"])
def test_the_list_of_positions_is_that_of_the_classes(model_type: str, count: Count) -> None:
    """The list is compared with our sentences in ``tests/core/model_config/test_positions_of_every_type.py``."""
    cls = config_class(model_type)
    assert positions_in(runnable().get(cls, []), cls) == ROWS["model_types"][model_type]
    count("classes whose kinds of positions are those of the list", 1)


def test_every_type_of_the_library_is_known() -> None:
    known = {name for name, facts in FACTS.items() if facts.get("positions") or facts.get("parts")}
    assert {name for name in CONFIG_MAPPING if name not in known and not facts_of(name).positions} <= UNKNOWN
