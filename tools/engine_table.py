"""Prints the README's table of what engines compute for three models.

python tools/engine_table.py
"""

import json
from collections.abc import Iterator
from pathlib import Path

from posenc_core.engines import ENGINES, EngineRow, compare_engines

ROOT = Path(__file__).parents[1]
CONFIGS = ROOT / "tests" / "data" / "model_configs"
MODELS = (
    ("Llama 3.1", CONFIGS / "meta-llama--Meta-Llama-3.1-8B.json", (131072,)),
    ("Qwen2.5 with YaRN", ROOT / "resources" / "presets" / "qwen2.5-yarn-128k.json", (131072,)),
    ("Phi-3.5", CONFIGS / "phi-3_5.json", (4096, 4097, 131072)),
)


def lines() -> Iterator[str]:
    """The lines of the table in Markdown: a row per model and length, a column per engine."""
    names = [name for name in ENGINES if name != "transformers"]
    yield f"| model, tokens | {' | '.join(names)} |"
    yield f"|---|{'---|' * len(names)}"
    for title, path, lengths in MODELS:
        read = json.loads(path.read_text(encoding="utf-8"))
        for length in lengths:
            rows = compare_engines(read.get("config", read), length, engines=names).rows
            yield f"| {title}, {length:,} | {' | '.join(map(cell, rows))} |"


def cell(row: EngineRow) -> str:
    """The verdict, and where the engine parts from the class."""
    if row.verdict != "different":
        return row.verdict
    told = [] if row.position is None else [f"pair {row.pair} off by 45° from position {row.position:,}"]
    if row.score_factor is not None and abs(row.score_factor - 1) > 1e-6:
        told.append(f"scores x {row.score_factor:.4g}")
    return ", ".join(told) or "; ".join(row.differences)


if __name__ == "__main__":
    print("\n".join(lines()))  # noqa: T201
