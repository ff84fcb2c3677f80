"""Lists which positions the models of transformers have, and writes the list to ``tests/data/model_positions.json``.

    python tools/read_model_positions.py [FILE]

Each configuration class is created with its defaults, and its model is built without memory for weights. The names of
its tensors and modules tell its kinds of positions; a model of parts has those of all its parts. Needs what
``tools/read_model_facts.py`` needs. ``tests/core/model_config/test_positions_of_every_type.py`` compares the sentences
on each model_type with the list, ``tests/reference/test_other_positions.py`` the list with the installed library.
"""

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import transformers
from model_facts.models import config_classes, model_classes
from model_facts.running import load_all
from model_facts.tensors import KINDS, positions_in

TARGET = Path(__file__).parents[1] / "tests" / "data" / "model_positions.json"


def main() -> None:
    """Write the row of every model_type whose model can be built."""
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.write_text(as_text(all_rows()), encoding="utf-8")


def as_text(rows: dict[str, dict[str, Any]]) -> str:
    """The JSON of the words of kinds and of the rows, a line each."""
    source = f"transformers {transformers.__version__}, read by tools/read_model_positions.py"
    words = ",\n".join(f"{json.dumps(kind)}: {json.dumps(said)}" for kind, (_, said) in KINDS.items())
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(rows[name])}" for name in sorted(rows))
    return f'{{"source": {json.dumps(source)}, "words": {{\n{words}\n}}, "model_types": {{\n{lines}\n}}}}\n'


def all_rows() -> dict[str, dict[str, Any]]:
    """The kinds of positions by model_type."""
    load_all()
    classes, models = config_classes(), model_classes()
    rows = {name: positions_in(models.get(cls, []), cls) for name, cls in classes.items()}
    return {name: row for name, row in rows.items() if row is not None}


if __name__ == "__main__":
    main()
