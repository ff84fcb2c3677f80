"""Where two rotary encodings part, and what a scaling does to the pairs: against rows computed elsewhere."""

import numpy as np
import pytest
from msgspec.structs import replace

from posenc_core import Alibi, Linear, Llama3, Proportional, Rotary, Yarn, open_model
from posenc_core.analysis import layer_differences, length_differences
from posenc_core.long_context import drift, pair_shares
from posenc_core.session import Layer, Model

PLAIN = Rotary(128)


@pytest.mark.parametrize(
    ("other", "first"),
    [
        (Rotary(128, 500000.0), {1: 16, 2: 10, 8: 7, 32: 92, 63: 6950}),
        (Rotary(128, scaling=Yarn(4.0, 4096)), {24: 216, 32: 227, 40: 431, 46: 786, 63: 9069}),
    ],
)
def test_the_first_position_off_by_45_degrees(other, first):
    found = drift(PLAIN, other)
    assert {pair: int(found.first[pair]) for pair in first} == first


def test_the_first_position_off_is_the_smallest_one():
    other = Rotary(128, 500000.0)
    found, apart = drift(PLAIN, other), np.abs(PLAIN.frequencies() - other.frequencies())
    off = found.first > 0
    limit = np.pi / 4
    assert (found.first[off] * apart[off] > limit).all()
    assert ((found.first[off] - 1) * apart[off] <= limit).all()
    assert found.first[0] == -1
    assert (found.pair, found.position) == (4, 7)
    assert found.count(np.array([0, 6, 7, 10**9])).tolist() == [0, 0, int((found.first == 7).sum()), 63]


def test_equal_encodings_never_part():
    found = drift(PLAIN, PLAIN)
    assert (found.position, found.pair) == (-1, -1)


@pytest.mark.parametrize("degrees", [0.0, -1.0, float("nan"), float("inf")])
def test_a_threshold_is_a_finite_number_above_0(degrees):
    with pytest.raises(ValueError, match="degrees must be a finite number > 0"):
        drift(PLAIN, PLAIN, degrees)


def test_pairs_are_kept_blended_and_slowed():
    shares = pair_shares(Rotary(128, 500000.0, scaling=Llama3(8.0, 8192)))
    assert (shares.kept, shares.blended, shares.slowed, shares.factor) == (29, 6, 29, pytest.approx(8.0))
    shares = pair_shares(Rotary(128, scaling=Linear(4.0)))
    assert (shares.kept, shares.blended, shares.slowed, shares.factor) == (0, 0, 64, pytest.approx(4.0))
    shares = pair_shares(PLAIN)
    assert (shares.kept, shares.blended, shares.slowed, shares.factor) == (64, 0, 0, 1.0)


def model(*layers, trained=4096):
    return Model("m", "t", "config.json", layers, trained_length=trained, target_length=8192)


def test_differences_name_layers_once():
    one, other = Layer("rotary", PLAIN), Layer("rotary", Rotary(128, 500000.0))
    still = Layer("none")
    (found,) = layer_differences(model(one, one, still), model(other, one, still))
    assert found.indices == (0,)
    (difference,) = found.differences
    assert difference.what == "frequency of pair 63"
    assert "63 of 64 pairs differ" in difference.remark
    assert "pair 4 at position 7" in difference.remark
    assert not layer_differences(model(one), model(Layer("rotary", Rotary(128))))


def test_a_model_with_one_length_has_no_original_one():
    plain = replace(model(Layer("rotary", PLAIN), trained=8192), lengths_from="max_position_embeddings")
    found = length_differences(plain, model(Layer("rotary", PLAIN)))
    assert [(each.what, each.first, each.second) for each in found] == [("original length", "not given", "4,096")]


def test_differences_of_layouts_widths_kinds_and_lengths():
    layouts = layer_differences(
        model(Layer("rotary", PLAIN)), model(Layer("rotary", Rotary(128, pairing="interleaved")))
    )
    assert [each.what for each in layouts[0].differences] == ["pair layout"]
    widths = layer_differences(model(Layer("rotary", PLAIN)), model(Layer("rotary", Rotary(64))))
    assert {"head width", "rotated columns"} <= {each.what for each in widths[0].differences}
    kinds = layer_differences(model(Layer("rotary", PLAIN)), model(Layer("bias", Alibi(8))))
    assert {"kind", "family"} <= {each.what for each in kinds[0].differences}
    heads = layer_differences(model(Layer("bias", Alibi(8))), model(Layer("bias", Alibi(16))))
    assert [(each.what, each.first, each.second) for each in heads[0].differences] == [("n_heads", "8", "16")]
    lengths = length_differences(model(Layer("none")), model(Layer("none"), Layer("none"), trained=None))
    assert [(each.what, each.first, each.second) for each in lengths] == [
        ("original length", "4,096", "not given"),
        ("number of layers", "1", "2"),
    ]


def test_differences_of_what_a_layer_sees():
    def told(one, other):
        (found,) = layer_differences(model(one), model(other))
        return [(each.what, each.first, each.second) for each in found.differences]

    plain = Layer("rotary", PLAIN)
    chosen = Layer("rotary", PLAIN, chosen=2048)  # DeepSeek V3 and V3.2
    assert told(plain, chosen) == [("tokens chosen by an indexer", "none", "2,048")]
    one, two = Layer("rotary", PLAIN, 1024), Layer("rotary", PLAIN, 512, ahead=512)
    assert told(one, two) == [("window", "1,024", "512 before and 512 after")]
    entries = Layer("rotary", PLAIN, 1024, compressed=4)
    assert told(one, entries) == [("tokens per compressed entry", "none", "4")]


def test_columns_that_stand_still_are_no_rotated_ones():
    quarter = Layer("rotary", Rotary(512, scaling=Proportional(0.25)))  # Gemma 4's full layers
    (found,) = layer_differences(model(Layer("rotary", PLAIN)), model(quarter))
    assert "rotated columns" not in {each.what for each in found.differences}  # 128 in both


def test_a_gguf_with_rounded_divisors_and_permuted_columns_is_the_same():
    config = model(Layer("rotary", Rotary(128, scaling=Linear(4.0))))
    permuted = Layer("rotary", Rotary(128, pairing="interleaved", scaling=Linear(4.0 * (1 + 1e-7))))
    assert layer_differences(config, replace(config, source="m.gguf", layers=(permuted,))) == ()
    assert layer_differences(config, replace(config, layers=(permuted,))) != ()


def test_differences_say_which_texts_are_compared_where_frequencies_follow_the_length():
    sizes = {"model_type": "llama", "hidden_size": 512, "num_attention_heads": 4, "num_hidden_layers": 2,
             "max_position_embeddings": 4096, "rope_theta": 1e4}  # fmt: skip
    dynamic = open_model({**sizes, "rope_scaling": {"type": "dynamic", "factor": 2.0}})
    (found,) = layer_differences(open_model(sizes), dynamic)
    (longer,) = found.differences
    assert (longer.what, longer.first, longer.second) == (
        "frequencies of longer texts", "are the same", "follow the length"
    )  # fmt: skip
    (found,) = layer_differences(open_model({**sizes, "rope_theta": 5e5}), dynamic)
    assert found.differences[0].remark.endswith(
        "is pair 4 at position 7; in short texts, whose length the frequencies of the second follow"
    )
    (found,) = layer_differences(open_model(sizes), open_model({**sizes, "rope_theta": 5e5}))
    assert "short texts" not in found.differences[0].remark
