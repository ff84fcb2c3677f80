"""Means of wide pixels, scaled tables and far windows are as exact as single entries; unusual arguments are refused."""

from itertools import pairwise

import numpy as np
import pytest

from posenc_core import (
    BinaryCode,
    FrequencyScale,
    Rotary,
    Sinusoidal,
    TransformerXLRelative,
    Yarn,
    encode,
    table,
    tile,
)
from posenc_core.encodings import ENCODINGS

WIDE = {
    "sinusoidal": Sinusoidal(16384),
    "in halves": Sinusoidal(4096, layout="concatenated"),
    "scaled": Rotary(8192, scaling=Yarn(32.0, 4096)),
    "fast": Rotary(8192, 5e5),
}


@pytest.mark.parametrize("name", WIDE)
@pytest.mark.parametrize("columns", [1, 3, 40])
def test_means_over_thousands_of_columns_are_as_exact_as_float32(name: str, columns: int) -> None:
    encoding, positions = WIDE[name], range(1000, 1003)
    means = tile(encoding, (1000, 1003), (0, encoding.n_columns), (3, columns))
    entries = table(encoding, positions)
    edges = np.ceil(np.arange(columns + 1) * encoding.n_columns / columns).astype(int)
    exact = np.stack([entries[:, a:b].mean(axis=1) for a, b in pairwise(edges)], axis=1)
    np.testing.assert_allclose(means, exact, rtol=0, atol=2e-7)


@pytest.mark.parametrize("factor", [1.35, 2.9, 3.9])
def test_a_scaled_tile_is_as_exact_as_the_scaled_entries(factor: float) -> None:
    encoding = Rotary(64, scaling=Yarn(4.0, 4096, attention_factor=factor))
    means = tile(encoding, (9_999_000, 10_000_000), (0, 64), (1000, 64))
    exact = table(encoding, range(9_999_000, 10_000_000))
    np.testing.assert_allclose(means, exact, rtol=0, atol=max(1.5e-7, 4e-8 * factor))
    averaged = tile(encoding, (9_999_000, 10_000_000), (0, 64), (500, 16))
    np.testing.assert_allclose(averaged, exact.reshape(500, 2, 16, 4).mean(axis=(1, 3)), rtol=0, atol=1.5e-7)


def test_each_pixel_of_a_far_window_has_its_own_position() -> None:
    first, stop = 2**47 + 1, 2**47 + 1001
    code = BinaryCode(53, "lsb")
    pixels = tile(code, (first, stop), (0, 1), (1000, 1))
    np.testing.assert_array_equal(pixels, encode(code, range(first, stop), [0]))


def test_a_position_without_a_cell_is_refused_by_entries_and_rotations() -> None:
    patches = ENCODINGS["rope_axes"](8, grid="2x3")
    for refused in (lambda: encode(patches, [6]), lambda: patches.rotate(np.ones((1, 8)), [-1])):
        with pytest.raises(ValueError, match=r"position (6|-1) has no cell in the grid 2x3, whose cells are 0\.\.5"):
            refused()


@pytest.mark.parametrize("window", [("0", "3"), (False, 8), (0,), None, (0, 1j)])
def test_a_window_of_anything_but_two_numbers_is_refused(window: object) -> None:
    with pytest.raises(TypeError, match=r"positions must be two numbers \(first, stop\)"):
        tile(Sinusoidal(8), window, (0, 8), (1, 1))


@pytest.mark.parametrize(("value", "sentence"), [(10**400, "must be a finite number > 0"), (-(10**400), "must be > 0")])
def test_a_number_beyond_float64_is_refused(value: int, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        FrequencyScale(value)


def test_vectors_of_anything_but_real_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match=r"x must be an array of real numbers, got \[\[1, 2\], \[3\]\]"):
        Rotary(4).rotate([[1, 2], [3]], [1, 2])
    for wrong in ([1j, 1, 1, 1], ["1"] * 4, [True] * 4):
        with pytest.raises(ValueError, match="q must be a vector of numbers"):
            TransformerXLRelative(4).score(np.array(wrong), *[np.ones(4)] * 3, 1, 0)


@pytest.mark.parametrize(("family", "field"), [
    ("xpos", "rope_theta"), ("fope", "rope_theta"), ("sandwich", "base"), ("rope_axes", "rope_theta"),
])  # fmt: skip
def test_an_unusual_base_has_a_sentence(family: str, field: str) -> None:
    usual = ENCODINGS[family].from_parameters({})
    assert "base = 1 gives every pair the same frequency (1 rad/token)" in usual.edited(field, 1.0).warnings
    assert not any("base" in sentence for sentence in usual.warnings)
