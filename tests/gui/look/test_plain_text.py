"""Texts that may look like HTML: the painted letters of tool tips and labels."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pixels import as_array
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent, QImage
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QToolTip, QTreeWidget, QWidget

from posenc_gui.docks.editors.choice_editors import ChoiceBox
from posenc_gui.look.choice_dialog import ChoiceDialog
from posenc_gui.look.plain_text import LONGEST_TIP, TIP_COLUMNS, Note, PlainLabel, menu_text, plain_tip

HTML = (
    '<img src="/dev/zero">', "<b>fat</b>", "a &lt;b&gt;", "<!DOCTYPE html>", '<?xml version="1.0"?><p>x', "\n <i>",
    "<br/>", "<\np>", "<P\tstyle=''>", "x" * 80 + "<b>" + "y" * 80,
)  # fmt: skip
MOSTLY_HTML = st.lists(st.one_of(st.sampled_from([*"<>/&;! \n\t=\"'", "lt", "img", "b", "?xml"]), st.text(max_size=3)))


@given(st.one_of(MOSTLY_HTML.map("".join), st.text(max_size=3 * TIP_COLUMNS)))
@example(HTML[0])
def test_no_tool_tip_is_html_and_its_letters_are_those_of_the_text(text):
    tip = plain_tip(text)
    assert not GuiQt.mightBeRichText(tip)
    assert all(len(line.replace("\u200b", "")) <= TIP_COLUMNS for line in tip.splitlines())
    assert without_space(tip) == without_space(text)
    assert plain_tip(tip) == tip


def without_space(text: str) -> str:
    return "".join(text.replace("\u200b", "").split())


@pytest.mark.parametrize("text", HTML)
def test_qt_takes_the_text_itself_for_html(text):
    assert GuiQt.mightBeRichText(text)
    assert not GuiQt.mightBeRichText(plain_tip(text))


def test_own_sentences_keep_their_lines_and_wrap():
    sentence = "Positions until the column's wave repeats"
    assert plain_tip(sentence) == sentence
    assert plain_tip(f"{sentence}\n{sentence}") == f"{sentence}\n{sentence}"
    assert plain_tip(f"{sentence} {sentence}") == f"{sentence} Positions until the\ncolumn's wave repeats"
    assert plain_tip("a << b && i <= j") == "a << b && i <= j", "no tag"


def test_the_name_of_a_whole_file_is_cut():
    tip = plain_tip("x" * 10**6)
    assert tip.replace("\n", "") == "x" * LONGEST_TIP + "…"


def test_an_entry_of_a_menu_is_one_line_without_a_letter():
    assert menu_text("R&D\tof\nmine") == r"R&&D\tof\nmine"


def test_a_label_shows_tags(qtbot):
    label = PlainLabel("<b>fat</b>")
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A red picture, which a tool tip that is HTML would show."""
    image = QImage(64, 64, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    assert image.save(str(tmp_path / "red.png"))
    return tmp_path / "red.png"


def rest_on(view: QAbstractItemView) -> QLabel:
    """The tool tip that appears when the mouse rests on the first row; the next event of the window may close it."""
    place = view.visualRect(view.model().index(0, 0)).center()
    at = view.viewport().mapToGlobal(place)
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, at))
    assert QToolTip.isVisible()
    (tip,) = [each for each in QApplication.topLevelWidgets() if each.metaObject().className() == "QTipLabel"]
    assert isinstance(tip, QLabel)
    return tip


def tensors(name: str) -> tuple[QWidget, Callable[[], QAbstractItemView]]:
    dialog = ChoiceDialog("Open table", "Which?", ("tensor",), [(name,), ("b",)])
    return dialog, lambda: dialog.findChild(QTreeWidget)


def weights(name: str) -> tuple[QWidget, Callable[[], QAbstractItemView]]:
    box = ChoiceBox()
    box.offer([("file", "file", name, "")])
    return box, lambda: (box.showPopup(), box.view())[1]


@pytest.mark.parametrize("rows", [tensors, weights])
def test_the_tool_tip_of_a_name_paints_letters_and_no_picture(qtbot, picture, rows, count):
    name = f'<img src="{picture}">'
    widget, view = rows(name)
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitExposed(widget)
    tip = rest_on(view())
    shown = as_array(tip.grab().toImage())
    assert without_space(tip.text()) == without_space(name)
    tip.setTextFormat(Qt.TextFormat.PlainText)
    tip.setText(tip.text().replace("\u200b", ""))
    assert np.array_equal(shown, as_array(tip.grab().toImage())), "the letters, and no more than them"
    assert tip.sizeHint().width() <= tip.width()
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    count("tool tips of hostile names that were painted", 1)


def test_a_long_name_breaks_at_its_signs_and_not_within_a_word(qtbot):
    note = Note()
    qtbot.addWidget(note)
    note.show_sentence("before (original_max_position_embeddings, more)")
    assert note.text().split("\u200b") == ["before (original_max_", "position_", "embeddings, more)"]
