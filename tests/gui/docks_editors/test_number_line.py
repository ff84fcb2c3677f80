"""Numbers in fields: whole at every width, or visibly cut, grouped at rest and plain while they are edited."""

import math

import pytest
from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame, QVBoxLayout, QWidget

from posenc_core.encodings import ENCODINGS
from posenc_core.fields import BASE, Field, RealField
from posenc_core.rope_scaling import SCALING, SCALINGS
from posenc_core.session.context import LONGEST_DISTANCE, TARGET_LENGTH, TRAINED_LENGTH
from posenc_core.text import PAIR_FIELDS
from posenc_core.text.embedding import SEED
from posenc_gui.docks.editors.form import FieldForm, make_editor
from posenc_gui.look.number_format import as_written
from posenc_gui.look.style import LIGHT
from posenc_gui.look.theme import apply_style

_NUMBERS = ("integer", "real")


def _of(field: Field) -> Field:
    return field.of if field.kind == "optional" else field


def _number_fields() -> list[Field]:
    listed = [
        each for kind in (*ENCODINGS.values(), *SCALINGS.values()) for field in kind.FIELDS for each in field.every()
    ]
    listed += [*SCALING.every(), TRAINED_LENGTH, TARGET_LENGTH, LONGEST_DISTANCE, SEED, *PAIR_FIELDS]
    return [field for field in dict.fromkeys(listed) if _of(field).kind in _NUMBERS]


def _extremes(field: Field) -> list[float]:
    """The values with the longest texts that a field allows."""
    of = _of(field)
    if isinstance(of, RealField):
        ends = [math.nextafter(of.above, math.inf), min(of.most, 1.2345678901234567e308), *of.slider]
        allowed = [end for end in ends if of.above < end <= of.most]
        return [of.check(number) for number in (*allowed, *(x / 3 for x in allowed if of.above < x / 3 <= of.most))]
    return [of.minimum, of.maximum]


def _room(line: QLineEdit) -> int:
    """The pixels that a line has for its text."""
    option = QStyleOptionFrame()
    line.initStyleOption(option)
    return line.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, line).width()


class _Window(QWidget):
    def __init__(self, field: Field) -> None:
        super().__init__()
        self.editor = make_editor(field)
        self.other = QLineEdit()
        box = QVBoxLayout(self)
        box.addWidget(self.other)
        box.addWidget(FieldForm([self.editor]))
        self.line: QLineEdit = self.editor.findChild(QLineEdit)

    def show_in(self, width: int, value: float) -> None:
        self.editor.show_value(value)
        self.resize(width, 120)
        self.other.setFocus()
        settle()


@pytest.mark.parametrize("scale", [1.0, 1.6])
@pytest.mark.parametrize("field", _number_fields(), ids=lambda field: field.name)
def test_the_longest_number_of_every_field_is_whole_or_visibly_cut_at_every_width(qtbot, field, scale):
    apply_style(LIGHT.scaled(scale))
    window = _Window(field)
    qtbot.addWidget(window)
    window.show()
    for value in _extremes(field):
        whole = as_written(field.format(value))
        for width in (160, 205, 280, 480):
            window.show_in(width, value)
            shown, line = window.line.text(), window.line
            assert line.fontMetrics().horizontalAdvance(shown) <= _room(line)
            if shown != whole:
                assert shown.endswith("…")
                assert whole.startswith(shown[:-1])
                assert line.toolTip().replace("<br>", "\n").find(whole) >= 0
        assert shown == whole or line.width() > 350


def test_a_base_of_ten_millions_shows_all_its_zeros_in_a_narrow_dock(qtbot):
    window = _Window(BASE)
    qtbot.addWidget(window)
    window.show()
    window.show_in(205, 1e7)
    assert window.line.text() == "10,000,000"
    assert window.line.fontMetrics().horizontalAdvance("10,000,000") <= _room(window.line)


def test_a_number_is_edited_without_separators_and_grouped_again_afterwards(qtbot):
    window, edits = _Window(BASE), []
    window.editor.edited.connect(lambda name, value, gesture: edits.append(value))
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.show_in(300, 500000.0)
    window.other.setFocus()
    assert window.line.text() == "500,000"
    window.line.setFocus()
    assert window.line.text() == "500000"
    QTest.keyClick(window.line, Qt.Key.Key_End)
    QTest.keyClick(window.line, Qt.Key.Key_0)
    QTest.keyClick(window.line, Qt.Key.Key_Return)
    assert edits == [5e6]
    window.editor.show_value(5e6)
    window.other.setFocus()
    assert window.line.text() == "5,000,000"
    assert edits == [5e6]


def test_a_grouped_number_can_be_pasted(qtbot):
    window, edits = _Window(BASE), []
    window.editor.edited.connect(lambda name, value, gesture: edits.append(value))
    qtbot.addWidget(window)
    window.show()
    window.line.setFocus()
    window.line.selectAll()
    window.line.insert("1,000,000")
    QTest.keyClick(window.line, Qt.Key.Key_Return)
    assert edits == [1e6]
