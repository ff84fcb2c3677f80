"""Edit > Copy as NumPy and Copy as PyTorch: what is pasted makes the table that the window shows."""

import ast

import numpy as np
from dialogs import dismiss, words_of
from PySide6.QtGui import QGuiApplication
from snippet_cases import numpy_source, torch_source

from posenc_core import ENCODINGS, Document, LearnedTable, Rotary, Yarn
from posenc_core.scripts.snippets import shown_positions
from posenc_gui.model.cursor import seen_by


def act(window, name):
    window.menus.actions[name].trigger()
    return QGuiApplication.clipboard().text()


def test_the_copied_script_makes_the_windows_table(window):
    for family in ENCODINGS:
        window.store.edit("family", family)
        check_script(window)


def check_script(window):
    script = act(window, "copy_numpy")
    names = {}
    exec(script, names)
    document = seen_by(window.store.document, window.cursor_control.cursor)  # of one query, in some families
    encoding, positions = document.encoding, window.panels["heatmap"].figure.axis.shown
    shown = np.array(shown_positions(document))
    assert shown.tolist() == list(
        range(int(max(positions.start, encoding.domain[0])), int(min(positions.stop - 1, encoding.domain[1])) + 1)
    )
    assert names["positions"].tolist() == shown.tolist()
    assert np.allclose(names["table"], encoding.values(shown, np.arange(encoding.n_columns)), rtol=1e-12, atol=1e-12)
    lines = len(script.splitlines())
    assert window.statusBar().currentMessage() == f"Copied a NumPy script of {lines} lines that computes this table"


def test_pytorch_is_copied_too(window):
    script = act(window, "copy_torch")
    assert script == torch_source(Document()) != numpy_source(Document())
    ast.parse(script)
    assert "import numpy" not in script
    assert "PyTorch" in window.statusBar().currentMessage()


def test_bibtex_names_the_sources_of_all_encodings_on_the_screen(window):
    window.store.replace(Document("a b c").with_encoding(Rotary(16, scaling=Yarn(4.0, 64))), "a rotation")
    text = act(window, "copy_bibtex")
    assert [line for line in text.splitlines() if line.startswith("@")] == [
        "@misc{su2021,",
        "@misc{peng2023,",
        "@misc{posenc,",
    ]
    assert window.statusBar().currentMessage() == f"Copied BibTeX entries, {len(text.splitlines())} lines"


def test_too_many_numbers_are_told_and_the_clipboard_stays(window, answers):
    QGuiApplication.clipboard().setText("mine")
    made = LearnedTable.from_array(np.ones((600, 40)), "an array")
    window.store.replace(Document(seq_len=600, encoding=made), "an array")
    said = []
    answers.expect(lambda dialog: (said.append(words_of(dialog)), dismiss(dialog)))
    assert act(window, "copy_numpy") == "mine"
    assert "24000 numbers would have to be written out" in said[0]
