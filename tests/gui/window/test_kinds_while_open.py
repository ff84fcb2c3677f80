"""Families and scalings that are registered while a window is open: chosen, edited, derived, undone, and copied."""

import numpy as np
import pytest
from made_families import FadingBias, LogBias, RootScaling, registered
from pixels import settle, texts
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QTableView
from window_bench import control, says, type_number

from posenc_core import ENCODINGS, Document, Rotary
from posenc_core.encodings import described, headings
from posenc_gui.model.cursor import Cursor
from posenc_gui.story.palette import FAMILY, all_entries


def fading(head, query, key):
    return -(0.5 ** (head + 1)) * abs(query - key) / (1 + max(query, 1))


@pytest.fixture
def kinds(window):
    """Registered after the window is open, and gone once it shows built-in ones again."""
    with registered(FadingBias, LogBias, RootScaling):
        yield
        window.store.replace(Document(), "a new one")
        settle()


def offered(box):
    """The texts of a choice's list, which asks for them when it opens."""
    box.showPopup()
    settle()
    found = [box.itemText(index) for index in range(box.count())]
    box.hidePopup()
    return found


def choose(box, text):
    box.showPopup()
    box.setCurrentIndex(box.findText(text))
    box.activated.emit(box.currentIndex())
    box.hidePopup()
    settle()


@pytest.mark.usefixtures("kinds")
def test_a_family_can_be_chosen_edited_and_undone(window):
    family = control(window, "family")
    rows = offered(family)
    assert sorted(rows) == sorted([*(words for _, words in described()), *dict.fromkeys(headings())])
    for heading in dict.fromkeys(headings()):
        members = {words for (_, words), its in zip(described(), headings(), strict=True) if its == heading}
        first = rows.index(heading) + 1
        assert set(rows[first : first + len(members)]) == members
    assert family.currentText() == "Sinusoidal, 2017"
    choose(family, "Fading bias")
    assert window.store.document.encoding == FadingBias()
    assert says(window, FadingBias.summary)
    type_number(window, "strength", "2.5")
    assert window.store.document.encoding == FadingBias(strength=2.5)
    assert window.store.history.undo_text == "strength 1 → 2.5"
    opened = Document.from_json(window.store.document.to_json())
    assert opened == window.store.document
    window.store.undo()
    window.store.undo()
    settle()
    assert window.store.document == Document()
    assert family.currentText() == "Sinusoidal, 2017"


def test_a_family_that_is_gone_is_no_longer_offered(window):
    family = control(window, "family")
    with registered(FadingBias):
        assert "Fading bias" in offered(family)
    assert "Fading bias" not in offered(family)


@pytest.mark.usefixtures("kinds")
def test_a_scaling_can_be_chosen_and_compared(window):
    window.store.replace(Document(encoding=Rotary(16)), "RoPE")
    window.workspaces.choose("long_context")
    settle()
    scaling = control(window, "scaling")
    assert any(text.startswith("root (root interpolation)") for text in offered(scaling))
    choose(scaling, next(text for text in offered(scaling) if text.startswith("root ")))
    type_number(window, "root", "9")
    assert window.store.document.encoding == Rotary(16, scaling=RootScaling(9.0))
    menu = control(window, "compare").menu()
    menu.aboutToShow.emit()
    (action,) = [each for each in menu.actions() if each.text() == "Root interpolation"]
    action.trigger()
    assert window.store.document.view.compared_scalings == ("linear", "ntk", "yarn", "llama3", "root")


@pytest.mark.usefixtures("kinds")
def test_the_search_finds_a_registered_family(window):
    found = [each.text for each in all_entries([], window, window.commands.story.finder) if each.kind == FAMILY]
    assert found == [kind.title for kind in ENCODINGS.values()]


@pytest.mark.usefixtures("kinds")
def test_docks_and_status_line_have_the_number_of_the_query(window):
    window.store.replace(Document("Dan loves icecream very much").edited("family", "fading"), "fading")
    window.docks["vector"].raise_()
    for query, position in ((4, -3), (2, -1), (1, -1)):
        window.cursor_control.hold(Cursor(position, 1, query=query))
        settle()
        value = fading(1, query, query + position)
        assert says(window, f"1 + max({query}, 1)")
        assert says(window, f"−{-value:.6f}".rstrip("0"))
        model = window.vector_dock.findChild(QTableView).model()
        assert float(model.index(1, 1).data().replace("−", "-")) == pytest.approx(value, abs=5.1e-7)
    window.cursor_control.hold(Cursor(-9, 1, query=1))
    settle()
    assert says(window, "distance 9 has no value: it leads from position 1 to before the first token")


@pytest.mark.usefixtures("kinds")
def test_copied_scripts_draw_the_tables_of_the_query(window, run_plots):
    window.store.replace(Document("the quick brown fox", seq_len=4).edited("family", "fading"), "fading")
    window.cursor_control.hold(Cursor(-1, 0, query=2))
    scripts = {}
    for panel in ("heatmap", "waves", "tokens", "pairs", "scores", "gallery"):
        window.workspaces.show_panel(panel, True)
        window.panels[panel].figure.viewport.reset()
        window.panels[panel].setFocus(Qt.FocusReason.MouseFocusReason)
        settle()
        window.menus.actions["copy_matplotlib"].trigger()
        scripts[panel] = QGuiApplication.clipboard().text()
    found = dict(zip(scripts, run_plots(list(scripts.values())), strict=True))
    table = [[fading(head, 2, key) for head in range(4)] for key in range(3)]
    assert np.allclose(found["heatmap"]["image 0 0"], table)
    pairs = np.array([[fading(0, query, key) if key <= query else np.nan for key in range(4)] for query in range(4)])
    assert np.allclose(found["pairs"]["image 0 0"], pairs, equal_nan=True)
    assert found["scores"]["line 0 0"][:3].tolist() == [[apart, fading(0, 2, 2 - apart)] for apart in range(3)]
    assert np.allclose(found["tokens"]["image 0 0"][:3], table)
    assert {"quick", "brown"} <= set(found["waves"]["words"])
    assert any("Fading bias" in word for word in found["gallery"]["words"])


@pytest.mark.usefixtures("kinds")
def test_a_copied_table_is_that_of_the_query(window):
    window.store.replace(Document("the quick brown fox", seq_len=4).edited("family", "fading"), "fading")
    window.cursor_control.hold(Cursor(-1, 0, query=2))
    window.menus.actions["copy_numpy"].trigger()
    made: dict[str, np.ndarray] = {}
    exec(QGuiApplication.clipboard().text(), made)
    assert made["positions"].tolist() == [-2, -1, 0]
    assert np.allclose(made["table"], [[fading(head, 2, key) for head in range(4)] for key in range(3)])


@pytest.mark.usefixtures("kinds")
def test_gallery_and_scorecard_have_a_registered_family(window):
    window.workspaces.choose("story")
    window.store.edit("sentence", "Dan loves icecream")
    settle()
    assert {"Fading bias", "Logarithmic bias"} <= set(texts(window.panels["gallery"].view))
    assert "Fading bias" in texts(window.panels["scorecard"].view)
