"""Documents with values by the names of their fields, whichever part of the document has them."""

from typing import Any

from posenc_core import Document


def with_values(document: Document, **values: Any) -> Document:
    """The document with these fields edited one after the other."""
    for name, value in values.items():
        document = document.edited(name, value)
    return document
