import math
import re

import numpy as np
import pytest
from family_checks import check_explained, check_tiles, check_words, encodings, rows, sentence
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import Sinusoidal, TransformerXLRelative, encode, explain, frequencies, tile


def test_transformer_xl_describes_itself() -> None:
    check_words(TransformerXLRelative)
    encoding = TransformerXLRelative(8)
    assert encoding.relative
    assert encoding.range_over(0, 60) == (-1.0, 1.0)
    assert encoding.column_blocks() == ((0, 4), (4, 8))
    assert (encoding.column_info(5).pair, encoding.column_info(5).part) == (1, "cos")
    assert frequencies(encoding) == pytest.approx([1, 0.1, 0.01, 0.001])
    assert encoding.warnings == ()
    assert TransformerXLRelative(8, 1).warnings == Sinusoidal(8, 1).warnings


def test_reference_values() -> None:
    for row in rows("transformer_xl_R"):
        klen, d = row["params"]["klen"], row["params"]["d_model"]
        distance = row["pos"] - (klen - 1)  # row r holds query - key = klen - 1 - r
        (found,) = TransformerXLRelative(d).values(np.array([distance]), np.array([row["dim"]])).ravel()
        assert found == pytest.approx(row["value"], abs=1e-12)


@pytest.mark.parametrize("clamp_len", [None, 1, 7, 400])
def test_an_entry_is_the_sinusoid_of_the_clamped_distance(clamp_len: int | None) -> None:
    encoding = TransformerXLRelative(6, 100.0, clamp_len)
    clamped = [min(-distance, 10**6 if clamp_len is None else clamp_len) for distance in range(-50, 50)]
    sinusoid = encode(Sinusoidal(6, 100.0, "concatenated"), clamped)
    assert encode(encoding, range(-50, 50)) == pytest.approx(sinusoid, abs=3e-7)


@given(encodings(TransformerXLRelative))
def test_tiles_are_means(encoding: TransformerXLRelative) -> None:
    check_tiles(encoding)


def test_a_tile_far_beyond_the_clamp_is_the_clamped_vector() -> None:
    encoding = TransformerXLRelative(4, clamp_len=5)
    found = tile(encoding, (-(10**9), 0), (0, 4), (10, 4))
    assert found[:9] == pytest.approx(np.repeat(encode(encoding, [-5]), 9, axis=0), abs=1e-6)


@given(encodings(TransformerXLRelative), st.integers(-(10**5), 10**5), st.integers(0, 100))
def test_the_derivation_is_the_entry(encoding: TransformerXLRelative, distance: int, column: int) -> None:
    tolerance = 1e-12 * (1 + abs(distance)) * max(1.0, float(np.abs(encoding.frequencies()).max()))
    check_explained(encoding, distance, column % encoding.d, min(tolerance, 1e-6))


def test_the_derivation_is_written_out() -> None:
    lines = explain(TransformerXLRelative(4, clamp_len=8), -20, 1).to_text().splitlines()
    assert lines[0] == "R(20, 1) = sin(8 / 10000^(2·1/4))"
    assert lines[1:3] == ["r = query - key = 20", "clamped to min(20, 8) = 8"]
    assert lines[-1] == "sin(0.08) ≈ 0.07991469"
    assert explain(TransformerXLRelative(4), -20, 1).formula_latex.startswith("R_{20, 1} = ")


@pytest.mark.parametrize("clamp_len", [None, 3, 50])
@pytest.mark.parametrize(("window", "pixels"), [((-20, 20), 900), ((-1e4, 100), 300), ((-90.5, -80), 100)])
def test_curves_meet_the_entries(window: tuple[float, float], pixels: int, clamp_len: int | None) -> None:
    encoding = TransformerXLRelative(6, clamp_len=clamp_len)
    traces = encoding.sampler.traces(np.arange(6), window, pixels)
    seen = set()
    for line in traces.lines:
        assert (line.x.min(), line.x.max()) == window
        assert np.all(np.diff(line.x, axis=1) >= 0)
        positions = np.arange(math.ceil(window[0]), math.floor(window[1]) + 1)
        table = encoding.values(positions, line.columns)
        for row in range(len(line.columns)):
            assert np.interp(positions, line.x[row], line.y[row]) == pytest.approx(table[:, row], abs=0.08)
        seen |= set(line.columns.tolist())
    for band in traces.bands:
        assert (band.x[0], band.x[-1]) == window
        middles = np.ceil((band.x[:-1] + band.x[1:]) / 2).astype(np.int64)
        inside = (middles >= band.x[:-1]) & (middles <= band.x[1:])
        table = encoding.values(middles[inside], band.columns).T
        assert np.all(band.low[:, inside] <= table + 1e-9)
        assert np.all(table <= band.high[:, inside] + 1e-9)
        seen |= set(band.columns.tolist())
    assert seen == set(range(6))


def test_the_four_terms() -> None:
    for row in rows("transformer_xl_score"):
        p = row["params"]
        query, key = row["pos"]
        score = TransformerXLRelative(p["d"]).score(p["q"], p["k"], p["u"], p["v"], query, key)
        assert score.total == pytest.approx(row["value"], abs=1e-12)
        assert score.scaled == pytest.approx(row["value"] / 2, abs=1e-12)


def test_a_projection_is_applied_to_r_alone() -> None:
    random = np.random.default_rng(0)
    q, k, u, v = random.normal(size=(4, 3))
    projection = random.normal(size=(3, 6))
    encoding = TransformerXLRelative(6)
    score = encoding.score(q, k, u, v, query=9, key=2, projection=projection)
    r = projection @ encode(encoding, [-7])[0]
    found = (score.content, score.position, score.content_bias, score.position_bias)
    assert found == pytest.approx((q @ k, q @ r, u @ k, v @ r), abs=1e-6)
    assert score.scaled == pytest.approx(score.total / math.sqrt(3))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"k": [1.0]}, "k must have as many entries as q, 4, got 1"),
        ({"q": [1.0, 2.0], "k": [1, 2], "u": [1, 2], "v": [1, 2]}, "the projected R must have as many entries as q"),
        ({"v": "many"}, "v must be a vector of numbers, got 'many'"),
        ({"u": [0.0, 0.0, math.nan, 0.0]}, "u must be a vector of finite numbers"),
        ({"projection": np.ones((2, 2))}, "projection must be of shape (4, 4), got (2, 2)"),
        ({"projection": np.ones(4)}, "projection must be a matrix of finite numbers"),
    ],
)
def test_wrong_vectors_get_a_sentence(changed: dict[str, object], message: str) -> None:
    vectors = {"q": [1.0] * 4, "k": [1.0] * 4, "u": [1.0] * 4, "v": [1.0] * 4}
    with pytest.raises(ValueError, match=re.escape(message)):
        TransformerXLRelative(4).score(**{**vectors, **changed}, query=3, key=1)  # type: ignore[arg-type]


def test_wrong_values_get_their_sentence() -> None:
    for base in (0, -10000):
        with pytest.raises(ValueError, match=re.escape(sentence("any", base=base))):
            TransformerXLRelative(4, base)
    with pytest.raises(ValueError, match="d must be even to form sin/cos pairs, got 5"):
        TransformerXLRelative(5)
    with pytest.raises(ValueError, match="clamp_len must be an integer >= 1, got 0"):
        TransformerXLRelative(4, clamp_len=0)
    with pytest.raises(TypeError, match=re.escape("clamp_len must be an integer, got 2.5 (float)")):
        TransformerXLRelative(4, clamp_len=2.5)  # type: ignore[arg-type]


def test_the_clamp_can_be_typed() -> None:
    (field,) = [each for each in TransformerXLRelative.FIELDS if each.name == "clamp_len"]
    assert (field.parse("none"), field.parse(" 12 "), field.format(None)) == (None, 12, "none")
    with pytest.raises(ValueError, match="clamp_len must be a whole number from 1 to 10000000"):
        field.parse("a few")
    assert "or none" in field.tool_tip


def test_the_last_wave_before_the_clamp_is_as_round_as_any() -> None:
    """Six positions of 78 are no reason to draw a wave with fewer points than the whole picture's width asks for."""
    encoding = TransformerXLRelative(4, 1.0, clamp_len=6)
    positions = np.arange(-60, -5) / 10
    for line in encoding.sampler.traces(np.arange(4), (-83.0, -0.0), 1000).lines:
        for k, column in enumerate(line.columns.tolist()):
            curve = np.sin(-positions) if column < 2 else np.cos(-positions)
            assert np.interp(positions, line.x[k], line.y[k]) == pytest.approx(curve, abs=0.005)
