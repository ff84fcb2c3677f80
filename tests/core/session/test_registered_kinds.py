"""Families and scalings that are registered at run time: in choices, sessions, comparisons, gallery and scorecard."""

from collections.abc import Iterator

import numpy as np
import pytest
from made_families import ContentBias, DotOfPlaces, FadingBias, LogBias, RootScaling, registered

from posenc_core import ENCODINGS, Document, Rotary, drift, frequencies, unseen_angles
from posenc_core.fields import Registry
from posenc_core.gallery import PROPERTIES, Scorecard, story_families, story_names
from posenc_core.rope_scaling import SCALING, SCALINGS
from posenc_core.session import COMPARED_SCALINGS, FAMILY, NamedEncoding, compared_encodings

KINDS = (FadingBias, LogBias, DotOfPlaces, ContentBias, RootScaling)
BUILT_IN = tuple(ENCODINGS)


@pytest.fixture
def kinds() -> Iterator[None]:
    with registered(*KINDS):
        yield


def test_the_choices_have_a_registered_kind_after_the_others_and_lose_it_again() -> None:
    names = tuple(each.family for each in KINDS[:4])
    for _ in range(2):
        assert FAMILY.values == BUILT_IN
        assert "root" not in (*SCALING.choice.values, *COMPARED_SCALINGS.values)
        with registered(*KINDS):
            assert FAMILY.values == BUILT_IN + names
            assert FAMILY.parse(" FADING ") == "fading"
            assert FAMILY.choices[-1] == ("content", "Content bias")
            assert FAMILY.titles[-4:] == tuple(each.title for each in KINDS[:4])
            assert FAMILY.allowed.endswith("places or content")
            assert SCALING.choice.values[-1] == "root"
            assert SCALING.choice.titles[-1] == "root (root interpolation)"
            assert COMPARED_SCALINGS.choices[-1] == ("root", "Root interpolation")
            assert COMPARED_SCALINGS.check(["root", "linear"]) == ("linear", "root")
    with pytest.raises(ValueError, match="family must be none, integer"):
        FAMILY.check("fading")


def test_a_name_belongs_to_one_kind() -> None:
    registry: Registry[Rotary] = Registry(lambda kind: kind.family, [Rotary])
    assert registry.register(Rotary) is Rotary

    class Other(Rotary):
        """Another one of that name."""

    with pytest.raises(ValueError, match=r"^rotary is the name of another kind, Rotary \(RoPE\)$"):
        registry.register(Other)
    registry.unregister("rotary")
    assert len(registry) == 0
    with pytest.raises(KeyError):
        registry.unregister("rotary")


@pytest.mark.usefixtures("kinds")
@pytest.mark.parametrize("kind", KINDS[:4], ids=lambda kind: kind.family)
def test_a_session_of_a_registered_family_opens_again(kind: type[FadingBias]) -> None:
    document = Document("one two three").edited("family", kind.family)
    assert document.encoding == kind.from_parameters({"d_model": 8})
    named = document.with_encodings([NamedEncoding(Rotary(8)), NamedEncoding(document.encoding, "mine")], 1)
    for each in (document, named):
        assert Document.from_json(each.to_json()) == each
    session = document.to_json()
    ENCODINGS.unregister(kind.family)
    try:
        with pytest.raises(
            ValueError, match=f"^this session shows the encoding '{kind.family}', which is not installed: "
        ):
            Document.from_json(session)
    finally:
        ENCODINGS.register(kind)


@pytest.mark.usefixtures("kinds")
def test_a_family_takes_over_what_it_has_in_common_with_another() -> None:
    heads = Document().edited("family", "alibi").edited("n_heads", 3)
    assert heads.edited("family", "fading").encoding == FadingBias(3)
    assert heads.edited("family", "log_bias").edited("reach", 2.0).encoding == LogBias(3, reach=2.0)
    with pytest.raises(ValueError, match="strength must be"):
        heads.edited("family", "fading").edited("strength", -1.0)


@pytest.mark.usefixtures("kinds")
def test_a_scaling_is_compared_with_the_others_and_counts_in_unseen_angles_and_drift() -> None:
    document = Document().edited("family", "rotary").edited("scaling", "root").edited("root", 4.0)
    rotary = document.encoding
    assert Document.from_json(document.to_json()) == document
    plain = Rotary(rotary.head_dim)
    assert frequencies(rotary) == pytest.approx(10000.0 ** (-np.arange(0, 8, 2) / 8) / 2)
    found = compared_encodings(plain, ("yarn", "root"), document.lengths)
    assert [(each.name, each.title) for each in found.encodings] == [
        ("none", "as trained"), ("yarn", "YaRN ×4"), ("root", "Root interpolation ×4")]  # fmt: skip
    assert found.encodings[2].encoding == Rotary(8, scaling=RootScaling(4.0))
    trained = 10000.0 ** (-np.arange(0, 8, 2) / 8)
    first = unseen_angles(rotary, 100, 1000).first
    assert first.tolist() == [-1 if 100 * each >= 2 * np.pi else 201 for each in trained]
    assert drift(plain, rotary).first[0] == int(np.pi / 4 / 0.5) + 1


@pytest.mark.usefixtures("kinds")
def test_the_story_has_a_card_for_a_registered_family_after_the_built_in_ones() -> None:
    assert story_names()[-5:] == ("yarn", "fading", "log_bias", "places", "content")
    families = {each.name: each for each in story_families(Document(seq_len=20))}
    assert families["fading"].brief == "bias by both places"
    assert families["fading"].summary == FadingBias.summary
    assert families["fading"].own == "n_heads 4"
    assert families["places"].encoding == DotOfPlaces(8)
    present = Document().with_encoding(FadingBias(2, 0.5))
    assert {each.name: each.encoding for each in story_families(present)}["fading"] == FadingBias(2, 0.5)
    assert story_names() == tuple(each.name for each in story_families(Document()))


@pytest.mark.usefixtures("kinds")
def test_the_scorecard_measures_a_family_of_both_positions() -> None:
    document = Document("one two three four", seq_len=20)
    card = Scorecard.of(document)
    rows = {family.name: dict(zip((each.name for each in PROPERTIES), row, strict=True))
            for family, row in zip(card.families, card.compute(), strict=True)}  # fmt: skip
    fading = rows["fading"]
    assert fading["bounded"].number == pytest.approx(0.5 * (10**6 - 1) / 10**6)
    assert fading["shift"].detail == "it adds a bias to scores and has no vectors to shift"
    assert fading["defined"].number == 1
    assert fading["trained"].number == 0
    closest = np.linalg.norm([0.5 ** (head + 1) / 20 for head in range(4)])
    assert fading["unique"].number == pytest.approx(closest)
    scores = [[0.5 * apart / (1 + max(query, 1)) for query in range(apart, 20)] for apart in (1, 2, 4, 8)]
    assert fading["score"].number == pytest.approx(max(map(np.ptp, scores)))
    assert rows["log_bias"]["score"].number == 0
    assert {score.number for score in rows["content"].values()} == {None}
    assert "depend on the tokens' queries and keys" in rows["content"]["bounded"].detail


def test_registered_scalings_are_gone_afterwards() -> None:
    with pytest.raises(RuntimeError, match="stopped"), registered(RootScaling):
        raise RuntimeError("stopped")
    assert "root" not in SCALINGS
