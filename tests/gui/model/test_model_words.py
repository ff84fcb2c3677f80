"""Words of a model's card that follow from its numbers: shares of pairs, and lengths."""

import json
from pathlib import Path

import pytest

from posenc_core import Llama3, LongRope, Proportional, Rotary, open_model
from posenc_core.encodings import RopeAxes
from posenc_core.rope_scaling import QueryTemperature
from posenc_core.session import Layer, Model, ModelPart
from posenc_gui.model.card import claims_of, layer_words, lengths_words, part_words, shares_words

DIVISORS = tuple(1 + 1.84 * pair / 47 for pair in range(48))
CONFIGS = Path(__file__).parents[2] / "data" / "model_configs"


@pytest.mark.parametrize(
    ("rotary", "words"),
    [
        (Rotary(512, 1e6, scaling=Proportional(0.25)),
         "64 pairs turn (columns 0-63 and 256-319), 192 do not turn"),
        (Rotary(96, scaling=LongRope(DIVISORS, DIVISORS, 4096, 131072)),
         "48 pairs; each pair has its own divisor, 1 to 2.84"),
        (Rotary(128, 5e5, scaling=Llama3(8.0, 8192)), "64 pairs; 29 kept, 6 blended, 29 slowed 8 times"),
        (Rotary(128), "64 pairs, none scaled"),
    ],
)  # fmt: skip
def test_shares_of_pairs(rotary: Rotary, words: str) -> None:
    assert shares_words(rotary) == words


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("seq_length, max_position_embeddings", "trained on 2,048 tokens, made for 8,192"),
        ("original_max_position_embeddings, max_position_embeddings",
         "original length 2,048, before the scaling; made for 8,192 tokens"),
        ("dual_chunk_attention_config.original_max_position_embeddings, max_position_embeddings",
         "original length 2,048, before its distances are remapped; made for 8,192 tokens"),
    ],
)  # fmt: skip
def test_only_a_file_that_says_so_tells_of_training(key: str, words: str) -> None:
    assert lengths_words(Model("m", "t", "config.json", (), 2048, 8192, key)) == words


@pytest.mark.parametrize(
    ("layer", "words"),
    [
        (Layer("rotary", Rotary(128), 4096), "rotary, base 10,000, window 4,096"),
        (Layer("rotary", Rotary(128), 64, ahead=64), "rotary, base 10,000, window 64 on each side"),
        (Layer("rotary", Rotary(128), 2047, ahead=2048), "rotary, base 10,000, window 2,047 before, 2,048 after"),
        (Layer("rotary", Rotary(128), chosen=2048), "rotary, base 10,000, best 2,048 tokens"),
        (Layer("none"), "no rotation, no position"),
        (Layer("none", temperature=QueryTemperature("beam")), "no rotation, temperature (beam)"),
        (Layer("none", sentence="each head scales its queries by their position"), "no rotation"),
        (Layer("rotary", RopeAxes(64, 1e6, "shared")), "rotary, base 1,000,000, 64 columns"),
        (Layer("learned"), "table in the weights"),
        (Layer("unsupported", sentence="it has biases, which this version does not show"), "not shown"),
        (Layer("unsupported", sentence="it has convolutions: there is nothing to show"), "no positions"),
    ],
)
def test_what_a_layer_does_and_sees(layer: Layer, words: str) -> None:
    assert layer_words(layer) == words


@pytest.mark.parametrize(("n_layers", "words"), [(27, "Vision part (27 layers)"), (1, "Vision part")])
def test_layers_of_a_part_are_counted_where_their_number_is_known(n_layers: int, words: str) -> None:
    assert part_words(ModelPart("vision", n_layers, Layer("none"))) == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("vision", "Vision part"),
        ("encoder", "Encoder"),
        ("talker", "Talker"),
        ("code predictor", "Code predictor"),
        ("code2wav", "Waveform decoder"),
        ("dit", "Diffusion transformer"),
        ("vq", "Vector quantiser"),
        ("qformer", "Q-Former"),
    ],
)
def test_a_part_is_called_by_the_name_of_the_field(name: str, words: str) -> None:
    assert part_words(ModelPart(name, 1, Layer("none"))) == words


def test_phi_3_5_has_a_divisor_for_each_pair() -> None:
    model = open_model(json.loads((CONFIGS / "phi-3_5.json").read_text(encoding="utf-8")))
    assert model.rotary is not None
    assert "48 pairs; each pair has its own divisor, 1 to " in shares_words(model.rotary)


def test_a_base_is_written_in_one_way() -> None:
    (layer,) = open_model({"model_type": "llama", "head_dim": 64, "num_hidden_layers": 1, "rope_theta": 1e7}).layers
    assert layer_words(layer).startswith("rotary, base 10,000,000")
    assert layer.sentence.startswith("the base is 10,000,000: ")


def test_a_card_begins_with_what_is_surprising_and_ends_with_places_of_keys() -> None:
    llama4 = open_model(CONFIGS / "meta-llama--Llama-4-Scout-17B-16E-Instruct.json")
    topics = [each.topic for each in claims_of(llama4)]
    assert topics == ["surprising"] * 3 + ["lengths"] + ["layers"] * 2 + ["keys"]
    gemma3 = list(claims_of(open_model(CONFIGS / "gemma-3-12b-it.json")))
    assert [each.topic for each in gemma3] == ["lengths", *["layers"] * 3, *["keys"] * 5]
    assert gemma3[-1].text == "the parameters are those of 'text_config'"


def test_a_claim_has_its_keys_in_the_tip_and_in_what_is_copied() -> None:
    (note, *_) = claims_of(open_model(CONFIGS / "llama3_1_8b.json"))
    assert "rope_scaling.factor = 8.0" in note.tip.splitlines()
    assert note.copied.splitlines()[0] == note.text
    assert "  max_position_embeddings = 131072" in note.copied.splitlines()


def test_a_claim_that_rests_on_no_key_says_so() -> None:
    claims = claims_of(open_model(CONFIGS / "deepseek-ai--DeepSeek-V3.2.json"))
    (told,) = (each for each in claims if each.text.startswith("the pairs are columns 2i and 2i + 1"))
    assert told.tip == "No key in the files: the code of the model's class decides this."
