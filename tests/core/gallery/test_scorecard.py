"""The scorecard's numbers against brute force over whole tables, for small sizes."""

import math

import numpy as np
import pytest
from msgspec.structs import replace

from posenc_core import (
    Alibi,
    BinaryCode,
    Document,
    DynamicNtk,
    IntegerIndex,
    LearnedTable,
    NormalizedIndex,
    Rotary,
    ShawRelative,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
    View,
    Yarn,
)
from posenc_core.encodings import ENCODINGS, GROUPS, n_whole_pairs, pair_members
from posenc_core.fields import WIDTH_NAMES
from posenc_core.gallery import (
    FAR,
    GOOD,
    LONGER,
    NONE,
    POOR,
    PROPERTIES,
    SIGNS,
    Scorecard,
    Setting,
    Unmeasured,
    measures,
    number_text,
    story_families,
    story_names,
)
from posenc_core.tables import LONG_WORK
from posenc_core.text import drawn_vectors

LENGTH, TRAINED = 24, 16
SETTING = Setting(LENGTH, 5, TRAINED, "loves", "Dan", 3)
_TABLE = np.random.default_rng(7).normal(size=(40, 6))

SMALL = [
    IntegerIndex(4, offset=2),
    NormalizedIndex(LENGTH, 6),
    BinaryCode(5),
    Sinusoidal(8),
    Sinusoidal(7, offset=3),
    Sinusoidal(6, base=30.0, offset=-5),
    LearnedTable.from_array(_TABLE, "drawn"),
    ShawRelative(4, clip=6),
    TransformerXLRelative(6),
    TransformerXLRelative(6, clamp_len=5),
    T5Bias(num_buckets=8, max_distance=20, n_heads=3),
    T5Bias(num_buckets=8, max_distance=20, bidirectional=False, n_heads=3),
    Alibi(6),
    Rotary(8),
    Rotary(8, pairing="interleaved", rotary_dim=4),
    Rotary(8, scaling=Yarn(4.0, TRAINED)),
    Rotary(8, scaling=DynamicNtk(2.0, TRAINED, LENGTH)),
]
every_small = pytest.mark.parametrize("encoding", SMALL, ids=lambda each: f"{each.family}-{SMALL.index(each)}")


def places(encoding, count: int) -> np.ndarray:
    """The positions 0, 1, 2, ... that have a value, or the distances 0, -1, -2, ..."""
    steps = -np.arange(count) if encoding.relative else np.arange(count)
    return np.array([step for step in steps.tolist() if encoding.has_value(step)])


def table(encoding, positions) -> np.ndarray:
    return encoding.values(np.asarray(positions, np.int64), np.arange(encoding.n_columns))


def is_paired(encoding) -> bool:
    """Whether every column is a sine or a cosine of a whole pair, whatever the distance."""
    clamped = isinstance(encoding, TransformerXLRelative) and encoding.clamp_len is not None
    return encoding.n_columns == 2 * n_whole_pairs(encoding) and not clamped


@every_small
@pytest.mark.parametrize("count", [3, 50, 1000])
def test_the_largest_entry_is_that_of_the_whole_table(encoding, count):
    found = measures.largest_entry(encoding, SETTING, count)
    brute = np.abs(table(encoding, places(encoding, count))).max()
    assert found == pytest.approx(brute, rel=1e-12)


def test_a_million_positions_have_the_largest_entry_of_all_of_them():
    assert measures.largest_entry(IntegerIndex(2), SETTING) == FAR - 1
    columns = np.arange(2)
    sines = Sinusoidal(2, offset=5).values(np.arange(FAR), columns)
    assert measures.largest_entry(Sinusoidal(2, offset=5), SETTING) == pytest.approx(np.abs(sines).max(), rel=1e-12)


@every_small
def test_the_smallest_distance_is_that_of_the_two_nearest_of_all_rows(encoding):
    rows = table(encoding, places(encoding, LENGTH))
    apart = [math.dist(one, other) for index, one in enumerate(rows) for other in rows[index + 1 :]]
    assert measures.smallest_distance(encoding, SETTING) == pytest.approx(min(apart), rel=1e-9, abs=1e-12)
    assert measures.n_compared(encoding, SETTING) == len(rows)


@every_small
def test_the_step_is_compared_with_that_of_a_text_twice_as_long(encoding):
    longer = encoding.edited("seq_len", 2 * LENGTH) if "seq_len" in encoding.parameters() else encoding
    one, other = (np.diff(table(each, places(each, 2)), axis=0)[0] for each in (encoding, longer))
    change = max((abs(b - a) / abs(a) for a, b in zip(one, other, strict=True) if a), default=0.0)
    assert measures.step_change(encoding, SETTING) == pytest.approx(change, rel=1e-9)


@every_small
def test_the_error_of_a_shift_is_that_of_the_best_map_of_all_rows(encoding):
    if isinstance(encoding, T5Bias | Alibi):
        with pytest.raises(Unmeasured, match="no vectors"):
            measures.shift_error(encoding, SETTING)
        return
    count = 50
    before = [p for p in range(count) if encoding.has_value(p) and encoding.has_value(p + 1)]
    rows, after = table(encoding, before), table(encoding, [p + 1 for p in before])
    if is_paired(encoding):
        sines, cosines = pair_members(encoding, np.arange(n_whole_pairs(encoding)))
        assert measures.shift_error(encoding, SETTING) < 1e-13
        norms = rows[:, sines] ** 2 + rows[:, cosines] ** 2  # a rotation keeps them
        assert after[:, sines] ** 2 + after[:, cosines] ** 2 == pytest.approx(norms)
    else:
        best = rows @ (np.linalg.pinv(rows) @ after)
        assert measures.shift_error(encoding, SETTING) == pytest.approx(np.abs(best - after).max(), rel=1e-6)


@every_small
def test_the_spread_of_a_score_is_that_over_all_places_of_the_text(encoding):
    is_bias = isinstance(encoding, T5Bias | Alibi)
    width = encoding.n_columns if encoding.relative else encoding.combination.width
    query, key = drawn_vectors("q", 3, ["loves"], width)[0], drawn_vectors("k", 3, ["Dan"], width)[0]
    inside, spreads = [p for p in range(LENGTH) if encoding.relative or encoding.has_value(p)], []
    for apart in (1, 2, 4, 8):
        scores = []
        for place in inside[apart:]:
            if encoding.relative:
                row = table(encoding, [-apart])[0]
                scores.append(row if is_bias else row @ query / math.sqrt(width))
            elif isinstance(encoding, Rotary):
                one = encoding.rotate(query[None], np.array([place]))[0]
                scores.append(one @ encoding.rotate(key[None], np.array([place - apart]))[0] / math.sqrt(width))
            else:
                one, other = table(encoding, [place])[0], table(encoding, [place - apart])[0]
                scores.append((query + one) @ (key + other) / math.sqrt(width))
        spreads.append(np.ptp(np.array(scores), axis=0).max())
    assert measures.score_spread_over_positions(encoding, SETTING) == pytest.approx(max(spreads), rel=1e-9, abs=1e-13)


@every_small
def test_the_share_of_defined_positions_is_counted(encoding):
    beyond = range(TRAINED, LONGER * TRAINED)
    has_value = [encoding.has_value(-p if encoding.relative else p) for p in beyond]
    assert measures.share_defined(encoding, SETTING) == sum(has_value) / len(beyond)


@every_small
def test_the_share_of_unseen_pairs_is_counted_angle_by_angle(encoding):
    if not isinstance(encoding, Sinusoidal | Rotary):
        with pytest.raises(Unmeasured, match="no pairs that turn"):
            measures.share_unseen(encoding, SETTING)
        return
    is_rotary = isinstance(encoding, Rotary)
    trained = Rotary(8, pairing=encoding.pairing, rotary_dim=encoding.rotary_dim) if is_rotary else encoding
    if is_rotary and isinstance(encoding.scaling, DynamicNtk):  # whose base follows the text
        encoding = encoding.scaled_by(DynamicNtk(2.0, TRAINED, LONGER * TRAINED))
    unseen = 0
    for slow, fast in zip(encoding.frequencies().tolist(), trained.frequencies().tolist(), strict=True):
        is_full = fast * TRAINED >= 2 * math.pi
        unseen += not is_full and any(slow * p > fast * TRAINED + 1e-9 for p in range(LONGER * TRAINED))
    assert measures.share_unseen(encoding, SETTING) == unseen / len(encoding.frequencies())
    assert measures.share_unseen(encoding, replace(SETTING, target=TRAINED)) == 0


@pytest.mark.parametrize(
    ("encoding", "count"),
    [
        (Sinusoidal(8), 0),
        (Alibi(8), 0),
        (LearnedTable.from_array(_TABLE), 240),
        (ShawRelative(4, clip=6), 13 * 4),
        (T5Bias(num_buckets=8, max_distance=20, n_heads=3), 24),
    ],
)
def test_trained_numbers_are_the_entries_of_a_table(encoding, count):
    assert measures.n_trained(encoding, SETTING) == count


@every_small
def test_a_longer_text_is_compared_entry_by_entry(encoding):
    before = after = encoding
    if "seq_len" in encoding.parameters():
        after = encoding.edited("seq_len", LONGER * LENGTH)
    if isinstance(encoding, Rotary):
        before = Rotary(8, pairing=encoding.pairing, rotary_dim=encoding.rotary_dim)
    positions = places(before, SETTING.n_tokens)
    rows = table(before, positions)
    change = np.abs(table(after, positions) - rows).max() / np.abs(rows).max()
    assert measures.change_when_scaled(encoding, SETTING) == pytest.approx(change, rel=1e-12)


def test_the_families_are_all_there_in_the_order_of_the_story():
    assert set(story_names()) - {"yarn"} == {name for name, kind in ENCODINGS.items() if kind.in_story} - {
        "formula",
    }
    pages = [set(story_names(page)) - {"yarn"} for page in GROUPS]
    assert set.union(*pages) == set(ENCODINGS) - {"formula"}
    assert sum(map(len, pages)) == len(ENCODINGS) - 1
    listed = story_families(Document())
    assert [each.name for each in listed] == list(story_names())
    families = {each.name: each.encoding for each in listed}
    assert isinstance(families["yarn"].scaling, Yarn)
    assert families["rotary"].scaling is None


def test_a_typed_formula_has_a_row_while_it_is_chosen():
    chosen = Document().edited("family", "formula").edited("formula", "sin(p)")
    assert [each.name for each in story_families(chosen)] == [*story_names(), "formula"]
    card = Scorecard.of(chosen)
    assert card.families[-1].encoding == chosen.encoding
    (largest, *_) = card.compute()[-1]
    assert largest.number == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize(
    "document",
    [
        Document(encoding=Sinusoidal(7)),
        Document(encoding=BinaryCode(3)),
        Document(encoding=Rotary(16, scaling=DynamicNtk(2.0, 64, 128)), seq_len=128),
        Document(encoding=Rotary(16, rope_theta=0.5)),
        Document(encoding=T5Bias(n_heads=12)),
        Document(encoding=LearnedTable.from_array(_TABLE)),
        Document().edited("family", "none"),
        Document().edited("target_length", 5).edited("trained_length", 10),
        Document(seq_len=1, sentence=""),
        Document(seq_len=10_000_000),
    ],
    ids=lambda document: f"{document.encoding.family}-{document.seq_len}",
)
def test_every_document_has_each_family_and_a_whole_card(document):
    listed = story_families(document)
    assert [each.name for each in listed] == list(story_names())
    assert isinstance({each.name: each.encoding for each in listed}["yarn"].scaling, Yarn)
    for each in listed:
        assert bool(each.own) == (each.encoding.n_columns != document.encoding.n_columns)
        assert not each.own or str(each.encoding.n_columns) in each.own.replace(",", "")
    if document.encoding.family != "none":
        assert document.encoding in [each.encoding for each in listed]
    for row in Scorecard.of(document).compute():
        for score in row:
            assert score.sign == SIGNS[score.grade]
            assert (score.number is None) == (score.grade == NONE)
            assert score.detail


def test_an_odd_width_is_the_next_even_one_where_pairs_need_that():
    found = {each.name: each for each in story_families(Document(encoding=Sinusoidal(7)))}
    for name in ("transformer_xl", "rotary", "yarn"):
        parameters = found[name].encoding.parameters()
        assert next(parameters[each] for each in WIDTH_NAMES if each in parameters) == 8
        assert found[name].own.endswith(" 8")
    assert found["integer"].own == ""


@pytest.mark.parametrize(
    ("number", "is_share", "text"),
    [
        (0.0, True, "0 %"),
        (0.004, True, "< 1 %"),
        (0.37, True, "37 %"),
        (0.9997, True, "> 99 %"),
        (1.0, True, "100 %"),
        (1.5, True, "150 %"),
        (999.4, False, "999"),
        (999.6, False, "1,000"),
        (1234.5, False, "1,234"),
        (0.0005, False, "0.0005"),
        (1.23456e-7, False, "1.2e-7"),
        (2e8, False, "2e8"),
    ],
)
def test_a_number_in_few_characters(number, is_share, text):
    assert number_text(number, is_share) == text


def test_numbers_beyond_float64_are_said_and_do_not_stop_the_card():
    rotary = Rotary(8, scaling=Yarn(4.0, 64, attention_factor=1e200))
    card = Scorecard.of(Document(seq_len=20, encoding=rotary))
    row = next(index for index, family in enumerate(card.families) if family.encoding == rotary)
    scores = dict(zip((each.name for each in PROPERTIES), card.compute()[row], strict=True))
    assert scores["bounded"].text == "1e200"
    for name in ("unique", "score"):
        assert (scores[name].number, scores[name].grade) == (None, NONE)
        assert scores[name].detail == "its numbers are beyond float64, which ends at 1.8e308"


def test_a_fit_to_as_many_columns_as_rows_is_not_measured():
    wide = LearnedTable.from_array(np.random.default_rng(0).normal(size=(5, 6)))
    with pytest.raises(Unmeasured, match="no more rows than columns"):
        measures.shift_error(wide, SETTING)
    with pytest.raises(Unmeasured, match="no more rows than columns"):
        measures.shift_error(ShawRelative(64, clip=6), SETTING)  # thirteen different rows, however many are read


def test_grades_tell_the_families_apart():
    document = Document()
    card = Scorecard.of(document)
    names, titles = [each.name for each in card.families], [each.name for each in PROPERTIES]
    scores = {(names[r], titles[c]): s for r, row in enumerate(card.compute()) for c, s in enumerate(row)}
    assert scores["integer", "bounded"].grade == POOR
    assert scores["sinusoidal", "bounded"].grade == GOOD
    assert scores["normalized", "step"].grade == POOR
    assert scores["sinusoidal", "shift"].grade == GOOD
    assert scores["binary", "shift"].grade == POOR
    assert scores["sinusoidal", "score"].grade == POOR
    assert scores["rotary", "score"].grade == GOOD
    assert scores["learned", "defined"].grade == POOR
    assert scores["t5", "unique"].grade == POOR
    assert scores["alibi", "unseen"].grade == NONE


def test_a_row_that_holds_no_numbers_is_said_and_no_other_property_suffers(tmp_path):
    holes = np.random.default_rng(0).normal(size=(70_000, 8))
    holes[2100, 5] = np.nan  # opening examines rows before it and after it
    np.save(tmp_path / "holes.npy", holes)
    document = Document(encoding=LearnedTable.from_file(tmp_path / "holes.npy"), seq_len=70_000)
    row = Scorecard.of(document).compute()[story_names().index("learned")]
    assert row[0].number is None
    assert "nan in row 2100, column 5" in row[0].detail
    apart = np.linalg.norm(holes[:512, None] - holes[None, :512], axis=2)
    assert row[1].number == pytest.approx(apart[~np.eye(512, dtype=bool)].min())
    assert row[7].number == 560_000


@pytest.mark.parametrize("lengths", [(1, 10**9), (10**9, 1), (4096, 4096)])
@pytest.mark.parametrize("encoding", [Rotary(2), Rotary(128), Sinusoidal(8)], ids=repr)
def test_lengths_that_yarn_does_not_take_leave_it_at_its_usual_ones(encoding, lengths):
    view = View(trained_length=lengths[0], target_length=lengths[1])
    families = {each.name: each.encoding for each in story_families(Document(encoding=encoding, view=view))}
    assert isinstance(families["yarn"].scaling, Yarn)
    assert families["yarn"].scaling.factor > 1


def test_a_long_text_is_measured_beside_the_window_and_a_sentence_at_once():
    """Measured once: 20 ms of a processor for 60 positions of 8 columns, 130 to 290 ms from 4,096 on."""
    costs = [Scorecard.of(Document(encoding=Sinusoidal(8), seq_len=length)).work for length in (60, 4096, 10**7)]
    assert costs[0] <= LONG_WORK < costs[1] <= costs[2] < 1.1 * costs[1]
