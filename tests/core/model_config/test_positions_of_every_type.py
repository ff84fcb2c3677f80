"""Sentences on the models of transformers: each kind of positions that a model's class has is named.

``model_positions.json`` is a list of the classes, their tensors and modules, by ``tools/read_model_positions.py``.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cases import each_case

from posenc_core import open_model

LIST = json.loads((Path(__file__).parents[2] / "data" / "model_positions.json").read_text(encoding="utf-8"))
ROWS: dict[str, dict[str, Any]] = LIST["model_types"]
WORDS: dict[str, str] = LIST["words"]

UNNAMED = {
    "bamba": "rotation",  # a file without attention layers rotates nothing
    "granitemoehybrid": "rotation",
}
"""Kinds that a class has for other files than one without keys."""


def sentences(config: dict[str, Any]) -> Iterator[str]:
    """The sentences on the layers of a model and of its parts, and its notes."""
    model = open_model(config)
    yield from (layer.sentence for layer in (*model.layers, *(part.layer for part in model.parts)))
    yield from model.notes


@each_case("model_type", [name for name, row in ROWS.items() if not row.get("of_parts")])
def test_each_kind_of_positions_of_a_class_is_named(model_type: str, count: Callable[[str, int], None]) -> None:
    said = "\n".join(sentences({"model_type": model_type}))
    assert "is unknown to this version" not in said
    has = [kind for kind in ROWS[model_type]["has"] if UNNAMED.get(model_type) != kind]
    assert [kind for kind in has if not re.search(WORDS[kind], said)] == []
    count("kinds of positions that the sentences on a model name", len(has))


NEEDED: dict[str, dict[str, Any]] = {
    "blt": {"decoder_config": {"hidden_size": 1024, "num_attention_heads": 16, "num_hidden_layers": 2}},
}
"""Keys of wholes whose class has no defaults for the sizes of its parts."""


@each_case("model_type", [name for name, row in ROWS.items() if row.get("of_parts")])
def test_the_parts_of_a_model_are_known(model_type: str) -> None:
    assert "is unknown to this version" not in "\n".join(
        sentences({"model_type": model_type, **NEEDED.get(model_type, {})})
    )
