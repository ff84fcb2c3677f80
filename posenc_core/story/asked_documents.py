"""Documents as answers ask for them: with edited fields, and for their rotation."""

from collections.abc import Mapping
from typing import Any

from posenc_core.encodings import Rotation
from posenc_core.fields import shortened
from posenc_core.session import Document


def edited(document: Document, edits: Any) -> Document:
    """The document with fields edited in their order; ValueError with one sentence for an unknown field or value."""
    if not isinstance(edits, Mapping):
        raise ValueError(f"edits must be an object, got {shortened(edits)}")
    for name, value in edits.items():
        try:
            document = document.edited(name, value)
        except KeyError:
            raise ValueError(f"the document has no field {shortened(name)} to edit") from None
        except TypeError as error:
            raise ValueError(str(error)) from None
    return document


def rotation_of(document: Document) -> Rotation:
    """The rotation of the document's encoding; ValueError for an encoding without one."""
    if document.encoding.rotation is None:
        raise ValueError(f"{document.encoding.title} rotates nothing")
    return document.encoding.rotation
