"""The likeness of rows of any table agrees with the table's own rows, compared one by one."""

import numpy as np
import pytest
from derivations import printed
from hypothesis import given
from hypothesis import strategies as st
from strategies import encodings, seen

from posenc_core import (
    Alibi,
    BinaryCode,
    Encoding,
    IntegerIndex,
    LearnedTable,
    NoPosition,
    NormalizedIndex,
    Rotary,
    ShawRelative,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
    Yarn,
    similarity,
)
from posenc_core.analysis import (
    MEASURES,
    cells_work,
    explain_pair,
    explain_similarity,
    is_similarity_sampled,
    known_cells,
    partial_cells,
    similarity_cells,
    similarity_row,
)
from posenc_core.encodings import XPos
from posenc_core.text import TokenVectors

HOLES = np.random.default_rng(0).normal(size=(40, 6))

TABLES: list[Encoding] = [
    Sinusoidal(8),
    Sinusoidal(7),
    Sinusoidal(7, spacing="tensor2tensor"),
    Sinusoidal(8, layout="concatenated", offset=3),
    Rotary(8),
    Rotary(8, scaling=Yarn(4.0, 64)),
    TransformerXLRelative(8),
    TransformerXLRelative(8, clamp_len=5),
    IntegerIndex(3),
    NormalizedIndex(30, 3),
    BinaryCode(6),
    LearnedTable(),
    LearnedTable.from_array(HOLES, offset=2),
    ShawRelative(4, 5),
    T5Bias(n_heads=3),
    Alibi(4),
]


def likeness(one, other, measure):
    if measure == "euclidean":
        return np.linalg.norm(one - other)
    product = one @ other
    return product if measure == "dot" else product / np.linalg.norm(one) / np.linalg.norm(other)


def places(encoding, count):
    first, last = encoding.domain
    start = int(first) if np.isfinite(first) else 0 if np.isinf(last) else int(last) + 1 - count
    return [p for p in range(start, start + count) if p <= last]


def row(encoding, position):
    return encoding.values(np.array([position]), np.arange(encoding.n_columns))[0]


@pytest.mark.filterwarnings("ignore:invalid value encountered")
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("encoding", [*TABLES, XPos(8)], ids=repr)
def test_similarity_by_distance_is_the_mean_over_all_pairs(encoding, measure):
    positions = places(encoding, 30)
    rows = {p: row(encoding, p) for p in positions}
    found = similarity(encoding, [0, 1, 7, -7, 29], measure, 30)
    for distance, number in zip((0, 1, 7, 7, 29), found, strict=True):
        each = [likeness(rows[p], rows[p + distance], measure) for p in positions if p + distance in rows]
        known = [one for one in each if not np.isnan(one)]
        assert number == pytest.approx(
            np.mean(known) if known else np.nan, rel=1e-9, abs=1e-12 * max(1, np.abs(each).max()), nan_ok=True
        )


@pytest.mark.parametrize("encoding", [ShawRelative(64, 16), T5Bias(n_heads=16), NoPosition(8)], ids=repr)
def test_equal_rows_of_different_distances_are_no_distance_apart(encoding):
    """Beyond the clip, and in the last bucket, keys share a row."""
    far = range(-900, -600)
    assert not similarity_row(encoding, -1000, far, "euclidean").any()
    assert not similarity_cells(encoding, far, range(-400, -300), "euclidean").any()
    assert not similarity_cells(encoding, far[::7], range(-400, -300, 7), "euclidean").any()


@pytest.mark.parametrize(
    ("encoding", "position", "step"),
    [
        (NormalizedIndex(10**6, 2), 999_990, 1 / 999_999),
        (IntegerIndex(512), 10**7, 1.0),
        (IntegerIndex(3), 2**40, 1.0),
        (LearnedTable.from_array(1000 + 1e-9 * np.arange(60.0)[:, None]), 50, 1e-9),
    ],
    ids=repr,
)
def test_nearly_equal_rows_keep_their_distance(encoding, position, step):
    """The difference of their squares and products has none of its digits."""
    apart = np.arange(10)
    tolerance = 1e-4 if isinstance(encoding, LearnedTable) else 1e-9  # its numbers have 13 digits before the step
    expected = step * apart * encoding.n_columns**0.5
    found = similarity_row(encoding, position, position - apart, "euclidean")
    np.testing.assert_allclose(found, expected, rtol=tolerance)
    cells = similarity_cells(encoding, range(position, position + 1), range(position - 9, position + 1), "euclidean")
    np.testing.assert_allclose(cells[0, ::-1], expected, rtol=tolerance)
    coarse = similarity_cells(encoding, range(position - 8, position, 4), range(position - 4, position, 4), "euclidean")
    squares = np.square(np.arange(4) - np.arange(4)[:, None])  # of a cell with itself, then of one four on
    wanted = [[np.square(np.arange(4) - np.arange(4)[:, None] + 4).mean()], [squares.mean()]]
    np.testing.assert_allclose(coarse, step * np.sqrt(wanted) * encoding.n_columns**0.5, rtol=tolerance)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("encoding", TABLES[:-4], ids=repr)
def test_cells_are_means_over_their_pairs_of_positions(encoding, measure):
    step = 4
    across, down = range(3, 19, step), range(7, 27, step)
    found = similarity_cells(encoding, down, across, measure)
    assert found.shape == (len(down), len(across))
    assert not found.flags.writeable
    for (i, j), number in np.ndenumerate(found):
        left = [row(encoding, p) for p in range(down[i], down[i] + step) if encoding.has_value(p)]
        right = [row(encoding, p) for p in range(across[j], across[j] + step) if encoding.has_value(p)]
        if measure == "cosine":
            left, right = ([each for each in some if each.any()] for some in (left, right))
        each = np.array([likeness(one, other, measure) for one in left for other in right])
        expected = np.sqrt(np.mean(each**2)) if measure == "euclidean" else each.mean()
        assert number == pytest.approx(expected, abs=1e-7 * max(1, np.abs(each).max()))


@given(seen(encodings(small=True)), st.sampled_from(MEASURES), st.integers(1, 6), st.integers(1, 6))
def test_single_cells_of_any_family_are_its_rows(encoding, measure, height, width):
    first = places(encoding, 12)
    down, across = (range(first[0], first[0] + some) for some in (height, width))
    with np.errstate(all="ignore"):
        found = similarity_cells(encoding, down, across, measure)
        for (i, j), number in np.ndenumerate(found):
            if not (encoding.has_value(down[i]) and encoding.has_value(across[j])):
                assert np.isnan(number)
                continue
            one, other = row(encoding, down[i]), row(encoding, across[j])
            expected = likeness(one, other, measure)
            size = max(1.0, np.linalg.norm(one), np.linalg.norm(other))
            if np.isfinite(expected) and size < 1e100:
                size = size if measure == "euclidean" else size * size
                assert number == pytest.approx(expected, abs=1e-7 * size)


def test_cells_of_one_position_are_the_numbers_of_token_pairs():
    for encoding in (Sinusoidal(8), Rotary(8), IntegerIndex(3), LearnedTable()):
        found = similarity_cells(encoding, range(5, 20), range(2, 9), "dot")
        np.testing.assert_allclose(found, encoding.pair_values(range(5, 20), range(2, 9)), atol=1e-12)


def test_a_million_positions_take_one_vector():
    encoding = Sinusoidal(512)
    cells = similarity_cells(encoding, range(0, 1 << 20, 1638), range(0, 1 << 20, 1638))
    assert cells.shape == (641, 641)
    assert cells.base is not None
    assert cells.strides[0] == -cells.strides[1]
    means = encoding.sampler.means(*encoding.sampler.pixels((0, 1638 * 2), (0, 512), (2, 512)))
    assert cells[0, 1] == pytest.approx(float(means[0] @ means[1]) / 256, abs=1e-6)


@pytest.mark.parametrize("measure", MEASURES)
def test_cells_computed_part_by_part_are_those_computed_at_once(measure):
    table = LearnedTable.from_array(HOLES)
    for rows, columns in (
        (range(0, 40, 3), range(0, 40, 3)),
        (range(4, 13), range(9, 20)),
        (range(3, 15, 4), range(7, 44, 4)),
    ):
        whole = similarity_cells(table, rows, columns, measure)
        partial = partial_cells(table, rows, columns, measure)
        some = partial.known.copy()
        assert np.isnan(known_cells(table, rows, columns, measure, partial.arrays, some)).all()
        partial.grow(lambda done: True)
        np.testing.assert_allclose(
            known_cells(table, rows, columns, measure, partial.arrays, partial.known), whole, atol=1e-12
        )
        some[:2] = True
        known = known_cells(table, rows, columns, measure, partial.arrays, some)
        assert np.isfinite(known).sum() < np.isfinite(whole).sum()
        np.testing.assert_allclose(known[np.isfinite(known)], whole[np.isfinite(known)], atol=1e-12)


@pytest.mark.parametrize("encoding", [XPos(64), IntegerIndex(3, -20), TransformerXLRelative(64, clamp_len=9)])
def test_cells_of_entries_evaluated_one_by_one_are_those_computed_at_once(encoding):
    rows, columns = range(-50, 4, 3), range(-41, 1, 3)
    partial = partial_cells(encoding, rows, columns)
    partial.grow(lambda done: True)
    known = known_cells(encoding, rows, columns, "cosine", partial.arrays, partial.known)
    np.testing.assert_allclose(known, similarity_cells(encoding, rows, columns), rtol=1e-13)


def test_only_rows_that_are_read_or_evaluated_have_work():
    cells = range(0, 40, 3)
    assert cells_work(LearnedTable.from_array(HOLES), cells, cells) >= 40 * 6
    assert cells_work(XPos(64), cells, cells) >= 40 * 64
    assert cells_work(IntegerIndex(3), cells, cells) >= 40 * 3
    for encoding in (Sinusoidal(8), Rotary(8)):
        assert cells_work(encoding, cells, cells) == 0


def test_rows_past_the_end_of_a_range_do_not_count():
    table = LearnedTable()
    found = similarity_cells(table, range(0, 10, 4), range(0, 10, 4), "dot")
    rows = [row(table, p) for p in range(10)]
    assert found[2, 2] == pytest.approx(np.mean([one @ other for one in rows[8:] for other in rows[8:]]), rel=1e-6)
    beyond = similarity_cells(table, range(60, 68, 4), range(60, 68, 4))
    assert np.isfinite(beyond[0, 0])
    assert np.isnan(beyond[1]).all()
    assert not is_similarity_sampled(table, range(0, 1000, 100))
    assert is_similarity_sampled(LearnedTable.untrained(65536, 4096), range(0, 65536, 64))
    assert not is_similarity_sampled(Sinusoidal(4096), range(0, 10**9, 10**6))


def test_far_apart_rows_of_a_short_table_have_no_mean():
    assert np.isnan(similarity(LearnedTable(), [64, -1000, 10**15], "dot")).all()
    assert np.isnan(similarity(NoPosition(4), [0, 1], "cosine")).all()
    assert similarity(NoPosition(4), [0, 1], "dot").tolist() == [0, 0]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("encoding", TABLES, ids=repr)
def test_a_derivation_ends_in_the_likeness_and_its_script_prints_it(encoding, measure):
    for one, other in ((2, 9), (11, 3), (5, 5)):
        expected = likeness(row(encoding, one), row(encoding, other), measure)
        derivation = explain_similarity(encoding, one, other, measure)
        assert derivation.value == pytest.approx(expected, abs=1e-11)
        assert printed(derivation) == pytest.approx(expected, abs=1e-11)
        assert derivation.symbol in derivation.to_text()
        if measure == "dot" and not encoding.relative:
            assert explain_pair(encoding, 0, one, other) == derivation


def test_the_largest_terms_stand_first():
    derivation = explain_similarity(Sinusoidal(128), 1, 8)
    terms = np.cos(7 * Sinusoidal(128).frequencies())
    named = [step for step in derivation.steps if step.text.startswith("pair ")]
    largest = np.sort(np.abs(terms))[::-1][:5]
    assert [abs(step.value) for step in named] == pytest.approx(largest.tolist())
    rest = next(step for step in derivation.steps if step.text.startswith("the other 59 pairs together"))
    assert sum(step.value for step in named) + rest.value == pytest.approx(terms.sum())
    assert derivation.value == pytest.approx(terms.sum() / 64)


def test_a_pair_of_relative_families_is_derived_as_its_entry():
    for encoding in (T5Bias(), Alibi(4), ShawRelative(8, 3), TransformerXLRelative(8)):
        assert explain_pair(encoding, 2, 7, 4) == encoding.explain(-3, 2)
    q, k = HOLES[:2, :4]
    rotary = Rotary(4)
    turned = rotary.rotate(np.stack([q, k]), [7, 4])
    vectors = TokenVectors((), typed=(tuple(q), tuple(k)))
    assert explain_pair(rotary, 0, 7, 4, vectors).value == pytest.approx(turned[0] @ turned[1])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: similarity(Rotary(4), [0], "angle"), "measure must be one of dot, cosine, euclidean, got 'angle'"),
        (lambda: explain_similarity(Rotary(4), 0, 1, "x"), "measure must be one of dot, cosine, euclidean, got 'x'"),
        (lambda: similarity(IntegerIndex(4), [0], "dot", 0), "n_positions must be an integer >= 1, got 0"),
        (
            lambda: similarity_cells(Rotary(4), range(0, 4, 2), range(4)),
            "rows and columns must ascend in the same steps, got 2 and 1",
        ),
        (
            lambda: similarity_cells(IntegerIndex(65536), range(1000), range(1000)),
            "1,000 rows of 65,536 columns are too many to compare: ask for larger steps",
        ),
        (
            lambda: explain_similarity(NoPosition(4), 0, 1),
            "the row of a position is zero: it has no direction, and no cosine with another row",
        ),
        (
            lambda: explain_similarity(LearnedTable(), 0, 64),
            "position 64 is out of range for a learned table of 64 rows (positions 0..63); it cannot be extrapolated - "
            "shorten the sequence or resize the table",
        ),
    ],
)
def test_a_similarity_without_an_answer_is_refused_in_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=r"\S") as caught:
        call()
    assert str(caught.value) == sentence


@pytest.mark.parametrize("measure", ["dot", "cosine", "euclidean"])
def test_cells_that_are_known_before_stay_and_only_the_new_ones_are_compared(measure) -> None:
    table = LearnedTable.from_array(np.random.default_rng(0).normal(size=(60, 5)))
    rows, columns = range(0, 40, 4), range(20, 60, 4)
    partial = partial_cells(table, rows, columns, measure)
    partial.grow(lambda done: True)
    some = np.zeros(len(partial.known), bool)
    some[::3] = True
    first = known_cells(table, rows, columns, measure, partial.arrays, some)
    marked = np.where(np.isnan(first), first, 7.0)  # a number that no comparison gives
    found = known_cells(table, rows, columns, measure, partial.arrays, partial.known, (some, marked))
    whole = similarity_cells(table, rows, columns, measure)
    assert (found[~np.isnan(first)] == 7).all()
    assert np.allclose(found[np.isnan(first)], whole[np.isnan(first)], atol=1e-12)
    assert np.isnan(first).sum() > 50
