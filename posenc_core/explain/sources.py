"""Cited works as BibTeX entries.

A citation lists works with semicolons: ``authors year, title, place``, where a place is a section, an equation or an
arXiv number. Titles are those of the citation, which may be short forms; nothing is added to the citation.
"""

import re
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from posenc_core.fields import one_line

_DATED = re.compile(r"(?P<authors>[^\d;]+) (?P<year>(?:19|20)\d\d)(?:, (?P<rest>.+))?")
_UNDATED = re.compile(r"(?P<authors>[^\d,]+ et al\.), (?P<rest>.+)")
_CODE = re.compile(r"(?P<authors>)(?P<rest>[^,]+, .+)")
_ARXIV = re.compile(r"arXiv (\d{4}\.\d{4,5})")
_PLACE = re.compile(r"(sections?|eq\.|Definition) .+|[A-Z]?\d[\d.]*")
_NO_PAPER = "No paper"

_WRITTEN = str.maketrans({"\\": "/", "{": "(", "}": ")", "~": " ", "^": " "} | {each: f"\\{each}" for each in "&%$#_"})
"""Characters that have a meaning in BibTeX, escaped or replaced."""


class Source(Struct, frozen=True):
    """A work or a piece of code; parts that the citation does not name are empty."""

    authors: tuple[str, ...]
    year: str
    title: str
    place: str
    arxiv: str

    @property
    def key(self) -> str:
        """The first author, or else the title, with the year."""
        first = re.sub(r"[^a-z0-9]", "", (*self.authors, self.title)[0].lower())
        return f"{first or 'source'}{self.year}"

    def entry(self, key: str) -> str:
        """The BibTeX entry under the key."""
        fields = {
            "author": " and ".join(self.authors).translate(_WRITTEN),
            "title": self.title and f"{{{self.title.translate(_WRITTEN)}}}",  # braces keep capitals
            "year": self.year,
            "eprint": self.arxiv,
            "archivePrefix": self.arxiv and "arXiv",
            "note": self.place.translate(_WRITTEN),
        }
        lines = [f"  {name} = {{{text}}}," for name, text in fields.items() if text]
        return "\n".join((f"@misc{{{key},", *lines, "}"))


def bibtex(citations: Iterable[str]) -> str:
    """BibTeX entries of the cited works, each once; names that are not works become comments."""
    comments: dict[str, None] = {}
    places: dict[Source, dict[str, None]] = {}
    for part in (part for citation in citations for part in one_line(citation).split("; ")):
        source = source_named(part)
        if source is None:
            comments[f"% {part}"] = None
        else:
            places.setdefault(replace(source, place=""), {})[source.place] = None
    entries: dict[str, str] = {}
    for work, named in places.items():
        key = work.key
        while key in entries:
            key += "x"
        entries[key] = replace(work, place="; ".join(filter(None, named))).entry(key)
    return "\n\n".join((*comments, *entries.values()))


def source_named(part: str) -> Source | None:
    """The work that one part of a citation names; None for a statement such as "No paper", or for a bare name."""
    found = _DATED.fullmatch(part) or _UNDATED.fullmatch(part) or _CODE.fullmatch(part)
    if found is None or part.startswith(_NO_PAPER):
        return None
    named = found.groupdict()
    authors = named["authors"].replace(" et al.", ", others")
    pieces = (named["rest"] or "").split(", ")
    arxiv = [number[1] for number in map(_ARXIV.fullmatch, pieces) if number]
    pieces = [piece for piece in pieces if not _ARXIV.fullmatch(piece)]
    place = next((index for index, piece in enumerate(pieces) if _PLACE.fullmatch(piece)), len(pieces))
    title = place if authors else 1
    return Source(
        authors=tuple(filter(None, authors.split(", "))),
        year=named.get("year", ""),
        title=", ".join(pieces[:title]),
        place=", ".join(pieces[title:]),
        arxiv=arxiv[0] if arxiv else "",
    )
