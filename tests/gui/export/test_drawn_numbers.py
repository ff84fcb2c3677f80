"""A panel's own numbers, exported from the dialog's job."""

import threading

import numpy as np
import pytest

from posenc_core import Document, Rotary, View
from posenc_core.session import NamedEncoding
from posenc_gui.export.drawn_numbers import csv_of
from posenc_gui.export.job import ExportJob, write_files
from posenc_gui.export.page import PictureOptions
from posenc_gui.panels import drawn_numbers

DOCUMENT = Document(encoding=Rotary(16))


def files(panels, formats, folder):
    job = ExportJob(DOCUMENT, None, {}, panels, formats, PictureOptions())
    return {path.name for path in write_files(job, folder, lambda done, path: True)}


def test_the_dialogs_job_writes_a_panels_own_numbers_in_place_of_the_vectors(qapp, tmp_path):
    assert files(("spectrum",), ("csv", "npy"), tmp_path) == {"spectrum.csv", "vectors.npy"}
    text = (tmp_path / "spectrum.csv").read_text(encoding="utf-8")
    assert text == csv_of(drawn_numbers("spectrum", DOCUMENT))
    assert len(text.splitlines()) == 9
    assert files(("waves", "spectrum"), ("csv",), tmp_path) == {"spectrum.csv", "vectors.csv"}
    assert files((), ("csv",), tmp_path) == {"vectors.csv"}


SLOW = Document("a b", view=View(target_length=10**7)).with_encodings(
    [NamedEncoding(Rotary(512, rope_theta=base), f"{base}") for base in (1e4, 5e5)], 0
)
"""A document whose precision and whose scorecard take long."""


@pytest.mark.one_of(2)
@pytest.mark.parametrize("panel", ["precision", "scorecard"])
def test_slow_numbers_of_a_panel_show_progress_and_are_the_same(panel, qapp, tmp_path):
    done = []

    def progress(fraction, path):
        assert threading.current_thread() is threading.main_thread()  # the dialog shows it
        done.append(fraction)
        return True

    job = ExportJob(SLOW, None, {}, (panel,), ("csv",), PictureOptions())
    (path,) = write_files(job, tmp_path, progress)
    assert done == sorted(done)
    assert len(set(done)) > 2 or panel == "scorecard"  # which may be known from before
    assert path.read_text(encoding="utf-8") == csv_of(drawn_numbers(panel, SLOW))


@pytest.mark.parametrize("panel", ["precision", "scorecard"])
def test_cancelled_numbers_of_a_panel_leave_the_older_file(panel, qapp, tmp_path):
    older = tmp_path / f"{panel}.csv"
    older.write_text("older", encoding="utf-8")
    calls = []

    def cancels(fraction, path):
        calls.append(fraction)
        return len(calls) < 3

    unmeasured = SLOW.edited("seq_len", 3000)  # scores are kept
    job = ExportJob(unmeasured, None, {}, (panel, "spectrum"), ("csv",), PictureOptions())
    assert list(write_files(job, tmp_path, cancels)) == []
    assert calls[-1] < 0.5, "the work went on"
    assert [path.name for path in tmp_path.iterdir()] == [older.name]
    assert older.read_text(encoding="utf-8") == "older"


def test_the_rows_of_the_scorecard_are_named():
    _, *rows = csv_of(drawn_numbers("scorecard", Document("a b"))).splitlines()
    names = [row.partition(",")[0] for row in rows]
    assert names[:2] == ["No position (NoPE)", "Integer index"]
    assert len(set(names)) == len(names)


def test_columns_of_counts_and_flags_are_whole_numbers():
    columns = {"place": np.array([0.5, 1.0]), "count": np.array([3, 2**62 + 1]), "seen": np.array([True, False])}
    assert csv_of(columns) == "place,count,seen\n0.5,3,1\n1,4611686018427387905,0\n"
