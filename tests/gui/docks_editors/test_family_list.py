"""The list of families: opened, filtered, chosen from with keys and mouse, and its pictures."""

import numpy as np
import pytest
from made_families import FadingBias, registered
from pixels import as_array, pixels_of, rgb, settle
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListView
from window_bench import control

from posenc_core import ENCODINGS
from posenc_core.encodings import GROUPS, described, headings
from posenc_core.gallery import thumbnail
from posenc_core.session import FAMILY
from posenc_gui.docks.editors.family_editor import FamilyEditor
from posenc_gui.docks.editors.family_list import FamilyList, beside
from posenc_gui.docks.editors.family_pictures import FamilyPictures
from posenc_gui.docks.editors.form import FieldForm
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.look.theme import apply_style

TITLES = dict(described())


@pytest.fixture
def editor(qtbot):
    """A form with the editor alone; ``sent`` has the families that were chosen."""
    form = FieldForm([FamilyEditor(FAMILY)])
    qtbot.addWidget(form)
    form.sent = []
    form.fieldEdited.connect(lambda name, value, gesture: form.sent.append(value))
    form.show()
    qtbot.waitExposed(form)
    return form


def opened(editor):
    """The list's widgets, after a click on the box."""
    box = control(editor, "family")
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    settle()
    (popup,) = editor.findChildren(FamilyList)
    assert popup.isVisible()
    return popup, popup.findChild(QLineEdit), popup.findChild(QListView)


def shown(view) -> list[str]:
    """The words of the rows that the filter leaves."""
    model = view.model()
    return [model.index(row, 0).data() for row in range(model.rowCount()) if not view.isRowHidden(row)]


def with_pictures(qtbot, popup):
    """Wait for the pictures of all families."""
    pictures = popup.findChild(FamilyPictures)
    qtbot.waitUntil(lambda: all(pictures.words(name) for name in TITLES))
    return pictures


def test_a_click_shows_every_family_below_its_group_and_marks_the_present_one(editor):
    _, line, view = opened(editor)
    rows, groups = shown(view), dict.fromkeys(headings())
    assert [row for row in rows if row in groups] == list(groups)
    assert set(rows) == {*TITLES.values(), *GROUPS.values()}
    for heading in groups:
        members = {words for words, its in zip(TITLES.values(), headings(), strict=True) if its == heading}
        first = rows.index(heading) + 1
        assert set(rows[first : first + len(members)]) == members
    assert view.currentIndex().data() == "Sinusoidal, 2017"
    spoken = view.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Sinusoidal, 2017, chosen"
    assert line.hasFocus()


def test_typed_words_filter_by_title_year_group_and_words_of_the_family(qtbot, editor):
    popup, line, view = opened(editor)
    with_pictures(qtbot, popup)
    for typed, found in (("alib", "ALiBi, 2021"), ("slope head", "ALiBi, 2021"), ("num_buckets", "T5 bias, 2020")):
        line.setText(typed)
        assert found in shown(view)
        assert set(shown(view)) < set(TITLES.values()) | set(GROUPS.values())
    line.setText("2025")
    assert shown(view) == ["Rotating", "PoPE, 2025", "GRAPE-M, 2025", "By content", "Forget gate (FoX), 2025"]
    line.setText("several axes")
    assert shown(view) == ["Several axes", "RoPE on several axes, 2024"]
    line.clear()
    assert set(shown(view)) == {*TITLES.values(), *GROUPS.values()}


def test_a_word_of_a_family_that_is_not_loaded_is_found_when_its_turn_came(qtbot, editor):
    popup, line, view = opened(editor)
    QTest.keyClicks(line, "num_buckets")
    assert shown(view) == []
    qtbot.waitUntil(lambda: shown(view) == ["Bias by distance", "T5 bias, 2020"])
    assert view.currentIndex().data() == "T5 bias, 2020"
    assert popup.isVisible()


def test_arrow_keys_pass_headings_and_enter_chooses(editor):
    popup, line, view = opened(editor)
    QTest.keyClicks(line, "202")
    rows = [row for row in shown(view) if row not in GROUPS.values()]
    passed = []
    for _ in rows:
        passed.append(view.currentIndex().data())
        QTest.keyClick(line, Qt.Key.Key_Down)
    assert passed == rows
    while view.currentIndex().data() != "ALiBi, 2021":
        QTest.keyClick(line, Qt.Key.Key_Up)
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert editor.sent == ["alibi"]
    assert not popup.isVisible()


def test_escape_closes_the_list_and_chooses_nothing(editor):
    popup, line, view = opened(editor)
    QTest.keyClicks(line, "xpos")
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert not popup.isVisible()
    assert editor.sent == []
    _, line, view = opened(editor)
    assert line.text() == ""
    assert view.currentIndex().data() == "Sinusoidal, 2017"


def test_a_click_on_a_row_chooses_and_on_a_heading_does_not(editor):
    popup, line, view = opened(editor)
    line.setText("kerple")
    rows = [row for row in range(view.model().rowCount()) if not view.isRowHidden(row)]
    for row in rows:
        assert popup.isVisible()
        place = view.visualRect(view.model().index(row, 0)).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert editor.sent == ["kerple"]
    assert not popup.isVisible()


def test_words_that_no_family_has_are_said_and_enter_chooses_nothing(qtbot, editor):
    popup, line, view = opened(editor)
    with_pictures(qtbot, popup)
    line.setText("banana")
    assert shown(view) == []
    said = [each.sentence for each in popup.children() if getattr(each, "sentence", "")]
    assert said == ["No family has these words."]
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert popup.isVisible()
    assert editor.sent == []


def test_screen_readers_have_the_names_of_the_list_the_filter_and_the_rows(editor):
    _, line, view = opened(editor)
    assert line.accessibleName() == "filter families"
    assert view.accessibleName() == "families"
    interface = QAccessible.queryAccessibleInterface(view)
    spoken = {interface.child(row).text(QAccessible.Text.Name) for row in range(interface.childCount())}
    assert {"ALiBi, 2021", "Sinusoidal, 2017, chosen"} <= spoken


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=lambda style: style.name)
def test_pictures_have_the_theme_s_colours_for_the_family_s_numbers(qtbot, editor, style):
    apply_style(style)
    popup, _, view = opened(editor)
    pictures = with_pictures(qtbot, popup)
    numbers = thumbnail(ENCODINGS["alibi"])[1:-1, 1:-1]
    picture = as_array(pictures.pixmap("alibi", style, 1.0).toImage())[1:-1, 1:-1]
    masked, share = np.isnan(numbers), np.nan_to_num(numbers)[..., None]
    assert np.all(picture[masked] == rgb(style.masked))
    ends = np.where(share > 0, rgb(style.sine), rgb(style.cosine))
    wanted = rgb(style.paper) * (1 - np.abs(share)) + ends * np.abs(share)
    assert np.abs(picture - wanted)[~masked].max() <= 1
    row = next(row for row in range(view.model().rowCount()) if view.model().index(row, 0).data() == "ALiBi, 2021")
    view.scrollTo(view.model().index(row, 0))
    place = view.visualRect(view.model().index(row, 0))
    drawn = pixels_of(view.viewport())[place.top() : place.bottom(), place.left() : place.left() + 50]
    assert (drawn == rgb(style.masked)).all(-1).sum() >= 0.8 * masked.sum()


def test_pictures_are_made_one_in_a_turn_and_only_while_the_list_is_open(qtbot, editor):
    popup, line, _ = opened(editor)
    pictures = popup.findChild(FamilyPictures)
    qtbot.waitUntil(lambda: bool(pictures.words("none")))
    QTest.keyClick(line, Qt.Key.Key_Escape)
    made = [name for name in TITLES if pictures.words(name)]
    for _ in range(50):
        settle()
    assert made == [name for name in TITLES if pictures.words(name)]
    opened(editor)
    with_pictures(qtbot, popup)


def test_a_family_that_is_registered_later_is_in_the_list_with_its_picture(qtbot, editor):
    popup, line, _ = opened(editor)
    QTest.keyClick(line, Qt.Key.Key_Escape)
    with registered(FadingBias):
        _, line, _ = opened(editor)
        pictures = popup.findChild(FamilyPictures)
        qtbot.waitUntil(lambda: bool(pictures.words(FadingBias.family)))
        QTest.keyClicks(line, "fading bias")
        QTest.keyClick(line, Qt.Key.Key_Return)
        assert editor.sent == [FadingBias.family]


@pytest.mark.parametrize(
    ("area", "size", "place"),
    [
        (QRect(70, 100, 180, 24), QSize(260, 560), QRect(70, 124, 260, 560)),  # below
        (QRect(70, 600, 180, 24), QSize(260, 560), QRect(70, 40, 260, 560)),  # above, where there is more room
        (QRect(70, 300, 180, 24), QSize(260, 560), QRect(70, 324, 260, 376)),  # as high as there is room
        (QRect(900, 100, 100, 24), QSize(260, 300), QRect(764, 124, 260, 300)),  # within the right edge
    ],
)
def test_the_list_lies_beside_the_box_within_the_screen(area, size, place):
    room = QRect(QPoint(0, 0), QSize(1024, 700))
    assert beside(area, size, room) == place
    assert room.contains(beside(area, size, room))


def test_another_encoding_than_the_first_is_chosen_with_the_same_list(window):
    control(window, "compare with another encoding").click()
    settle()
    box = control(window, "family")
    box.showPopup()
    settle()
    (popup,) = box.findChildren(FamilyList)
    line = popup.findChild(QLineEdit)
    QTest.keyClicks(line, "alibi")
    QTest.keyClick(line, Qt.Key.Key_Return)
    settle()
    assert [each.encoding.family for each in window.store.document.encodings] == ["sinusoidal", "alibi"]
    assert window.store.history.undo_text == "family sinusoidal → alibi"
