"""The tables of ``docs/engines.md``, and the configurations of the models that it traces."""

import json
import re
from pathlib import Path

from engine_cases import Config, public

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")


def rows_of(heading: str) -> list[list[str]]:
    """The rows of the first table below a heading, as the texts of their cells."""
    lines = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0].splitlines()
    return [line.strip("| ").split(" | ") for line in lines if re.match(r"\| \w", line)][1:]


def agreeing() -> list[str]:
    """The names of the models in which the page says that no engine differs."""
    return re.findall(r"`([\w.-]+)`", PAGE.partition("No engine differs in")[2].partition("at their own lengths")[0])


def traced_config(name: str) -> Config:
    """The configuration of a model on the page: a public one, or that of a preset."""
    preset = ROOT / "resources" / "presets" / f"{name}.json"
    if not preset.exists():
        return public(name)
    config: Config = json.loads(preset.read_text(encoding="utf-8"))["config"]
    return config
