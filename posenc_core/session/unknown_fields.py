"""The unknown fields of a session, which are kept and written again."""

import json
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from msgspec import Struct

from posenc_core.fields import is_deeper

DOCUMENT = ""
"""The name of the outermost part; the others are named as in the session, a part within a part by ``outer/inner``."""


class UnknownFields(Struct, frozen=True):
    """Fields that a later version of the program may have added, as JSON text.

    Unknown fields of an encoding belong to its family: another family is saved without them.
    """

    text: str = ""

    MAXIMUM_LENGTH: ClassVar[int] = 2**18
    MAXIMUM_DEPTH: ClassVar[int] = 32

    @classmethod
    def of(cls, session: Mapping[str, Any], known: Mapping[str, Collection[str]], family: str) -> "UnknownFields":
        """The fields of each part that are not among its known names; ValueError for too many or too deep fields.

        ``family`` is the family of the session's encoding.
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
            raise ValueError(
                f"it contains fields unknown to this version that are over {cls.MAXIMUM_DEPTH} levels deep"
            )
        if "encoding" in found:
            found["encoding"]["family"] = family
        text = json.dumps(found, allow_nan=False)
        if len(text) > cls.MAXIMUM_LENGTH:
            raise ValueError(f"it contains over {cls.MAXIMUM_LENGTH // 1024} kB of fields unknown to this version")
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
