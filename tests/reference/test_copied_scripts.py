"""Copied PyTorch scripts make the window's table in float64, in a process that knows no PosEnc."""

from pathlib import Path

import numpy as np
import pytest
from snippet_cases import EVERY, drawn, expected, ranges, run_alone, run_together, torch_source

from posenc_core import ENCODINGS, Document
from posenc_core.encodings import Encoding
from posenc_core.scripts.snippets import shown_positions
from posenc_core.session.seen import seen_document
from posenc_gui.files import preset, preset_names


def close(found: np.ndarray, wanted: np.ndarray, farthest: int) -> bool:
    """Within 1e-12; far off, a last digit of torch's own power is multiplied by the position."""
    tolerance = max(1e-12, 2e-15 * farthest)
    return found.shape == wanted.shape and bool(np.allclose(found, wanted, rtol=1e-12, atol=tolerance))


def farthest(encoding: Encoding, shown: range) -> int:
    """The largest distance from 0 of what an encoding is computed at, with its offset."""
    return max(abs(shown[0]), abs(shown[-1])) + abs(getattr(encoding, "offset", 0))


def test_scripts_of_every_family_make_the_tables(tmp_path: Path, count) -> None:
    cases = [(each, shown) for each in (*EVERY, *drawn(100)) for shown in ranges(each)]
    tables = run_together([torch_source(*case) for case in cases], tmp_path)
    wrong = [
        (encoding, shown)
        for (encoding, shown), table in zip(cases, tables, strict=True)
        if not close(table, expected(encoding, shown), farthest(encoding, shown))
    ]
    assert not wrong
    count("copied PyTorch scripts run", len(cases))


def test_scripts_of_formula_presets_make_the_tables(tmp_path: Path, count) -> None:
    documents = [preset(name, Document()) for name in preset_names() if name.startswith("formula-")]
    tables = run_together([torch_source(each) for each in documents], tmp_path)
    for document, table in zip(documents, tables, strict=True):
        assert close(table, expected(document.encoding, shown_positions(document)), 60), document.encoding
    assert len(documents) > 6
    count("copied PyTorch scripts run", len(documents))


@pytest.mark.parametrize("family", ENCODINGS)
def test_a_script_runs_by_itself(family: str, tmp_path: Path, count) -> None:
    document = seen_document(Document().edited("family", family), 2)
    found = run_alone(torch_source(document), tmp_path)
    assert close(found, expected(document.encoding, shown_positions(document)), 60)
    count("copied PyTorch scripts run", 1)
