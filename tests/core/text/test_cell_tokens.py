"""Tokens of a picture are named by their places, never by words that are not in its grid."""

import pytest

from posenc_core import Document
from posenc_core.encodings import RopeAxes, Rotary
from posenc_core.long_context import TableDifference


def document(grid, sentence="Dan loves icecream and more"):
    return Document(sentence, grid=grid, encoding=RopeAxes(16, axes="t,h,w", grid=grid))


@pytest.mark.parametrize(
    ("grid", "names"),
    [
        ("text", ["Dan", "loves", "icecream", "and", "more"]),
        ("2x3", ["h0 w0", "h0 w1", "h0 w2", "h1 w0", "h1 w1"]),
        ("2x1x2", ["t0 h0 w0", "t0 h0 w1", "t1 h0 w0", "t1 h0 w1", "no cell"]),
        ("2+3x2", ["Dan", "loves", "h0 w0", "h0 w1", "h1 w0"]),
        ("9+3x2", ["Dan", "loves", "icecream", "and", "more"]),
        ("1x1", ["h0 w0", "no cell", "no cell", "no cell", "no cell"]),
    ],
)
@pytest.mark.parametrize("tokens", ["words", "bytes"])
def test_patches_have_the_names_of_their_places(grid, names, tokens):
    made = document(grid, "D l i a m" if tokens == "bytes" else "Dan loves icecream and more").edited("tokens", tokens)
    found = made.token_list
    shown = [token.shown for token in found]
    if tokens == "words":
        assert shown == names
    else:
        patches = [name for name in names if name[1].isdigit()]
        assert shown[made.encoding.cells.grid.n_text :][: len(patches)] == patches
    assert len(found) == len(shown) == len(found[:])
    assert found.longest == max(map(len, (token.text for token in found)))
    assert found == found[:]
    for position, token in enumerate(found):
        is_patch = made.encoding.cells.grid.indices(position) is not None
        is_text = position < made.encoding.cells.grid.n_text or grid == "text"
        assert token.cell == ("" if is_text else made.encoding.cells.grid.words(position) if is_patch else "no cell")


def test_two_patches_have_two_simulated_vectors():
    made = document("2x3").edited("embedding", "simulated")
    one, other = made.vectors_of(made.token_list[:2])
    assert (one != other).any()
    typed = document("2x3", "other words").edited("embedding", "simulated")
    assert (typed.vectors_of(typed.token_list[:1])[0] == one).all()


def test_the_difference_of_two_tables_of_a_picture_has_its_patches():
    made = document("2x3")
    for one, other in ((made.encoding, Rotary(16)), (Rotary(16), made.encoding)):
        both = made.with_encoding(TableDifference(one, other))
        assert [token.shown for token in both.token_list] == ["h0 w0", "h0 w1", "h0 w2", "h1 w0", "h1 w1"]


def test_an_encoding_that_reads_no_grid_keeps_the_words():
    made = document("2x3").edited("family", "sinusoidal")
    assert made.grid == "2x3"
    assert [token.shown for token in made.token_list] == ["Dan", "loves", "icecream", "and", "more"]
