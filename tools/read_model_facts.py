"""Reads what the model classes of transformers know about positions, and writes it to ``model_rules/facts.json``.

    python tools/read_model_facts.py [FILE]

A ``config.json`` leaves out what its class knows: the order of the rotated columns, the base, the widths and the types
of the layers where no key names them. This script creates every configuration class with its defaults, builds its model
without memory for weights, finds the rotary modules in it, and sends unit vectors through the functions that apply
them. It needs ``pip install -e ".[reference]" scipy`` and some minutes; classes of pictures import scipy.
``tests/reference/test_model_facts.py`` compares every entry with the installed library.

A model_type has these facts, each of them only where it is known:

- ``source``: the file in transformers, its class of rotary angles, and the functions that rotate;
- ``positions``: "rotary", "rotary_axes" (of ``axes``), "none", "learned", "sinusoidal", "bias" or "other";
- ``told``: for the last four what the model uses, in words, and what of it this program shows; ``variants``: the same
  for files with other values of keys; ``reads``: what its vectors stand for, where they do not stand for tokens;
- ``rotary_if``: the key and its value without which nothing rotates;
- ``layout``: "half_split" or "interleaved"; ``layout_key``: the key whose ``false`` means half_split instead;
- ``direction``: -1 where the angles are negative; ``trailing``: true where the last columns of a head rotate;
- ``media_axes``: the axes of the positions of images and videos in a model of text, whose own position has one;
  ``media_in_turns``: neighbouring pairs turn by different ones of these;
- ``defaults``: what a missing key means. What follows from other keys is not among them. ``rope_theta`` and
  ``partial_rotary_factor`` are those of a file that has ``rope_parameters`` without them, by label where they differ;
- ``layer_types``: ``first`` (once), then ``period`` (repeated), ``last`` (of the last layer); ``from_end``: counted
  from the last layer; ``layer_keys``: the keys about layers that it reads;
- ``head_dim_from``: the key of a head's width; ``parts``: the model_type under each key of a part;
- ``spelling``: which keys become rotary parameters (``model_facts/spelling.py``); ``ignores``: keys that are not read;
  ``rotates_all``: true where type default turns all columns whatever the share;
- ``windowed``, ``two_sided``, ``gated``, ``window_layers``: which layers have a window, by running a small model.
"""

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import transformers
from model_facts.fields import defaults, head_dim_from, layer_keys, layer_types, parts
from model_facts.layouts import layout_facts
from model_facts.models import Found, config_classes, found_models, model_classes, reads
from model_facts.other_positions import BY_KEY, TOLD, UNROTATED
from model_facts.reading import AXES, BY_READING, media_axes, take_turns
from model_facts.running import load_all
from model_facts.spelling import spelling, unread
from model_facts.windows import window_facts

TARGET = Path(__file__).parents[1] / "posenc_core" / "model_rules" / "facts.json"

Facts = dict[str, Any]


def main() -> None:
    """Write the facts of every model_type that has a configuration class with positions known here."""
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.write_text(as_text(all_facts()), encoding="utf-8")


def as_text(facts: dict[str, Facts]) -> str:
    """The JSON of the facts: a line for each model_type, so that a difference between two versions can be read."""
    source = f"transformers {transformers.__version__}, its classes created and called by tools/read_model_facts.py"
    lines = (f"{json.dumps(name)}:{json.dumps(facts[name], separators=(',', ':'))}" for name in sorted(facts))
    return f'{{"source":{json.dumps(source)},"model_types":{{\n' + ",\n".join(lines) + "\n}}\n"


def all_facts() -> dict[str, Facts]:
    """The facts by model_type."""
    load_all()
    classes, runnable = config_classes(), model_classes()
    models = found_models(classes)
    facts = {}
    for name, cls in classes.items():
        try:
            found = facts_of(name, cls, models[name])
            found |= (
                window_facts(cls, runnable.get(cls, []), found.get("rotary_if", {})) if "positions" in found else {}
            )
        except Exception as error:  # noqa: BLE001 - a class that cannot be created has no facts
            print(f"{name}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)  # noqa: T201
            continue
        if found:
            facts[name] = found
    return facts


def facts_of(name: str, cls: Any, model: Found) -> Facts:
    """Facts about the positions of a configuration class; empty if nothing is known."""
    own_parts = parts(cls)
    facts: Facts = {"source": model.source}
    if name in BY_READING or name in TOLD:
        facts |= BY_READING.get(name, {}) | TOLD.get(name, {})
    elif model.rotary and "text_config" not in own_parts:
        rotary = model.rotary[0]
        axes = AXES.get(rotary.__name__) or ["height", "width"] * hasattr(rotary, "compute_axial_rope_parameters")
        facts |= {"positions": "rotary_axes", "axes": axes} if axes else {"positions": "rotary"}
        facts |= {"rotary_if": model.switch} if model.switch else {}
        facts |= layout_facts(cls, model)
        facts |= {"media_axes": media_axes(rotary)} if media_axes(rotary) else {}
        facts |= {"media_in_turns": True} if take_turns(rotary) else {}
    elif model.others and not own_parts:
        facts["positions"] = model.others
    facts |= {"told": UNROTATED[name]} if name in UNROTATED else {}
    facts |= {"variants": BY_KEY[name]} if name in BY_KEY else {}
    if "positions" in facts:
        facts.setdefault("reads", reads(name, model))
    known = "positions" in facts
    facts["defaults"] = defaults(cls) if known else {}
    facts.setdefault("layer_types", layer_types(cls) if known else None)
    facts["layer_keys"] = layer_keys(cls) if known else None
    facts["head_dim_from"] = head_dim_from(cls) if known else None
    if facts.get("positions") in ("rotary", "rotary_axes"):
        rotary, switch = model.rotary[0] if model.rotary else None, model.switch or {}
        facts |= {"spelling": spelling(cls, rotary, switch), **unread(cls, rotary, switch)}
    facts["parts"] = own_parts
    facts = {key: value for key, value in facts.items() if value or key == "layout"}
    return facts if known or own_parts else {}


if __name__ == "__main__":
    main()
