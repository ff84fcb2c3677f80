"""JSON from files that may be damaged or hostile: the object in a text, or one sentence."""

import json
import math
import sys
from typing import Any

from posenc_core.fields.field import one_line, shortened

_LARGEST = int(sys.float_info.max)


def decode_json(
    data: bytes | str, what: str, *, non_finite: bool = False, unique_names: bool = False
) -> dict[str, Any]:
    """The names and values of a JSON object; each number fits into float64.

    ``what`` is the subject of a ValueError's sentence: ``its header`` in "its header is not UTF-8 text".
    ``non_finite`` allows the NaN and Infinity that Python's ``json`` writes. ``unique_names`` refuses an object with
    a repeated name; otherwise the last of its values counts.
    """
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")  # some editors write a mark before the text
        found = json.loads(
            text,
            parse_constant=None if non_finite else _no_constant,
            object_pairs_hook=_unique if unique_names else None,
        )
    except _RefusedError as error:
        raise ValueError(f"{what} {error}") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{what} {_problem(error)}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{what} is not UTF-8 text") from None
    except RecursionError:
        raise ValueError(f"{what} is nested too deeply") from None
    except ValueError:  # Python reads no integer of more than 4300 digits
        raise ValueError(f"{what} {_OUT_OF_RANGE}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{what} contains no object with names and values")
    if has_large_number(found, math.inf if non_finite else sys.float_info.max):
        raise ValueError(f"{what} {_OUT_OF_RANGE}")
    return found


def is_deeper(value: Any, limit: int) -> bool:
    """Whether objects and lists are nested more than ``limit`` deep."""
    level = [value]
    for _ in range(limit + 1):
        level = [each for each in level if isinstance(each, dict | list)]
        if not level:
            return False
        level = _inside(level)
    return True


_OUT_OF_RANGE = "contains a number that is out of range"


class _RefusedError(Exception):
    """JSON that Python reads and this program does not; the message is a sentence without its subject."""


def _no_constant(name: str) -> float:
    raise _RefusedError(f"contains {name}, which is not a number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _RefusedError(f"has {shortened(name)} twice")
        found[name] = value
    return found


def _problem(error: json.JSONDecodeError) -> str:
    if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string"):
        return "ends too early, or is empty"
    reason = error.msg.removesuffix(" at")
    return f"is not valid JSON ({reason[:1].lower()}{reason[1:]} in line {error.lineno})"


def has_large_number(value: Any, largest: float) -> bool:
    """Whether objects and lists contain an integer beyond float64, or a float beyond ``largest`` by absolute value."""
    level = [value]
    while level:
        if any(abs(each) > _LARGEST for each in level if type(each) is int):
            return True
        if any(abs(each) > largest for each in level if type(each) is float):
            return True
        level = _inside([each for each in level if isinstance(each, dict | list)])
    return False


def _inside(containers: list[Any]) -> list[Any]:
    """The values in objects and lists, one level deeper."""
    return [inner for outer in containers for inner in (outer.values() if isinstance(outer, dict) else outer)]


def quoted_name(name: str) -> str:
    """A name from a file in quotes, shortened, in characters that can be printed."""
    return f"'{one_line(name)}'" if len(name) <= 32 else f"'{one_line(name[:29])}'..."
