"""Curves that look like the sine they stand for, and bands where a pixel holds whole waves."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SMALL, sinusoids

from posenc_core import Sinusoidal, encode
from posenc_core.numerics.traces import PIXELS_PER_WAVE, Lines, Traces, sine_block_envelope, sine_envelope

Array = np.ndarray[Any, Any]


def by_column(traces: Traces) -> dict[int, tuple[Array, ...]]:
    """Of each column either (x, y) of its curve or (x, low, high) of its band."""
    found: dict[int, tuple[Array, ...]] = {}
    for line in traces.lines:
        for column, x, y in zip(line.columns, line.x, line.y, strict=True):
            assert column not in found
            found[int(column)] = (x, y)
    for band in traces.bands:
        for column, low, high in zip(band.columns, band.low, band.high, strict=True):
            assert column not in found
            found[int(column)] = (band.x, low, high)
    return found


def farthest(x: Array, y: Array, curve: Any, window: tuple[float, float], pixels: int, height: float) -> float:
    """How far the sine is from the line's chords, in pixels of a picture in which it is ``height`` high."""
    across, up = (x - window[0]) / (window[1] - window[0]) * pixels, y * height / 2
    probes = np.linspace(*window, 10 * pixels + 1)
    at = np.linspace(0, pixels, 10 * pixels + 1), curve(probes) * height / 2
    behind = np.clip(np.searchsorted(across, at[0]), 1, len(x) - 1)
    nearest = np.full(len(probes), np.inf)
    for shift in range(-3, 4):
        k = np.clip(behind + shift, 1, len(x) - 1)
        along = across[k] - across[k - 1], up[k] - up[k - 1]
        to = at[0] - across[k - 1], at[1] - up[k - 1]
        length = np.maximum(along[0] ** 2 + along[1] ** 2, 1e-30)
        t = np.clip((to[0] * along[0] + to[1] * along[1]) / length, 0, 1)
        nearest = np.minimum(nearest, np.hypot(to[0] - t * along[0], to[1] - t * along[1]))
    return float(nearest.max())


@pytest.mark.parametrize(
    ("d_model", "shown", "window", "pixels"),
    [
        (2, 1, (0, 60), 1400),
        (2, 2, (0, 300), 1400),
        (8, 8, (0, 60), 1400),
        (8, 8, (1000.3, 1042.9), 800),
        (64, 64, (0, 512), 1400),
        (512, 64, (0, 512), 1400),
        (512, 8, (-37.5, 90.25), 500),
        (512, 3, (10**7 - 100, 10**7), 1000),
    ],
)
def test_curves_are_within_half_a_pixel(d_model: int, shown: int, window: tuple[float, float], pixels: int) -> None:
    """With the columns stacked in a picture as tall as it is wide."""
    encoding = Sinusoidal(d_model)
    columns = np.arange(shown)
    drawn = by_column(encoding.sampler.traces(columns, window, pixels))
    w = encoding.frequencies()
    curves = {column: parts for column, parts in drawn.items() if len(parts) == 2}
    assert curves, "nothing to compare"
    for column, (x, y) in curves.items():
        turn = math.pi / 2 * (column % 2)

        def sine(at: Array, column: int = column, turn: float = turn) -> Array:
            return np.sin(w[column // 2] * at + turn)

        assert farthest(x, y, sine, window, pixels, pixels / shown) < 0.5


@given(
    encoding=sinusoids(**SMALL),
    first=st.floats(-1e6, 1e6),
    width=st.floats(0.01, 1e6),
    pixels=st.integers(1, 1500),
    data=st.data(),
)
def test_any_window_is_covered_once(
    encoding: Sinusoidal, first: float, width: float, pixels: int, data: st.DataObject
) -> None:
    """Each column once, from edge to edge, in order, with no more points than one can see, and no warning."""
    columns = np.array(data.draw(st.lists(st.integers(0, encoding.n_columns - 1), min_size=1, unique=True)))
    window = (first, first + width)
    drawn = by_column(encoding.sampler.traces(columns, window, pixels))
    assert sorted(drawn) == sorted(columns)
    for parts in drawn.values():
        x, values = parts[0], np.concatenate(parts[1:])
        assert x[0] == pytest.approx(window[0], abs=1e-8)
        assert x[-1] == pytest.approx(window[1], abs=1e-8)
        assert (np.diff(x) >= 0).all()
        assert len(x) <= 2.5 * pixels + 12
        assert np.abs(values).max() <= 1


@given(
    encoding=sinusoids(d_model=st.integers(4, 40), base=st.floats(1, 1e6)),
    first=st.integers(-(10**7), 10**7),
    count=st.integers(1, 300),
)
def test_curves_pass_through_the_dots(encoding: Sinusoidal, first: int, count: int) -> None:
    """At every integer position the line, or the band, is where the table's entry is."""
    pixels = 1000
    columns = np.arange(encoding.n_columns)
    window = (float(first), float(first + count))
    table = encode(encoding, range(first, first + count))
    for column, parts in by_column(encoding.sampler.traces(columns, window, pixels)).items():
        positions = np.arange(first, first + count)
        if len(parts) == 2:
            assert np.abs(np.interp(positions, *parts) - table[:, column]).max() < 0.04
        else:
            pixel = np.clip(np.searchsorted(parts[0], positions, side="right") - 1, 0, pixels - 1)
            assert (parts[1][pixel] <= table[:, column] + 1e-6).all()
            assert (parts[2][pixel] >= table[:, column] - 1e-6).all()


@pytest.mark.parametrize("seed", range(10))
def test_bands_hold_every_sample(seed: int) -> None:
    """Ten windows, so far out that a pixel holds many positions: not one entry may stick out of its band."""
    random = np.random.default_rng(seed)
    encoding = Sinusoidal(64, layout=("interleaved", "concatenated")[seed % 2], offset=int(random.integers(-9, 9)))
    first = float(random.uniform(-1e5, 1e5))
    window, pixels = (first, first + float(random.uniform(3e3, 3e4))), 500
    traces = encoding.sampler.traces(np.arange(64), window, pixels)
    assert traces.bands
    positions = np.arange(math.ceil(window[0]), math.floor(window[1]) + 1)
    table = encode(encoding, positions)
    (band,) = traces.bands
    pixel = np.clip(np.searchsorted(band.x, positions, side="right") - 1, 0, pixels - 1)
    for column, low, high in zip(band.columns, band.low, band.high, strict=True):
        assert (table[:, column] >= low[pixel] - 1e-6).all()
        assert (table[:, column] <= high[pixel] + 1e-6).all()


def test_bands_are_no_wider_than_the_curve() -> None:
    """Per pixel a band is the curve's own smallest and largest value, found here from 400 points a pixel."""
    for frequency, phase in ((1.0, 0.0), (0.9, math.pi / 2), (0.3, 0.0)):
        edges = np.linspace(3.7, 103.7, 41)
        low, high = sine_envelope(np.array([frequency]), np.array([phase]), edges)
        dense = np.sin(frequency * np.linspace(3.7, 103.7, 40 * 400 + 1) + phase)
        blocks = np.stack([dense[k * 400 : k * 400 + 401] for k in range(40)])
        np.testing.assert_allclose(low[0], blocks.min(axis=1), atol=2e-5)
        np.testing.assert_allclose(high[0], blocks.max(axis=1), atol=2e-5)


def test_only_waves_too_narrow_for_the_pixels_are_bands() -> None:
    encoding = Sinusoidal(16)
    traces = encoding.sampler.traces(np.arange(16), (0, 2000), 1000)
    banded = sorted(int(column) for band in traces.bands for column in band.columns)
    narrow = [column for column in range(16) if (encoding.column_info(column).wavelength or 0) / 2 < PIXELS_PER_WAVE]
    assert banded == narrow == [0, 1]


def crests(line: Lines, k: int) -> Array:
    return np.abs(line.y[k]) > 1 - 1e-9


def test_every_crest_and_trough_is_a_point_of_its_curve() -> None:
    """Or the waves of one column would look unlike each other, and beat."""
    window, pixels = (0, 400), 1400
    encoding = Sinusoidal(32)
    counted = 0
    for line in encoding.sampler.traces(np.arange(32), window, pixels).lines:
        for k, column in enumerate(line.columns):
            w, turn = encoding.frequencies()[column // 2], math.pi / 2 * (column % 2)
            first, last = (w * end + turn for end in window)
            extremes = math.floor((last - math.pi / 2) / math.pi) - math.ceil((first - math.pi / 2) / math.pi) + 1
            found = line.x[k][crests(line, k)]
            assert len(np.unique(np.round(found * w / math.pi, 6))) >= extremes
            counted += extremes
    assert counted > 200


@pytest.mark.parametrize("base", [1e20, 1e45, 1e200, 1.7e308])
@pytest.mark.parametrize("window", [(0, 60), (-3.5, 8), (10**7, 10**7 + 5)])
def test_the_slowest_waves_are_whole_lines(base: float, window: tuple[float, float]) -> None:
    """A wavelength of 1e308 positions: flat, but from edge to edge."""
    traces = Sinusoidal(8, base, spacing="tensor2tensor").sampler.traces(np.arange(8), window, 1000)
    drawn = by_column(traces)
    for column in (6, 7):
        x, y = drawn[column]
        assert (x[0], x[-1]) == window
        assert np.abs(y - column % 2).max() < 1e-9


@pytest.mark.parametrize("base", [5e-324, 1e-300, 1e-9])
def test_the_fastest_waves_are_full_bands(base: float) -> None:
    """With thousands of waves between two positions the curve is everywhere at once."""
    traces = Sinusoidal(4, base, spacing="one_based").sampler.traces(np.arange(4), (0, 60), 1000)
    (band,) = traces.bands
    assert sorted(band.columns) == [0, 1, 2, 3]
    assert (band.low == -1).all()
    assert (band.high == 1).all()


def test_padding_is_a_line_at_zero() -> None:
    for window in ((0, 60), (0, 10**7)):
        x, y = by_column(Sinusoidal(7, spacing="tensor2tensor").sampler.traces(np.array([6]), window, 300))[6]
        assert (x[0], x[-1]) == window
        assert not y.any()


def test_moved_traces_are_those_of_an_offset() -> None:
    columns = np.arange(8)
    plain = by_column(Sinusoidal(8).sampler.traces(columns, (5, 65), 300).moved(-5))
    offset = by_column(Sinusoidal(8, offset=5).sampler.traces(columns, (0, 60), 300))
    for column in range(8):
        for one, other in zip(plain[column], offset[column], strict=True):
            np.testing.assert_allclose(one, other, rtol=0, atol=1e-9)


@given(
    frequency=st.floats(0, math.pi),
    phase=st.sampled_from([0.0, math.pi / 2]),
    start=st.integers(-(10**5), 10**5),
    count=st.integers(1, 2000),
)
def test_block_envelopes_are_the_extremes_of_all_samples(
    frequency: float, phase: float, start: int, count: int
) -> None:
    samples = np.sin(frequency * np.arange(start, start + count) + phase)
    low, high = sine_block_envelope(frequency, phase, start, start + count)
    assert low == pytest.approx(samples.min(), abs=1e-9)
    assert high == pytest.approx(samples.max(), abs=1e-9)


def test_a_picture_without_pixels_shows_nothing() -> None:
    with pytest.raises(ValueError, match=r"^pixels must be at least 1, got 0$"):
        Sinusoidal(8).sampler.traces(np.arange(8), (0, 60), 0)


@pytest.mark.parametrize("window", [(5, 5), (6, 5), (0, math.nan), (0, math.inf)])
def test_windows_that_are_none(window: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match=r"^positions must be \(first, stop\) with first < stop"):
        Sinusoidal(8).sampler.traces(np.arange(8), window, 100)
