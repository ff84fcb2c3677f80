"""THREE WAYS: the scores, what each test finds of each mistake, and the line that shifts both positions."""

import json
from pathlib import Path

import numpy as np
import pytest
from documents import with_values
from panel_bench import shown
from pixels import click, coverage, drag, inside, item_rect, pixels_of, rgb, settle, texts
from PySide6.QtCore import QPointF
from window_bench import control, says, type_number

from posenc_core import Document, NtkAware, Rotary, Sinusoidal, Yarn
from posenc_gui.export.pictures import Picture, PictureOptions, picture_bytes
from posenc_gui.look.number_format import significant
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import drawn_numbers, spec_of
from posenc_gui.panels.ways.numbers import WaysView
from posenc_gui.panels.ways.painter import way_pen

EIGHT = Document(encoding=Rotary(8, pairing="interleaved"))
ROWS = [
    row
    for row in json.loads((Path(__file__).parents[2] / "data" / "views.json").read_text(encoding="utf-8"))
    if row["view"] == "layout_lens"
]
WAYS = {"interleaved": 0, "half_split on the same columns (wrong weights)": 1}
TITLES = ("Right", "Wrong convention", "Broken code")


def placed(panel):
    """The places of the parts, and the place of the picture's upper left corner in the pixels of the view."""
    return panel.figure.view().layout, item_rect(panel.view, panel.figure.childItems()[0]).topLeft()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['params']['way'][:10]} {row['inputs']}")
def test_scores_and_lengths_are_those_of_the_check_values(qtbot, row):
    inputs = row["inputs"]
    at = inputs.get("query_position", inputs.get("position"))
    document = EIGHT.edited("query_position", at).edited("key_position", inputs.get("key_position", 0))
    panel = shown(qtbot, "ways", document, (900, 400))
    way = panel.figure.view().ways.ways[WAYS.get(row["params"]["way"], 2)]
    found = way.query_square if inputs["what"] == "squared norm" else way.score
    assert found == pytest.approx(row["value"], rel=1e-12)


@pytest.mark.parametrize(
    ("shift", "scores"),
    [
        (0, ("70.279", "45.9296", "−14.2081")),
        (10, ("70.279", "45.9296", "−13.2839")),
        (100, ("70.279", "45.9296", "41.8338")),
    ],
)
def test_the_scores_are_written_for_the_shifted_positions(qtbot, shift, scores):
    panel = shown(qtbot, "ways", EIGHT.edited("both_shift", shift), (900, 400))
    written = texts(panel.view)
    assert set(scores) <= set(written)
    assert set(TITLES) <= set(written)
    assert written.count(f"score, q at {5 + shift}, k at {2 + shift}") == 3


def test_the_panel_says_which_test_finds_which_mistake(qtbot):
    panel = shown(qtbot, "ways", EIGHT, (900, 400))
    written = texts(panel.view)
    assert written.count("lengths: |q|² 204, kept") == 2
    assert written.count("shifts: score stays") == 2
    assert "values: as the model's" in written
    assert "values: off by −24.3495" in written
    assert "lengths: |q|² 242.456, not 204" in written
    assert any(text.startswith("shifts: score moves, ") for text in written)
    assert panel.figure.pointing.note() == (
        "only values find the wrong convention · lengths, shifts and values find broken code"
    )


@pytest.mark.parametrize(
    "encoding",
    [
        Rotary(64),
        Rotary(128, pairing="interleaved", direction=-1),
        Rotary(64, rotary_dim=32),
        Rotary(64, rotary_dim=32, rotary_part="trailing"),
        Rotary(64, scaling=Yarn(16.0, 4096)),
        Rotary(64, scaling=NtkAware(4.0)),
        Rotary(6),
    ],
    ids=repr,
)
@pytest.mark.parametrize("place", [0, 999_000])
def test_lengths_and_shifts_do_not_find_the_wrong_convention_of_any_encoding(encoding, place):
    document = with_values(Document(encoding=encoding), query_position=place + 700, key_position=place)
    ways = WaysView.of(document)
    assert [[check.passes for check in ways.checks(index)] for index in range(3)] == [
        [True, True, True],
        [True, True, False],
        [False, False, False],
    ]


@pytest.mark.parametrize("document", [Document(encoding=Rotary(2)), EIGHT.edited("query_vector", (0.0,))])
def test_vectors_that_cannot_tell_the_ways_apart_are_named(qtbot, document):
    panel = shown(qtbot, "ways", document, (900, 400))
    assert panel.figure.pointing.note() == "these vectors do not distinguish the three ways"


def test_the_cursors_column_is_joined_with_another_one_in_each_layout(qtbot):
    """Interleaved with its neighbour, in halves with the one half a head apart; broken code does both."""
    panel = shown(qtbot, "ways", EIGHT, (900, 400))
    plain = pixels_of(panel.view)
    assert not coverage(plain, LIGHT.accent, LIGHT.paper)[:150].max() > 0.9
    panel.show_cursor(Cursor(1, 1))
    pixels = pixels_of(panel.view)
    layout, corner = placed(panel)
    spans = []
    for card in layout.cards:
        found = coverage(inside(pixels, card.translated(corner)), LIGHT.accent, LIGHT.paper) > 0.6
        middle = np.flatnonzero(found.any(axis=1))[[0, -1]].mean()
        rows = found[: int(middle)], found[int(middle) :]
        spans.append([np.ptp(np.flatnonzero(row.any(axis=0))) for row in rows])
    neighbours, halves = spans[0][0], spans[1][0]
    assert halves == pytest.approx(4 * neighbours, rel=0.2)
    assert spans[0][1] == pytest.approx(neighbours, abs=3)
    assert spans[1][1] == pytest.approx(halves, abs=3)
    assert spans[2] == pytest.approx([neighbours, halves], abs=3)


@pytest.mark.parametrize("size", [(540, 205), (840, 280), (1300, 700)])
def test_arcs_are_in_every_card_of_the_window(qtbot, size):
    panel = shown(qtbot, "ways", EIGHT, size)
    assert texts(panel.view).count("cos, sin") == texts(panel.view).count("turn") == 3
    layout, corner = placed(panel)
    pixels = pixels_of(panel.view)
    for card in layout.cards:
        assert (coverage(inside(pixels, card.translated(corner)), LIGHT.muted, LIGHT.paper) > 0.6).sum() > 40
    for check in ("lengths", "shifts", "values"):
        assert any(check in text or "|q|²" in text or "off by" in text for text in texts(panel.view))


def test_query_and_key_are_two_hands_whose_angle_a_shift_keeps(qtbot):
    for shift in (0, 10, 100):
        document = EIGHT.edited("query_position", 5).edited("key_position", 2).edited("both_shift", shift)
        panel = shown(qtbot, "ways", document, (900, 460))
        panel.show_cursor(Cursor(1, 2))
        settle()
        hands, theta = panel.figure.view().hands, 10000 ** (-2 / 8)
        assert (hands.pair, hands.positions) == (1, (5 + shift, 2 + shift))
        assert hands.query == pytest.approx((5 + shift) * theta)
        assert hands.between == pytest.approx(3 * theta)
        assert f"between: {significant(3 * theta / (2 * np.pi), 3)}" in texts(panel.view)
        layout, corner = placed(panel)
        circle, pixels = layout.clock.translated(corner), pixels_of(panel.view)
        for angle, colour in ((hands.query, LIGHT.sine), (hands.key, LIGHT.cosine)):
            reach = 0.4 * circle.width()
            x, y = circle.center().x() + reach * np.cos(angle), circle.center().y() - reach * np.sin(angle)
            around = pixels[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3].reshape(-1, 3).astype(int)
            assert (np.abs(around - rgb(colour)).max(axis=1) < 60).any()


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_two_lines_are_straight_and_the_third_is_not(qtbot, style):
    panel = shown(qtbot, "ways", EIGHT.edited("both_shift", 128), (900, 460), style)
    layout, corner = placed(panel)
    pixels, scores = pixels_of(panel.view), panel.figure.view().ways.scores
    plot = layout.plot.translated(corner)
    pad = 0.08 * np.ptp(scores)
    low, high = scores.min() - pad, scores.max() + pad
    for index in range(3):
        colour = rgb(way_pen(style, index).color())
        hits = 0
        for shift in range(4, 120):
            y = plot.bottom() - (scores[index, shift] - low) / (high - low) * plot.height()
            x = corner.x() + layout.shift_x(shift)
            around = pixels[round(y) - 2 : round(y) + 3, round(x) - 1 : round(x) + 2].reshape(-1, 3).astype(int)
            hits += bool((np.abs(around - colour).max(axis=1) < 70).any())
        assert hits > 60, TITLES[index]
    assert np.ptp(scores[:2], axis=1).max() < 1e-10
    assert np.ptp(scores[2]) > 100


@pytest.fixture
def rotation(window):
    """The window with the workspace of rotation and a rotary encoding of eight columns."""
    window.store.edit("family", "rotary")
    window.store.edit("head_dim", 8)
    window.workspaces.choose("rotation")
    settle()
    return window


def test_dragging_the_line_shifts_both_positions_in_one_step_of_undo(rotation):
    panel, history = rotation.panels["ways"], rotation.store.history
    layout, corner = placed(panel)
    before, y = history.index, corner.y() + layout.plot.center().y()
    drag(panel.view, QPointF(corner.x() + layout.shift_x(0), y), QPointF(corner.x() + layout.shift_x(100), y))
    settle()
    assert rotation.store.document.value("both_shift") == pytest.approx(100, abs=1)
    assert panel.figure.view().ways.positions[0] == 5 + rotation.store.document.value("both_shift")
    assert history.index == before + 1
    click(panel.view, QPointF(corner.x() + layout.shift_x(32), y))
    assert rotation.store.document.value("both_shift") == pytest.approx(32, abs=1)
    drag(panel.view, corner + layout.cards[0].center(), corner + layout.cards[2].center())
    assert rotation.store.document.value("both_shift") == pytest.approx(32, abs=1)
    rotation.store.undo()
    rotation.store.undo()
    assert rotation.store.document.value("both_shift") == 0


def test_positions_and_the_shift_are_typed_and_wrong_ones_are_explained(rotation):
    type_number(rotation, "q at", "40")
    type_number(rotation, "shift", "7")
    assert rotation.panels["ways"].figure.view().ways.positions == (47, 9)
    type_number(rotation, "shift", "129")
    assert says(rotation, "both_shift must be an integer <= 128, got 129")
    type_number(rotation, "k at", "-1")
    assert says(rotation, "key_position must be an integer >= 0, got -1")
    assert rotation.panels["ways"].figure.view().ways.positions == (47, 9)
    assert control(rotation.panels["ways"], "k").toPlainText().startswith("8, 7")


def test_a_score_beyond_float64_is_one_sentence_and_the_last_cards_stay(qtbot):
    panel = shown(qtbot, "ways", EIGHT, (900, 400))
    loud = Rotary(8, scaling=Yarn(4.0, 4096, attention_factor=1e300))
    panel.show_document(Document(encoding=loud))
    settle()
    assert panel.figure.pointing.note().startswith("a score of these vectors is beyond float64")
    assert "70.279" in texts(panel.view)
    panel.show_document(EIGHT.edited("both_shift", 10))
    settle()
    assert "−13.2839" in texts(panel.view)


@pytest.mark.parametrize("size", [(340, 240), (520, 260), (1000, 700)])
@pytest.mark.parametrize("encoding", [Rotary(2), Rotary(8), Rotary(65536)], ids=lambda each: str(each.head_dim))
def test_the_cards_are_drawn_at_every_size(qtbot, encoding, size):
    panel = shown(qtbot, "ways", Document(encoding=encoding), size)
    written = texts(panel.view)
    assert set(TITLES) <= set(written) or {"Right", "Wrong", "Broken"} <= set(written) or size[0] < 400
    layout, _ = placed(panel)
    assert layout.cards[0].height() > 70
    assert (pixels_of(panel.view) != 255).any(axis=2).mean() > 0.02


def test_the_numbers_are_the_scores_at_each_shift():
    columns = drawn_numbers("ways", EIGHT)
    assert list(columns) == ["shift", "score, right", "score, wrong convention", "score, broken code"]
    assert columns["shift"].tolist() == list(range(129))
    assert columns["score, broken code"][[0, 10, 100]] == pytest.approx(
        [-14.2081051283041, -13.2838554665858, 41.8338408671838]
    )


@pytest.mark.parametrize("format", ["png", "svg", "pdf"])
def test_the_cards_are_written_in_every_format(format):
    content = picture_bytes(Picture("ways", EIGHT), format, PictureOptions())
    assert len(content) > 4000
    assert format != "svg" or all(part in content.decode() for part in ("70.279", "45.9296", "only values find"))


def test_a_family_that_rotates_nothing_is_told_so():
    need = spec_of("ways").missing(Document(encoding=Sinusoidal(8)))
    assert need is not None
    assert need.sentence == "Three ways needs pairs of RoPE that turn with the position."
    assert spec_of("ways").missing(Document(encoding=Rotary(8))) is None


def test_a_card_has_its_name_in_large_letters_before_more_digits_of_its_score(qtbot):
    panel = shown(qtbot, "ways", EIGHT, (560, 220), LIGHT.scaled(1.3))
    assert {"Right", "Wrong", "Broken"} <= set(texts(panel.view))
    panel.resize(340, 220)
    settle()
    assert "70.279" in texts(panel.view)


def test_the_sample_of_a_dashed_line_has_whole_dashes(qtbot):
    panel = shown(qtbot, "ways", EIGHT, (900, 400))
    layout, corner = placed(panel)
    card = layout.cards[1].translated(corner)
    row = pixels_of(panel.view)[round(card.top()) + 13, round(card.left()) + 6 : round(card.left()) + 34]
    dark = coverage(row, LIGHT.sine, LIGHT.paper) > 0.5
    edges = np.flatnonzero(np.diff(dark.astype(int)))
    lengths = np.diff(edges)[::2]
    assert len(lengths) > 1
    assert abs(int(lengths[0]) - int(lengths[-1])) <= 1
