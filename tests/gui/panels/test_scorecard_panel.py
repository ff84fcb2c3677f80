"""SCORECARD: the measured numbers in their cells, colours and signs, the proof behind a click, and copies."""

import csv
import io
import re

import numpy as np
import pytest
from panel_bench import shown
from pixels import click, hover, item_rect, pixels_of, rgb, settle, texts
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QImage
from PySide6.QtTest import QTest

from posenc_core import Document, LearnedTable, Rotary, Sinusoidal, T5Bias, Yarn
from posenc_core.gallery import FAIR, GOOD, POOR, PROPERTIES, Scorecard, story_families, story_names
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.paper import parsed_page
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.panels import drawn_numbers, first_panels, spec_of
from posenc_gui.panels.scorecard.painter import grade_colour
from posenc_gui.panels.scorecard.proofs import proof_of

pytestmark = pytest.mark.one_window

SIZE = (1000, 420)
NAMES = [each.name for each in PROPERTIES]
WIDE = Document(encoding=Sinusoidal(4096))


def cell(panel, family: str, name: str) -> QRectF:
    """Where a cell is, in the pixels of the view."""
    corner = item_rect(panel.view, panel.figure.childItems()[0]).topLeft()
    return panel.figure.view().layout.cell(story_names().index(family), NAMES.index(name)).translated(corner)


def score(document: Document, family: str, name: str):
    return Scorecard.of(document).score(story_names().index(family), NAMES.index(name))


@pytest.fixture
def story(window):
    """The window in the workspace of the story."""
    window.workspaces.choose("story")
    settle()
    return window


def entries(window, panel) -> dict:
    """The entries of the panel's menu by their texts."""
    menu = window.menus.panel_menu(panel)
    return {action.text().replace("&", ""): action for action in menu.actions()}


def measured_texts(qtbot, panel) -> list[str]:
    """The texts of the panel once all of many families are measured."""
    qtbot.waitUntil(lambda: not {"...", "…"} & set(texts(panel.view)))
    return texts(panel.view)


@pytest.mark.parametrize("document", [Document(), Document(encoding=Rotary(16), seq_len=100), Document(sentence="")])
def test_every_cell_shows_the_number_that_the_core_measures(qtbot, document):
    panel = shown(qtbot, "scorecard", document, SIZE)
    written = measured_texts(qtbot, panel)
    for row in Scorecard.of(document).compute():
        for each in row:
            assert each.text.replace("-", "−") in written or each.number is None
            assert each.sign in written
    assert [each.title for each in panel.figure.view().card.families] == [
        text for text in written if text in _titles(document)
    ]


def test_a_share_stays_in_per_cent_where_there_is_little_room(qtbot):
    panel = shown(qtbot, "scorecard", Document(encoding=Rotary(16), seq_len=100), (620, 300))
    card, written = Scorecard.of(panel.figure.document), measured_texts(qtbot, panel)
    shares = [each for row in card.compute() for each in row if each.text.endswith("%")]
    assert shares
    for each in shares:
        assert each.text.replace(" %", "%") in [text.replace(" %", "%") for text in written]
    assert not [text for text in written if text.endswith("…")]


@pytest.mark.parametrize("width", [400, 480, 560])
def test_a_number_of_one_digit_is_written_without_an_exponent(qtbot, width):
    """In narrow cells, where other numbers have one."""
    written = measured_texts(qtbot, shown(qtbot, "scorecard", Document(), (width, 420)))
    assert not [text for text in written if re.search(r"\de0", text)]
    assert [text for text in written if re.fullmatch(r"\d", text)]


@pytest.mark.parametrize("width", range(520, 680, 20))
def test_counts_of_a_column_have_one_form(qtbot, width):
    document = Document(encoding=Rotary(64, scaling=Yarn(4.0, 4096)))
    counts = measured_texts(qtbot, shown(qtbot, "scorecard", document, (width, 280)))
    forms = [re.sub(r"\d+", "n", text) for text in counts if re.fullmatch(r"\d+(?: of |/)\d+", text)]
    assert len(forms) > 2
    assert len(set(forms)) == 1


def _titles(document: Document) -> list[str]:
    return [each.title for each in Scorecard.of(document).families]


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_the_colour_of_a_cell_says_how_good_its_number_is(qtbot, style):
    panel = shown(qtbot, "scorecard", Document(), SIZE, style)
    pixels, seen = pixels_of(panel.view), {}
    for family, name, grade in (("sinusoidal", "bounded", GOOD), ("integer", "bounded", POOR), ("t5", "trained", FAIR)):
        assert score(Document(), family, name).grade == grade
        place, colour = cell(panel, family, name), grade_colour(style, grade)
        share = colour.alphaF()
        wanted = share * rgb(colour) + (1 - share) * rgb(style.paper)
        found = pixels[int(place.top()) + 3, int(place.left()) + 3].astype(int)
        assert np.abs(found - wanted).max() <= 3
        seen[grade] = tuple(found.tolist())
    assert len(set(seen.values())) == 3
    place = cell(panel, "alibi", "unseen")
    assert (pixels[int(place.top()) + 3, int(place.left()) + 3] == rgb(style.paper)).all()


def test_a_click_opens_the_family_in_the_view_that_shows_the_property(story):
    panel, before = story.panels["scorecard"], story.store.document
    click(panel.view, cell(panel, "rotary", "unseen").center())
    assert story.workspaces.current == "long_context"
    assert story.store.document.encoding.family == "rotary"
    assert story.panels["unseen"].isVisible()
    assert story.panels["unseen"].hasFocus()
    story.store.undo()
    assert story.store.document == before


def test_a_head_says_which_numbers_are_good_and_the_length_of_unseen_angles(qtbot):
    panel = shown(qtbot, "scorecard", Document().edited("target_length", 8192), SIZE)
    written = measured_texts(qtbot, panel)
    for each in PROPERTIES:
        assert f"✓ {each.good}" in written
    assert "at 8,192" in " ".join(written)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("target", [4096, 8192, 16384])
def test_unseen_pairs_are_the_number_of_the_panel_that_a_click_opens_with_the_cell_marked(story, target):
    story.store.edit("target_length", target)
    settle()
    panel = story.panels["scorecard"]
    (wanted,) = (each for each in [score(story.store.document, "rotary", "unseen")])
    assert f"at {target:,} positions" in wanted.detail
    click(panel.view, cell(panel, "rotary", "unseen").center())
    settle()
    unseen = story.panels["unseen"].figure.view()
    chosen = unseen.all_maps.maps[unseen.all_maps.chosen]
    assert wanted.text == f"{chosen.angles.count} of {chosen.n_pairs}"
    assert story.cursor_control.cursor.pinned
    first = chosen.angles.first[unseen.pair]
    assert first == (chosen.angles.first[chosen.angles.first >= 0].min() if chosen.angles.count else -1)


def test_a_bound_is_proved_at_the_largest_entry(story):
    panel = story.panels["scorecard"]
    click(panel.view, cell(panel, "integer", "bounded").center())
    settle()
    assert story.workspaces.current == "vectors"
    assert story.cursor_control.cursor.position == story.store.document.seq_len - 1


def test_no_position_has_a_row_and_a_card(story):
    assert story_names()[0] == "none"
    numbers = {name: score(Document(), "none", name) for name in NAMES}
    assert (numbers["unique"].text, numbers["score"].text) == ("0", "0")
    assert "nothing to shift" in numbers["shift"].detail
    assert "No position (NoPE)" in texts(story.panels["gallery"].view)


def test_a_click_on_the_chosen_familys_row_changes_no_document(story):
    panel = story.panels["scorecard"]
    click(panel.view, cell(panel, "sinusoidal", "shift").center())
    assert story.workspaces.current == "relations"
    assert not story.store.history.can_undo


def test_a_panel_that_the_workspace_does_not_show_is_shown_again(story):
    story.workspaces.choose("relations")
    story.workspaces.show_panel("shift", False)
    story.workspaces.choose("story")
    panel = story.panels["scorecard"]
    click(panel.view, cell(panel, "rotary", "shift").center())
    assert story.panels["shift"].isVisible()


@pytest.mark.parametrize("document", [Document(), Document(encoding=T5Bias()), Document(encoding=Rotary(64))])
def test_each_proof_is_a_panel_of_its_workspace_that_suits_the_family(qapp, document):
    card = Scorecard.of(document)
    for row, family in enumerate(card.families):
        for column, each in enumerate(PROPERTIES):
            workspace, panel = proof_of(each.name, family.encoding)
            assert panel in first_panels(workspace)
            if card.score(row, column).number is not None:
                shown_there = document.with_encoding(family.encoding)
                assert spec_of(panel).missing(shown_there) is None, (family.name, each.name)


def test_a_cell_that_makes_no_sense_says_why_and_opens_nothing(story):
    panel = story.panels["scorecard"]
    place = cell(panel, "alibi", "shift").center()
    hover(panel.view, place)
    assert any("it adds a bias to scores and has no vectors to shift" in text for text in texts(panel.view))
    tip = next(item.toolTip() for item in panel.view.items(place.toPoint()) if item.toolTip())
    assert "no vectors" in tip.replace("\n", " ")
    click(panel.view, place)
    assert story.workspaces.current == "story"
    assert not story.store.history.can_undo


def test_keys_mark_a_cell_and_enter_opens_it(story):
    panel = story.panels["scorecard"]
    panel.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right):
        QTest.keyClick(panel, key)
    assert panel.figure.marked == (2, 1)
    said = QAccessible.queryAccessibleInterface(panel).text(QAccessible.Text.Value)
    assert said.startswith("Normalised index, least distance of rows: the two nearest rows are 0.0479 apart")
    QTest.keyClick(panel, Qt.Key.Key_Return)
    settle()
    assert story.store.document.encoding.family == "normalized"
    assert story.workspaces.current == "relations"


def test_the_menu_copies_the_table_as_csv(story):
    panel = story.panels["scorecard"]
    entries(story, panel)["Copy table as CSV"].trigger()
    head, *rows = csv.reader(io.StringIO(QGuiApplication.clipboard().text()))
    assert head == ["family", *(each.title for each in PROPERTIES)]
    for row, cells in zip(Scorecard.of(story.store.document).compute(), rows, strict=True):
        assert [each.number for each in row] == [float(text) if text else None for text in cells[1:]]
    assert [row[0] for row in rows] == _titles(story.store.document)


def test_the_menu_copies_the_table_as_latex(story):
    panel = story.panels["scorecard"]
    entries(story, panel)["Copy table as LaTeX"].trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == r"\begin{tabular}{lrrrrrrrrr}"
    assert lines[-1] == r"\end{tabular}"
    rows = [line for line in lines if line.endswith(r"\\")]
    assert len(rows) == 1 + len(story_names())
    assert all(line.count("&") == len(PROPERTIES) for line in rows)
    assert r"100 \% $+$" in rows[5]
    assert "999,999 $-$" in rows[2]
    assert not set("%✓✗~–") & set("".join(rows).replace(r"\%", ""))


def test_a_wide_card_is_measured_beside_the_window_and_arrives_whole(qtbot):
    panel = shown(qtbot, "scorecard", WIDE, SIZE)
    assert Scorecard.of(WIDE).work > 1 << 20
    qtbot.waitUntil(lambda: all(each is not None for row in panel.figure.view().scores for each in row))
    settle()
    assert "…" not in texts(panel.view)
    assert panel.figure.view().scores == Scorecard.of(WIDE).compute()
    assert set(panel.figure.pointing.copies()) == {"table as CSV", "table as LaTeX"}


def test_a_card_that_is_not_measured_yet_shows_dots_and_copies_nothing(qtbot):
    document = Document(encoding=LearnedTable.from_array(np.random.default_rng(3).normal(size=(64, 2048))))
    panel = shown(qtbot, "scorecard", document.edited("seq_len", 61), SIZE)
    panel.stop()
    pending = [each is None for row in panel.figure.view().scores for each in row]
    assert any(pending)
    assert "…" in texts(panel.view)
    assert panel.figure.pointing.copies() == {}
    panel._renderer.finish()


def test_files_are_complete_and_numbers_are_those_of_the_cells(qapp):
    document = Document(encoding=Sinusoidal(512), seq_len=33)
    svg = picture_bytes(Picture("scorecard", document), "svg", PictureOptions(size=(960, 400))).decode()
    assert ">…<" not in svg
    assert all(title in svg for title in _titles(document))
    image = QImage.fromData(picture_bytes(Picture("scorecard", document), "png", PictureOptions(size=(960, 400))))
    assert image.width() >= 960
    numbers = drawn_numbers("scorecard", document)
    assert numbers["family"].tolist() == [each.title for each in Scorecard.of(document).families]
    for column, each in enumerate(PROPERTIES):
        wanted = [row[column].number for row in Scorecard.of(document).compute()]
        assert numbers[each.title].tolist() == pytest.approx([np.nan if n is None else n for n in wanted], nan_ok=True)


@pytest.mark.parametrize("size", [(500, 220), (560, 240), (900, 330), (1400, 600)])
def test_the_table_keeps_within_the_panel_above_its_readout(qtbot, size):
    panel = shown(qtbot, "scorecard", Document(), size)
    layout = panel.figure.view().layout
    assert layout.table.right() <= panel.view.width()
    assert layout.table.bottom() <= layout.readout.top() + 1
    assert layout.readout.bottom() <= panel.view.height() + 1
    assert {"✓", "✗"} <= set(texts(panel.view))
    assert layout.table.height() == pytest.approx(len(story_names()) * layout.row_height)


def test_heads_of_narrow_columns_read_upwards_and_all_words_of_a_column_of_a_page_are_whole(qapp):
    document, options = Document(), PictureOptions(page=parsed_page("column", 300.0))
    content = picture_bytes(Picture("scorecard", document), "svg", options).decode()
    written = " ".join(re.findall(r">([^<>]+)</text>", content)).split()
    setting = Scorecard.of(document).setting
    words = [word for each in PROPERTIES for word in each.heading(setting).split()]
    assert [word for word in words if word not in written] == []
    titles = [word for family in story_families(document) for word in family.title.split()]
    assert [word for word in titles if word not in written] == []
