"""Token vectors: drawn ones, the same for the same token for ever and never called a model's, and typed ones."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import Embedding

SIMULATED = Embedding(embedding="simulated")


def vectors(embedding: Embedding, texts: list[str], d_model: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    table = embedding.vectors(texts, d_model)
    assert table is not None
    assert table.shape == (len(texts), d_model)
    assert table.dtype == np.float64
    return table


def test_none_is_none_and_says_nothing() -> None:
    assert Embedding().vectors(["a"], 8) is None
    assert Embedding().label == ""


def test_the_label_says_simulated() -> None:
    assert SIMULATED.label == "simulated (seed 0)"
    assert Embedding("simulated", 42).label == "simulated (seed 42)"


def test_the_numbers_are_the_same_on_every_machine_and_in_every_version() -> None:
    """Written down here: a session opened in ten years shows the same picture."""
    table = vectors(Embedding("simulated", 7, True), ["Dan", "loves"], 4)
    expected = [
        [0.6470229499442, 0.3979406519706, 1.5305627597957, -0.7496682994321],
        [-0.3968115172344, 1.0123859640669, 0.1003008012241, 0.5789445160234],
    ]
    np.testing.assert_allclose(table, expected, rtol=0, atol=1e-12)


@given(
    seed=st.integers(0, 2**32 - 1),
    texts=st.lists(st.text(max_size=8), max_size=12),
    d_model=st.integers(1, 300),
    scaled=st.booleans(),
)
def test_a_token_has_one_vector_wherever_it_stands(seed: int, texts: list[str], d_model: int, scaled: bool) -> None:
    embedding = Embedding("simulated", seed, scaled)
    table = vectors(embedding, texts, d_model)
    for text, row in zip(texts, table, strict=True):
        assert row.tolist() == vectors(embedding, [text], d_model)[0].tolist()
    rows = {text: tuple(row) for text, row in zip(texts, table, strict=True)}
    assert len(set(rows.values())) == len(rows), "different tokens, different vectors"


def test_another_seed_is_another_vector() -> None:
    one = vectors(SIMULATED, ["a"], 16)
    other = vectors(Embedding("simulated", 1), ["a"], 16)
    assert np.abs(one - other).min() > 0


@pytest.mark.parametrize("d_model", [64, 512])
def test_entries_are_normal_numbers_of_variance_one_over_d(d_model: int) -> None:
    """And of variance 1 once they are scaled by sqrt(d_model), as the paper does before it adds the position."""
    texts = [str(k) for k in range(400)]
    plain = vectors(SIMULATED, texts, d_model)
    scaled = vectors(Embedding("simulated", 0, True), texts, d_model)
    np.testing.assert_allclose(scaled, plain * np.sqrt(d_model), rtol=1e-12)
    assert abs(scaled.mean()) < 5 / np.sqrt(scaled.size)
    assert scaled.var() == pytest.approx(1, abs=10 / np.sqrt(scaled.size))
    assert np.linalg.norm(plain, axis=1).mean() == pytest.approx(1, abs=0.02)
    likeness = plain @ plain.T - np.diag((plain**2).sum(axis=1))
    assert np.abs(likeness).max() < 6 / np.sqrt(d_model), "tokens are independent"


def test_a_wider_vector_begins_with_the_same_numbers() -> None:
    """So that the picture does not jump while the width is dragged."""
    narrow = vectors(Embedding("simulated", 3, True), ["a", "b"], 7)
    wide = vectors(Embedding("simulated", 3, True), ["a", "b"], 64)
    assert narrow.tolist() == wide[:, :7].tolist()


def test_no_tokens_no_rows() -> None:
    assert vectors(SIMULATED, [], 8).shape == (0, 8)


def test_typed_numbers_are_every_tokens_vector_and_are_never_scaled() -> None:
    typed = Embedding("typed", 3, True, (1.0, -2.5, 0.0))
    assert vectors(typed, ["a", "b"], 3).tolist() == [[1.0, -2.5, 0.0]] * 2
    assert typed.label_at(3) == typed.label == "typed"


@pytest.mark.parametrize(
    ("width", "numbers", "label"),
    [
        (7, [1, -2.5, 0, 1, -2.5, 0, 1], "typed, repeated"),
        (2, [1, -2.5], "typed, first 2 of 3 numbers"),
        (1, [1], "typed, first 1 of 3 numbers"),
    ],
)
def test_typed_numbers_are_repeated_or_cut_to_the_width_and_the_label_says_so(
    width: int, numbers: list[float], label: str
) -> None:
    typed = Embedding("typed", vector=(1.0, -2.5, 0.0))
    assert vectors(typed, ["a"], width)[0].tolist() == numbers
    assert typed.label_at(width) == label
    assert typed.reach(width) == max(map(abs, numbers))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("1, 2", "vector must be a list of 1 to 65536 numbers, got '1, 2'"),
        ((), "vector must be a list of 1 to 65536 numbers, got none"),
        ((1, "a"), r"vector\[1\] must be a number, got 'a' \(str\)"),
        ((1, float("nan")), r"vector\[1\] must be a number from -1e\+100 to 1e\+100, got nan"),
        ((-2e100,), r"vector\[0\] must be a number from -1e\+100 to 1e\+100, got -2e\+100"),
        ([1.0] * 65537, "vector must be a list of 1 to 65536 numbers, got 65537 numbers"),
    ],
)
def test_a_value_that_is_no_vector_is_refused_in_a_sentence(given: Any, sentence: str) -> None:
    with pytest.raises((TypeError, ValueError), match=sentence):
        Embedding("typed", vector=given)


def test_typed_text_gives_the_numbers_again() -> None:
    field = next(field for field in Embedding.FIELDS if field.name == "vector")
    assert field.parse("1, -2.5  3e-7") == (1.0, -2.5, 3e-7)
    assert field.parse(field.format((0.1, -2.0, 1e99))) == (0.1, -2.0, 1e99)
    with pytest.raises(ValueError, match=r"vector\[1\] must be a number from .* got 'x'"):
        field.parse("1 x")


def test_only_fields_with_an_effect_are_named() -> None:
    names = {kind: [field.name for field in Embedding(kind).fields] for kind in ("none", "simulated", "typed")}
    assert names == {
        "none": ["embedding"],
        "simulated": ["embedding", "seed", "scale_by_sqrt_d"],
        "typed": ["embedding", "vector"],
    }
