"""Damage to files by an attacker or a bad disk, the same in every run."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

LONGEST_SENTENCE = 300

TOKENS = (
    b"NaN", b"-Infinity", b"1e400", b"-1e-400", b"9" * 400, b"-0", b"0.5", b"true", b"null", b"[]", b"{}", b'""',
    b"[" * 3000, b'{"a":' * 3000, b'"\\ud83d"', b'"\\u0000"', b"\\", b'"', b",", b":", b"}", b"]", b"\xff\xfe", b"\0",
    b"\xe2\x80\xae", b'"' + b"x" * 5000 + b'"', b"9007199254740993", b"18446744073709551616", b"1" + b"0" * 5000,
)  # fmt: skip

_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 3, 53, 54, 65536, 65537, 2**31, 2**53 + 1, 2**64, 10**400, -(10**400), 0.0, -0.0,
    0.5, 1e-320, 1e308, -1e308, float("nan"), float("inf"), "", "x", "none", "file", "trained", "untrained", "rotary",
    "alibi", "yarn", "longrope", "default", "/etc/passwd", "../../etc/passwd", "\0", "\ud83d", "\u202e", "9" * 5000, [],
    {}, [[]], [None], [1, "a", {}], {"": {}}, {"factor": 1}, [1.0] * 64, [0] * 3, {"rope_type": "yarn"},
    {"rope_type": []}, [{"a": [{"b": None}]}],
)  # fmt: skip


def any_value(chance: random.Random) -> Any:
    """New copy of a random value that no field expects."""
    return copy.deepcopy(chance.choice(_VALUES))


def every_value() -> tuple[Any, ...]:
    """New copies of all values that no field expects."""
    return copy.deepcopy(_VALUES)


def mutated_bytes(seeds: list[bytes], count: int, seed: int) -> Iterator[bytes]:
    """``count`` files: each is a seed with a few bytes changed, cut, doubled, swapped or inserted."""
    chance = random.Random(seed)
    for _ in range(count):
        data = bytearray(chance.choice(seeds))
        for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
            _mutate(data, chance, seeds)
        yield bytes(data)


def _mutate(data: bytearray, chance: random.Random, seeds: list[bytes]) -> None:
    start = chance.randrange(len(data) + 1)
    stop = min(len(data), start + chance.choice((1, 1, 2, 4, 16, 200)))
    kind = chance.randrange(8)
    if kind == 0 and start < len(data):
        data[start] ^= 1 << chance.randrange(8)
    elif kind == 1 and start < len(data):
        data[start] = chance.randrange(256)
    elif kind == 2:
        del data[start:stop]
    elif kind == 3:
        data[start:start] = data[start:stop] * chance.choice((1, 2, 50))
    elif kind == 4:
        data[start:start] = chance.choice(TOKENS)
    elif kind == 5:
        data[start:stop] = chance.choice(TOKENS)
    elif kind == 6:
        other = chance.choice(seeds)
        place = chance.randrange(len(other))
        data[start:stop] = other[place : place + chance.choice((4, 40, 400))]
    else:
        del data[start:]


def rewrite(path: Path, data: bytes) -> None:
    """Write a new file in the place of the old one: ext4 waits for the disk if a file is emptied and written again."""
    path.unlink(missing_ok=True)
    path.write_bytes(data)


def mutated_json(seeds: list[Any], count: int, seed: int) -> Iterator[Any]:
    """``count`` values: each is a seed with some parts replaced, left out, renamed or moved into each other."""
    chance, names = random.Random(seed), _names(seeds)
    for _ in range(count):
        value = json.loads(json.dumps(chance.choice(seeds)))
        for _ in range(chance.choice((1, 1, 2, 3, 6))):
            value = _changed(value, chance, names)
        yield value


def _changed(value: Any, chance: random.Random, names: list[str]) -> Any:
    """The value with a change somewhere in it."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        name = chance.choice(list(value))
        kind = chance.randrange(8)
        if kind == 0:
            del value[name]
        elif kind == 1:
            value[chance.choice(names)] = value.pop(name)
        elif kind == 2:
            value[chance.choice(names)] = any_value(chance)
        else:
            value[name] = _changed(value[name], chance, names)
        return value
    if isinstance(value, list) and value and chance.random() < 0.7:
        place = chance.randrange(len(value))
        value[place] = _changed(value[place], chance, names)
        return value
    if isinstance(value, int | float) and not isinstance(value, bool) and chance.random() < 0.3:
        return chance.choice(
            (value * 2, -value, value + 1, value - 1, value * 0.5 if abs(value) < 1e300 else 0.5, str(value)[:4000])
        )
    return any_value(chance)


def _names(seeds: list[Any]) -> list[str]:
    """Names in the seeds at any depth, and some other names."""
    found = {"", "x" * 1000, "\ud83d", "__class__", "family"}
    inside = list(seeds)
    while inside:
        each = inside.pop()
        if isinstance(each, dict):
            found |= each.keys()
            inside += each.values()
        elif isinstance(each, list):
            inside += each
    return sorted(found)


def opened(read: Callable[[], Any], refusals: tuple[type[Exception], ...] = (ValueError,)) -> Any:
    """Result of ``read``, or None if it was refused in one plain sentence; anything else fails the test."""
    try:
        return read()
    except refusals as error:
        refusal = error
    sentence = str(refusal)
    assert not isinstance(refusal, UnicodeError | json.JSONDecodeError), sentence
    assert 8 < len(sentence) < LONGEST_SENTENCE, (len(sentence), sentence[:400])
    assert sentence.isprintable(), repr(sentence)
    return None
