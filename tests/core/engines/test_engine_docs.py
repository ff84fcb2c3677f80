"""The page on engines and the README's table are what the program says."""

import re
import sys
from collections import defaultdict

import pytest
from cases import each_case
from engine_cases import ROWS
from engine_page import PAGE, ROOT, agreeing, rows_of, traced_config

from posenc_core import compare_engines
from posenc_core.engines import ENGINES, all_facts

RULES = rows_of("The rules")


@each_case("rule", RULES, lambda rule: f"{rule[0]}: {rule[1][:40]}")
def test_each_fact_has_a_source_and_a_check_value(rule) -> None:
    engine, sentence, mark, source, row = rule
    assert engine.lower() in ENGINES
    assert sentence
    assert mark in ("run", "read", "reported")
    assert re.fullmatch(r"[\w./-]+\.(py|cpp|h)", source)
    recorded = next(each["engines"] for each in ROWS if each["id"] == row)
    assert any(label.startswith(engine.lower()) for label in recorded)


TRACED = defaultdict(list)
for traced in rows_of("Real models, traced"):
    TRACED[traced[0], int(traced[1])].append(traced[2:])


@pytest.mark.parametrize(("name", "length"), TRACED)
def test_each_difference_of_a_real_model_is_traced_to_a_line(name: str, length: int) -> None:
    found = [row for row in compare_engines(traced_config(name), length).rows if row.verdict == "different"]
    kinds = defaultdict(list)
    for row in found:
        kinds[row.engine].append(row.layer_type.removesuffix("_attention") or "all")
    told = {engine: layers.split(", ") for engine, layers, *_ in TRACED[name, length]}
    assert told == kinds
    assert {row.engine: row.computed.mark for row in found} == {each[0]: each[2] for each in TRACED[name, length]}


@pytest.mark.parametrize("name", agreeing())
def test_a_model_that_the_page_says_no_engine_differs_in(name: str) -> None:
    assert "different" not in {row.verdict for row in compare_engines(traced_config(name)).rows}


def test_each_engine_has_a_fact() -> None:
    assert {rule[0].lower() for rule in RULES} == set(ENGINES)


def test_the_page_names_the_versions_that_were_read() -> None:
    for engine in all_facts().engines.values():
        assert engine.version in PAGE


def test_the_readmes_table_is_the_programs(monkeypatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "tools")])
    import engine_table

    assert "\n".join(engine_table.lines()) in (ROOT / "README.md").read_text(encoding="utf-8")


def test_what_a_module_of_mlx_lm_decides_itself_was_read_and_what_its_shared_lines_decide_was_run() -> None:
    marks = {}
    for name in ("minicpm-moe-8x2b", "nvidia--Kimi-K2.7-Code-NVFP4", "openai--gpt-oss-20b", "phi-3_5"):
        (row, *_) = compare_engines(traced_config(name), 4096, engines=["mlx-lm"]).rows
        marks[name] = row.computed.mark, row.computed.source.file
    shared = "run", "models/rope_utils.py"
    assert marks["openai--gpt-oss-20b"] == marks["phi-3_5"] == shared
    assert {mark for mark, _ in marks.values()} - {"run"} == {"read"}
    assert marks["minicpm-moe-8x2b"] == ("read", "models/minicpm.py")
    assert marks["nvidia--Kimi-K2.7-Code-NVFP4"][0] == "read"


def test_the_source_of_a_truncated_ramp_in_llama_cpp_is_where_it_is_rounded() -> None:
    (row, *_) = compare_engines(traced_config("openai--gpt-oss-20b"), engines=["llama.cpp"]).rows
    assert (row.computed.source.file, row.computed.source.function) == ("ggml/src/ggml.c", "ggml_rope_yarn_corr_dims")
