"""The NUMBER dock derives what a panel is pointed at: a likeness, a score, a block, an unseen angle, a drift."""

import pytest
from pixels import click, item_rect, settle
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from window_bench import says

from posenc_core import Rotary, Yarn, drift, unseen_angles
from posenc_core.session import NamedEncoding
from posenc_gui.docks.derivation import RestingDerivation
from posenc_gui.docks.headline import Headline

pytestmark = pytest.mark.one_window


def steps(window):
    """Derivation text in the dock."""
    return window.number_dock.findChild(RestingDerivation).accessibleDescription()


def derived(window):
    """The number that the derivation arrives at."""
    (derivation,) = window.number_dock._derivations
    return derivation.value


def headline(window):
    return window.number_dock.findChild(Headline).accessibleName()


def opened(window, workspace, **fields):
    for name, value in fields.items():
        window.store.edit(name, value)
    window.workspaces.choose(workspace)
    settle()
    return window


def click_area(panel, area, x, y):
    rect = item_rect(panel.view, area)
    click(panel.view, QPointF(rect.left() + area.to_x(x), rect.top() + area.to_y(y)))
    settle()


@pytest.mark.one_of(3)
@pytest.mark.parametrize("measure", ["dot", "cosine", "euclidean"])
def test_a_cell_of_the_similarity_has_its_sum(window, measure):
    opened(window, "relations", similarity_measure=measure)
    panel = window.panels["similarity"]
    click_area(panel, panel.figure.matrix, 20, 12)
    at, other = panel.figure.view().pair
    assert derived(window) == pytest.approx(panel.figure.pointing.number(), abs=1e-6)
    assert f"rows of {at} and {other}" in headline(window)
    QTest.keyClick(panel, Qt.Key.Key_Right)
    settle()
    assert f"rows of {at} and {other + 1}" in headline(window)
    assert derived(window) == pytest.approx(panel.figure.pointing.number(), abs=1e-6)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("mode", ["ones", "bound", "tokens", "typed"])
def test_a_score_has_the_sum_of_its_mode(window, mode):
    opened(window, "relations", family="rotary", head_dim=128, score_mode=mode, score_distances=100)
    panel = window.panels["scores"]
    click_area(panel, panel.figure.area, 37, sum(panel.figure.area.upright) / 2)
    assert panel.figure.pointing.x == pytest.approx(37, abs=1)
    assert derived(window) == pytest.approx(panel.figure.pointing.number(), abs=1e-6)
    window.store.edit("score_distances", 90)
    settle()
    assert derived(window) == pytest.approx(panel.figure.pointing.number(), abs=1e-6)
    window.store.edit("family", "alibi")
    settle()
    assert "query − key" not in headline(window)


def test_a_bias_has_the_derivation_of_its_head(window):
    opened(window, "relations", family="alibi", n_heads=8, score_head=3, score_distances=100)
    panel = window.panels["scores"]
    click_area(panel, panel.figure.area, 20, sum(panel.figure.area.upright) / 2)
    assert (
        derived(window) == pytest.approx(panel.figure.pointing.number()) == pytest.approx(-panel.figure.pointing.x / 16)
    )


def test_a_block_of_the_shift_has_the_turn_of_its_pair(window):
    opened(window, "relations", shift_k=3)
    panel = window.panels["shift"]
    click_area(panel, panel.figure.matrix, 2, 3)
    assert "block of pair 1 · shift by 3" in headline(window)
    assert "cosine" in steps(window)
    assert derived(window) == pytest.approx(panel.figure.view().shift.matrix[2, 2])
    window.store.edit("shift_k", -5)
    settle()
    assert derived(window) == pytest.approx(panel.figure.view().shift.matrix[2, 2])
    window.cursor_control.next_token()
    settle()
    assert "column 2" in headline(window)
    assert derived(window) == pytest.approx(window.panels["heatmap"].figure.pointing.number(), abs=1e-6)


def test_an_unseen_pair_has_its_arc_in_the_map_that_was_pointed_at(window):
    opened(window, "long_context", family="rotary", head_dim=128, trained_length=4096, target_length=16384)
    panel = window.panels["unseen"]
    view = panel.figure.view()
    shown, layout = view.maps, view.layout(view.maps)
    found = set()
    for index, each in enumerate(shown.maps):
        plot, canvas = layout.plots[index], item_rect(panel.view, panel.figure.canvas)
        y = next(y for y in range(int(plot.top()), int(plot.bottom())) if layout.pair_at(plot, y) == 54)
        click(panel.view, QPointF(canvas.left() + plot.center().x(), canvas.top() + y + 0.5))
        settle()
        pair = window.cursor_control.cursor.subject.pair
        assert derived(window) == unseen_angles(each.encoding, 4096, 16384).first[pair]
        found.add(derived(window))
    assert len(found) > 1
    assert f"pair {pair} · first unseen position" in headline(window)


def test_a_drifting_pair_has_its_difference(window):
    one, other = Rotary(128), Rotary(128, scaling=Yarn(4.0, 4096))
    window.store.compare([NamedEncoding(one), NamedEncoding(other)], 1, "compare")
    opened(window, "compare")
    panel = window.panels["drift"]
    first = int(drift(one, other).position)
    area = panel.figure.area
    click_area(panel, area, panel.figure.view().plots[0].x_scale.place(first), sum(area.upright) / 2)
    pair = window.cursor_control.cursor.subject.pair
    assert derived(window) == drift(one, other).first[pair]
    assert f"pair {pair} · B off from A" in headline(window)


def test_a_number_that_a_document_has_no_longer_is_a_sentence(window):
    opened(window, "relations", shift_k=3)
    panel = window.panels["shift"]
    click_area(panel, panel.figure.matrix, 7, 7)
    assert "block of pair 3" in headline(window)
    window.store.edit("d_model", 4)
    settle()
    assert says(window, "pair 3 is outside 0..1")
    assert not any(button.isVisible() for button in window.number_dock.findChildren(QPushButton) if button.text())


@pytest.mark.one_of(2)
@pytest.mark.parametrize(("workspace", "panel", "key"), [
    ("compare", "drift", Qt.Key.Key_Right),
    ("long_context", "unseen", Qt.Key.Key_Down),
])  # fmt: skip
def test_a_number_of_an_encoding_that_is_closed_is_a_sentence(window, workspace, panel, key):
    listed = [NamedEncoding(Rotary(64)), NamedEncoding(Rotary(64, 500.0))]
    window.store.compare(listed, 1, "compare")
    opened(window, workspace)
    QTest.keyClick(window.panels[panel], key)
    settle()
    assert not says(window, "encoding B is closed")
    window.store.compare(listed[:1], 0, "close B")
    settle()
    assert says(window, "encoding B is closed")
