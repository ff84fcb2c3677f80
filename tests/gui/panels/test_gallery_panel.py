"""GALLERY: a card for each family, drawn like the panels draw it, and what clicks and keys make of the document."""

import os
import subprocess
import sys

import numpy as np
import pytest
from panel_bench import shown
from pixels import (
    NO_KEY,
    SHIFT,
    click,
    coverage,
    hover,
    inside,
    item_rect,
    painted_words,
    pixels_of,
    rgb,
    settle,
    texts,
    value_colour,
)
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest

from posenc_core import Document, IntegerIndex, LearnedTable, Rotary, Sinusoidal, T5Bias, Yarn
from posenc_core.gallery import story_families, story_names
from posenc_core.progressive import slow_work
from posenc_core.session import NamedEncoding
from posenc_gui.export.drawn_numbers import csv_of
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.paper import NAMED_SIZES
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.files.presets import preset
from posenc_gui.layers.readout import cut
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.panels import drawn_numbers
from posenc_gui.panels.gallery.card import window_of
from posenc_gui.plotting import width_of

pytestmark = pytest.mark.one_window

SIZE = (1000, 640)
TITLES = [each.title for each in story_families(Document())]


def parts(panel, name: str):
    """The places of the parts of a family's card, in the pixels of the view."""
    places = panel.figure.view().layout.cards[story_names().index(name)]
    corner = item_rect(panel.view, panel.figure.childItems()[0]).topLeft()
    return {each: QRectF(getattr(places, each)).translated(corner) for each in ("card", "waves", "heat", "title")}


def middle(panel, name: str) -> QPointF:
    return parts(panel, name)["card"].center()


def shift_click(panel, name: str) -> None:
    hover(panel.view, middle(panel, name))
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, SHIFT, middle(panel, name).toPoint())
    settle()


@pytest.fixture
def story(window):
    """The window in the workspace of the story, and its gallery."""
    window.workspaces.choose("story")
    settle()
    return window


def test_every_family_has_a_card_in_the_order_of_the_story(qtbot):
    panel = shown(qtbot, "gallery", Document(), SIZE)
    written = [text for text in texts(panel.view) if text in TITLES]
    assert written == TITLES
    cards = [parts(panel, name)["card"] for name in story_names()]
    assert sorted(cards, key=lambda card: (card.top(), card.left())) == cards
    whole = QRectF(panel.view.rect())
    assert all(whole.contains(card) for card in cards)


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_a_heatmap_has_the_colours_of_the_heatmap_panel(qtbot, style):
    panel = shown(qtbot, "gallery", Document(sentence="one two three four five six"), SIZE, style)
    pixels = pixels_of(panel.view)
    for name, low, high in (("binary", 0.0, 1.0), ("sinusoidal", -1.0, 1.0)):
        encoding = panel.figure.view().families[story_names().index(name)].encoding
        place, columns = parts(panel, name)["heat"], encoding.n_columns
        values = encoding.values(np.arange(13), np.arange(columns))
        for position, column in np.ndindex(13, columns):
            x = place.left() + place.width() * (column + 0.5) / columns
            y = place.top() + place.height() * (position + 0.5) / 13
            wanted = value_colour(values[position, column], low, high, dark=style is DARK)
            assert np.abs(pixels[int(y), int(x)].astype(int) - wanted).max() <= 3, (name, position, column)


@pytest.mark.parametrize("d_model", [32, 128, 512])
def test_a_card_of_many_columns_draws_sines_and_cosines_apart_and_says_so(qtbot, d_model):
    panel = shown(qtbot, "gallery", Document(encoding=Sinusoidal(d_model), sentence="one two three"), SIZE)
    place, pixels = parts(panel, "sinusoidal")["heat"], pixels_of(panel.view)
    table = Sinusoidal(d_model, layout="concatenated").values(np.arange(3), np.arange(d_model))
    for position, half in np.ndindex(3, 2):  # at the slow end of either half the columns are alike
        column = (half + 1) * d_model // 2 - 4
        x = place.left() + place.width() * (column + 0.5) / d_model
        y = place.top() + place.height() * (position + 0.5) / 3
        wanted = value_colour(table[position, column], -1.0, 1.0)
        assert np.abs(pixels[int(y), int(x)].astype(int) - wanted).max() <= 6, (position, half)
    assert "sines | cosines" in " ".join(texts(panel.view))
    assert "sines | cosines" not in " ".join(texts(shown(qtbot, "gallery", Document(), SIZE).view))


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_waves_are_curves_in_the_colours_of_the_waves_panel(qtbot, style):
    pixels = pixels_of(shown_view := shown(qtbot, "gallery", Document(), SIZE, style).view)
    panel = shown_view.parent()
    for name, has_pairs in (("sinusoidal", True), ("rotary", True), ("t5", False), ("integer", False)):
        found = inside(pixels, parts(panel, name)["waves"])
        drawn = [coverage(found, style.part(part).name(), style.paper).max() > 0.8 for part in ("sin", "cos", "")]
        assert drawn[:2] == [has_pairs, has_pairs], name
        assert has_pairs or drawn[2], name


def test_cards_do_not_depend_on_the_length_where_their_families_do_not(qtbot):
    short, long = (pixels_of(shown(qtbot, "gallery", Document(seq_len=n), SIZE).view) for n in (64, 10_000_000))
    panel = shown(qtbot, "gallery", Document(), SIZE)
    for name in ("sinusoidal", "learned", "shaw", "t5", "rotary", "yarn"):
        place = parts(panel, name)["card"].adjusted(3, 3, -3, -3)
        assert (inside(short, place) == inside(long, place)).all(), name


def test_of_a_large_table_no_more_is_read_than_takes_a_moment():
    entries = np.lib.stride_tricks.as_strided(np.zeros(1, np.float32), (1 << 13, 2048), (0, 0))
    document = Document(encoding=LearnedTable.from_array(entries), sentence="word " * 20_000, seq_len=1 << 13)
    first, stop = (round(end + 0.5) for end in window_of(document))
    assert 0 == first < stop <= 1 << 10
    assert slow_work(document.encoding, first, stop, 2048) <= 1 << 20
    assert window_of(Document(sentence="word " * 20_000, seq_len=1 << 16)) == (-0.5, 40_000.5)


def test_a_card_says_what_its_family_does_and_what_is_its_own_or_simulated(qtbot):
    panel = shown(qtbot, "gallery", Document(encoding=Sinusoidal(7)), SIZE)
    written = " ".join(texts(panel.view))
    assert "head_dim 8, its own" in written
    assert "n_bits 6, its own" in written
    assert written.count("simulated (seed 0)") == 2
    assert "counts on without bound" in written or "The position itself, in every column" in written
    for size in ((510, 250), (330, 210)):
        small = shown(qtbot, "gallery", Document(), size)
        on_cards = " ".join(texts(small.view)).count("simulated")
        assert on_cards == 2 or "simulated: Shaw relative, T5 bias" in small.figure.pointing.note()


def test_a_click_makes_a_family_the_chosen_encoding_and_undo_takes_it_back(story):
    panel, before = story.panels["gallery"], story.store.document
    click(panel.view, middle(panel, "alibi"))
    assert story.store.document.encoding.family == "alibi"
    assert len(story.store.document.encodings) == 1
    pixels, card = pixels_of(panel.view), parts(panel, "alibi")["card"]
    edge = pixels[int(card.center().y()), int(card.left())]
    assert np.abs(edge.astype(int) - rgb(LIGHT.accent)).max() < 4
    story.store.undo()
    assert story.store.document == before
    assert not story.store.history.can_undo, "one click is one step"


def test_the_card_of_the_chosen_encoding_keeps_its_parameters(story):
    story.store.replace(Document(encoding=Rotary(64, rope_theta=5e5, scaling=Yarn(8.0, 2048))), "a model")
    settle()
    panel = story.panels["gallery"]
    cards = {each.name: each.encoding for each in panel.figure.view().families}
    assert cards["yarn"] == story.store.document.encoding
    assert cards["rotary"] == Rotary(64, rope_theta=5e5)
    click(panel.view, middle(panel, "rotary"))
    assert story.store.document.encoding == Rotary(64, rope_theta=5e5)


def test_shift_click_takes_a_family_as_encoding_b(story):
    panel, before = story.panels["gallery"], story.store.document
    shift_click(panel, "rotary")
    document = story.store.document
    assert [each.encoding.family for each in document.encodings] == ["sinusoidal", "rotary"]
    assert document.current == 0
    written = texts(panel.view)
    assert written[written.index("Sinusoidal") - 1] == "A"
    assert written[written.index("Rotary (RoPE)") - 1] == "B"
    shift_click(panel, "t5")
    assert [each.encoding.family for each in story.store.document.encodings] == ["sinusoidal", "t5"]
    story.store.undo()
    story.store.undo()
    assert story.store.document == before


def test_a_click_while_b_is_chosen_changes_b_alone(story):
    story.store.compare([NamedEncoding(Sinusoidal(8)), NamedEncoding(Rotary(8))], 1, "compare")
    settle()
    panel = story.panels["gallery"]
    click(panel.view, middle(panel, "integer"))
    assert [each.encoding for each in story.store.document.encodings] == [Sinusoidal(8), IntegerIndex(8)]


def test_arrow_keys_mark_a_card_and_enter_chooses_it(story):
    panel = story.panels["gallery"]
    panel.setFocus()
    across = panel.figure.view().layout.across
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left):
        QTest.keyClick(panel, key)
    start = story_names().index("sinusoidal")
    assert panel.figure.marked == start + across
    marked = story_names()[start + across]
    said = QAccessible.queryAccessibleInterface(panel).text(QAccessible.Text.Value)
    assert said.startswith(story_families(Document())[start + across].title)
    QTest.keyClick(panel, Qt.Key.Key_Return)
    settle()
    assert story.store.document.encoding == panel.figure.view().families[start + across].encoding
    QTest.keyClick(panel, Qt.Key.Key_Left)
    QTest.keyClick(panel, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    settle()
    letters = [each.encoding.family for each in story.store.document.encodings]
    assert len(letters) == 2
    assert marked == "alibi" or letters[0] == story.store.document.encoding.family


def test_the_card_under_the_mouse_is_said_below_and_nothing_moves(story):
    panel = story.panels["gallery"]
    before = [parts(panel, name) for name in story_names()]
    hover(panel.view, middle(panel, "yarn"))
    assert any(text.startswith("RoPE with YaRN: ") for text in texts(panel.view))
    assert [parts(panel, name) for name in story_names()] == before
    hover(panel.view, QPointF(2, 1))
    assert not any(text.startswith("RoPE with YaRN: ") for text in texts(panel.view))


@pytest.mark.parametrize("encoding", [Sinusoidal(8), Rotary(64), T5Bias(n_heads=12)], ids=lambda each: each.family)
@pytest.mark.parametrize("size", [(500, 220), (900, 380), (1400, 800), (330, 500)])
def test_no_words_leave_their_card(qtbot, encoding, size):
    panel = shown(qtbot, "gallery", Document(encoding=encoding), size)
    layout = panel.figure.view().layout
    for places in layout.cards:
        assert places.card.contains(places.title)
        assert places.card.contains(places.waves)
        assert places.card.contains(places.heat)
        assert places.waves.height() >= 8 or size[1] < 300
        assert places.words.bottom() <= places.card.bottom() + 1
    assert layout.readout.bottom() <= panel.view.height()


def test_files_hold_every_card(qtbot, qapp):
    document = Document(encoding=Rotary(16))
    picture, options = Picture("gallery", document), PictureOptions(size=(960, 620))
    image = QImage.fromData(picture_bytes(picture, "png", options))
    assert (image.width(), image.height()) >= (960, 620)
    svg = picture_bytes(picture, "svg", options).decode()
    assert all(title in svg for title in TITLES)
    assert picture_bytes(picture, "pdf", options).startswith(b"%PDF")


@pytest.mark.parametrize("family", ["sinusoidal", "t5", "rotary"])
def test_a_picture_as_wide_as_a_journal_column_cuts_no_word(qapp, family):
    picture = Picture("gallery", Document().edited("family", family))
    svg = picture_bytes(picture, "svg", PictureOptions(page=NAMED_SIZES["column"])).decode()
    assert "…" not in svg
    assert all(title in svg for title in TITLES)
    assert "simulated (seed 0)" in svg


def test_a_text_is_cut_after_a_whole_word_and_within_the_first_one():
    whole = "counts without bound"
    for width in range(90):
        shown = cut(whole, width, LIGHT, 10)
        assert shown == whole or shown in ("counts without…", "counts…") or "counts".startswith(shown[:-1])
        assert len(shown) == 1 or width_of(shown, LIGHT, 10) <= width
    assert {cut(whole, width, LIGHT, 10) for width in range(200)} >= {whole, "counts without…", "counts…", "c…"}


def test_numbers_are_the_columns_that_are_drawn_over_the_tokens():
    document = Document(sentence="a b c d")
    columns = drawn_numbers("gallery", document)
    assert columns["position"].tolist() == [0, 1, 2, 3]
    assert columns["Sinusoidal: 1"] == pytest.approx(np.cos(np.arange(4)))
    assert columns["ALiBi: 0"] == pytest.approx(-0.5 * np.arange(3, -1, -1))
    assert columns["Integer index: 7"].tolist() == [0, 1, 2, 3]
    head, *rows = csv_of(columns).splitlines()
    assert head.startswith("position,No position (NoPE): 0")
    assert len(rows) == 4
    assert len(drawn_numbers("gallery", Document(sentence="w " * 5000, seq_len=6000))["position"]) == 512


def test_the_panels_of_the_story_are_not_imported_at_the_start(tmp_path):
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from posenc_gui.look.qt import make_application\n"
        "application = make_application([])\n"
        "from posenc_gui.files.settings import Settings\n"
        "from posenc_gui.window.main_window import MainWindow\n"
        "window = MainWindow(Settings(Path(sys.argv[1])))\n"
        "print(sorted(name for name in sys.modules if name.startswith(('posenc_gui.panels.gallery', "
        "'posenc_gui.panels.scorecard'))))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "settings.json")],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
    )
    assert run.stdout.strip() == "[]", run.stderr


def test_a_key_of_the_gallery_does_not_move_the_cursor(story):
    panel, before = story.panels["gallery"], story.cursor_control.cursor
    panel.setFocus()
    QTest.keyClick(panel, Qt.Key.Key_Right, NO_KEY)
    settle()
    assert story.cursor_control.cursor == before


def test_larger_text_makes_cards_with_larger_words_that_a_click_still_hits(qtbot):
    panel = shown(qtbot, "gallery", Document(), (860, 420), LIGHT.scaled(1.5))
    figure, chosen = panel.figure, []
    panel.encodingsEdited.connect(lambda listed, current, text: chosen.append(text))
    cards = figure.view().layout.cards
    for family, places in zip(figure.view().families, cards, strict=True):
        assert family.title in texts(panel.view)
        place = figure.canvas.in_pixels(places.card).translated(item_rect(panel.view, figure.canvas).topLeft())
        assert item_rect(panel.view, figure.canvas).contains(place)
        click(panel.view, place.center())
        assert chosen[-1] == family.title


@pytest.mark.parametrize("size", [(548, 230), (900, 560), (1000, 800)])
def test_titles_of_cards_have_one_size_and_their_words_one_form(qtbot, size):
    panel = shown(qtbot, "gallery", preset("flux-1"), size)
    words = painted_words(panel.view)
    shown_titles = {each.split(" (")[0] for each in TITLES}
    sizes = {each.size for each in words if each.text.split(" (")[0] in shown_titles}
    assert len(sizes) == 1
    said = {each.text for each in words if each.text not in shown_titles}
    families = story_families(Document())
    briefs = {each.brief for each in families} & said
    sentences = [each.summary for each in families if any(each.summary.startswith(text) for text in said - briefs)]
    assert not briefs or not sentences
