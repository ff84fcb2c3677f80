"""A panel's own numbers, exported from the dialog's job."""

from posenc_core import Document, Rotary
from posenc_gui.export.drawn_numbers import csv_of
from posenc_gui.export.job import ExportJob, write_files
from posenc_gui.export.page import PictureOptions
from posenc_gui.panels.spectrum.figure import SpectrumFigure

DOCUMENT = Document(encoding=Rotary(16))


def files(panels, formats, folder):
    job = ExportJob(DOCUMENT, None, {}, panels, formats, PictureOptions())
    return {path.name for path in write_files(job, folder, lambda done, path: True)}


def test_the_dialogs_job_writes_a_panels_own_numbers_in_place_of_the_vectors(qapp, tmp_path):
    assert files(("spectrum",), ("csv", "npy"), tmp_path) == {"spectrum.csv", "vectors.npy"}
    text = (tmp_path / "spectrum.csv").read_text(encoding="utf-8")
    assert text == csv_of(SpectrumFigure.numbers(DOCUMENT))
    assert len(text.splitlines()) == 9
    assert files(("waves", "spectrum"), ("csv",), tmp_path) == {"spectrum.csv", "vectors.csv"}
    assert files((), ("csv",), tmp_path) == {"vectors.csv"}
