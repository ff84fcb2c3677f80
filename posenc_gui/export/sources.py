"""BibTeX entries of the sources of a document's encodings and of this program; no Qt is imported here."""

from pathlib import Path

from posenc_core import Document, Encoding, __version__
from posenc_core.explain import bibtex
from posenc_gui.files import writing

SOURCES_FORMAT, SOURCES_NAME = "bib", "sources"

_PROGRAM = f"""\
@misc{{posenc,
  author = {{{{The PosEnc developers}}}},
  title = {{{{PosEnc: A desktop laboratory for transformer positional encodings}}}},
  note = {{Version {__version__}}},
}}
"""


def sources_text(document: Document) -> str:
    """The entries of the encodings of the document, of their scalings, and of the program."""
    found = bibtex(citation for named in document.encodings for citation in _citations(named.encoding))
    return f"{found}\n\n{_PROGRAM}"


def write_sources(document: Document, path: Path) -> None:
    """Write the entries to the path, in UTF-8; FileError with one sentence if that fails, and an older file stays."""
    with writing(path) as stream:
        stream.write(sources_text(document).encode())


def _citations(encoding: Encoding) -> list[str]:
    rotation = encoding.rotation
    scaling = rotation.scaling if rotation is not None else None
    return [encoding.citation, *([scaling.citation] if scaling is not None else [])]
