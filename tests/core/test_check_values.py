"""Rows computed elsewhere with 40 digits, and the sentences agreed on, in ``tests/data/vectors.json``.

Left out of that file, because no parameter of ours stands for them: the row with ``pos_scale`` (position
interpolation, which the rotary tests hold to it), the row of tensor2tensor's spacing with d_model = 2 (tensor2tensor
divides by max(K - 1, 1) there, fairseq by zero; ours refuses), and the odd d_model that is refused (ours keeps the
lone sine, as XLM does).
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import each_case

from posenc_core import Document, Sinusoidal, encode, explain, frequencies, tile
from posenc_core.numerics.dirichlet_sums import dirichlet
from posenc_core.numerics.traces import sine_block_envelope

DATA = json.loads((Path(__file__).parents[1] / "data" / "vectors.json").read_text(encoding="utf-8"))

Row = dict[str, Any]


def rows(*names: str) -> list[Any]:
    found = [row for row in DATA["vectors"] if row["encoding"] in names]
    assert found, names
    return [pytest.param(row, id=row["id"]) for row in found]


def spec(row: Row, layout: str = "interleaved", spacing: str = "paper") -> Sinusoidal:
    given = row["params"]
    return Sinusoidal(given["d_model"], given["base"], layout, spacing, given.get("offset", 0))


def float64_tolerance(position: int) -> float:
    """As the file suggests for float64 code."""
    return 1e-12 if abs(position) <= 1000 else 1e-9


def assert_entry(encoding: Sinusoidal, position: int, column: int, expected: float) -> None:
    """The entry by all three ways to it: the fast table, the derivation, the single entries."""
    assert encode(encoding, [position], [column])[0, 0] == pytest.approx(expected, abs=2e-7)
    in_a_block = encode(encoding, range(position - 40, position + 40))
    assert in_a_block[40, column] == pytest.approx(expected, abs=2e-7)
    tolerance = float64_tolerance(position)
    assert explain(encoding, position, column).value == pytest.approx(expected, abs=tolerance)
    one = encoding.values(np.array([position]), np.array([column]))
    assert one[0, 0] == pytest.approx(expected, abs=tolerance)


@each_case("row", rows("sinusoidal_interleaved"))
def test_interleaved(row: Row) -> None:
    assert_entry(spec(row), row["pos"], row["dim"], row["value"])


@pytest.mark.parametrize("row", rows("sinusoidal_concat"))
def test_concatenated(row: Row) -> None:
    assert_entry(spec(row, "concatenated"), row["pos"], row["dim"], row["value"])


@pytest.mark.parametrize("row", rows("sinusoidal_t2t"))
def test_tensor2tensor(row: Row) -> None:
    """The rows have the layout of tensor2tensor itself: sines, cosines, and a zero where d_model is odd."""
    assert_entry(spec(row, "concatenated", "tensor2tensor"), row["pos"], row["dim"], row["value"])


@pytest.mark.parametrize("row", rows("sinusoidal_onebased"))
def test_one_based(row: Row) -> None:
    """Rows of this kind count columns from 1 to d."""
    encoding = spec(row, spacing="one_based")
    if row["dim"] is not None:
        assert_entry(encoding, row["pos"], row["dim"] - 1, row["value"])
    elif row["pos"] is None:
        assert frequencies(encoding)[0] == pytest.approx(row["value"], rel=1e-15)
    else:
        difference = explain(encoding, row["pos"], 0).value - explain(spec(row), row["pos"], 0).value
        assert difference == pytest.approx(row["value"], abs=1e-12)


@pytest.mark.parametrize("row", rows("wavelength"))
def test_wavelength(row: Row) -> None:
    encoding = Sinusoidal(row["params"]["d"], row["params"]["base"])
    facts = encoding.column_info(2 * row["dim"] + 1)
    assert (facts.pair, facts.part) == (row["dim"], "cos")
    assert facts.wavelength == pytest.approx(row["value"], rel=1e-13)
    assert 2 * math.pi / frequencies(encoding)[row["dim"]] == pytest.approx(row["value"], rel=1e-13)


@pytest.mark.parametrize("row", rows("block_mean"))
def test_block_mean(row: Row) -> None:
    omega, phi, a, b = (row["params"][name] for name in ("omega", "phi", "a", "b"))
    kernel = dirichlet(np.array([omega]), b - a)[0]
    assert math.sin(omega * (a + b - 1) / 2 + phi) * kernel == pytest.approx(row["value"], abs=1e-13)
    if omega == 1:  # the first pair of every table: a sine, or a cosine a quarter turn further
        column = round(phi / (math.pi / 2))
        pixel = tile(Sinusoidal(2), (a, b), (column, column + 1), (1, 1))
        assert pixel[0, 0] == pytest.approx(row["value"], abs=2e-7)


@pytest.mark.parametrize("row", rows("block_envelope"))
def test_block_envelope(row: Row) -> None:
    given = row["params"]
    if "a" in given:
        low, high = sine_block_envelope(given["omega"], given["phi"], given["a"], given["b"])
        found = high if row["what"].startswith("max") else low
        assert found == pytest.approx(row["value"], abs=1e-12)
    else:  # no integer is farther from a crest than half a step
        gaps = [1 - sine_block_envelope(given["omega"], 0.0, start, start + 7)[1] for start in range(5000)]
        assert max(gaps) <= row["value"]
        assert max(gaps) > 0.95 * row["value"]


@pytest.mark.parametrize("row", rows("pe_dot", "pe_cosine", "pe_dist2"))
@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_likeness_of_two_rows(row: Row, layout: str) -> None:
    """They depend on the distance alone, wherever the first row is."""
    encoding = spec(row, layout)
    columns = np.arange(encoding.d_model)
    for first in (0, 3, 512):
        one, other = encoding.values(np.array([first, first + row["pos"]]), columns)
        shown = encode(encoding, [first, first + row["pos"]]).astype(float)
        if row["encoding"] == "pe_dot":
            found, quick = one @ other, shown[0] @ shown[1]
        elif row["encoding"] == "pe_cosine":
            found = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
            quick = shown[0] @ shown[1] / np.linalg.norm(shown[0]) / np.linalg.norm(shown[1])
        else:
            found, quick = ((one - other) ** 2).sum(), ((shown[0] - shown[1]) ** 2).sum()
        assert found == pytest.approx(row["value"], abs=encoding.d_model * 1e-13)
        assert quick == pytest.approx(row["value"], abs=encoding.d_model * 4e-7)


@pytest.mark.parametrize("row", rows("M_k"))
def test_shift_matrix_block(row: Row) -> None:
    """A row of the block carries (sin, cos) at p to the sine or the cosine at p + k, for every p."""
    k, pair = row["params"]["k"], row["params"]["pair"]
    encoding = spec(row)
    before = encode(encoding, range(200)).astype(float)[:, 2 * pair : 2 * pair + 2]
    after = encode(encoding, range(k, 200 + k)).astype(float)[:, 2 * pair : 2 * pair + 2]
    block = np.linalg.lstsq(before, after, rcond=None)[0].T
    assert np.abs(before @ block.T - after).max() < 1e-6
    assert block[tuple(row["dim"])] == pytest.approx(row["value"], abs=1e-6)


@pytest.mark.parametrize("row", [pytest.param(row, id=str(row["input"])) for row in DATA["errors"]])
def test_agreed_sentences(row: Row) -> None:
    spacings = {"sinusoidal_t2t": "tensor2tensor", "sinusoidal_onebased": "one_based"}
    given = {name: value for name, value in row["input"].items() if name != "variant"}
    if row["expected"] == "warning":
        assert row["message"] in Sinusoidal(8, **given).warnings
        return
    if "seq_len" not in given:
        given = {"d_model": 8, **given, "spacing": spacings.get(row["scope"], "paper")}
    with pytest.raises((TypeError, ValueError)) as caught:
        Sinusoidal(**given) if "d_model" in given else Document(**given)
    assert type(caught.value).__name__ == row["expected"]
    assert str(caught.value) == row["message"]
