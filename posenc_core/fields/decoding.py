"""JSON from files that may be damaged or hostile: the object that a text holds, or one sentence."""

import json
from typing import Any

import msgspec

from posenc_core.fields.field import shortened

_NO_OBJECT = "no object with names and values"


def decode_json(
    data: bytes | str, what: str, *, non_finite: bool = False, unique_names: bool = False
) -> dict[str, Any]:
    """The names and values of a JSON object.

    ``what`` is the subject of the sentence that a ValueError has: ``its header`` in "its header is no UTF-8 text".
    ``non_finite`` allows the NaN and Infinity that Python's ``json`` writes. ``unique_names`` refuses an object with
    a name that stands in it twice; otherwise the last of its values counts. Either takes Python's own decoder.
    """
    if non_finite or unique_names:
        return _by_python(data, what, unique_names)
    return _by_msgspec(data, what)


def is_deeper(value: Any, limit: int) -> bool:
    """Whether objects and lists stand within each other more than ``limit`` deep."""
    level = [value]
    for _ in range(limit + 1):
        level = [each for each in level if isinstance(each, dict | list)]
        if not level:
            return False
        level = [inner for outer in level for inner in (outer.values() if isinstance(outer, dict) else outer)]
    return True


def _by_msgspec(data: bytes | str, what: str) -> dict[str, Any]:
    utf8 = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    try:
        return msgspec.json.decode(utf8, type=dict[str, Any])
    except msgspec.ValidationError as error:
        found = "a number that is out of range" if "range" in str(error) else _NO_OBJECT
        raise ValueError(f"{what} holds {found}") from None
    except msgspec.DecodeError as error:
        if "truncated" in str(error):
            raise ValueError(f"{what} ends too early, or is empty") from None
        raise ValueError(f"{what} is no JSON: {str(error).removeprefix('JSON is malformed: ')}") from None
    except UnicodeError:
        raise ValueError(f"{what} is no UTF-8 text") from None
    except RecursionError:
        raise ValueError(f"{what} is nested too deeply") from None


def _by_python(data: bytes | str, what: str, unique_names: bool) -> dict[str, Any]:
    try:
        found = json.loads(data, object_pairs_hook=_unique if unique_names else None)
    except _RepeatedNameError as error:
        raise ValueError(f"{what} has {error} twice") from None
    except json.JSONDecodeError as error:
        problem = f"{error.msg[:1].lower()}{error.msg[1:]} in line {error.lineno}"
        raise ValueError(f"{what} is no JSON ({problem})") from None
    except (ValueError, RecursionError):  # not UTF-8, thousands of digits or brackets
        raise ValueError(f"{what} is no JSON that can be read") from None
    if not isinstance(found, dict):
        raise ValueError(f"{what} holds {_NO_OBJECT}")
    return found


class _RepeatedNameError(Exception):
    """A name that stands twice in an object."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _RepeatedNameError(shortened(name))
        found[name] = value
    return found
