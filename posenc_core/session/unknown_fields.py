"""What a session holds beyond what this version knows: kept as it is, and written again."""

import json
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from msgspec import Struct

DOCUMENT = ""
"""The name of the outermost part; the others are named as in the session."""


class UnknownFields(Struct, frozen=True):
    """Fields that a later version of the program may have added, as JSON text: nobody can change or look into it.

    Those of an encoding belong to its family: another family is saved without them.
    """

    text: str = ""

    MAXIMUM_LENGTH: ClassVar[int] = 2**18
    MAXIMUM_DEPTH: ClassVar[int] = 32

    @classmethod
    def of(cls, session: Mapping[str, Any], known: Mapping[str, Collection[str]], family: str) -> "UnknownFields":
        """The fields of each part that are not among its known names; ValueError where they are too many or too deep.

        ``family`` is that of the encoding to which those of the encoding belong.
        """
        found: dict[str, dict[str, Any]] = {}
        for part, names in known.items():
            values = session.get(part, {}) if part else session
            unknown = {name: value for name, value in values.items() if name not in names}
            if unknown:
                found[part] = unknown
        if not found:
            return cls()
        if not _within_depth(found, cls.MAXIMUM_DEPTH + 2):
            raise ValueError(f"it holds fields unknown to this version that are over {cls.MAXIMUM_DEPTH} levels deep")
        if "encoding" in found:
            found["encoding"]["family"] = family
        text = json.dumps(found, allow_nan=False)
        if len(text) > cls.MAXIMUM_LENGTH:
            raise ValueError(f"it holds over {cls.MAXIMUM_LENGTH // 1024} kB of fields unknown to this version")
        return cls(text)

    def added_to(self, session: dict[str, Any]) -> dict[str, Any]:
        """The session with the unknown fields after its own, which stay what they are."""
        if not self.text:
            return session
        found = json.loads(self.text)
        for part, unknown in found.items():
            if part == "encoding" and unknown["family"] != session[part]["family"]:
                continue
            if part:
                session = {**session, part: {**session[part], **_beyond(unknown, session[part])}}
        return {**session, **_beyond(found.get(DOCUMENT, {}), session)}


def _beyond(unknown: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in unknown.items() if name not in own}


def _within_depth(value: Any, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_within_depth(each, levels - 1) for each in inner)
