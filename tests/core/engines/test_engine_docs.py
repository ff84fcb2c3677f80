"""The page on engines and the README's table are what the program says."""

import re
import sys
from pathlib import Path

import pytest
from engine_cases import ROWS

from posenc_core.engines import ENGINES, all_facts

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
RULES = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if re.match(r"\| [a-zA-Z]", line)][1:]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule[0]}: {rule[1][:40]}")
def test_each_fact_has_a_source_and_a_check_value(rule) -> None:
    engine, sentence, mark, source, row = rule
    assert engine.lower() in ENGINES
    assert sentence
    assert mark in ("run", "read", "reported")
    assert re.fullmatch(r"[\w./-]+\.(py|cpp|h)", source)
    recorded = next(each["engines"] for each in ROWS if each["id"] == row)
    assert any(label.startswith(engine.lower()) for label in recorded)


def test_each_engine_has_a_fact() -> None:
    assert {rule[0].lower() for rule in RULES} == set(ENGINES)


def test_the_page_names_the_versions_that_were_read() -> None:
    for engine in all_facts().engines.values():
        assert engine.version in PAGE


def test_the_readmes_table_is_the_programs(monkeypatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "tools")])
    import engine_table

    assert "\n".join(engine_table.lines()) in (ROOT / "README.md").read_text(encoding="utf-8")
