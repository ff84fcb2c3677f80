"""BibTeX entries: only what citations say, in a form that BibTeX reads."""

import re

from cases import each_case
from families import each_family

from posenc_core import ENCODINGS, Encoding
from posenc_core.explain import bibtex, source_named
from posenc_core.rope_scaling.registry import SCALINGS

ENTRY = re.compile(r"@misc\{[a-z0-9]+,\n(?:  \w+ = \{.+\},\n)+\}")
CITATIONS = {name: kind.citation for name, kind in (*ENCODINGS.items(), *SCALINGS.items())}


def parts_of(text: str) -> list[str]:
    return text.split("\n\n") if text else []


@each_family
def test_every_family_has_the_entry_of_its_source_or_says_that_there_is_none(kind: type[Encoding]) -> None:
    parts = parts_of(bibtex([kind.citation]))
    entries = [part for part in parts if part.startswith("@")]
    assert bool(entries) == (not kind.citation.startswith("No paper"))
    assert all(ENTRY.fullmatch(entry) for entry in entries)
    assert all(entry.count("{") == entry.count("}") for entry in entries)
    assert all(re.fullmatch("% .+", part) for part in parts if part not in entries)


@each_case("citation", CITATIONS.values())
def test_an_entry_has_all_words_of_the_citation_and_no_name_or_number_beside_them(citation: str) -> None:
    text = bibtex([citation])
    found = re.findall(r"^  \w+ = \{+(.+?)\}+,$|^% (.+)$", text, re.MULTILINE)
    said = " ".join(value or comment for value, comment in found)
    words = set(re.findall(r"\w+", said.replace("\\", "")))
    cited = set(re.findall(r"\w+", citation.replace("et al.", "others")))
    assert words - {"and", "arXiv"} == cited - {"and", "arXiv"}


def test_the_parts_of_a_citation_stand_in_their_fields() -> None:
    rope = source_named(ENCODINGS["rotary"].citation)
    assert rope is not None
    assert rope.entry("su2021").splitlines() == [
        "@misc{su2021,",
        "  author = {Su and others},",
        "  title = {{RoFormer}},",
        "  year = {2021},",
        "  eprint = {2104.09864},",
        "  archivePrefix = {arXiv},",
        "  note = {sections 3.2-3.4},",
        "}",
    ]
    alibi = source_named("Press et al. 2022, Train Short, Test Long: Attention with Linear Biases, section 3")
    assert alibi is not None
    assert alibi.title == "Train Short, Test Long: Attention with Linear Biases"
    shaw = source_named(ENCODINGS["shaw"].citation)
    assert shaw is not None
    assert shaw.authors == ("Shaw", "Uszkoreit", "Vaswani")


def test_a_work_that_is_cited_twice_has_one_entry_with_both_places() -> None:
    text = bibtex(["Peng et al. 2023, YaRN, eq. 22", "Peng et al. 2023, YaRN, Definition 2", "Peng 2023, Another"])
    assert re.findall(r"@misc\{(\w+)", text) == ["peng2023", "peng2023x"]
    assert "note = {eq. 22; Definition 2}" in text


def test_a_strangers_citation_cannot_break_an_entry() -> None:
    text = bibtex(["A & B 2020, 100 % of {this} \\input{x}_$^~#, section 1\n@misc{other", "光 2021, 光"])
    entry, other = parts_of(text)
    assert entry.count("{") == entry.count("}")
    assert entry.count("@misc{") == 1
    assert other.startswith("@misc{source2021,\n")
    assert r"100 \% of (this) /input(x)\_\$  \#" in entry
