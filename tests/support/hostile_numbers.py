"""Unexpected numbers in the place of every number of a file, and the check that opened documents are finite."""

import copy
import math
import re
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, starmap
from typing import Any

import numpy as np
from hostile import opened
from snippet_cases import numpy_source

from posenc_core import Document, Rotary
from posenc_core.session.seen import seen_document

NUMBERS: tuple[Any, ...] = (
    1e308, -1e308, sys.float_info.max, 10**400, -(10**400), int(sys.float_info.max), 10**300, 2**63, 2**53, 1e100, 1e39,
    0, -1, 0.5, 1e-308, 1e-320, math.nan, math.inf, -math.inf, True, None, "17", "1e308", "\ud800", [1], {},
)  # fmt: skip

LONG_TEXT = 300
"""Characters; no sentence is longer."""

_BEYOND = re.compile(r"e3\d\d\b")
_NAMED = re.compile(r"undefined|∞|\binf\b")
"""Words of a step about a number beyond float64."""


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of every number in objects and lists; of a long list the first two and the last."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places(inner, (*place, name))
    elif isinstance(value, list):
        for index in sorted({*range(len(value))[:2], *range(len(value))[-1:]}):
            yield from places(value[index], (*place, index))
    elif isinstance(value, int | float):
        yield place


def with_number(value: Any, place: tuple[Any, ...], number: Any) -> Any:
    """A copy with another number at the place."""
    changed = copy.deepcopy(value)
    inner = changed
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = copy.deepcopy(number)
    return changed


def with_each_number(seeds: Iterable[Any], step: int) -> Iterator[Any]:
    """Copies of the seeds with one number replaced, each by each of ``NUMBERS``: every ``step``-th of all copies."""
    every = ((seed, place, number) for seed in seeds for place in places(seed) for number in NUMBERS)
    return starmap(with_number, islice(every, 0, None, step))


@lru_cache(100_000)
def assert_finite(document: Document) -> None:
    """Table, derivations, frequencies, pictures and scripts are there and finite, and the sentences in one line."""
    document = seen_document(document, min(3, document.seq_len - 1, max(0, len(document.token_list) - 1)))
    encoding, seq_len = document.encoding, document.seq_len
    assert all(each.isprintable() and len(each) < LONG_TEXT for each in (*encoding.warnings, encoding.label))
    first, last = encoding.domain
    positions = np.array([p for p in (0, 1, seq_len - 1, -1) if first <= p <= last][:3] or [int(max(first, -(10**7)))])
    columns = np.unique([0, encoding.n_columns // 2, encoding.n_columns - 1])
    entries = encoding.values(positions, columns)
    assert np.isfinite(entries).all()
    in_float32 = opened(lambda: encoding.encode(positions, columns))
    assert in_float32 is None or np.isfinite(in_float32).all()
    assert not np.isnan(encoding.frequencies()).any()  # those of a base below 1e-308 can be beyond float64
    start = int(positions[0])
    assert np.isfinite(encoding.sampler.tile((start, start + 1), (0, encoding.n_columns), (1, 2))).all()
    assert np.isfinite(encoding.range_over(start, start + 1)).all()
    if isinstance(encoding, Rotary):
        assert np.isfinite([*encoding.frequencies(), encoding.attention_factor, encoding.softmax_scale_factor]).all()
    for row, position in enumerate(positions.tolist()):
        for column, entry in zip(columns.tolist(), entries[row].tolist(), strict=True):
            derivation = encoding.explain(position, column)
            assert math.isclose(derivation.value, entry, rel_tol=1e-6, abs_tol=1e-6)
            for step in derivation.steps:
                if encoding.family == "formula" and _NAMED.search(step.text):
                    continue  # a typed formula's step, whose entry is finite
                assert not math.isnan(step.value)
                assert math.isfinite(step.value) or _BEYOND.search(step.text), step.text
    if encoding.n_columns <= 4096:
        compile(numpy_source(encoding, [start]), "script", "exec")
    again = Document.from_json(document.to_json(), document.tables)
    assert again.encoding == document.encoding.seen_from(None)
