"""``CITATION.cff`` is a valid citation file of this version of the program."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TEXT = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
FIELDS = dict(re.findall(r"^([\w-]+): (.+)$", TEXT, re.MULTILINE))


def test_it_names_the_program_and_its_version() -> None:
    assert FIELDS["title"].lower() == PROJECT["name"]
    assert FIELDS["version"] == PROJECT["version"]
    assert FIELDS["license"] == PROJECT["license"]
    assert FIELDS["abstract"] == PROJECT["description"]


def test_it_has_the_keys_that_the_format_requires() -> None:
    """Of the schema 1.2.0: cff-version, message, title and authors, of whom an entity has a name."""
    assert FIELDS["cff-version"] == "1.2.0"
    assert FIELDS["type"] == "software"
    assert FIELDS["message"]
    holder = re.search(r"Copyright \(c\) \d+ (.+)", (ROOT / "LICENSE").read_text(encoding="utf-8"))
    assert holder is not None
    assert TEXT.endswith(f"authors:\n  - name: {holder[1]}\n")
