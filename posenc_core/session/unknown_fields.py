"""The fields of a session that this version does not know: they are kept, and written again."""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, ClassVar

from msgspec import Struct

from posenc_core.encodings import Encoding
from posenc_core.fields import Field, is_deeper
from posenc_core.session.model_schema import MODEL, MODEL_B
from posenc_core.session.named_encodings import ENCODINGS_PART
from posenc_core.session.options import PANELS, offered_options
from posenc_core.session.session_schema import PARTS
from posenc_core.session.stored_parts import FAMILY, TOKENIZER
from posenc_core.session.view import View
from posenc_core.text import Embedding

DOCUMENT = ""
"""The name of the outermost part; the others are named as in the session, a part within a part by ``outer/inner``."""


class UnknownFields(Struct, frozen=True):
    """Fields that a later version of the program may have added, as JSON text.

    Those of an encoding belong to its family: another family is saved without them.
    """

    text: str = ""

    MAXIMUM_LENGTH: ClassVar[int] = 2**18
    MAXIMUM_DEPTH: ClassVar[int] = 32

    @classmethod
    def of(cls, session: Mapping[str, Any], known: Mapping[str, Collection[str]], family: str) -> "UnknownFields":
        """The fields of each part that are not among its known names; ValueError where they are too many or too deep.

        ``family`` is that of the session's encoding.
        """
        found: dict[str, dict[str, Any]] = {}
        for part, names in known.items():
            values: Mapping[str, Any] = session
            for name in _path(part):
                values = values.get(name, {})
            unknown = {name: value for name, value in values.items() if name not in names}
            if unknown:
                found[part] = unknown
        if not found:
            return cls()
        if is_deeper(found, cls.MAXIMUM_DEPTH + 2):
            raise ValueError(f"it holds fields unknown to this version that are over {cls.MAXIMUM_DEPTH} levels deep")
        if "encoding" in found:
            found["encoding"]["family"] = family
        text = json.dumps(found, allow_nan=False)
        if len(text) > cls.MAXIMUM_LENGTH:
            raise ValueError(f"it holds over {cls.MAXIMUM_LENGTH // 1024} kB of fields unknown to this version")
        return cls(text)

    def added_to(self, session: dict[str, Any]) -> dict[str, Any]:
        """The session with the unknown fields after its own, which they never replace."""
        found = json.loads(self.text) if self.text else {}
        for part, unknown in found.items():
            if part == "encoding" and unknown["family"] != session[part]["family"]:
                continue
            session = _merged(session, _path(part), unknown)
        return session


def _path(part: str) -> list[str]:
    return part.split("/") if part else []


def _merged(values: Mapping[str, Any], path: list[str], unknown: Mapping[str, Any]) -> dict[str, Any]:
    """The values with unknown ones at a path, which replace none."""
    if not path:
        return {**values, **unknown, **values}
    return {**values, path[0]: _merged(values[path[0]], path[1:], unknown)}


def known_names(own: Iterable[Field], encoding: Encoding) -> dict[str, set[str]]:
    """The names that each part of a session may hold, with all fields of the family, visible or not."""
    parameters = {each.name for field in encoding.FIELDS for each in field.every()} | encoding.parameters().keys()
    return {
        DOCUMENT: {
            "format",
            "version",
            *(each.name for each in own),
            *PARTS,
            PANELS,
            ENCODINGS_PART,
            MODEL,
            MODEL_B,
            TOKENIZER,
        },
        "encoding": {FAMILY.name, *parameters},
        "embedding": {*(each.name for each in Embedding.FIELDS), "rows_name", "rows_digest"},
        "view": {each.name for each in View.FIELDS},
        PANELS: {*offered_options()},
        **{f"{PANELS}/{panel}": {each.name for each in fields} for panel, fields in offered_options().items()},
    }
