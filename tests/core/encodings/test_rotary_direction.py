"""The last columns of a head, and rotation by the negative angle, against the code of the models that have them."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from snippet_cases import numpy_source
from strategies import rotaries

from posenc_core import Document, Rotary, Sinusoidal, Yarn, encode, explain, frequencies, tile
from posenc_core.analysis import cosine_similarity, shift_matrix
from posenc_core.encodings import pair_angles

PAIRINGS = ("half_split", "interleaved")
SMALL = [Rotary(8, pairing=pairing, rotary_dim=4) for pairing in PAIRINGS]


def reversed_of(rotary: Rotary) -> Rotary:
    return rotary.edited("direction", -rotary.direction)


def nanochat(x: np.ndarray, cosine: np.ndarray, sine: np.ndarray) -> np.ndarray:
    """``apply_rotary_pos_emb`` of transformers' ``modeling_nanochat``, whose ``rotate_half`` has the other sign."""
    first, second = np.split(x, 2, axis=-1)
    both = [np.concatenate([each, each], axis=-1) for each in (cosine, sine)]
    return x * both[0] + np.concatenate([second, -first], axis=-1) * both[1]


def deepseek_v4(x: np.ndarray, cosine: np.ndarray, sine: np.ndarray) -> np.ndarray:
    """``apply_rotary_pos_emb`` of transformers' ``modeling_deepseek_v4``: neighbours among the last columns."""
    cosine, sine = np.repeat(cosine, 2, axis=-1), np.repeat(sine, 2, axis=-1)
    kept, turned = x[..., : -cosine.shape[-1]], x[..., -cosine.shape[-1] :]
    halves = np.stack([-turned[..., 1::2], turned[..., 0::2]], axis=-1).reshape(turned.shape)
    return np.concatenate([kept, turned * cosine + halves * sine], axis=-1)


@pytest.mark.parametrize(
    ("rotary", "model"),
    [
        (Rotary(128, direction=-1), nanochat),
        (Rotary(512, pairing="interleaved", rotary_dim=64, rotary_part="trailing"), deepseek_v4),
        (Rotary(64, 160000.0, "interleaved", 64, Yarn(16, 65536), rotary_part="trailing"), deepseek_v4),
    ],
    ids=["nanochat", "DeepSeek V4", "DeepSeek V4, compressed"],
)
def test_queries_are_rotated_as_in_the_models_own_code(rotary: Rotary, model: Any) -> None:
    positions = np.array([0, 1, 17, 4096])
    x = np.random.default_rng(1).normal(size=(4, rotary.head_dim))
    angles = positions[:, None] * rotary.frequencies()
    a = rotary.attention_factor
    wanted = model(x, a * np.cos(angles), a * np.sin(angles))
    np.testing.assert_allclose(rotary.rotate(x, positions), wanted, rtol=0, atol=1e-12)
    np.testing.assert_allclose(rotary.rotate(x.astype(np.float32), positions), wanted, rtol=0, atol=1e-5)


@given(rotaries(), st.integers(-1000, 1000), st.integers(1, 60), st.integers(1, 9))
def test_the_other_direction_is_the_position_with_the_other_sign(
    rotary: Rotary, first: int, count: int, parts: int
) -> None:
    other = reversed_of(rotary)
    positions, columns = np.arange(first, first + count), np.arange(rotary.n_columns)
    np.testing.assert_array_equal(other.values(positions, columns), rotary.values(-positions, columns))
    np.testing.assert_allclose(encode(other, positions), encode(rotary, -positions), rtol=0, atol=3e-7 * reach(rotary))
    window, mirrored = (first, first + count), (1 - first - count, 1 - first)
    found = tile(other, window, (0, rotary.n_columns), (count, 1))
    wanted = tile(rotary, mirrored, (0, rotary.n_columns), (count, 1))[::-1]
    np.testing.assert_allclose(found, wanted, rtol=0, atol=6e-7 * reach(rotary))  # each of both is 3e-7 off at most
    found = other.sampler.phasor_tile(window, (0, rotary.pairs.n_pairs), (count, 1))
    wanted = rotary.sampler.phasor_tile(window, (0, rotary.pairs.n_pairs), (count, 1)).conj()
    np.testing.assert_allclose(found, wanted, rtol=0, atol=3e-7)
    np.testing.assert_array_equal(frequencies(other), frequencies(rotary))


def reach(rotary: Rotary) -> float:
    return max(1.0, rotary.attention_factor)


@pytest.mark.parametrize("direction", [1, -1])
def test_there_is_no_minus_zero(direction: int) -> None:
    """A negative zero would appear as -0 in cells and in files."""
    rotary = Rotary(16, rotary_dim=8, direction=direction)
    columns = np.arange(8)
    for table in (rotary.values(np.arange(30), columns), encode(rotary, range(30)), encode(rotary, [0])):
        assert not np.signbit(table[table == 0]).any()


@pytest.mark.parametrize("window", [(-20.0, 30.0), (-3000.0, 5000.0)], ids=["lines", "bands"])
def test_curves_of_the_other_direction(window: tuple[float, float]) -> None:
    rotary = Rotary(16, direction=-1, scaling=Yarn(4, 64))
    traces = rotary.sampler.traces(np.arange(16), window, 300)
    seen = set()
    for line in traces.lines:
        for row, column in enumerate(line.columns.tolist()):
            pair, part = rotary.pairs.place(column)
            angles = -rotary.frequencies()[pair] * line.x[row]
            curve = rotary.attention_factor * (np.sin if part else np.cos)(angles)
            np.testing.assert_allclose(line.y[row], curve, atol=1e-9)
            seen.add(column)
    positions = np.arange(int(window[0]) + 1, int(window[1]))
    table = rotary.values(positions, np.arange(16))
    for band in traces.bands:
        pixel = np.clip(np.searchsorted(band.x, positions, side="right") - 1, 0, len(band.x) - 2)
        for row, column in enumerate(band.columns.tolist()):
            assert (band.low[row, pixel] - 1e-9 <= table[:, column]).all()
            assert (table[:, column] <= band.high[row, pixel] + 1e-9).all()
            seen.add(column)
    assert seen == set(range(16))


def test_angles_shifts_and_scores_of_the_other_direction() -> None:
    rotary = Rotary(16)
    other = reversed_of(rotary)
    positions = np.arange(3)
    np.testing.assert_allclose(
        pair_angles(other, positions, np.arange(8)), -pair_angles(rotary, positions, np.arange(8))
    )
    row, later = (other.values(np.array([position]), np.arange(16))[0] for position in (5, 12))
    np.testing.assert_allclose(shift_matrix(other, 7) @ row, later, atol=1e-12)
    np.testing.assert_array_equal(cosine_similarity(other, range(5)), cosine_similarity(rotary, range(5)))


@pytest.mark.parametrize("leading", SMALL, ids=PAIRINGS)
def test_the_last_columns_have_the_table_of_the_first_and_rotate_others(leading: Rotary) -> None:
    trailing = leading.edited("rotary_part", "trailing")
    assert encode(trailing, range(9)).tobytes() == encode(leading, range(9)).tobytes()
    assert trailing.column_info(3) == leading.column_info(3)
    x = np.random.default_rng(3).normal(size=(5, 8))
    rolled = np.roll(leading.rotate(np.roll(x, 4, axis=1), range(5)), 4, axis=1)
    np.testing.assert_array_equal(trailing.rotate(x, range(5)), rolled)
    combination = trailing.combination
    assert [combination.vector_column(column) for column in range(8)] == [4, 5, 6, 7, 0, 1, 2, 3]
    assert [combination.table_column(combination.vector_column(column)) for column in range(8)] == list(range(8))
    for column in range(8):
        derivation = trailing.explain_rotation(x[3], 3, column)
        assert derivation.value == pytest.approx(rolled[3, column], abs=1e-12)
        assert ("it passes through" in derivation.to_text()) == (column < 4)
    assert "is not among the last 4, which are rotated" in trailing.explain_rotation(x[3], 3, 0).to_text()


def test_derivations_name_the_heads_column_and_the_sign() -> None:
    rotary = Rotary(512, pairing="interleaved", rotary_dim=64, rotary_part="trailing", direction=-1)
    text = explain(rotary, 5, 3).to_text().splitlines()
    assert text[0] == "R(5, 3) = sin(-5 · θ_1)"
    assert text[1] == "column 3 of the rotated ones is column 448 + 3 = 451 of the head"
    assert "direction -1: the angle has the opposite sign, so position 5 counts as -5" in text
    assert rotary.warnings == (
        "the last 64 of a head's 512 columns are rotated: column 0 of the table is column 448 of the head",
    )
    plain = explain(Rotary(512, pairing="interleaved", rotary_dim=64), 5, 3).to_text()
    assert "direction" not in plain
    assert "of the head" not in plain


def test_which_columns_is_asked_only_where_some_are_not_rotated() -> None:
    assert "rotary_part" not in [field.name for field in Rotary(8).fields]
    assert "rotary_part" not in [field.name for field in Rotary(8, rotary_dim=8).fields]
    assert "rotary_part" in [field.name for field in Rotary(8, rotary_dim=4).fields]
    assert Rotary(8, rotary_part="trailing").first_column == 0
    assert Rotary(8, rotary_part="trailing").warnings == ()


def test_a_session_keeps_both_and_an_older_one_has_neither() -> None:
    document = Document(encoding=Rotary(8, rotary_dim=4, direction=-1, rotary_part="trailing"))
    assert Document.from_json(document.to_json()) == document
    older = Document(encoding=Rotary(8, rotary_dim=4)).to_json()
    for line in ('    "direction": 1,\n', '    "rotary_part": "leading",\n'):
        assert line in older
        older = older.replace(line, "")
    assert Document.from_json(older) == Document(encoding=Rotary(8, rotary_dim=4))


def test_a_new_family_takes_no_part_of_it() -> None:
    document = Document(encoding=Rotary(8, direction=-1))
    assert document.edited("family", "sinusoidal").encoding == Sinusoidal(8)
    assert "-positions[:, None]" in numpy_source(document)


@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        ({"direction": 0}, ValueError, "direction must be 1 or -1, got 0"),
        ({"direction": 2}, ValueError, "direction must be 1 or -1, got 2"),
        ({"direction": "1"}, TypeError, "direction must be 1 or -1, got '1'"),
        ({"direction": True}, TypeError, "direction must be 1 or -1, got True"),
        ({"rotary_part": "last"}, ValueError, "rotary_part must be leading or trailing, got 'last'"),
    ],
)
def test_other_values_are_refused(given: dict[str, Any], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        Rotary(8, **given)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(("text", "value"), [("1", 1), (" +1", 1), ("-1 ", -1)])
def test_a_direction_is_typed(text: str, value: int) -> None:
    (field,) = [each for each in Rotary.FIELDS if each.name == "direction"]
    assert field.parse(text) == value
    assert field.format(value) == text.strip().removeprefix("+")
    for wrong in ("", "+-1", "0", "--1", "one"):
        with pytest.raises(ValueError, match=r"^direction must be 1 or -1, got "):
            field.parse(wrong)
