"""``CITATION.cff`` is a valid citation file of this version of the program."""

import re
import tomllib
from pathlib import Path

from installed import checkout

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TEXT = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
FIELDS = dict(re.findall(r"^([\w-]+): (.+)$", TEXT, re.MULTILINE))


def test_the_citation_names_the_program_and_its_version() -> None:
    assert FIELDS["title"].lower() == PROJECT["name"]
    assert FIELDS["version"] == PROJECT["version"]
    assert FIELDS["license"] == PROJECT["license"]
    assert FIELDS["abstract"] == PROJECT["description"]


def test_the_citation_has_the_keys_that_the_format_requires() -> None:
    """Of the schema 1.2.0: cff-version, message, title and authors, of whom an entity has a name."""
    assert FIELDS["cff-version"] == "1.2.0"
    assert FIELDS["type"] == "software"
    assert FIELDS["message"]
    holder = re.search(r"Copyright \(c\) \d+ (.+)", (ROOT / "LICENSE").read_text(encoding="utf-8"))
    assert holder is not None
    assert TEXT.endswith(f"authors:\n  - name: {holder[1]}\n")


def test_an_exports_bibtex_has_the_sources_of_all_encodings_and_the_program_as_its_citation_file_has_it(
    tmp_path: Path,
) -> None:
    flags = ("--preset", "yarn-llama-2-64k", "--compare", "paper", "--format", "bib", "--out", tmp_path)
    assert checkout("export", *flags) == f"{tmp_path / 'sources.bib'}\n"
    text = (tmp_path / "sources.bib").read_text("utf-8")
    assert re.findall(r"@misc\{(\w+),", text) == ["su2021", "peng2023", "vaswani2017", "posenc"]
    program = text[text.index("@misc{posenc") :]
    for value in (FIELDS["title"], FIELDS["abstract"], f"Version {FIELDS['version']}", TEXT.split("name: ")[1].strip()):
        assert value in program
    assert [path.name for path in tmp_path.iterdir()] == ["sources.bib"]
