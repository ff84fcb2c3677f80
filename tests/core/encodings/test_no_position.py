"""No positional encoding: zeros everywhere, and the position that a causal mask reveals."""

import numpy as np
import pytest
from family_checks import check_explained, check_tiles, check_traces, check_words

from posenc_core import Document, NoPosition, encode, explain, frequencies
from posenc_core.analysis import cosine_similarity, is_shift_invariant, pair_reach, shift_residual
from posenc_core.session import Layer


def test_the_family_needs_no_parameter_and_describes_itself() -> None:
    check_words(NoPosition)
    assert NoPosition() == NoPosition(8)
    assert "the mask leaves visible" in NoPosition.summary
    assert "2305.19466" in NoPosition.citation
    assert NoPosition().warnings == ()
    assert Layer("none", NoPosition()).encoding is not None


def test_every_entry_is_zero_without_a_sign() -> None:
    encoding = NoPosition(5)
    for positions in (range(-10, 10), [2**53, -(2**53), 0]):
        table = encode(encoding, positions)
        assert table.shape == (len(positions), 5)
        assert not table.any()
        assert not np.signbit(table).any()
        assert not np.signbit(encoding.values(np.array(positions), np.arange(5))).any()
    assert len(frequencies(encoding)) == 0
    check_tiles(encoding)


@pytest.mark.parametrize("window", [(-3.5, 20.0), (0.0, 1e6)])
def test_its_curves_are_straight(window: tuple[float, float]) -> None:
    check_traces(NoPosition(3), window, 200)


def test_nothing_is_added_to_a_vector() -> None:
    vectors = np.random.default_rng(0).normal(size=(4, 8))
    assert np.array_equal(NoPosition().combination.combined(vectors, np.arange(4)), vectors)


def test_the_derivation_tells_what_a_causal_mask_shows() -> None:
    check_explained(NoPosition(), 3, 7)
    assert explain(NoPosition(), 3, 0).steps[0].value == 4
    assert "the query at position 3 sees 4 keys in a causal model" in explain(NoPosition(), 3, 0).to_text()
    assert "the query at position 0 sees 1 key in" in explain(NoPosition(), 0, 0).to_text()
    assert "sees" not in explain(NoPosition(), -1, 0).to_text()
    assert NoPosition().causal


def test_all_pairs_of_tokens_have_the_number_zero() -> None:
    """Without a division of zero by zero: warnings are errors."""
    encoding = NoPosition()
    assert not encoding.pair_values(range(6), range(6)).any()
    assert pair_reach(encoding, 0, 6) == 1.0
    assert not is_shift_invariant(encoding)
    assert shift_residual(encoding, 3) == 0
    with pytest.raises(
        ValueError, match=r"^column 0 \(nothing\) is not a sine or cosine: this table has no shift matrix$"
    ):
        cosine_similarity(encoding, [0])


def test_a_session_keeps_it() -> None:
    document = Document(encoding=NoPosition(6))
    assert document.to_dict()["encoding"] == {"family": "none", "d_model": 6}
    assert Document.from_json(document.to_json()) == document
    assert Document().edited("family", "none").encoding == NoPosition(8)
