"""Help > About: the version, the source of the encoding, and the licences."""

import sys

from posenc_core import __version__


def told(window, answers):
    """The text of the box."""
    texts = []
    answers.expect(lambda dialog: (texts.extend([dialog.text(), dialog.informativeText()]), dialog.accept()))
    window.menus.actions["about"].trigger()
    return texts


def test_the_about_dialog_names_version_source_and_licences(window, answers):
    title, details = told(window, answers)
    assert title == f"PosEnc {__version__}"
    assert "Vaswani" in details
    for name in ("MIT", "Qt", "LGPL 3", "NumPy", "pyqtgraph", "Inter"):
        assert name in details
    assert "THIRD-PARTY" not in details


def test_the_program_in_one_folder_tells_where_the_licences_are(window, answers, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "posenc"))
    assert told(window, answers)[1].endswith(f"Their texts: {tmp_path / 'THIRD-PARTY'}")
