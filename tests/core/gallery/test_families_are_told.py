"""Every family is described in the gallery, the scorecard, the glossary, the README and the CHANGELOG."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from families import each_family

from posenc_core import Document, Encoding
from posenc_core.encodings import GROUPS
from posenc_core.explain import GLOSSARY
from posenc_core.gallery import PAGE, PROPERTIES, Scorecard, StoryFamily, story_families

ROOT = Path(__file__).parents[3]
README, CHANGELOG = (
    re.sub(r"\s+", " ", (ROOT / name).read_text(encoding="utf-8")).lower() for name in ("README.md", "CHANGELOG.md")
)
SPOKEN = {"shaw": "shaw", "t5": "t5", "integer": "integer", "forget_gate": "forget gate"}
"""Words in running text for families whose titles are longer."""


def kinds_of(families: Iterable[StoryFamily]) -> list[type[Encoding]]:
    return [type(each.encoding) for each in families]


@each_family
def test_the_texts_name_it(kind: type[Encoding]) -> None:
    words = SPOKEN.get(kind.family, kind.title.split(" (")[0].lower())
    assert words in README
    if kind.year >= 2022:
        assert words in CHANGELOG


@each_family
def test_the_gallery_and_the_scorecard_have_it(kind: type[Encoding]) -> None:
    pages = [page for page in PAGE.values if kind in kinds_of(story_families(Document(), page))]
    assert pages or not kind.in_gallery
    assert len(PROPERTIES) == 9
    for page in pages:
        assert kind in kinds_of(Scorecard.of(Document(), page).families)
    assert kind.summary.endswith((".", ":"))
    assert kind.brief


@pytest.mark.parametrize("page", GROUPS)
def test_a_group_is_in_the_order_of_its_years(page: str) -> None:
    own = type(Document().encoding)
    years = [kind.year for kind in kinds_of(story_families(Document(), page)) if kind.year and kind is not own]
    assert years
    assert page == "added" or years == sorted(years)


@pytest.mark.parametrize("word", [
    "axis", "grid", "patch", "coordinate", "frame", "gate", "forget gate", "contextual position", "profile",
    "seen distance", "local window", "trained length", "magnitude", "chunk",
])  # fmt: skip
def test_the_glossary_explains_the_words_of_the_new_families(word: str) -> None:
    assert GLOSSARY[word].endswith(".")
