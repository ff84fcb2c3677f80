"""Sessions of version 0.1 open for every family with the numbers of 0.1, except simulated tables."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc_core import ENCODINGS, Document

DATA = Path(__file__).parents[2] / "data"
STORED = DATA / "sessions" / "v2"
NUMBERS: dict[str, dict[str, Any]] = json.loads((DATA / "session_numbers.json").read_bytes())
"""Results of version 0.1 for each stored session: label, warnings, and values at some positions and columns."""

SIMULATED = {"shaw", "t5", "learned-untrained"}
"""Simulated tables, which 0.1 drew with another generator."""

SINCE_0_1 = {"none", "rope_axes", "formula"} | {name for name, kind in ENCODINGS.items() if not kind.in_story}
"""Families that 0.1 did not have."""


def test_every_family_of_0_1_has_a_stored_session() -> None:
    assert {path.stem for path in STORED.glob("*.json")} == NUMBERS.keys()
    families = {Document.from_json(path.read_bytes()).encoding.family for path in STORED.glob("*.json")}
    assert families == ENCODINGS.keys() - SINCE_0_1


@pytest.mark.parametrize("name", NUMBERS)
def test_a_session_of_0_1_has_its_numbers(name: str) -> None:
    stored, told = json.loads((STORED / f"{name}.json").read_bytes()), NUMBERS[name]
    document = Document.from_json(json.dumps(stored))
    encoding = document.encoding
    assert (document.sentence, document.seq_len) == (stored["sentence"], stored["seq_len"])
    now = json.loads(document.to_json())
    now["view"] |= {name: value for options in now["panels"].values() for name, value in options.items()}
    for part in ("encoding", "embedding", "view"):
        assert {key: now[part][key] for key in stored[part]} == stored[part]
    assert (encoding.label, list(encoding.warnings), encoding.n_columns) == (
        told["label"],
        told["warnings"],
        told["n_columns"],
    )
    found = encoding.values(np.array(told["positions"]), np.array(told["columns"]))
    before = np.array(told["values"], dtype=np.float64)
    if name in SIMULATED:
        assert found.shape == before.shape
        assert np.isfinite(found).all()
        assert any("simulated" in text or "untrained" in text for text in (encoding.label, *encoding.warnings))
    else:
        np.testing.assert_allclose(found, before, rtol=1e-14, atol=1e-15)
