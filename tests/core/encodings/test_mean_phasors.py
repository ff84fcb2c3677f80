"""Mean phasors of a pixel, compared with the mean of the unit vectors of its angles."""

import math
import tracemalloc
from typing import Any

import numpy as np
import pytest
from amounts import draws
from brute_force import Window, cells, windows
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import POSITIONS, encodings

from posenc_core import ENCODINGS, Alibi, Encoding, Rotary, Sinusoidal, TransformerXLRelative, Yarn
from posenc_core.encodings import Fope, Pope, RopeAxes, Sampler, XPos, n_whole_pairs, pair_angles

KINDS = (Sinusoidal, TransformerXLRelative, Rotary, RopeAxes, Fope, Pope)


def mean_of_vectors(encoding: Encoding, rows: list[list[int]], pairs: list[list[int]]) -> np.ndarray[Any, Any]:
    """The definition, angle by angle."""
    positions = sorted({position for row in rows for position in row})
    vectors = np.exp(1j * pair_angles(encoding, np.array(positions), np.arange(n_whole_pairs(encoding))))
    index = {position: k for k, position in enumerate(positions)}
    down = np.array([vectors[[index[position] for position in row]].mean(axis=0) for row in rows])
    return np.array([down[:, some].mean(axis=1) for some in pairs]).T


def test_all_families_with_pairs_are_tested() -> None:
    assert {kind for kind in ENCODINGS.values() if n_whole_pairs(kind.from_parameters({}))} == {*KINDS, XPos}


@draws(10, 150)
@given(
    encoding=encodings(KINDS, small=True, grid=st.just("text")),
    start=POSITIONS | st.integers(-200, 200),
    rows=windows(-40, 700),
    shape=st.tuples(st.integers(1, 60), st.integers(1, 40)),
    data=st.data(),
)
def test_any_window_has_the_means_of_its_unit_vectors(
    encoding: Encoding, start: int, rows: Window, shape: tuple[int, int], data: st.DataObject
) -> None:
    """With any base, offset, clamp and scaling, zoomed in and out, in closed form and in blocks."""
    assume(n_whole_pairs(encoding))
    positions = (start + rows[0], start + rows[1])
    pairs = data.draw(windows(0, n_whole_pairs(encoding)))
    turns = encoding.sampler.phasor_tile(positions, pairs, shape)
    assert turns.dtype == np.complex64
    assert turns.shape == shape
    expected = mean_of_vectors(encoding, cells(positions, shape[0]), cells(pairs, shape[1]))
    np.testing.assert_allclose(turns, expected, rtol=0, atol=5e-7)
    assert np.abs(turns).max() <= 1 + 5e-7
    blocks = Sampler(encoding).phasor_tile(positions, pairs, shape)
    np.testing.assert_allclose(blocks, expected, rtol=0, atol=3e-7)


@pytest.mark.parametrize(
    ("encoding", "sign", "offset"),
    [
        (Sinusoidal(8, offset=-3), 1, -3),
        (Sinusoidal(7, layout="concatenated"), 1, 0),
        (Sinusoidal(9, spacing="tensor2tensor"), 1, 0),
        (Sinusoidal(8, base=0.01), 1, 0),
        (Rotary(8, pairing="interleaved"), 1, 0),
        (Rotary(12, rotary_dim=8, scaling=Yarn(4.0, 64, attention_factor=1.7)), 1, 0),
        (TransformerXLRelative(8), -1, 0),
    ],
)
def test_means_by_the_formula(encoding: Encoding, sign: int, offset: int) -> None:
    """Independent of the table: positions times frequencies, with offsets and signs and no attention factor."""
    frequencies = encoding.frequencies()[: n_whole_pairs(encoding)]
    turns = encoding.sampler.phasor_tile((-50, 50), (0, len(frequencies)), (10, len(frequencies)))
    vectors = np.exp(1j * np.multiply.outer(sign * (np.arange(-50, 50) + offset), frequencies))
    np.testing.assert_allclose(turns, vectors.reshape(10, 10, -1).mean(axis=1), rtol=0, atol=3e-7)


def test_distances_beyond_the_clamp_have_one_angle() -> None:
    encoding = TransformerXLRelative(6, clamp_len=20)
    turns = encoding.sampler.phasor_tile((-90, 10), (0, 3), (10, 3))
    distances = np.minimum(np.arange(90, -10, -1), 20)
    vectors = np.exp(1j * np.multiply.outer(distances, encoding.frequencies()))
    np.testing.assert_allclose(turns, vectors.reshape(10, 10, 3).mean(axis=1), rtol=0, atol=3e-7)
    np.testing.assert_allclose(np.abs(turns[:7]), 1, rtol=0, atol=3e-7)


@given(encoding=encodings(KINDS, small=True, grid=st.just("text")), first=POSITIONS, count=st.integers(1, 60))
def test_single_cells_have_the_length_1_and_their_own_angles(encoding: Encoding, first: int, count: int) -> None:
    n_pairs = n_whole_pairs(encoding)
    assume(n_pairs)
    turns = encoding.sampler.phasor_tile((first, first + count), (0, n_pairs), (count, n_pairs))
    angles = pair_angles(encoding, np.arange(first, first + count), np.arange(n_pairs))
    np.testing.assert_allclose(turns, np.exp(1j * angles), rtol=0, atol=3e-7)


def test_the_length_is_that_of_the_dirichlet_kernel() -> None:
    """Nine positions of wavelength 2π a pixel go round nearly one and a half times."""
    turns = Sinusoidal(2).sampler.phasor_tile((0, 9 * 640), (0, 1), (640, 1))
    assert np.abs(turns) == pytest.approx(abs(math.sin(4.5) / (9 * math.sin(0.5))), abs=3e-7)


def test_the_largest_table_in_one_picture() -> None:
    """Ten million positions of 32,768 pairs: a pixel's mean is right, and memory is the picture's own."""
    encoding = Sinusoidal(65536)
    encoding.sampler.phasor_tile((0, 10), (0, 32768), (1, 1))  # the frequencies are kept from now on
    tracemalloc.start()
    turns = encoding.sampler.phasor_tile((0, 10**7), (0, 32768), (250, 320))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3e7, "the angles themselves have 2.6 TB"
    pairs = np.array(cells((0, 32768), 320)[300])
    blocks = np.arange(120 * 40_000, 121 * 40_000).reshape(20, 2000)
    expected = np.mean([np.exp(1j * pair_angles(encoding, some, pairs)).mean() for some in blocks])
    assert abs(turns[120, 300] - expected) < 3e-7


@pytest.mark.parametrize(
    ("encoding", "positions", "pairs", "shape", "error", "sentence"),
    [
        (Sinusoidal(7), (5, 5), (0, 3), (1, 1), ValueError, "positions must be (first, stop) with first < stop"),
        (Sinusoidal(7), (0, 5), (2, 2), (1, 1), ValueError, "pairs must be (first, stop) with first < stop"),
        (Sinusoidal(7), (0, 5), (0, 4), (1, 1), IndexError, "pairs must be within 0..3, got (0, 4)"),
        (Rotary(8), (0, 5), (-1, 4), (1, 1), IndexError, "pairs must be within 0..4, got (-1, 4)"),
        (Alibi(4), (0, 5), (0, 1), (1, 1), IndexError, "pairs must be within 0..0, got (0, 1)"),
        (Rotary(8), (0, 5), (0, 4), (0, 1), ValueError, "shape must be at least (1, 1), got (0, 1)"),
    ],
)
def test_windows_that_are_none(
    encoding: Encoding, positions: Any, pairs: Any, shape: Any, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error) as caught:
        encoding.sampler.phasor_tile(positions, pairs, shape)
    assert str(caught.value).startswith(sentence)
