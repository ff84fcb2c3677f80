"""Stored arrays of users' own code: each finding agrees with the description of the array."""

import json
from pathlib import Path

import numpy as np
import pytest

from posenc_core import Rotary, identify

DATA = Path(__file__).parents[2] / "data"
CASES = json.loads((DATA / "own_numbers.json").read_text(encoding="utf-8"))["cases"]
NAMES = {"original": "original_max_position_embeddings"}


@pytest.fixture(scope="module")
def arrays():
    """The arrays by name."""
    with np.load(DATA / "own_numbers.npz") as file:
        return {name: file[name] for name in file.files}


@pytest.mark.one_of(4)
@pytest.mark.parametrize("name", CASES)
def test_stored_numbers_are_what_they_are(name, arrays):
    case, finding = CASES[name], identify(arrays[name])
    assert (finding.kind, [fault.code for fault in finding.faults]) == (case["kind"], case["faults"])
    assert (finding.encoding.family if finding.encoding else None) == case["family"]
    assert finding.is_right == (not case["faults"] and case["family"] is not None)
    found = finding.encoding.parameters() if finding.encoding else {}
    wanted = {**case["params"], **{NAMES.get(key, key): case[key] for key in ("scaling", "original") if key in case}}
    wanted |= {"factor": case["factor"]} if "scaling" in case and "factor" in case else {}
    assert {key: found[key] for key in wanted} == wanted
    assert list(finding.positions) == case.get("positions", list(finding.positions))
    assert finding.precision == case.get("precision", finding.precision)
    for kind in ("cells", "columns"):
        assert (
            kind not in case
            or [list(place) if kind == "cells" else place for place in finding.faults[0].places] == case[kind]
        )


def test_another_base_is_named_beside_ntk(arrays):
    alone = CASES["inv-freq-ntk"]["base_alone"]
    bases = [each.parameters().get("rope_theta", 0) for each in identify(arrays["inv-freq-ntk"]).also]
    assert any(abs(base / alone - 1) < 1e-6 for base in bases)


def test_the_base_of_halved_exponents_is_named(arrays):
    assert 100.0 in [each.parameters()["base"] for each in identify(arrays["sinusoidal-exponent-half"]).also]


def test_sentences_begin_with_the_verdict_and_name_the_first_wrong_number(arrays):
    right = identify(arrays["sinusoidal"]).sentences[0]
    assert (
        right == "Right. Sinusoidal, d_model 32, base 10,000, interleaved, in float32; the largest difference is 3e−8."
    )
    cell = identify(arrays["sinusoidal-one-cell"])
    assert cell.sentences[0] == (
        "One number is wrong: position 7, column 5 is 0.25 and should be −0.59944. The other 1,535 are right."
    )
    assert cell.derivation().value == pytest.approx(cell.first.right, rel=1e-12)
    columns = identify(arrays["sinusoidal-exponent-2c"]).sentences
    assert columns[0] == "The exponent counts columns, 2c/d, and should count pairs, 2i/d."
    assert columns[1] == "The first wrong number is at position 1, column 1: 0.84601 in place of 0.5403."


def test_the_first_wrong_number_of_a_rotation_has_a_derivation(arrays):
    wrong = identify(arrays["rotation-sign"])
    assert wrong.derivation().value == pytest.approx(wrong.first.right, rel=1e-5)


def test_a_table_is_there_to_be_shown(arrays):
    numbers = arrays["sinusoidal-one-cell"]
    shown = identify(numbers).table
    assert np.array_equal(shown.values(np.arange(48), np.arange(32)), numbers.astype(np.float64))
    listed = identify(arrays["inv-freq"]).table
    assert np.allclose(listed.frequencies(), arrays["inv-freq"], rtol=1e-12)
    assert identify(arrays["rotation-sign"]).table is None


def test_stacked_cosines_and_sines_are_shown_with_the_columns_of_the_rotation_at_its_positions():
    meant = Rotary(16, pairing="interleaved")
    exact = meant.values(np.arange(5, 40), np.arange(16))
    cosines, sines = (np.repeat(exact[:, part::2], 2, axis=1) for part in (0, 1))
    cosines[3, 4:6] = 7.0
    found = identify((cosines, sines))
    assert (found.encoding, found.positions) == (meant, range(5, 40))
    shown = found.table.values(np.arange(5, 40), np.arange(16))
    exact[3, 4] = 7.0
    assert np.array_equal(shown, exact)
    assert not found.table.has_value(4)


def test_numbers_beyond_every_picture_are_named_and_not_shown():
    found = identify(np.random.default_rng(0).normal(size=(20, 8)) * 1e60)
    assert (found.encoding, found.table) == (None, None)
