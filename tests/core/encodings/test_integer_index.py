import numpy as np
import pytest
from family_checks import check_explained, check_tiles, check_traces, check_words, encodings, rows, sentence
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import IntegerIndex, encode, frequencies, tile


def test_integer_index_describes_itself() -> None:
    check_words(IntegerIndex)
    encoding = IntegerIndex(4)
    assert encoding.range_over(0, 60) == (0.0, 59.0)
    assert encoding.column_info(3).wavelength is None
    assert len(frequencies(encoding)) == 0
    assert encoding.warnings == ()
    assert encoding.label == ""


def test_reference_values() -> None:
    for row in rows("integer_index"):
        offset = row["params"]["offset"]
        if row["pos"] is not None:
            assert encode(IntegerIndex(3, offset), [row["pos"]], [row["dim"]])[0, 0] == row["value"]
            continue
        table = IntegerIndex(2).values(np.arange(row["params"]["T"]), np.array([0]))
        measure = table.mean() if row["what"].startswith("mean") else table.std()
        assert measure == pytest.approx(row["value"], abs=1e-12)


def test_all_rows_point_the_same_way() -> None:
    table = encode(IntegerIndex(8), range(1, 60)).astype(np.float64)
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    assert unit @ unit.T == pytest.approx(np.ones((59, 59)))
    assert np.linalg.matrix_rank(table) == 1


@given(encodings(IntegerIndex))
def test_tiles_are_means(encoding: IntegerIndex) -> None:
    check_tiles(encoding)


def test_a_tile_over_the_farthest_positions_is_exact() -> None:
    assert tile(IntegerIndex(65536), (-(2**53), 2**53), (0, 65536), (2, 3)).tolist() == [
        [-(2.0**52)] * 3,
        [2.0**52] * 3,
    ]


@given(encodings(IntegerIndex), st.integers(-(10**7), 10**7), st.integers(0, 10**6))
def test_the_derivation_is_the_entry(encoding: IntegerIndex, position: int, column: int) -> None:
    check_explained(encoding, position, column % encoding.n_columns)


@pytest.mark.parametrize(("window", "pixels"), [((0, 20), 600), ((-3.5, 7.25), 9), ((0, 1e6), 100), ((0, 0.5), 40)])
def test_curves_meet_the_entries(window: tuple[float, float], pixels: int) -> None:
    check_traces(IntegerIndex(3, offset=2), window, pixels)


def test_steps_become_a_line_when_they_are_too_fine() -> None:
    (steps,) = IntegerIndex(1).sampler.traces(np.array([0]), (0, 3), 600).lines
    assert steps.x[0].tolist() == [0, 0.5, 0.5, 1.5, 1.5, 2.5, 2.5, 3]
    assert steps.y[0].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    (line,) = IntegerIndex(1).sampler.traces(np.array([0]), (0, 1000), 600).lines
    assert (line.x.tolist(), line.y.tolist()) == ([[0, 1000]], [[0, 1000]])


def test_wrong_values_get_their_sentence() -> None:
    with pytest.raises(ValueError, match=sentence("any", d_model=0)):
        IntegerIndex(0)
    with pytest.raises(TypeError, match="offset must be an integer, got True"):
        IntegerIndex(4, offset=True)
    with pytest.raises(ValueError, match=r"position must be between -2\^53 and 2\^53"):
        encode(IntegerIndex(4), [2**60])
