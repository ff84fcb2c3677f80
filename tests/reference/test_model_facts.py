"""Every entry of ``facts.json`` against the library that it was read from, and what is made of it."""

import dataclasses
import inspect
import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from comparing import Compare
from huggingface_hub.errors import StrictDataclassError
from library_models import (
    AXES,
    FACTS,
    ROTARY,
    SOURCE,
    as_file,
    config_class,
    cosine_and_sine,
    default_config,
    labelled_angles,
    rotary_class,
    rotating_function,
    rotation_matrix,
    runnable_config,
)

from posenc_core import Rotary, frequencies, rope_from_config
from posenc_core.encodings import RopeAxes
from posenc_core.model_config import open_model
from posenc_core.model_rules.facts import LAYER_KEYS, PERIOD_KEYS

SINGLE = 2e-5
"""Relative; the library computes frequencies, and the angles at position 1, in float32."""

MATRIX = 1e-5

Count = Callable[[str, int], None]

ONE_AXIS = tuple(name for name in ROTARY if name not in AXES)
CALLABLE = tuple(name for name in ONE_AXIS if rotating_function(name) is not None)


def test_the_facts_are_those_of_the_installed_library() -> None:
    assert f"transformers {transformers.__version__}," in SOURCE


def encodings_of(config: dict[str, Any], label: str | None) -> list[Rotary]:
    """The rotary encodings of all layers, and that of the label where no layer of a default model has it."""
    layers = dict.fromkeys(layer.encoding for layer in open_model(config).layers if layer.kind == "rotary")
    found = [encoding for encoding in layers if isinstance(encoding, Rotary)]
    if not found or label is not None:
        found.append(rope_from_config(config, layer_type=label))
    return found


def nearest(config: dict[str, Any], label: str | None, theirs: np.ndarray) -> Rotary:
    """The encoding with as many pairs whose frequencies are the nearest to theirs."""
    alike = [each for each in encodings_of(config, label) if len(frequencies(each)) == len(theirs)]
    assert alike, f"no layer has {len(theirs)} pairs"
    return min(alike, key=lambda each: np.abs(frequencies(each) - theirs).max())


@pytest.mark.parametrize("model_type", ONE_AXIS)
def test_frequencies_of_a_default_configuration(model_type: str, compare: Compare, count: Count) -> None:
    config = runnable_config(model_type)
    for label, angles in labelled_angles(model_type, config):
        theirs = angles.numpy()
        for kind, given in (
            ("as the library writes it", as_file(config)),
            ("without keys", {"model_type": model_type, **FACTS[model_type].get("rotary_if", {})}),
        ):
            ours = frequencies(nearest(given, label, theirs))
            compare(f"frequencies of a configuration {kind} (relative)", ours, theirs, SINGLE, relative=True)
        count("rotary modules of transformers compared in frequencies", 1)


@pytest.mark.parametrize("model_type", [name for name in ONE_AXIS if "rotary_if" in FACTS[name]])
def test_a_model_that_rotates_only_if_a_key_says_so_does_not_without_it(model_type: str) -> None:
    layers = open_model(as_file(config_class(model_type)())).layers
    assert "rotary" not in {layer.kind for layer in layers}


@pytest.mark.parametrize("model_type", AXES)
def test_positions_of_several_axes_are_named_and_shown_as_these(model_type: str, count: Count) -> None:
    axes = FACTS[model_type]["axes"]
    try:
        layers = open_model(as_file(default_config(model_type))).layers
    except ValueError as error:
        named, shown = {str(error)}, set()
    else:
        named = {layer.sentence for layer in layers if layer.kind == "unsupported"}
        shown = {layer.encoding for layer in layers if layer.kind == "rotary"}
        assert {layer.kind for layer in layers} <= {"unsupported", "rotary", "none"}  # LFM3-VL's convolutions
    assert named or shown
    assert all(axis in sentence for sentence in named for axis in axes)
    for encoding in shown:
        assert isinstance(encoding, RopeAxes)
        assert sorted(encoding.axes.split(",")) == sorted(axis[0] for axis in axes)
    count("rotary modules of transformers whose axes are named or shown", 1)


UNLIKE = {
    "esmfold2": "its configuration has the module's numbers in a part of another class",
    "llama4_vision_model": "its module holds turns of patches and no frequencies",
    "pixtral": "its module holds the frequencies of both axes in turns",
    "vjepa2": "its module holds no frequencies",
}
"""Modules of several axes without a list of one axis' frequencies."""


@pytest.mark.parametrize("model_type", [name for name in AXES if name not in UNLIKE])
def test_each_axis_has_the_frequencies_of_the_base_in_the_facts(
    model_type: str, compare: Compare, count: Count
) -> None:
    made, config = rotary_class(model_type), default_config(model_type)
    buffers = dict(made(config).named_buffers())
    theirs = buffers["inv_freq"].double().numpy().ravel()
    defaults = FACTS[model_type]["defaults"]
    base = defaults.get("rope_theta") or defaults["rope_parameters"]["rope_theta"]
    ours = frequencies(Rotary(2 * len(theirs), base))
    compare("frequencies of one of several axes (relative)", ours, theirs, SINGLE, relative=True)
    count("rotary modules of transformers compared in frequencies", 1)


@pytest.mark.parametrize("model_type", CALLABLE)
def test_unit_vectors_turn_as_in_the_models_own_function(model_type: str, compare: Compare, count: Count) -> None:
    """The pairs, their direction and their order; where a part of a head turns, the function gets that part."""
    function, config = rotating_function(model_type), runnable_config(model_type)
    assert function is not None
    for label, angles in labelled_angles(model_type, config):
        if rotary_class(model_type) is None:
            cosine, sine, still = angles.cos().float(), angles.sin().float(), torch.zeros(len(angles))
        else:
            module = rotary_class(model_type)(config)
            (cosine, sine), (_, still) = (cosine_and_sine(module, position, label) for position in (1, 0))
        scale = float(torch.hypot(cosine, sine).max())
        theirs = rotation_matrix(function, cosine / scale, sine / scale, (torch.ones_like(still), still))
        rotary = nearest(as_file(config), label, angles.numpy())
        compare("rotation matrices at position 1", block_of(rotary, len(theirs)), theirs, MATRIX)
        count("rotary modules of transformers compared in the images of unit vectors", 1)
        assert rotary.pairing == FACTS[model_type]["layout"]
        assert rotary.direction == FACTS[model_type].get("direction", 1)


def block_of(rotary: Rotary, width: int) -> np.ndarray:
    """Row i: what becomes of the unit vector e_i at position 1, of the columns that turn if these are so many."""
    unit = np.eye(rotary.head_dim)
    turned = rotary.rotate(unit[:, None], [1])[:, 0] / (rotary.attention_factor if rotary.attention_factor else 1)
    if width == rotary.head_dim:
        return turned
    first = 0 if rotary.rotary_part == "leading" else rotary.head_dim - width
    return turned[first : first + width, first : first + width]


@pytest.mark.parametrize("model_type", [name for name, facts in FACTS.items() if facts.get("defaults")])
def test_a_missing_key_has_the_value_of_the_class(model_type: str, count: Count) -> None:
    cls, defaults = config_class(model_type), dict(FACTS[model_type]["defaults"])
    config = cls(use_sliding_window=True) if FACTS[model_type].get("gated") else cls()
    defaults.pop("use_sliding_window", None)  # its window is one that is switched on
    overrides = defaults.pop("per_layer_config", {})
    for index, layer_type in enumerate(config.layer_types if overrides else ()):
        for key, value in overrides.get(layer_type, {}).items():
            assert getattr(config.per_layer_config[index], key) == value
    for key in {"rope_theta", "partial_rotary_factor"} - {field.name for field in dataclasses.fields(cls)}:
        defaults.pop(key, None)  # of rope_parameters without them: the next test
    for key, value in defaults.items():
        assert json.loads(json.dumps(vars(config)[key])) == value, key
    count("defaults of transformers' classes compared", len(defaults))


@pytest.mark.parametrize("model_type", [name for name in FACTS if "rope_parameters" in FACTS[name].get("defaults", {})])
def test_rope_parameters_without_a_base_take_that_of_the_class(model_type: str) -> None:
    defaults = FACTS[model_type]["defaults"]
    if "rope_theta" not in defaults:
        return  # the class asks for one
    labels = [label for label, value in defaults["rope_parameters"].items() if isinstance(value, dict)]
    bare = {"rope_type": "default"}
    if "mrope_section" in defaults["rope_parameters"]:
        bare["mrope_section"] = defaults["rope_parameters"]["mrope_section"]  # some classes ask for the numbers
    found = config_class(model_type)(rope_parameters={label: {**bare} for label in labels} or {**bare}).rope_parameters
    fields = {field.name for field in dataclasses.fields(config_class(model_type))}
    for key in {"rope_theta", "partial_rotary_factor"} - fields:
        expected = defaults.get(key)
        for label in labels or [None]:
            wanted = expected.get(label) if isinstance(expected, dict) else expected
            assert (found if label is None else found[label]).get(key) == wanted


PATTERNS = [
    name for name, facts in FACTS.items() if facts.get("layer_types", {}).get("period") not in (None, ["recurrent"])
]
PATTERNS.remove("gpt_neo")  # its class has other names, "global" and "local"; its masks are recorded in another test


@pytest.mark.parametrize("model_type", PATTERNS)
def test_the_pattern_of_layer_types_is_that_of_the_class(model_type: str, count: Count) -> None:
    pattern, tried = FACTS[model_type]["layer_types"], 0
    for n_layers in (6, 10, 17, 31, 40):
        try:
            theirs = list(config_class(model_type)(num_hidden_layers=n_layers).layer_types)
        except (ValueError, KeyError, StrictDataclassError):  # this class has other numbers of layers
            continue
        assert layer_types(pattern, n_layers) == theirs
        tried += 1
    default = config_class(model_type)()
    assert layer_types(pattern, len(default.layer_types)) == list(default.layer_types)
    assert tried or pattern.get("whole")
    count("lists of layer types compared", tried + 1)


@pytest.mark.parametrize("model_type", [name for name in ONE_AXIS if name in FACTS])
def test_a_period_counts_where_the_class_reads_its_key(model_type: str) -> None:
    cls, switch = config_class(model_type), {**FACTS[model_type].get("rotary_if", {}), "num_hidden_layers": 11}
    plain = open_model({"model_type": model_type, **switch})
    for key in PERIOD_KEYS:
        try:
            theirs = [getattr(cls(**each), "layer_types", None) for each in (switch, {**switch, key: 5})]
        except (ValueError, StrictDataclassError):  # the class has other numbers of layers
            continue
        layers = open_model({"model_type": model_type, **switch, key: 5}).layers
        assert (layers != plain.layers) == (theirs[0] != theirs[1]), key


@pytest.mark.parametrize("model_type", [name for name in ONE_AXIS if name in FACTS])
def test_a_key_about_layers_counts_where_the_class_names_it(model_type: str) -> None:
    source = "".join(
        inspect.getsource(each) for each in config_class(model_type).__mro__ if "models" in each.__module__
    )
    for key in set(LAYER_KEYS) - set(PERIOD_KEYS) - {"layer_types"}:
        named = re.search(rf"\b{key}\b", source) is not None
        assert named <= (key in FACTS[model_type].get("layer_keys", [])), key


def layer_types(pattern: dict[str, Any], n_layers: int) -> list[str]:
    """The list that the pattern stands for."""
    first, period = pattern.get("first", []), pattern["period"]
    types = [*first, *(period[i % len(period)] for i in range(n_layers))][:n_layers]
    if "last" in pattern:
        types[-1] = pattern["last"]
    return types[::-1] if pattern.get("from_end") else types


@pytest.mark.parametrize("model_type", [name for name, facts in FACTS.items() if "head_dim_from" in facts])
def test_the_width_of_a_head_follows_its_key(model_type: str) -> None:
    key, cls = FACTS[model_type]["head_dim_from"], config_class(model_type)
    width = getattr(cls(), key)
    assert cls(**{key: 2 * width}).head_dim == 2 * width


@pytest.mark.parametrize("model_type", [name for name, facts in FACTS.items() if "parts" in facts])
def test_parts_have_the_model_types_of_the_class(model_type: str) -> None:
    config = config_class(model_type)()
    for key, name in FACTS[model_type]["parts"].items():
        part = getattr(config, key, None)
        assert part is None or part.model_type == name
