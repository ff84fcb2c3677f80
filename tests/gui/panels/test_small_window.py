"""The panels as a window of 1,024 x 700 pixels has them: matrices and rows that can be read, whole names and rows."""

import re

import pytest
from panel_bench import shown
from pixels import item_rect, painted_words, settle

from posenc_core import ENCODINGS, Document, Rotary
from posenc_core.encodings import Cope, Fire, Fope, GrapeM, Pope, RopeAxes, XPos
from posenc_core.encodings.abilities.effect import GROUPS
from posenc_core.encodings.registry import group_of
from posenc_gui.figures import FigureView
from posenc_gui.files import preset
from posenc_gui.look import LIGHT
from posenc_gui.panels import figure_class

SENTENCE = "The quick brown fox jumps over the lazy dog tonight"


@pytest.mark.parametrize(
    "encoding",
    [Rotary(8), XPos(8), Fope(8), Pope(8), GrapeM(), RopeAxes(64, grid="14x14")],
    ids=lambda each: each.family,
)
def test_similarity_draws_a_matrix_of_a_useful_size(qtbot, encoding):
    panel = shown(qtbot, "similarity", Document(SENTENCE, encoding=encoding), (270, 244))
    size = panel.figure.matrix.size()
    assert min(size.width(), size.height()) >= 64
    assert size.width() == pytest.approx(size.height(), abs=2)


def four_models():
    """Four models with long names to compare."""
    names = "llama-2-7b", "yarn-llama-2-64k", "code-llama-7b", "phi-3-mini-128k"
    return preset(names[0]).with_encodings([preset(name).encodings[0] for name in names], 0)


def test_similarity_names_four_models_by_their_letters_and_leaves_the_matrix_its_room(qtbot):
    panel = shown(qtbot, "similarity", four_models(), (270, 244))
    assert panel.figure.matrix.size().height() >= 50
    assert {"A", "B", "C", "D"} <= {word.text for word in painted_words(panel.view)}


def test_rows_of_letters_are_apart_in_larger_text(qtbot):
    panel = shown(qtbot, "similarity", four_models(), (400, 300), LIGHT.scaled(1.5))
    heights = sorted({word.y for word in painted_words(panel.view) if word.text in "ABCD"})
    assert len(heights) == 2
    assert heights[1] - heights[0] >= 1.2 * 11 * 1.5


@pytest.mark.parametrize("name", ["scores", "precision", "drift"])
def test_a_plot_without_room_for_the_names_of_four_models_has_their_letters(qtbot, name):
    panel = shown(qtbot, name, four_models(), (250, 230))
    assert {"B", "C", "D"} <= {word.text for word in painted_words(panel.view)}


def test_a_name_that_is_wider_than_the_plot_is_above_it(qtbot):
    figure = figure_class("scores")(LIGHT)
    figure.show_document(preset("yarn-llama-2-64k"))
    view = FigureView(figure)
    qtbot.addWidget(view)
    view.resize(185, 340)
    view.show()
    (word,) = (word for word in painted_words(view) if word.text == "Yarn-Llama-2 7B 64k")
    assert word.y < item_rect(view, figure.area).top()


@pytest.mark.parametrize("size", [(290, 244), (300, 300), (380, 240), (420, 330), (560, 300)])
def test_maps_of_unseen_angles_count_in_the_same_words(qtbot, size):
    panel = shown(qtbot, "unseen", preset("llama-3.1-8b"), size)
    heads = [word.text for word in painted_words(panel.view) if re.search(r"\d+( of |/)64", word.text)]
    assert len(heads) == len(panel.figure.view().maps.maps) > 1
    assert len({re.sub(r".*?\d+( of |/)64", r"\1", head) for head in heads}) == 1, heads


def test_the_scorecard_has_rows_that_can_be_read_while_they_are_measured_and_after(qtbot):
    panel = shown(qtbot, "scorecard", Document(encoding=XPos(8)), (536, 270))
    settle()
    assert panel.figure.view().layout.row_height >= 11
    assert len(panel.figure.view().card.families) == 13


@pytest.mark.parametrize("encoding", [Rotary(8), RopeAxes(64, grid="14x14"), Fire()], ids=lambda each: each.family)
def test_the_gallery_writes_whole_names(qtbot, encoding):
    panel = shown(qtbot, "gallery", Document(encoding=encoding), (546, 259))
    written = [word.text for word in painted_words(panel.view)]
    for family in panel.figure.view().families:
        assert family.title in written


@pytest.mark.parametrize("page", GROUPS)
def test_a_page_of_the_gallery_has_each_family_of_its_group_with_its_whole_name(qtbot, page):
    of_group = [kind for kind in ENCODINGS.values() if group_of(kind) == page and kind.in_gallery]
    document = Document(encoding=of_group[0].from_parameters({})).edited("gallery_page", page)
    panel = shown(qtbot, "gallery", document, (546, 259))
    written = [word.text for word in painted_words(panel.view)]
    assert {kind.title for kind in of_group} <= set(written)
    assert {kind.title for kind in ENCODINGS.values() if group_of(kind) != page}.isdisjoint(written)


def test_tokens_shows_whole_rows_before_anybody_scrolls(qtbot):
    panel = shown(qtbot, "tokens", Document(SENTENCE, encoding=Cope()), (290, 240))
    figure = panel.figure
    view = figure.view()
    layout, room = view.layout, view.room
    first, stop = layout.visible(0.0, room.height())
    assert layout.strip(stop - 1).rect.bottom() <= room.height()
    assert stop - first < len(figure.document.token_list)
