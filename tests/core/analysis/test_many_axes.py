"""Codes of several axes and factors on queries, against rows computed with 40 digits in ``tests/data/axes.json``."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc_core import query_temperature
from posenc_core.encodings import RopeAxes, XPos

DATA = json.loads((Path(__file__).parents[2] / "data" / "axes.json").read_text(encoding="utf-8"))

Row = dict[str, Any]


def rows(name: str) -> list[Any]:
    found = [pytest.param(row, id=row["id"]) for row in DATA["vectors"] if row["encoding"] == name]
    assert found
    return found


def sentence(scope: str) -> str:
    (row,) = [row for row in DATA["errors"] if row["scope"] == scope]
    return str(row["message"])


@pytest.mark.parametrize("row", rows("rope_axial"))
def test_axial_frequencies(row: Row) -> None:
    encoding = RopeAxes(row["params"]["head_dim"], row["params"]["base"], "shared", grid="2x2")
    found = encoding.frequencies()
    assert found.shape == (40,)
    assert np.array_equal(found[:20], found[20:])
    assert found[row["dim"]] == pytest.approx(row["value"], rel=1e-14)


@pytest.mark.parametrize("row", rows("mrope") + rows("mrope_interleaved"))
def test_multimodal_angles(row: Row) -> None:
    given = row["params"]
    rule = "interleaved_sections" if row["encoding"] == "mrope_interleaved" else "sections"
    encoding = RopeAxes(given["head_dim"], given["base"], rule, "t,h,w", sections=given["mrope_section"])
    assert encoding.angles_at(row["pos"])[row["dim"]] == pytest.approx(row["value"], rel=1e-13)


@pytest.mark.parametrize("row", rows("xpos"))
def test_xpos(row: Row) -> None:
    given = row["params"]
    encoding = XPos(given["head_dim"], gamma=given["gamma"], scale_base=given.get("scale_base", 512))
    found = encoding.zetas[row["dim"]] if row["pos"] is None else encoding.factor(row["dim"], row["pos"])
    assert found == pytest.approx(row["value"], rel=1e-13)


@pytest.mark.parametrize("row", rows("llama4_attn_scale"))
def test_query_temperature(row: Row) -> None:
    given = row["params"]
    length, beta = given["original_max_position_embeddings"], given["beta"]
    found = query_temperature(
        "ministral3", [row["pos"]], original_max_position_embeddings=length, llama_4_scaling_beta=beta
    )
    assert found[0] == pytest.approx(row["value"], rel=1e-14)


def refused(error: type[Exception], text: str, made: Any) -> None:
    with pytest.raises(error) as caught:
        made()
    assert str(caught.value) == text


def test_wrong_values_get_a_sentence() -> None:
    sections = (16, 24, 23)
    refused(ValueError, sentence("mrope"), lambda: RopeAxes(128, rule="sections", axes="t,h,w", sections=sections))
