"""The notebook runs cell by cell, and shows what its texts announce."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = json.loads((Path(__file__).parents[2] / "examples" / "first-steps.ipynb").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    """The value of the last line of each cell, by the cell's name; the cells share their names, as in a notebook."""
    names: dict[str, Any] = {}
    values = {}
    for cell in NOTEBOOK["cells"]:
        if cell["cell_type"] != "code":
            continue
        *before, last = ast.parse("".join(cell["source"])).body
        exec(compile(ast.Module(before, []), cell["id"], "exec"), names)
        if isinstance(last, ast.Expr):
            values[cell["id"]] = eval(compile(ast.Expression(last.value), cell["id"], "eval"), names)
        else:
            exec(compile(ast.Module([last], []), cell["id"], "exec"), names)
    return values


def test_the_notebook_is_of_format_4_and_holds_no_outputs() -> None:
    assert (NOTEBOOK["nbformat"], NOTEBOOK["nbformat_minor"]) == (4, 5)
    assert not [cell for cell in NOTEBOOK["cells"] if cell.get("outputs") or cell.get("execution_count")]
    names = [cell["id"] for cell in NOTEBOOK["cells"]]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z]{1,64}", name) for name in names)


def test_encodings_are_drawn_and_derivations_typeset(shown: dict[str, Any]) -> None:
    assert shown["sinusoidal"]._repr_html_().count("<rect") == 64 * 32
    assert shown["explain"]._repr_latex_().startswith("$$\n\\begin{aligned}")
    assert shown["config"]._repr_html_().startswith("<figure")


def test_the_numbers_are_those_that_the_texts_speak_of(shown: dict[str, Any]) -> None:
    assert shown["table"].shape == (3, 4)
    assert shown["scaled"][[0, -1]].tolist() == [1.0, 4.0]
    assert shown["count"] == [18, 0]
    assert shown["similar"][0] == 1.0
    assert shown["wrong"].startswith("One number is wrong: position 7, column 5 is 0.25 and should be ")
    assert shown["exponent"].startswith("The exponent counts columns, 2c/d, and should count pairs, 2i/d.")
