"""Token pairs with queries and keys: painting, derivation, readout, undo, session and command line."""

import numpy as np
import pytest
from panel_bench import shown
from pixels import area_of, click, expected_colour, pixels_of, settle
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu
from window_bench import control, says, type_number, words

from posenc_core import Document, Rotary
from posenc_core.analysis import pair_reach
from posenc_core.session import token_vectors
from posenc_gui.cli.field_flags import with_fields
from posenc_gui.docks.embedding_form import EmbeddingForm
from posenc_gui.docks.headline import Headline
from posenc_gui.model.cursor import Cursor, token_pair
from posenc_gui.model.token_pairs import pair_derivation, pair_number, pair_refusal

SENTENCE = "Dan loves icecream very much"
COUNT = 5


def document(family="rotary", **parameters):
    made = Document(SENTENCE).edited("family", family)
    for name, value in parameters.items():
        made = made.edited(name, value)
    return made


def scores(made):
    """Every score from vectors that are rotated one by one."""
    vectors, width = token_vectors(made), made.encoding.head_dim
    queries, keys = (side(range(COUNT), width) for side in (vectors.queries, vectors.keys))
    turned = [[made.encoding.rotate(side[None, t], [t])[0] for t in range(COUNT)] for side in (queries, keys)]
    return np.array([[query @ key for key in turned[1]] for query in turned[0]])


def cell(panel, query, key):
    area = area_of(panel)
    return QPointF(
        area.left() + (key + 0.12) * area.width() / COUNT, area.top() + (query + 0.12) * area.height() / COUNT
    )


def notes(panel):
    return " ".join(label.text() for label in panel.findChildren(QLabel))


TYPED = {"pair_vectors": "typed", "query_vector": (1, -2, 0.5), "key_vector": (0.25, 3)}


@pytest.mark.parametrize("given", [{"pair_vectors": "simulated"}, {"pair_vectors": "simulated", "pair_seed": 7}, TYPED])
def test_cells_have_the_colours_of_rotated_queries_and_keys(qtbot, given):
    made = document(**given)
    panel = shown(qtbot, "pairs", made, (760, 560))
    expected, reach = scores(made), np.abs(scores(made)).max()
    assert pair_reach(made.encoding, 0, COUNT, token_vectors(made)) == pytest.approx(reach)
    pixels = pixels_of(panel.view)
    for query, key in np.ndindex(COUNT, COUNT):
        place = cell(panel, query, key)
        found = pixels[int(place.y()), int(place.x())].astype(int)
        assert np.abs(found - expected_colour(expected[query, key], reach=reach)).max() <= 3, (query, key)
    assert "rotated q · k" in notes(panel)
    source = "typed, repeated or cut to" if given is TYPED else f"simulated (seed {given.get('pair_seed', 0)})"
    assert source in notes(panel)


def test_without_them_the_note_says_that_they_are_1(qtbot):
    assert "q = k = 1" in notes(shown(qtbot, "pairs", document(), (900, 560)))
    assert "q = k" not in notes(shown(qtbot, "pairs", document("sinusoidal", **TYPED), (900, 560)))


@pytest.mark.parametrize(
    "made",
    [
        document("sinusoidal"),
        document("rotary"),
        document("rotary", pair_vectors="simulated"),
        document("rotary", pairing="interleaved", rotary_dim=4, **TYPED),
        document("learned"),
        document("integer"),
    ],
    ids=lambda made: f"{made.encoding.family} {made.view.pair_vectors}",
)
def test_a_derivation_ends_in_the_number_of_its_pair(made):
    if made.view.pair_vectors == "ones":
        rows = made.encoding.values(np.arange(COUNT), np.arange(made.encoding.n_columns))
        expected = rows @ rows.T
    else:
        expected = scores(made)
    for pair in np.ndindex(COUNT, COUNT):
        assert pair_number(made, pair) == pytest.approx(expected[pair], abs=1e-11)
        assert pair_derivation(made, pair).value == pytest.approx(expected[pair], abs=1e-11)


def test_a_pair_without_a_number_says_why():
    long = document("learned").edited("sentence", "a " * 70)
    assert pair_refusal(long, (1, 66)).startswith("position 66 is out of range")
    assert pair_derivation(long, (1, 66)) is None
    huge = document(**{**TYPED, "query_vector": (1e100,), "key_vector": (1e100,)})
    assert pair_refusal(huge, (0, 0)) == ""
    assert token_pair(document("t5"), Cursor(-1, 0, query=3)) is None
    assert token_pair(document(), Cursor(9, 0, query=3)) is None
    assert token_pair(document(), Cursor(1, 0, query=3)) == (3, 1)


def test_the_window_tells_and_derives_the_pair_under_the_mouse(window):
    (menu,) = [menu for menu in window.findChildren(QMenu) if menu.title().replace("&", "") == "Panels"]
    (entry,) = [action for action in menu.actions() if action.text().replace("&", "") == "Token pairs"]
    entry.trigger()
    settle()
    panel = window.panels["pairs"]
    area = area_of(panel)
    place = QPointF(area.left() + 0.5 * area.width() / 3, area.top() + 2.5 * area.height() / 3)
    click(panel.view, place)
    assert window.cursor_control.cursor == Cursor(0, 2, True, 2)
    (line,) = [word for word in words(window) if word.startswith("query “icecream” at position 2")]
    assert "key “Dan” at position 0" in line
    expected = np.cos(2 * window.store.document.encoding.frequencies()).sum()
    assert f"{expected:.6f}"[:6] in line
    assert says(window, "PE·PE(2, 0)")
    assert says(window, "sum over all 4 pairs")
    (headline,) = [label for label in window.findChildren(Headline) if "key of" in label.text()]
    assert "key of “icecream”, position 2" in headline.accessibleName()
    assert "as key" not in headline.accessibleName()
    window.store.edit("family", "rotary")
    settle()
    assert says(window, "PE·PE(2, 0)")
    window.store.edit("pair_vectors", "simulated")
    settle()
    assert says(window, "score(2)")
    window.store.undo()
    settle()
    assert says(window, "PE·PE(2, 0)")
    QTest.keyClick(panel, Qt.Key.Key_Up)
    assert window.cursor_control.cursor.query == 1
    window.panels["waves"].figure.cursorMoved.emit(Cursor(1, 0, pinned=True))
    assert window.cursor_control.cursor.query is None


def test_the_window_computes_the_pair_under_the_mouse_once(window, monkeypatch):
    window.store.replace(document(head_dim=64), "RoPE")
    window.workspaces.show_panel("pairs", True)
    settle()
    area, asked = area_of(window.panels["pairs"]), []
    vectors = Rotary.pair_values

    def noted(encoding, queries, keys, *others):
        if len(queries) == len(keys) == 1:
            asked.append((queries[0], keys[0]))
        return vectors(encoding, queries, keys, *others)

    monkeypatch.setattr(Rotary, "pair_values", noted)
    for query, key in ((3, 1), (4, 0), (2, 2)):
        click(window.panels["pairs"].view, area.topLeft() + cell_of(area, query, key))
        settle()
        assert says(window, f"PE·PE({query}, {key})")
    assert asked == [(3, 1), (4, 0), (2, 2)]


def cell_of(area, query, key):
    return QPointF((key + 0.5) * area.width() / COUNT, (query + 0.5) * area.height() / COUNT)


def test_the_embeddings_dock_offers_them_for_rope(qtbot):
    dock = EmbeddingForm()
    qtbot.addWidget(dock)
    dock.show_document(document())
    dock.show()
    qtbot.waitExposed(dock)
    edits = []
    dock.fieldEdited.connect(lambda *edit: edits.append(edit[:2]))
    control(dock, "q and k").activated.emit(2)
    assert not control(dock, "q").isEnabled()
    dock.show_document(document(**TYPED))
    assert control(dock, "q").isEnabled()
    assert not control(dock, "seed of q and k").isEnabled()
    type_number(dock, "q", "1, 2")
    assert edits[-1] == ("query_vector", (1.0, 2.0))
    dock.show_refusal("key_vector", (), "no number")
    dock.show_document(document("sinusoidal"))
    assert not any(label.text() == "Token pairs of RoPE" and label.isVisible() for label in dock.findChildren(QLabel))


def test_sessions_and_flags_hold_them():
    made = document(**TYPED)
    assert Document.from_json(made.to_json()) == made
    assert Document.from_json(document().to_json()).view.pair_vectors == "ones"
    given = {"pair_vectors": "typed", "query_vector": "1,-2,0.5", "key_vector": "0.25 3"}
    assert with_fields(document(), given) == made
    with pytest.raises(ValueError, match="pair_vectors must be ones, simulated or typed, got"):
        with_fields(document(), {"pair_vectors": "twos"})
