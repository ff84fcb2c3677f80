"""Presets are valid parts of a session, with a source, and change nothing that they do not name."""

import json
import math

import pytest

from posenc_core import Document, Embedding, Sinusoidal, View, encode
from posenc_gui.presets import preset, preset_names, preset_source, preset_title
from posenc_gui.resources import resource

OTHER = Document(
    sentence="something else",
    tokens="bytes",
    seq_len=7,
    encoding=Sinusoidal(6, base=2, layout="concatenated", spacing="tensor2tensor", offset=9),
    embedding=Embedding("simulated", seed=5),
    view=View("viridis", transpose=True),
)


def test_the_presets_that_the_manual_names_are_there() -> None:
    named = {"paper", "annotated-transformer", "d2l", "tensor2tensor", "four-columns", "one-based"}
    assert named <= set(preset_names())


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_is_a_titled_part_of_a_session_and_nothing_else(name: str) -> None:
    values = json.loads(resource("presets", f"{name}.json").read_text(encoding="utf-8"))
    assert preset_title(name) == values.pop("title")
    assert preset_source(name) == values.pop("source")
    assert len(preset_title(name)) > 10
    assert len(preset_source(name)) > 10
    session = Document().to_dict()
    assert values.keys() <= session.keys() - {"format", "version"}
    # Each names its whole encoding, so that it means the same whatever the defaults become.
    assert values["encoding"] == preset(name).to_dict()["encoding"]
    for key, value in values.items():
        assert preset(name).to_dict()[key] == value


@pytest.mark.parametrize("name", preset_names())
def test_what_a_preset_does_not_name_stays(name: str) -> None:
    named = json.loads(resource("presets", f"{name}.json").read_text(encoding="utf-8"))
    before, after = OTHER.to_dict(), preset(name, OTHER).to_dict()
    assert {key for key in before if before[key] != after[key]} <= named.keys()
    assert after["embedding"] == before["embedding"]
    assert after["encoding"] != before["encoding"]


def test_the_four_columns_bring_their_sentence_and_their_table() -> None:
    document = preset("four-columns", OTHER)
    assert [token.text for token in document.token_list] == ["Dan", "loves", "icecream"]
    assert encode(document.encoding, [1])[0].tolist() == pytest.approx(
        [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)], abs=1e-7
    )


def test_the_values_are_those_of_their_sources() -> None:
    assert preset("paper").encoding == Sinusoidal(512)
    assert preset("tensor2tensor").encoding == Sinusoidal(512, layout="concatenated", spacing="tensor2tensor")
    assert preset("one-based").encoding == Sinusoidal(32, spacing="one_based")
    annotated, d2l = preset("annotated-transformer"), preset("d2l")
    assert (annotated.encoding, annotated.seq_len) == (Sinusoidal(20), 100)
    assert (d2l.encoding, d2l.seq_len) == (Sinusoidal(32), 60)
    # Section 6 of the reference: the two numberings differ already in the first component.
    assert encode(d2l.encoding, [10], [0])[0, 0] == pytest.approx(-0.5440211109, abs=1e-7)
    assert encode(preset("one-based").encoding, [10], [0])[0, 0] == pytest.approx(-0.6129367615, abs=1e-7)


@pytest.mark.parametrize("name", ["", "Paper", "../presets/paper", "paper.json", "x" * 1000])
def test_an_unknown_preset_is_told_the_known_ones(name: str) -> None:
    with pytest.raises(ValueError, match=r"^there is no preset '.*; the presets are annotated-transformer, d2l,"):
        preset(name)
