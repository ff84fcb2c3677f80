"""Rotary tables are exact, fast and explained; rotations keep norms and make scores depend on distance alone."""

import io
import math
import re
from contextlib import redirect_stdout
from decimal import Decimal, localcontext
from typing import Any

import mpmath
import numpy as np
import pytest
from amounts import draws
from hypothesis import given
from hypothesis import strategies as st
from rope_data import errors, name, rows
from strategies import rotaries as any_rotary

from posenc_core import (
    ENCODINGS,
    FrequencyScale,
    Linear,
    NtkAware,
    Proportional,
    Rotary,
    Yarn,
    encode,
    explain,
    frequencies,
    tile,
)
from posenc_core.rope_scaling import SCALINGS

PAIRINGS = ("half_split", "interleaved")
rotaries = any_rotary()
positions = st.integers(-(10**7), 10**7)


def vectors(rotary: Rotary, count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, rotary.head_dim))


def rotated_columns(rotary: Rotary) -> tuple[list[int], list[int]]:
    """The columns of a head that are rotated, and the others."""
    columns, r = list(range(rotary.head_dim)), rotary.n_columns
    if rotary.rotary_part == "trailing":
        return columns[rotary.head_dim - r :], columns[: rotary.head_dim - r]
    return columns[:r], columns[r:]


@pytest.mark.parametrize("row", rows("rope_theta"), ids=name)
def test_frequencies(row: dict[str, Any]) -> None:
    rotary = Rotary(row["params"]["head_dim"], row["params"]["base"])
    assert frequencies(rotary)[row["dim"]] == pytest.approx(row["value"], rel=1e-14)


@pytest.mark.parametrize("row", rows("sinusoidal_interleaved"), ids=name)
def test_a_scaled_position_is_a_scaled_frequency(row: dict[str, Any]) -> None:
    """The rotary angles are the sinusoids': this row's positions are multiplied by ``pos_scale``."""
    assert row["dim"] == 0
    rotary = Rotary(row["params"]["d_model"], row["params"]["base"], scaling=FrequencyScale(row["params"]["pos_scale"]))
    sine = explain(rotary, row["pos"], rotary.pairs.n_pairs)
    assert sine.value == pytest.approx(row["value"], abs=1e-12)
    assert encode(rotary, [row["pos"]])[0, rotary.pairs.n_pairs] == pytest.approx(row["value"], abs=3e-7)


@pytest.mark.parametrize("row", rows("rope_axial"), ids=name)
def test_each_axis_of_an_axial_rotation_has_half_of_the_head(row: dict[str, Any]) -> None:
    rotary = Rotary(row["params"]["head_dim"] // 2, row["params"]["base"])
    assert frequencies(rotary)[row["dim"]] == pytest.approx(row["value"], rel=1e-14)


@pytest.mark.parametrize(
    ("row", "pairing"),
    [(row, "interleaved") for row in rows("rope_rotate_interleaved")]
    + [(row, "half_split") for row in rows("rope_rotate_half") + rows("rope_partial_half")],
    ids=lambda part: part["id"] if isinstance(part, dict) else part,
)
def test_rotated_components(row: dict[str, Any], pairing: str) -> None:
    x, column = row["params"]["x"], row["dim"]
    rotary = Rotary(len(x), row["params"]["base"], pairing, row["params"].get("rotary_dim"))
    assert rotary.rotate([x], [row["pos"]])[0, column] == pytest.approx(row["value"], abs=1e-12)
    assert rotary.rotate(np.array([x], np.float32), [row["pos"]])[0, column] == pytest.approx(row["value"], abs=3e-7)
    derivation = rotary.explain_rotation(x, row["pos"], column)
    assert derivation.value == pytest.approx(row["value"], abs=1e-12)


@pytest.mark.parametrize("row", rows("rope_logit_interleaved") + rows("rope_logit_half"), ids=name)
def test_scores(row: dict[str, Any]) -> None:
    params = row["params"]
    pairing = "interleaved" if "interleaved" in row["encoding"] else "half_split"
    rotary = Rotary(len(params["q"]), params["base"], pairing)
    query, key = rotary.rotate([params["q"], params["k"]], [params["m"], params["n"]])
    assert query @ key == pytest.approx(row["value"], abs=1e-9 if params["m"] > 1000 else 1e-12)


@pytest.mark.parametrize("start", [0, 123_456, -(10**7), 10**7 - 300])
@pytest.mark.parametrize("scaling", [None, Yarn(32, 4096)], ids=["unscaled", "yarn"])
@pytest.mark.parametrize("pairing", PAIRINGS)
def test_tables_are_right_to_2e_7_far_out(pairing: str, scaling: Yarn | None, start: int) -> None:
    rotary = Rotary(128, pairing=pairing, scaling=scaling)
    table = encode(rotary, range(start, start + 300))
    assert table.dtype == np.float32
    for column in (0, 1, 2, 63, 64, 65, 127):
        pair, part = rotary.pairs.place(column)
        for row in (0, 1, 17, 150, 299):
            angle = exact_residue(rotary, pair, start + row)
            exact = rotary.attention_factor * (math.sin if part else math.cos)(angle)
            assert abs(table[row, column] - exact) < 2e-7


TURN = 2 * Decimal("3.14159265358979323846264338327950288419716939937510")


def exact_residue(rotary: Rotary, pair: int, position: int) -> float:
    """The angle less whole turns, from 50 digits."""
    with localcontext() as context:
        context.prec = 50
        theta = Decimal(rotary.rope_theta) ** (Decimal(-2 * pair) / rotary.n_columns)
        if isinstance(rotary.scaling, Yarn):
            low, high = rotary.scaling.correction_range(rotary.n_columns, rotary.rope_theta)
            ramp = min(max(Decimal(pair - low) / Decimal(high - low), Decimal(0)), Decimal(1))
            theta = theta / Decimal(rotary.scaling.factor) * ramp + theta * (1 - ramp)
        return float((theta * position).remainder_near(TURN))


@given(rotaries, st.lists(positions, min_size=1, max_size=40))
def test_encode_gives_the_values_of_any_positions_and_columns(rotary: Rotary, where: list[int]) -> None:
    columns = np.random.default_rng(len(where)).permutation(rotary.n_columns)[:7]
    table = encode(rotary, where, columns)
    np.testing.assert_allclose(table, rotary.values(np.array(where), columns), rtol=0, atol=2e-7)


@given(rotaries, positions, st.integers(0, 10**6))
def test_the_derivation_arrives_at_the_table(rotary: Rotary, position: int, choice: int) -> None:
    column = choice % rotary.n_columns
    derivation = explain(rotary, position, column)
    assert derivation.value == pytest.approx(float(encode(rotary, [position], [column])[0, 0]), abs=2e-7)
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(derivation.to_python(), {})
    assert float(printed.getvalue()) == pytest.approx(derivation.value, abs=1e-8)
    assert derivation.to_latex().count("{") == derivation.to_latex().count("}")
    assert derivation.symbol in derivation.to_text()


def test_yarns_derivation_names_every_step() -> None:
    text = explain(Rotary(128, scaling=Yarn(16, 4096)), 100, 30).to_text()
    for part in (
        "column 30 is among the first 64: the cosine of pair i = 30",
        "frequency θ = b^(-2i/r) = 10000^(-2·30/128) ≈ 0.01333521432",
        "turns in the original 4096 positions",
        "≈ 8.6932",
        "low, the pair of 32 turns, rounded down to 20, at least 0: r·ln(",
        "high, the pair of 1 turn, rounded up to 46, at most 127: r·ln(",
        "ramp from pair 20 to pair 46",
        "θ' = (1 - γ)·θ/s + γ·θ",
        "angle 100 · 0.00852684377",
        "attention factor a = 0.1 ln 16 + 1 ≈ 1.277258872",
    ):
        assert part in text


def test_huge_positions_lose_their_whole_turns_in_the_derivation() -> None:
    derivation = explain(Rotary(64), 2**53, 1)
    assert "less whole turns" in derivation.to_text()
    assert derivation.value == pytest.approx(math.cos(exact_residue(Rotary(64), 1, 2**53)), abs=1e-12)


@given(rotaries, positions, st.integers(0, 10**4))
def test_rotation_keeps_norms_and_explains_itself(rotary: Rotary, position: int, choice: int) -> None:
    vector = vectors(rotary, 1, choice)
    turned = rotary.rotate(vector, [position])
    columns, others = rotated_columns(rotary)
    norm = np.linalg.norm(vector[:, columns])
    assert np.linalg.norm(turned[:, columns]) == pytest.approx(rotary.attention_factor * norm, rel=1e-12)
    np.testing.assert_array_equal(turned[:, others], vector[:, others])
    column = choice % rotary.head_dim
    derivation = rotary.explain_rotation(vector[0], position, column)
    assert derivation.value == pytest.approx(turned[0, column], abs=1e-7)
    assert derivation.to_latex().count("{") == derivation.to_latex().count("}")


@given(rotaries, positions, st.integers(0, 10**6))
def test_a_rotated_component_is_told_one_product_after_the_other(rotary: Rotary, position: int, choice: int) -> None:
    """The last step adds the results of the two steps before, without two adjacent signs."""
    table_column = choice % rotary.n_columns
    column = rotated_columns(rotary)[0][table_column]
    derivation = rotary.explain_rotation(vectors(rotary, 1)[0], position, column)
    one, other, last = derivation.steps[-3:]
    assert one.value + (-other.value if rotary.pairs.place(table_column)[1] == 0 else other.value) == last.value
    for text in (derivation.to_text(), derivation.to_latex()):
        assert not re.search(r"(?<!e)[-+·] *-|\\cdot *-", text)
    assert last.text.startswith(f"y({position}, {column}) = ")


@given(rotaries, st.integers(-(10**4), 10**4), st.integers(-(10**4), 10**4), st.integers(-(10**5), 10**5))
def test_scores_depend_on_distance_alone(rotary: Rotary, m: int, n: int, shift: int) -> None:
    queries = vectors(rotary, 2)
    near, far = (rotary.rotate(queries, [m + by, n + by]) for by in (0, shift))
    assert near[0] @ near[1] == pytest.approx(far[0] @ far[1], abs=1e-7)


@given(rotaries, st.lists(positions, min_size=1, max_size=5))
def test_the_pairings_are_the_same_but_for_the_order(rotary: Rotary, where: list[int]) -> None:
    """The pairings agree for every scaling and for a partial rotation."""
    halves, turns = (rotary.edited("pairing", pairing) for pairing in PAIRINGS)
    width = rotary.n_columns
    columns = np.r_[0:width:2, 1:width:2]
    order = np.arange(rotary.head_dim)
    order[rotated_columns(rotary)[0]] = np.array(rotated_columns(rotary)[0])[columns]
    x = vectors(halves, len(where))
    np.testing.assert_array_equal(halves.rotate(x[:, order], where), turns.rotate(x, where)[:, order])
    np.testing.assert_allclose(encode(halves, where), encode(turns, where)[:, columns], rtol=0, atol=3e-6)


@given(st.integers(1, 32), st.integers(1, 64), st.integers(-1000, 1000))
def test_linear_scaling_is_positions_divided(pairs: int, factor: int, position: int) -> None:
    scaled = encode(Rotary(2 * pairs, scaling=Linear(factor)), [factor * position])
    np.testing.assert_allclose(scaled, encode(Rotary(2 * pairs), [position]), rtol=0, atol=2e-7)


@draws(4, 40)
@given(rotaries, st.integers(-1000, 1000), st.integers(1, 60), st.integers(1, 5), st.integers(1, 4))
def test_tiles_are_the_means_of_blocks(rotary: Rotary, first: int, blocks: int, tall: int, wide: int) -> None:
    wide = min(wide, rotary.n_columns)
    shown = rotary.n_columns // wide * wide
    means = tile(rotary, (first, first + blocks * tall), (0, shown), (blocks, shown // wide))
    table = rotary.values(np.arange(first, first + blocks * tall), np.arange(shown))
    brute = table.reshape(blocks, tall, shown // wide, wide).mean(axis=(1, 3))
    np.testing.assert_allclose(means, brute, rtol=0, atol=1e-6)


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_traces_are_the_columns_as_curves(pairing: str) -> None:
    rotary = Rotary(16, pairing=pairing, scaling=Yarn(4, 64))
    traces = rotary.sampler.traces(np.arange(16), (0.0, 30.0), 600)
    shown = {int(column): (line.x[k], line.y[k]) for line in traces.lines for k, column in enumerate(line.columns)}
    assert sorted(shown) == list(range(16))
    for column, (x, y) in shown.items():
        pair, part = rotary.pairs.place(column)
        curve = (np.sin if part else np.cos)(rotary.frequencies()[pair] * x) * rotary.attention_factor
        np.testing.assert_allclose(y, curve, atol=1e-9)


def test_pairs_that_stand_still_are_ones_and_zeros_everywhere() -> None:
    rotary = Rotary(16, scaling=Proportional(0.25))
    table = encode(rotary, range(-50, 50))
    np.testing.assert_array_equal(table[:, 2:8], 1)
    np.testing.assert_array_equal(table[:, 10:], 0)
    assert rotary.column_info(2).wavelength == math.inf
    assert tile(rotary, (0, 100), (0, 16), (3, 16))[1, 5] == 1
    assert rotary.sampler.traces(np.arange(16), (0.0, 30.0), 600)
    assert "its frequency is 0" in explain(rotary, 9, 5).to_text()


def test_columns_and_their_facts() -> None:
    halves, turns = Rotary(128, 5e5), Rotary(128, 5e5, "interleaved")
    assert (halves.column_info(3).pair, halves.column_info(3).part) == (3, "cos")
    assert (halves.column_info(67).pair, halves.column_info(67).part) == (3, "sin")
    assert (turns.column_info(7).pair, turns.column_info(7).part) == (3, "sin")
    assert turns.column_info(126).wavelength == pytest.approx(2559195.5173713593, rel=1e-14)
    assert halves.column_blocks() == ((0, 64), (64, 128))
    assert turns.column_blocks() == ((0, 128),)
    assert Rotary(128, scaling=Yarn(16, 4096)).range_over(0, 1) == pytest.approx((-1.2772588722, 1.2772588722))


def test_rotation_keeps_the_kind_of_number_and_the_shape() -> None:
    rotary = Rotary(8, rotary_dim=4)
    for kind, result in ((np.float16,) * 2, (np.float32,) * 2, (np.float64,) * 2, (np.int32, np.float64)):
        x = np.ones((2, 3, 5, 8), kind)
        turned = rotary.rotate(x, range(5))
        assert turned.dtype == result
        assert turned.shape == x.shape
        assert (x == 1).all()
    assert rotary.rotate(np.empty((0, 8)), []).shape == (0, 8)


def test_a_base_below_one_is_still_exact_and_warned_of() -> None:
    rotary = Rotary(16, 1e-5)
    assert rotary.warnings == ("base = 1e-05 is below 1: the frequency grows with the pair",)
    table = encode(rotary, [10**6 + 1], [7])
    assert explain(rotary, 10**6 + 1, 7).value == pytest.approx(float(table[0, 0]), abs=2e-7)


REFUSED = [
    (lambda: Rotary(127), errors("rope")[0]["message"]),
    (lambda: Rotary(128, 0), "base (rope_theta) must be a finite number > 0, got 0"),
    (lambda: Rotary(128, -10000), "base (rope_theta) must be a finite number > 0, got -10000"),
    (lambda: Rotary(0), "head_dim must be an integer >= 1, got 0"),
    (lambda: Rotary(128, rotary_dim=31), "RoPE rotates pairs: rotary dimension must be even, got 31"),
    (lambda: Rotary(128, rotary_dim=256), "rotary_dim must be at most head_dim = 128, got 256"),
    (lambda: Rotary(128, pairing="halves"), "pairing must be half_split or interleaved, got 'halves'"),
    (lambda: Rotary(2, scaling=NtkAware(2)), errors("rope_ntk/dynamic")[0]["message"]),
    (
        lambda: Rotary(64, 1e-320, scaling=Linear(2)),
        "base (rope_theta) 9.99989e-321 is too small: the scaled frequencies are infinite",
    ),
    (
        lambda: Rotary(8).rotate(np.ones((3, 8)), [1, 2]),
        "x must have the shape (..., 2, 8) for 2 positions and head_dim = 8, got (3, 8)",
    ),
    (lambda: Rotary(8).explain_rotation([1, 2], 0, 0), "x must have the shape (8,), got (2,)"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "sentence"), REFUSED, ids=lambda part: part[:40] if isinstance(part, str) else "")
def test_nonsense_is_refused_in_a_sentence(make: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"\S") as caught:
        make()
    assert str(caught.value) == sentence


def test_other_kinds_of_values_are_refused() -> None:
    with pytest.raises(TypeError, match=r"scaling must be None or one of FrequencyScale, .*, got 'yarn' \(str\)"):
        Rotary(128, scaling="yarn")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="x must be an array of real numbers, got complex128"):
        Rotary(2).rotate(np.ones((1, 2), complex), [0])
    with pytest.raises(TypeError, match="positions must be integers, got float64"):
        Rotary(2).rotate(np.ones((1, 2)), [0.5])
    with pytest.raises(IndexError, match=r"column 8 is outside 0\.\.7"):
        Rotary(8).explain_rotation(np.ones(8), 0, 8)


def test_notes_are_gone_once_something_is_changed() -> None:
    """They tell of the encoding that was made, from a model's file for one."""
    noted = Rotary(128, notes=("from somewhere",))
    assert noted.edited("rope_theta", 10000.0).warnings == ("from somewhere",)
    assert noted.edited("rope_theta", 500000.0).warnings == ()
    assert "from somewhere" not in noted.edited("scaling", "longrope").warnings


@pytest.mark.parametrize("before", SCALINGS)
@pytest.mark.parametrize("after", ["none", *SCALINGS])
def test_any_scaling_can_be_chosen_after_any_other(before: str, after: str) -> None:
    """Values that the new scaling refuses, such as LongRoPE's missing factor, are dropped."""
    rotary = Rotary(8).edited("scaling", before)
    assert rotary.edited("scaling", before) == rotary
    assert rotary.edited("scaling", after).parameters()["scaling"] == after


def test_a_scaling_takes_over_what_it_has_in_common_with_the_one_before() -> None:
    rotary = Rotary(8, scaling=Yarn(8.0, 2048, beta_fast=0.5, beta_slow=0.25))
    assert rotary.edited("scaling", "linear").parameters()["factor"] == 8
    assert rotary.edited("scaling", "ntk_by_parts").parameters()["original_max_position_embeddings"] == 2048
    assert rotary.edited("scaling", "yarn") == rotary


def test_a_base_of_one_is_warned_of() -> None:
    (row,) = [each for each in errors("any") if each["input"] == {"base": 1}]
    assert Rotary(128, 1).warnings == (row["message"],)
    assert Rotary(128).warnings == ()


@pytest.mark.parametrize("scale", [4.0, 1e3, 1e17, 1e300])
def test_frequencies_of_many_turns_a_token_lose_no_digits(scale: float) -> None:
    """Whole turns make no difference at whole positions, and float64 cannot hold their angles."""
    rotary = Rotary(2, scaling=FrequencyScale(scale))
    where = [0, 1, -3, 12345, 10**7]
    with mpmath.workdps(400):
        exact = [[float(turn(mpmath.mpf(scale) * p)) for turn in (mpmath.cos, mpmath.sin)] for p in where]
    np.testing.assert_allclose(encode(rotary, where), exact, rtol=0, atol=2e-7)
    np.testing.assert_allclose(tile(rotary, (0, 2), (0, 2), (2, 2)), exact[:2], rtol=0, atol=2e-7)
    for position, row in zip(where, exact, strict=True):
        assert [explain(rotary, position, column).value for column in (0, 1)] == pytest.approx(row, abs=1e-12)


def test_scaled_numbers_beyond_all_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match=r"too small: the scaled frequencies are infinite$"):
        Rotary(8, 1e-300, scaling=FrequencyScale(1e300))
    with pytest.raises(ValueError, match=r"^NTK scaling by 1e\+200 of base \(rope_theta\) 1e\+200 gives a base larger"):
        Rotary(8, 1e200, scaling=NtkAware(1e200))


def test_an_encoding_is_a_frozen_value_among_the_families() -> None:
    assert Rotary(128) == Rotary(128, 10000, notes=("from somewhere",))
    assert Rotary(128, scaling=Linear(2)) != Rotary(128)
    assert ENCODINGS[Rotary.family] is Rotary
    assert list(Rotary(64).parameters()) == [
        "head_dim", "rope_theta", "pairing", "direction", "rotary_dim", "rotary_part", "scaling",
    ]  # fmt: skip
    assert list(Rotary(64, scaling=Linear(2)).parameters())[-2:] == ["scaling", "factor"]
    assert Rotary(64).softmax_scale_factor == Rotary(64).attention_factor == 1
    assert not Rotary(64).frequencies().flags.writeable


def turned(amplitude: float) -> Rotary:
    return Rotary(64, 100.0, scaling=Yarn(2.0, 64, attention_factor=amplitude))


@pytest.mark.parametrize("exponent", [-1000, -130, -101, 101, 127, 128, 1000, 1023])
def test_a_table_of_any_amplitude_has_exact_means(exponent: int) -> None:
    """The means equal those of amplitude 1 times a power of two, in float64 where float32 overflows."""
    place = ((0, 5000), (0, 64), (37, 16))
    ordinary = tile(turned(1.0), *place)
    np.testing.assert_array_equal(tile(turned(2.0**exponent), *place), ordinary.astype(np.float64) * 2.0**exponent)


@pytest.mark.parametrize("amplitude", [3.5e38, 1e39, 1.7e308])
def test_entries_beyond_float32_are_refused_and_not_infinite(amplitude: float) -> None:
    with pytest.raises(ValueError, match=r"^float32 ends at 3\.4e\+38, below the table's amplitude [0-9.e+]+$"):
        encode(turned(amplitude), [0, 1])
    with pytest.raises(ValueError, match=r"^float32 ends at"):
        turned(amplitude).rotate(np.ones((1, 64), np.float32), [1])
    assert turned(amplitude).values(np.array([0]), np.array([0]))[0, 0] == amplitude
    assert np.isfinite(encode(turned(3.4e38), range(100))).all()


def test_a_rotation_beyond_float64_is_explained_without_an_error() -> None:
    encoding = turned(1e300)
    rotated = encoding.combination.combined(np.full((1, 64), 1e100), np.array([1]))
    assert np.isinf(rotated).any()
    derivation = encoding.explain_rotation(np.full(64, 1e100), 1, 40)
    assert derivation.value == math.inf
    assert derivation.to_text().endswith("≈ ∞")
    assert r"\infty" in derivation.to_latex()
    assert "undefined" in encoding.explain_rotation(np.full(64, 1e100), 1, 0).to_text()
