"""The lengths of a longer context, and the scalings that are compared between them."""

import math
from dataclasses import replace

import numpy as np
import pytest

from posenc_core import Alibi, Document, LongRope, Rotary, View, Yarn
from posenc_core.long_context import pair_shares
from posenc_core.session import COMPARED_SCALINGS, Compared, ContextLengths, Layer, Model, compared_encodings

LENGTHS = ContextLengths(4096, 16384)


def model(trained=None, target=None):
    layer = Layer("rotary", Rotary(64))
    return Model("a model", "llama", "config.json", (layer,), trained_length=trained, target_length=target)


def encodings(*names, encoding=None, lengths=LENGTHS):
    comparison = compared_encodings(encoding or Rotary(128), names, lengths)
    assert comparison.refusals == ()
    return {each.name: each.encoding for each in comparison.encodings}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (Document(), (4096, 16384)),
        (Document(encoding=Rotary(64, scaling=Yarn(16, 8192))), (8192, 32768)),
        (Document(view=View(trained_length=2048)), (2048, 8192)),
        (Document(view=View(target_length=5000)), (4096, 5000)),
        (Document().with_model(model(8192, 131072)), (8192, 131072)),
        (Document().with_model(model(None, 131072)), (4096, 131072)),
        (Document(encoding=Alibi(8)), (4096, 16384)),
    ],
)
def test_the_lengths_are_the_users_else_the_models_else_the_scalings(document, expected):
    assert (document.lengths.trained, document.lengths.target) == expected


def test_another_model_brings_its_own_lengths_and_the_same_one_keeps_the_users():
    document = Document(view=View(trained_length=7, target_length=9)).with_model(model(8192, 16384))
    assert document.lengths == ContextLengths(8192, 16384)
    document = document.edited("target_length", 65536)
    assert document.with_model(document.model, 0).lengths.target == 65536


def test_a_length_is_at_least_one_token_and_may_be_none():
    for value in (0, -1, 10**10):
        with pytest.raises(ValueError, match="trained_length must be an integer"):
            View(trained_length=value)
    assert Document(view=View(trained_length=1)).edited("trained_length", None).lengths.trained == 4096


def test_the_first_is_unscaled_and_the_present_scaling_comes_second():
    present = Rotary(128, scaling=Yarn(8, 4096))
    found = compared_encodings(present, ("linear",), LENGTHS).encodings
    assert [each.name for each in found] == ["none", "present", "linear"]
    assert found[0] == Compared("none", "as trained", Rotary(128))
    assert found[1].encoding is present
    assert found[2].title == "Position interpolation ×4"


def test_the_compared_scalings_are_those_of_the_papers():
    pairs, found = np.arange(64), encodings(*COMPARED_SCALINGS.values)
    trained = 10000.0 ** (-pairs / 64)
    assert found["none"].frequencies() == pytest.approx(trained)
    assert found["linear"].frequencies() == pytest.approx(trained / 4)
    assert found["ntk"].frequencies() == pytest.approx((10000 * 4 ** (128 / 126)) ** (-pairs / 64))
    assert found["dynamic"].frequencies() == pytest.approx((10000 * (4 * 4 - 3) ** (128 / 126)) ** (-pairs / 64))
    for name in ("ntk_by_parts", "yarn", "llama3"):
        slower = trained / found[name].frequencies()
        turns = 4096 * trained / (2 * math.pi)
        assert slower[turns > 32] == pytest.approx(1)
        assert slower[turns < 1] == pytest.approx(4)
    shares = pair_shares(found["yarn"])
    assert (shares.kept, shares.blended, shares.slowed) == (21, 25, 18)


def test_a_target_below_the_trained_length_is_one_sentence_for_all_scalings():
    comparison = compared_encodings(Rotary(128), COMPARED_SCALINGS.values, ContextLengths(4096, 100))
    (sentence,) = comparison.refusals
    assert sentence.startswith(
        "target length 100 is below the trained length 4,096: a scaling needs a target length of at least"
    )
    assert [each.name for each in comparison.encodings] == ["none"]


def test_a_scaling_that_an_encoding_does_not_take_leaves_the_others():
    comparison = compared_encodings(Rotary(128, rope_theta=1.0), ("linear", "yarn"), LENGTHS)
    assert [each.name for each in comparison.encodings] == ["none", "linear"]
    (sentence,) = comparison.refusals
    assert "\n" not in sentence


def test_lists_of_factors_are_compared_as_the_present_scaling():
    factors = tuple(1.0 + index for index in range(32))
    longer = tuple(2.0 * each for each in factors)
    present = Rotary(64, scaling=LongRope(factors, longer, 4096, 131072, seq_len=60))
    found = encodings("ntk", encoding=present)["present"]  # in a text of the target length
    assert found == present.scaled_by(replace(present.scaling, seq_len=LENGTHS.target))
    assert found.scaling.divisors == longer


def test_any_of_the_scalings_are_chosen_by_name():
    assert COMPARED_SCALINGS.parse("yarn, linear yarn") == ("linear", "yarn")
    assert COMPARED_SCALINGS.parse("none") == COMPARED_SCALINGS.parse("") == ()
    assert COMPARED_SCALINGS.format(()) == "none"
    assert Document().edited("compared_scalings", ["yarn"]).view.compared_scalings == ("yarn",)
    with pytest.raises(ValueError, match="compared_scalings must be none, or any of linear, ntk"):
        COMPARED_SCALINGS.parse("linear, cubic")
    with pytest.raises(TypeError, match="compared_scalings must be"):
        COMPARED_SCALINGS.check("linear")


def test_a_session_keeps_lengths_and_scalings():
    document = Document(view=View(trained_length=2048, target_length=9999, compared_scalings=("ntk",)))
    assert Document.from_json(document.to_json()) == document
    assert Document.from_json('{"format": "posenc session", "version": 2}').view == View()
