"""RoPE on several axes against rows computed with 40 digits, and its bounds, degenerate cases and derivations."""

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import each_case

from posenc_core import Document, Encoding, Linear, Llama3, Rotary, Yarn, encode, explain, tile
from posenc_core.encodings import Grid, RopeAxes, Sampler
from posenc_core.encodings.axes.rules import default_widths, section_axes

ROWS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "data" / "rope_axes.json").read_text(encoding="utf-8")
)


def name_of(row: dict[str, Any]) -> str:
    inputs = row["inputs"]
    place = next((inputs[key] for key in inputs if key.startswith(("position", "patch"))), "")
    return f"{row['params']['example'].split(':')[0]} {row['params'].get('n', '')}{place} {inputs}"


def encoding_of(given: dict[str, Any]) -> RopeAxes:
    """The encoding of a row's parameters."""
    widths = given.get("axis_widths")
    order = {3: "t,h,w", 4: "t,h,w,l"}[len(widths)] if widths else given.get("order", "h,w")
    if given["rule"] == "ernie_3d":
        order = "t,h,w"
    if given["rule"] == "mixed":
        order = "w,h"
    return RopeAxes(
        head_dim=sum(widths) if widths else given["head_dim"],
        rope_theta=given.get("base", 10000.0),
        rule=given["rule"],
        axes=order,
        pairing=given["pairing"],
        axis_widths=widths,
        bases=given.get("bases"),
        sections=given.get("sections_h_w_t"),
        direction_rad=given.get("direction_rad", 0.5),
        grid="x".join(map(str, given.get("grid", (40, 40)))),
    )


def number_of(row: dict[str, Any]) -> Any:
    """The number that the row asks for."""
    given, inputs = row["params"], row["inputs"]
    what = inputs["what"]
    if given["rule"] == "centred":
        line = RopeAxes(coordinate="centred", grid=f"{given['n']}x1")
        return [line.cells.place(position)[0] for position in range(given["n"])]
    encoding = encoding_of(given)
    if what == "axis_widths":
        return list(default_widths(encoding.head_dim, 3))
    if "patch" in inputs:
        position = encoding.cells.grid.position(dict(zip("hw", inputs["patch"], strict=True)))
        if what == "coordinates_y_x":
            return list(encoding.cells.place(position))
        return encoding.cells.angles(np.array([position]), np.array([inputs["pair"]])).item()
    place = next(inputs[key] for key in inputs if key.startswith("position"))
    angle = encoding.angles_at(place)[inputs["pair"]]
    return {"angle_rad": angle, "cos": math.cos(angle), "sin": math.sin(angle)}[what]


@each_case("row", ROWS, name_of)
def test_a_number_of_a_library_or_a_formula(row: dict[str, Any]) -> None:
    assert number_of(row) == pytest.approx(row["value"], rel=1e-13, abs=1e-15)


def test_all_rows_are_there() -> None:
    assert len(ROWS) == 56


@pytest.mark.parametrize("rule", ["blocks", "shared", "even_odd", "sections", "interleaved_sections", "ernie_3d"])
@pytest.mark.parametrize("grid", ["7x5", "3x4x5", "4+6x5"])
def test_the_table_has_the_angles_of_its_places(rule: str, grid: str) -> None:
    """An angle is written out here as a sum over axes, independently of boxes and strides."""
    encoding = RopeAxes(24, rule=rule, axes="t,h,w", grid=grid)
    cells, positions = encoding.cells, np.arange(encoding.cells.grid.n_cells or 0)
    places = np.array([encoding.cells.place(position) for position in positions.tolist()])
    angles = places @ cells.pairs.weights
    table = encoding.values(positions, np.arange(24))
    np.testing.assert_allclose(table, np.hstack([np.cos(angles), np.sin(angles)]), atol=1e-13)
    assert cells.pairs.weights.astype(bool).sum() == 12  # each pair turns by one axis


@pytest.mark.parametrize("rule", ["blocks", "shared_in_turns", "mixed", "interleaved_sections"])
@pytest.mark.parametrize("grid", ["64x48", "700x2", "2x700", "900x1", "1x900", "11+30x40", "3x20x15"])
@pytest.mark.parametrize("order", ["ascending", "descending", "every seventh", "random", "one"])
def test_positions_in_any_order_have_the_angles_of_their_places(rule: str, grid: str, order: str) -> None:
    axes = "h,w" if rule == "mixed" else "t,h,w"
    encoding = RopeAxes(24, rule=rule, axes=axes, pairing="interleaved", grid=grid)
    every = np.arange(900)
    positions = {
        "ascending": every,
        "descending": every[::-1],
        "every seventh": every[3::7],
        "random": np.random.default_rng(1).permutation(900),
        "one": every[-1:],
    }[order]
    columns = np.array([5, 0, 23, 0, 12])
    angles = np.array([encoding.cells.place(position) for position in positions]) @ encoding.cells.pairs.weights
    expected = np.where(columns % 2, np.sin(angles[:, columns // 2]), np.cos(angles[:, columns // 2]))
    np.testing.assert_allclose(encoding.values(positions, columns), expected, atol=1e-12)
    np.testing.assert_allclose(encoding.encode(positions, columns), expected, atol=2e-7)


def test_a_text_turns_as_ordinary_rope() -> None:
    """Where each axis has the same coordinate, one list of frequencies is that of RoPE."""
    plain = Rotary(128, 1e6)
    for rule in ("sections", "interleaved_sections"):
        encoding = RopeAxes(128, 1e6, rule, "t,h,w", sections=(24, 20, 20))
        positions, columns = np.arange(-3, 50), np.arange(128)
        np.testing.assert_allclose(encoding.values(positions, columns), plain.values(positions, columns), atol=1e-13)
    one = RopeAxes(64, rule="sections", axes="t")
    np.testing.assert_allclose(one.frequencies(), Rotary(64).frequencies(), rtol=1e-14)


@pytest.mark.parametrize("interleaved", [False, True])
def test_sections_have_their_numbers_of_pairs(interleaved: bool) -> None:
    assert np.bincount(section_axes([24, 20, 20], 3, interleaved=interleaved)).tolist() == [24, 20, 20]


def test_the_code_of_a_patch_depends_on_the_picture_where_coordinates_are_normalised() -> None:
    small, large = (RopeAxes(64, 100.0, "normalised", grid=grid) for grid in ("14x14", "28x28"))
    assert small.cells.place(0) == (-13 / 14, -13 / 14)
    assert large.cells.place(0) == (-27 / 28, -27 / 28)


def test_a_picture_of_one_patch_does_not_rotate_where_coordinates_are_normalised() -> None:
    encoding = RopeAxes(16, 100.0, "normalised", grid="1x1")
    assert encoding.values(np.array([0]), np.arange(16)).tolist() == [[1.0] * 8 + [0.0] * 8]
    assert encoding.domain == (0, 0)


def test_prefix_tokens_do_not_rotate_and_text_of_a_language_model_counts_on() -> None:
    tower = RopeAxes(64, 100.0, "normalised", grid="5+14x14")
    assert [tower.cells.place(position) for position in (0, 4)] == [(0.0, 0.0)] * 2
    assert tower.cells.place(5) == (-13 / 14, -13 / 14)
    mixed = RopeAxes(64, rule="sections", axes="t,h,w", grid="5+2x3")
    assert [mixed.cells.place(position) for position in (4, 5, 6, 8)] == [
        (4.0, 4.0, 4.0), (5.0, 5.0, 5.0), (5.0, 5.0, 6.0), (5.0, 6.0, 5.0),
    ]  # fmt: skip
    flux = RopeAxes(128, 2000.0, axes="t,h,w,l", grid="5+2x3")
    assert [flux.cells.place(position) for position in (4, 9)] == [(0.0, 0.0, 0.0, 4.0), (0.0, 1.0, 1.0, 0.0)]


def test_scaled_coordinates_reach_the_base_size() -> None:
    encoding = RopeAxes(64, axes="t,h,w", coordinate="scaled", base_height=30, base_width=45, grid="2x60x30")
    assert encoding.cells.place(1 * 1800 + 59 * 30 + 29) == (1.0, 29.5, 43.5)


WRONG = [
    ({"axis_widths": (43, 21)}, "an axis needs an even number of columns, got 43"),
    ({"axis_widths": (0, 64)}, "an axis needs an even number of columns, got 0"),
    ({"axis_widths": (16, 16)}, "the columns of the axes, 16 + 16 = 32, must sum to head_dim = 64"),
    ({"axis_widths": (16, 24, 24)}, "axis_widths needs a number for each axis of h, w, got 3"),
    ({"bases": (1e4,)}, "bases needs a number for each axis of h, w, got 1"),
    ({"head_dim": 21}, "RoPE rotates pairs: rotary dimension must be even, got 21"),
    ({"head_dim": 2}, "2 axes need at least 4 columns, got head_dim = 2"),
    ({"head_dim": 6, "rule": "shared"}, "head_dim must be divisible by 4 for 2 axes with equally many pairs, got 6"),
    ({"rule": "sections", "axes": "t,h,w", "sections": (16, 8, 9)},
     "mrope_section must sum to rotary_dim/2 = 32, got 33"),
    ({"rule": "ernie_3d", "axes": "t,h,w", "sections": (12, 8, 12)},
     "in ernie_3d pairs alternate between h and w: as many of each, got 12 and 8"),
    ({"rule": "ernie_3d"}, "ernie_3d turns pairs by time, height and width, got the axes h, w"),
    ({"rule": "mixed", "axes": "t,h,w"}, "mixed turns pairs by height and width, got the axes t, h, w"),
    ({"rope_theta": 1e-30},
     "base (rope_theta) 1e-30 is too small: a pair would turn by more than 100 rad from one cell to the next"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "sentence"), WRONG, ids=[sentence for _, sentence in WRONG])
def test_wrong_parameters_get_a_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        RopeAxes(**given)


@pytest.mark.parametrize("text", ["0x14", "14x0", "0x0x0", "14", "14x14x14x14", "3163x3163", "a", "", "5+", "-1x2"])
def test_a_grid_out_of_bounds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^grid must be text, HxW patches, TxHxW frames"):
        Grid.of(text)


@pytest.mark.parametrize(("text", "stored", "cells"), [
    ("Text", "text", None), (" 14 × 14", "14x14", 196), ("4x14X14", "4x14x14", 784), ("5+1x1", "5+1x1", 6),
    ("0+2x2", "2x2", 4), ("1000x1000", "1000x1000", 10**6),
])  # fmt: skip
def test_a_grid_is_read_from_its_text(text: str, stored: str, cells: int | None) -> None:
    grid = Grid.of(text)
    assert (str(grid), grid.n_cells) == (stored, cells)
    assert Grid.of(stored) == grid


def test_an_axis_without_pairs_is_named() -> None:
    encoding = RopeAxes(64, rule="sections", axes="t,h,w", sections=(0, 16, 16))
    assert encoding.warnings == ("the axis t turns no pair: it is not encoded",)


def test_another_width_or_rule_drops_the_lists_that_it_does_not_fit() -> None:
    flux = RopeAxes(128, axes="t,h,w", axis_widths=(16, 56, 56))
    assert flux.edited("head_dim", 64).axis_widths is None
    assert flux.edited("rule", "shared") == RopeAxes(128, rule="shared", axes="h,w")
    assert flux.edited("rule", "ernie_3d").axes == "t,h,w"
    with pytest.raises(ValueError, match="got head_dim = 2"):
        flux.edited("head_dim", 2)
    with pytest.raises(ValueError, match="must sum to head_dim = 128"):
        flux.edited("axis_widths", (16, 16, 16))


def test_the_derivation_names_axis_coordinate_exponent_and_frequency() -> None:
    encoding = RopeAxes(64, 100.0, "normalised", grid="14x14")
    text = explain(encoding, 2 * 14 + 11, 33).to_text()
    for words in ("pair 1 turns by height h", "index 2 of 14, normalised", "exponent -2 · 1/32", "2π · 100^(-2·1/32)"):
        assert words in text
    assert explain(encoding, 39, 33).value == pytest.approx(math.sin(-3.0289656072964757), abs=1e-14)


def test_a_million_patches_cost_what_is_shown() -> None:
    """A mean over all of them is one in closed form: the sums over rows and columns are geometric."""
    encoding = RopeAxes(64, grid="1000x1000")
    mean = encoding.sampler.tile((0, 10**6), (0, 32), (1, 32))[0]
    turns = encoding.frequencies()
    expected = np.cos(np.multiply.outer(np.arange(1000), turns)).mean(axis=0)
    np.testing.assert_allclose(mean, expected, atol=1e-6)


@pytest.mark.parametrize("rule", ["blocks", "normalised", "mixed", "sections"])
@pytest.mark.parametrize("grid", ["9x7", "3x4x6", "11+5x6"])
def test_any_window_of_a_grid_is_the_mean_of_its_entries(rule: str, grid: str) -> None:
    """The closed form against the mean that is taken cell by cell."""
    encoding = RopeAxes(12, rule=rule, grid=grid, pairing="interleaved")
    count, blocks = int(encoding.domain[1]) + 1, Sampler(encoding)
    for first, stop in ((0, count), (3, count - 2), (8, 15)):
        for shape in ((count, 12), (5, 3), (50, 40), (1, 1)):
            found = encoding.sampler.tile((first, stop), (0, 12), shape)
            np.testing.assert_allclose(found, blocks.tile((first, stop), (0, 12), shape), atol=3e-7)
            turns = encoding.sampler.phasor_tile((first, stop), (0, 6), shape)
            np.testing.assert_allclose(turns, blocks.phasor_tile((first, stop), (0, 6), shape), atol=5e-7)


@pytest.mark.parametrize("rule", ["blocks", "mixed", "sections"])
@pytest.mark.parametrize("grid", ["9x7", "3x4x6", "11+5x6", "1x40"])
def test_the_ends_of_curves_are_those_of_their_entries(rule: str, grid: str) -> None:
    encoding = RopeAxes(12, rule=rule, grid=grid)
    count, columns = int(encoding.domain[1]) + 1, np.arange(12)
    for edges in (np.arange(0, count, 3), np.array([11, 12, 30, count - 1]), np.array([0, count - 1])):
        found, wanted = encoding.sampler.ends(columns, edges), Sampler(encoding).ends(columns, edges)
        np.testing.assert_allclose(found, wanted, atol=1e-13)


def test_a_pair_that_makes_a_whole_turn_a_cell_stands_still() -> None:
    encoding = RopeAxes(4, rule="normalised", axes="t", grid="11x1x1")
    assert encoding.frequencies()[0] == pytest.approx(2 * math.pi)
    assert encoding.sampler.tile((0, 11), (0, 1), (1, 1))[0, 0] == pytest.approx(1.0)


def test_scores_of_patches_depend_on_the_way_between_them() -> None:
    encoding: Encoding = RopeAxes(32, rule="even_odd", grid="9x9")
    assert encoding.cells is not None
    keys = np.arange(81)
    whole = encoding.cells.scores(40, keys)
    np.testing.assert_allclose(whole, 2 * encoding.pair_values(range(40, 41), range(81))[0], atol=1e-12)
    by_axis = sum(encoding.cells.scores(40, keys, axis) for axis in ("h", "w"))
    np.testing.assert_allclose(by_axis, whole, atol=1e-12)
    np.testing.assert_allclose(whole, whole[::-1], atol=1e-12)  # there and back
    assert whole.argmax() == 40


def test_a_rotated_vector_keeps_its_length() -> None:
    encoding = RopeAxes(32, rule="mixed", grid="4x4")
    x = np.random.default_rng(0).normal(size=(16, 32))
    rotated = encoding.rotate(x, range(16))
    np.testing.assert_allclose(np.linalg.norm(rotated, axis=1), np.linalg.norm(x, axis=1))
    derivation = encoding.explain_rotation(x[7], 7, 20)
    assert derivation.value == pytest.approx(rotated[7, 20], abs=1e-12)


def test_an_encoding_survives_a_session() -> None:
    encoding = RopeAxes(128, 2000.0, axes="t,h,w,l", axis_widths=(32, 32, 32, 32), grid="4+8x8")
    document = Document(grid="4+8x8").with_encoding(encoding)
    assert Document.from_json(document.to_json()) == document


@pytest.mark.parametrize("rule", ["sections", "interleaved_sections"])
@pytest.mark.parametrize("scaling", [Yarn(4.0, 4096), Linear(8.0), Llama3(8.0, 8192)], ids=lambda each: each.rope_type)
def test_scaled_sections_are_the_scaled_list_divided_among_the_axes(rule, scaling):
    """In a text the scaled RoPE of one axis, in a picture its frequencies at the coordinates of each cell."""
    encoding = RopeAxes(128, 1e6, rule, "t,h,w", sections=(16, 24, 24), grid="3+2x4", scaling=scaling)
    plain = Rotary(128, 1e6, scaling=scaling)
    text = replace(encoding, grid="text")
    rows, columns = np.arange(0, 40_000, 777), np.arange(128)
    np.testing.assert_allclose(text.values(rows, columns), plain.values(rows, columns), atol=1e-10)
    assert text.rotation.scaled_by(scaling) == plain
    cells, places = np.arange(11), np.array([encoding.cells.place(each) for each in range(11)])
    axes = np.array(["thw".index(name) for name in encoding.cells.axis_of_pairs])
    angles = places[:, axes] * plain.pairs.frequencies
    factor = scaling.amplitude
    expected = factor * np.hstack([np.cos(angles), np.sin(angles)])
    np.testing.assert_allclose(encoding.values(cells, columns), expected, atol=1e-13)
    np.testing.assert_allclose(encode(encoding, cells), expected, atol=3e-7)
    np.testing.assert_allclose(tile(encoding, (0, 11), (0, 128), (11, 128)), expected, atol=3e-7)
    scores = (expected @ expected.T)[7]
    np.testing.assert_allclose(encoding.cells.scores(7, cells), 2 * scores, atol=1e-11)
    for column in (3, 70, 127):
        derived = encoding.explain(9, column)
        assert derived.value == pytest.approx(expected[9, column], abs=1e-9)
        assert any(scaling.title in step.text or "θ'" in step.text for step in derived.steps)
    x = np.random.default_rng(2).normal(size=128)
    assert encoding.explain_rotation(x, 9, 70).value == pytest.approx(encoding.rotate(x[None], [9])[0, 70], abs=1e-9)


def test_a_scaling_is_read_by_rules_of_sections_alone():
    scaled = RopeAxes(64, rule="sections", axes="t,h,w", scaling=Linear(4.0))
    assert "scaling" in {each.name for each in scaled.fields}
    assert "factor" in {each.name for each in scaled.fields}
    blocks = scaled.edited("rule", "blocks")
    assert not {"scaling", "factor"} & {each.name for each in blocks.fields}
    assert blocks.attention_factor == 1
    np.testing.assert_array_equal(blocks.frequencies(), replace(blocks, scaling=None).frequencies())
    listed = scaled.edited("scaling", "listed")
    np.testing.assert_array_equal(listed.frequencies(), replace(scaled, scaling=None).frequencies())


def test_waves_of_pairs_that_turn_backwards_are_curves_through_the_dots() -> None:
    """With h before w, the mixture of the second half of the pairs is below 0."""
    encoding = RopeAxes(4, rope_theta=1.0, rule="mixed", direction_rad=1.0)
    assert encoding.sampler.traces(np.arange(4), (0.0, 100.0), 1000).bands == ()
    for line in encoding.sampler.traces(np.arange(4), (0.0, 100.0), 1000).lines:
        for column, x, y in zip(line.columns.tolist(), line.x, line.y, strict=True):
            exact = encoding.values(np.arange(100), np.array([column]))[:, 0]
            np.testing.assert_allclose(np.interp(np.arange(100), x, y), exact, atol=0.01)
