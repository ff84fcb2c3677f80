"""Wave values derived from frequencies, compared with 40-digit arithmetic and with rows of the table."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st
from rope_data import PRECISION, name, rows
from strategies import encodings, rotaries, sinusoids

from posenc_core import (
    Alibi,
    BinaryCode,
    IntegerIndex,
    Linear,
    NormalizedIndex,
    Proportional,
    Rotary,
    ShawRelative,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
    Yarn,
)
from posenc_core import analysis as an
from posenc_core.encodings import Encoding
from posenc_core.long_context import model_frequencies, precision_error, to_bfloat16
from posenc_core.long_context.precision import rounded_stages

EXACT = 1e-12

tables = st.one_of(
    sinusoids(d_model=st.integers(2, 12).map(lambda pairs: 2 * pairs), base=st.floats(1.0, 1e7)),
    rotaries(),
    encodings((TransformerXLRelative,), small=True, clamp_len=st.none()),
)
"""Every family whose columns are whole pairs of sine and cosine, with every scaling."""

shifts = st.integers(-2000, 2000)


def sinusoidal(row: dict[str, Any]) -> Sinusoidal:
    return Sinusoidal(row["params"]["d_model"], row["params"]["base"])


@pytest.mark.parametrize("row", rows("wavelength"), ids=name)
def test_wavelengths(row: dict[str, Any]) -> None:
    for encoding in (Sinusoidal(row["params"]["d"], row["params"]["base"]), Rotary(*row["params"].values())):
        assert an.wavelengths(encoding)[row["dim"]] == pytest.approx(row["value"], rel=EXACT)
    assert an.wavelengths(Rotary(4, scaling=Proportional(0.5)))[1] == math.inf


@pytest.mark.parametrize("row", rows("rotations"), ids=name)
def test_turns(row: dict[str, Any]) -> None:
    params = row["params"]
    assert an.turns(Rotary(params["d"], params["base"]), params["L"])[row["dim"]] == pytest.approx(
        row["value"], rel=EXACT
    )


def test_how_many_pairs_of_llama_turn_once() -> None:
    assert (an.turns(Rotary(128), 4096) >= 1).sum() == 46
    assert (an.turns(Rotary(128, 5e5), 8192) >= 1).sum() == 35


@pytest.mark.parametrize("row", rows("pe_dot"), ids=name)
def test_dot_products(row: dict[str, Any]) -> None:
    assert an.dot_products(sinusoidal(row), [row["pos"]])[0] == pytest.approx(row["value"], abs=1e-10)


@pytest.mark.parametrize("row", rows("pe_cosine"), ids=name)
def test_cosine_similarity(row: dict[str, Any]) -> None:
    assert an.cosine_similarity(sinusoidal(row), [row["pos"]])[0] == pytest.approx(row["value"], abs=EXACT)


@pytest.mark.parametrize("row", rows("pe_dist2"), ids=name)
def test_squared_distances_keep_their_digits_near_zero(row: dict[str, Any]) -> None:
    assert an.squared_distances(sinusoidal(row), [row["pos"]])[0] == pytest.approx(row["value"], rel=1e-9)


@pytest.mark.parametrize("row", rows("M_k"), ids=name)
def test_blocks_of_the_shift_matrix(row: dict[str, Any]) -> None:
    matrix = an.shift_matrix(sinusoidal(row), row["params"]["k"])
    first = 2 * row["params"]["pair"]
    down, across = row["dim"]
    assert matrix[first + down, first + across] == pytest.approx(row["value"], abs=EXACT)


@pytest.mark.parametrize("row", rows("rope_decay_bound"), ids=name)
def test_the_bound_that_roformer_draws(row: dict[str, Any]) -> None:
    pairs = Rotary(row["params"]["head_dim"], row["params"]["base"]).pairs
    at_zero, found = pairs.decay_bound(np.array([0, row["pos"]]))
    assert found == pytest.approx(row["value"], rel=1e-11)
    assert at_zero == 32.5


@pytest.mark.parametrize("row", rows("rope_B"), ids=name)
def test_the_score_of_ones(row: dict[str, Any]) -> None:
    rotary = Rotary(row["params"]["head_dim"], row["params"]["base"])
    assert an.score_of_ones(rotary, [row["pos"]])[0] == pytest.approx(row["value"], abs=1e-10)


@pytest.mark.parametrize(("base", "distance"), [(1e4, 1707), (5e5, 18438), (1e6, 27115)])
def test_where_the_score_of_ones_first_falls_below_zero(base: float, distance: int) -> None:
    rotary = Rotary(128, base)
    assert an.first_negative_distance(rotary, 30_000) == distance
    assert an.first_negative_distance(rotary, distance) is None


@given(tables, st.lists(shifts, min_size=1, max_size=10))
def test_similarities_are_those_of_the_rows(encoding: Encoding, distances: list[int]) -> None:
    columns = np.arange(encoding.n_columns)
    row, others = encoding.values(np.array([77]), columns), encoding.values(77 + np.array(distances), columns)
    np.testing.assert_allclose(an.dot_products(encoding, distances), (others @ row.T)[:, 0], atol=1e-9)
    apart = np.square(others - row).sum(axis=1)
    np.testing.assert_allclose(an.squared_distances(encoding, distances), apart, atol=1e-9)
    cosine = an.cosine_similarity(encoding, [0, *distances])
    assert cosine[0] == pytest.approx(1)
    assert np.abs(cosine).max() <= 1 + 1e-12


@given(tables, shifts, shifts)
def test_shifts_add_up(encoding: Encoding, k: int, m: int) -> None:
    shift = an.shift_matrix
    np.testing.assert_allclose(shift(encoding, k) @ shift(encoding, m), shift(encoding, k + m), atol=1e-10)
    np.testing.assert_array_equal(shift(encoding, k).T, shift(encoding, -k))
    np.testing.assert_array_equal(shift(encoding, 0), np.eye(encoding.n_columns))
    farthest = abs(getattr(encoding, "offset", 0)) + 50 + abs(k)  # float64 rounds an angle by 1e-16 of it
    assert an.shift_residual(encoding, k) < 1e-12 + 4e-16 * farthest


def test_a_lone_sine_has_no_shift_matrix() -> None:
    for layout in ("interleaved", "concatenated"):
        odd = Sinusoidal(3, layout=layout)
        assert an.shift_residual(odd, 1) > 1e-3
        for function in (an.shift_matrix, an.dot_products, an.squared_distances):
            with pytest.raises(ValueError, match="a sine without its cosine: this table has no shift matrix"):
                function(odd, 1 if function is an.shift_matrix else [1])
    after_one = Sinusoidal(3).values(np.arange(1, 51), np.arange(3))
    before = Sinusoidal(3).values(np.arange(50), np.arange(3))
    mapped, squares, _, _ = np.linalg.lstsq(before, after_one, rcond=None)
    missed = np.abs(before @ mapped - after_one).max()
    assert missed == pytest.approx(2.0794e-3, rel=1e-4)
    assert an.shift_residual(Sinusoidal(3), 1) == pytest.approx(missed, rel=1e-10)
    assert squares[2] == pytest.approx(5.936e-5, rel=1e-3), "a sum of squares, which is another measure of the same"
    assert np.linalg.lstsq(before[:49], after_one[:49], rcond=None)[1][2] == pytest.approx(5.8e-5, rel=1e-2)
    padded = Sinusoidal(5, spacing="tensor2tensor")
    assert an.shift_residual(padded, 3) < 1e-14


@pytest.mark.parametrize(
    ("encoding", "sentence"),
    [
        (IntegerIndex(4), "column 0 (index) is not a sine or cosine: this table has no shift matrix"),
        (NormalizedIndex(60, 4), "column 0 (share) is not a sine or cosine: this table has no shift matrix"),
        (BinaryCode(6), "column 0 (bit 5) is not a sine or cosine: this table has no shift matrix"),
        (ShawRelative(4, 16), "column 0 (learned) is not a sine or cosine: this table has no shift matrix"),
        (T5Bias(), "column 0 (head 0) is not a sine or cosine: this table has no shift matrix"),
        (Alibi(8), "column 0 (head 0) is not a sine or cosine: this table has no shift matrix"),
        (
            TransformerXLRelative(8, clamp_len=40),
            "distances beyond clamp_len = 40 share a row: this table has no shift matrix",
        ),
    ],
    ids=lambda part: "" if isinstance(part, str) else part.family,
)
def test_families_without_pairs_have_no_shift_matrix(encoding: Encoding, sentence: str) -> None:
    for function in (an.shift_matrix, an.dot_products, an.squared_distances):
        with pytest.raises(ValueError, match=r"shift matrix$") as caught:
            function(encoding, 1 if function is an.shift_matrix else [1])
        assert str(caught.value) == sentence
    assert math.isfinite(an.shift_residual(encoding, 1))


def test_rows_are_well_apart() -> None:
    distance, apart = an.closest_rows(Sinusoidal(512), 4096)
    assert (distance**2, apart) == (pytest.approx(13.7958, abs=1e-4), 1)
    distance, apart = an.closest_rows(Sinusoidal(2), 1000)
    assert (distance**2, apart) == (pytest.approx(3.634728e-9, rel=1e-6), 710)


METHODS = {
    "HF float32": "float32",
    "HF float32 -> cast bf16": "float32_to_bfloat16",
    "HF float32 -> cast fp16": "float32_to_float16",
    "all bfloat16 (position, inv_freq, product)": "bfloat16",
}


@each_case("row", PRECISION, lambda row: f"{row['method']}-{row['d']}-{row['base']:g}-{row['pos']}")
def test_errors_of_models_arithmetic_are_those_measured(row: dict[str, Any]) -> None:
    rotary, position, method = Rotary(row["d"], row["base"]), row["pos"], METHODS[row["method"]]
    assert precision_error(rotary, [position], method).max() == pytest.approx(row["max_abs"], rel=2e-3)
    if row["method"] == "HF float32":  # of the others the rows give the angle that rounded entries stand for
        angles = rounded_stages(rotary.rotation, np.array([position]), method).angles[0]
        assert np.abs(angles - rotary.frequencies() * position).max() == pytest.approx(row["max_angle"], rel=2e-3)


def test_float32_frequencies_are_near_the_exact_ones_after_scaling_as_well() -> None:
    for scaling in (None, Linear(3), Yarn(16, 4096)):
        rotary = Rotary(128, 5e5, scaling=scaling)
        np.testing.assert_allclose(model_frequencies(rotary), rotary.frequencies(), rtol=4e-7)


def test_bfloat16_keeps_eight_bits_and_rounds_ties_to_even() -> None:
    given_values = np.array([1, 257, 259, 256, 0, -1.00390625, 1.01171875], np.float32)
    assert to_bfloat16(given_values).tolist() == [1, 256, 260, 256, 0, -1, 1.015625]
    assert float(to_bfloat16(np.float32(257))) == 256


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: an.turns(Rotary(4), 0), "length must be an integer >= 1, got 0"),
    (lambda: an.closest_rows(Rotary(4), 1), "n_positions must be an integer >= 2, got 1"),
    (
        lambda: precision_error(Rotary(4), [1], "int8"),
        "arithmetic must be one of float32, float32_to_bfloat16, float32_to_float16, bfloat16, bfloat16_inv_freq, "
        "llama_cpp, got 'int8'",
    ),
]


@pytest.mark.parametrize(("make", "sentence"), REFUSED, ids=lambda part: part[:40] if isinstance(part, str) else "")
def test_nonsense_is_refused_in_a_sentence(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=r"\S") as caught:
        make()
    assert str(caught.value) == sentence


def test_other_kinds_of_values_are_refused() -> None:
    with pytest.raises(TypeError, match="k must be an integer"):
        an.shift_matrix(Rotary(4), 0.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="positions must be integers"):
        an.dot_products(Rotary(4), [0.5])


@pytest.mark.parametrize("amplitude", [5e-324, 1e-200, 1e150, 1e155, 1.7e308])
def test_an_attention_factor_of_any_size_gives_numbers_without_a_warning(amplitude):
    rotary = Rotary(8, scaling=Yarn(2.0, 64, attention_factor=amplitude))
    ordinary, distances = Rotary(8, scaling=Yarn(2.0, 64, attention_factor=1.0)), range(6)
    np.testing.assert_array_equal(an.cosine_similarity(rotary, distances), an.cosine_similarity(ordinary, distances))
    products = an.dot_products(rotary, distances)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(products, an.dot_products(ordinary, distances) * (amplitude * amplitude))
    assert np.isfinite(products).all() == (amplitude < 1e154)
