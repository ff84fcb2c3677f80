"""The library's own configurations, rotary modules and functions that rotate, as ``facts.json`` names them."""

import importlib
import inspect
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import torch
from transformers import CONFIG_MAPPING
from transformers.models.roformer import modeling_roformer

Result = TypeVar("Result")

_FILE = Path(__file__).parents[2] / "posenc_core" / "model_rules" / "facts.json"
_TABLE = json.loads(_FILE.read_text(encoding="utf-8"))

SOURCE: str = _TABLE["source"]
FACTS: dict[str, dict[str, Any]] = _TABLE["model_types"]

ROTARY = tuple(name for name, facts in FACTS.items() if facts.get("positions") in ("rotary", "rotary_axes"))
AXES = tuple(name for name, facts in FACTS.items() if facts.get("positions") == "rotary_axes")


_NEEDED = {
    "cohere_compass_text": {"rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 10000.0}}},
}
"""Keys without which the rotary modules of these classes cannot be built."""


@cache
def config_class(model_type: str) -> Any:
    """The configuration class of the model_type, one of a part of a model too."""
    if model_type in CONFIG_MAPPING:
        return CONFIG_MAPPING[model_type]
    folder = Path(FACTS[model_type]["source"]).parent.name
    module = importlib.import_module(f"transformers.models.{folder}.configuration_{folder}")
    classes = [value for value in vars(module).values() if getattr(value, "model_type", None) == model_type]
    return classes[0]


def default_config(model_type: str, **keys: Any) -> Any:
    """The class's configuration without keys, but with the one that makes it rotate."""
    return config_class(model_type)(**FACTS[model_type].get("rotary_if", {}), **_NEEDED.get(model_type, {}), **keys)


def runnable_config(model_type: str) -> Any:
    """The same with sections for time, height and width that fit the head where the class's own do not."""
    config = default_config(model_type)
    cls = rotary_class(model_type)
    pairs = getattr(cls(config), "inv_freq", None) if cls is not None else None
    sections = getattr(cls(config), "mrope_section", ()) if cls is not None else ()
    if pairs is None or sections == () or isinstance(sections, dict) or (sections and sum(sections) == len(pairs)):
        return config
    third = len(pairs) // 3
    own = {key: value for key, value in config.rope_parameters.items() if value is not None}
    return default_config(model_type, rope_parameters=own | {"mrope_section": [len(pairs) - 2 * third, third, third]})


def as_file(config: Any) -> dict[str, Any]:
    """The configuration as the library writes it into a file."""
    return json.loads(config.to_json_string())


def named(model_type: str) -> list[Any]:
    """Classes, functions and methods of a modeling file that the facts' source names, in the order of the source."""
    file, _, names = FACTS[model_type]["source"].partition(":")
    module = importlib.import_module("transformers." + file.removesuffix(".py").replace("/", "."))
    found = []
    for name in names.split(",") if names else ():
        value: Any = module
        for part in name.split("."):
            value = getattr(value, part)
        found.append(value)
    return found


def rotary_class(model_type: str) -> Any:
    """The class of the modules that compute its rotary angles, None where functions do."""
    return next((value for value in named(model_type) if inspect.isclass(value)), None)


def rotating_function(model_type: str) -> Callable[..., Any] | None:
    """The function that its attention calls, or its method with the same arguments; None where nothing is named."""
    functions = [value for value in named(model_type) if inspect.isfunction(value) and "apply" in value.__name__]
    if not functions:
        return None
    function = functions[0]
    if model_type == "roformer":
        return lambda q, cos, sin: function(torch.cat((sin, cos), -1), q, q)
    if "." in function.__qualname__:  # of the Conformers: sequences of whole vectors
        return lambda q, cos, sin: function(
            SimpleNamespace(num_heads=1, head_size=q.shape[-1]), q[:, 0], torch.stack((cos, sin))[:, :, :, None]
        )
    return function


def labelled_angles(model_type: str, config: Any) -> Iterator[tuple[str | None, torch.Tensor]]:
    """The angles of the module's pairs at position 1 in rad, (n_pairs,), for each label of rotary parameters."""
    cls = rotary_class(model_type)
    if cls is None:  # sines and cosines in one table
        if model_type == "roformer":
            table = modeling_roformer.RoFormerSinusoidalPositionalEmbedding(2, 64).create_weight()[1]
        else:
            table = named(model_type)[0](2, config.rotary_dim)[1]
        yield None, torch.atan2(*table.chunk(2)).double()
        return
    module = cls(config)
    for label in labels_of(module):
        yield label, pairs_of(*cosine_and_sine(module, 1, label))


def accepted(call: Callable[[], Result]) -> Result | None:
    """Result of a constructor or forward of the library; None if it refuses drawn keys that do not fit each other."""
    try:
        return call()
    except Exception:  # noqa: BLE001 - the classes raise errors of any kind
        return None


def labels_of(module: Any) -> list[str | None]:
    """The labels of the module's rotary parameters; None alone if the parameters have no labels."""
    labels = [name.removesuffix("_inv_freq") for name, _ in module.named_buffers() if name.endswith("_inv_freq")]
    return [name for name in labels if name != "original" and not name.endswith("_original")] or [None]


def run_rotary(module: Any, position: int, label: str | None = None) -> Any:
    """Result of the module's forward at ``position``; a module without position_ids returns all positions up to it."""
    keys = {"layer_type": label} if label is not None else {}
    takes_positions = "position_ids" in inspect.signature(module.forward).parameters
    with torch.no_grad():
        if takes_positions:
            return module(torch.zeros(1, 1, 8), torch.tensor([[position]]), **keys)
        return module(torch.zeros(1, position + 1, 8))


def cosine_and_sine(module: Any, position: int, label: str | None = None) -> tuple[torch.Tensor, torch.Tensor]:
    """Cosines and sines of the module for one position, each (columns,), in the module's order of columns."""
    found = run_rotary(module, position, label)
    if isinstance(found, torch.Tensor) and found.is_complex():
        return found.real.flatten(), found.imag.flatten()
    if isinstance(found, torch.Tensor) and found.shape[0] == 2:
        return found[0][position].flatten(), found[1][position].flatten()
    if isinstance(found, torch.Tensor):
        return found[0, position].cos(), found[0, position].sin()
    return found[0].flatten(), found[1].flatten()


def pairs_of(cosine: torch.Tensor, sine: torch.Tensor) -> torch.Tensor:
    """The angle of each pair: columns may be given once a pair, in two halves, or as neighbours."""
    angles = torch.atan2(sine.double(), cosine.double())
    half = len(angles) // 2
    if len(angles) > 1 and _alike(angles[:half], angles[half:]):
        return angles[:half]
    return angles[::2] if len(angles) > 1 and _alike(angles[::2], angles[1::2]) else angles


def _alike(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether the angles are equal but for the last digits, which differ between columns with vector instructions."""
    return one.shape == other.shape and torch.allclose(one, other, rtol=1e-6, atol=0)


def rotation_matrix(function: Callable[..., Any], cosine: Any, sine: Any, still: tuple[Any, Any]) -> torch.Tensor:
    """Row i: what the function makes of the unit vector e_i, in the order of the columns that go in.

    ``cosine`` and ``sine`` are those of a position, ``still`` those of position 0: some functions return their columns
    in another order, which is the same for all positions and so does not count in scores.
    """
    for width in (len(cosine), 2 * len(cosine)):
        try:
            turned, unturned = _images(function, width, cosine, sine), _images(function, width, *still)
        except (RuntimeError, IndexError, ValueError):
            continue
        if torch.allclose(unturned @ unturned.T, torch.eye(width), atol=1e-5):
            return (turned @ unturned.T).double()
    raise AssertionError(f"{function.__name__} cannot be called")


def _images(function: Callable[..., Any], width: int, cosine: Any, sine: Any) -> torch.Tensor:
    """The images of the unit vectors, (width, width)."""
    vectors = torch.eye(width)[:, None, None]
    given: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if re.fullmatch(r"(cos|sin)\w*", name):
            given[name] = (cosine if name.startswith("cos") else sine)[None, None]
        elif re.fullmatch(r"freqs_c\w+", name):
            given[name] = torch.complex(cosine, sine)[None, None]
        elif name == "position_ids" and parameter.default is inspect.Parameter.empty:
            given[name] = torch.zeros(1, 1, dtype=torch.long)
        elif parameter.default is inspect.Parameter.empty or name == "k":
            given[name] = vectors
    result = function(**given)
    return (result[0] if isinstance(result, tuple) else result).reshape(width, width)
