"""SEEN DISTANCES: the line of each rule stays below the trained length that extended models stay below."""

import numpy as np
import pytest
from documents import with_values
from panel_bench import shown
from pixels import click, item_rect, painted_words, pixels_of, rgb
from PySide6.QtCore import QPointF

from posenc_core import Document, Rotary
from posenc_core.encodings import ChunkedAttention, DistanceRemap, DualChunk, ReRope, SelfExtend
from posenc_core.session import NamedEncoding
from posenc_gui.look.style import LIGHT
from posenc_gui.panels import drawn_numbers, spec_of, suitable_panels
from posenc_gui.panels.seen.plots import MOST

DUAL = DistanceRemap(DualChunk(12, 4), 16)


def compared(*encodings, **values):
    document = with_values(Document(), trained_length=12, target_length=40, **values)
    return document.with_encodings([NamedEncoding(each) for each in encodings], 0)


def test_numbers_are_the_row_of_the_last_query() -> None:
    numbers = drawn_numbers("seen", compared(DUAL, Rotary(16)))
    row = DUAL.pair_values(range(39, 40), range(40))[0][::-1]
    np.testing.assert_array_equal(numbers["distance in the text"], np.arange(40))
    np.testing.assert_array_equal(numbers["distance seen: A Changed distances"], row)
    assert list(numbers) == ["distance in the text", "distance seen: A Changed distances", "distance seen: in the text"]
    assert row.max() == 12 < numbers["distance in the text"].max()


def test_a_query_can_be_chosen_and_sees_its_chunk_alone() -> None:
    chunked = DistanceRemap(ChunkedAttention(7), 16)
    numbers = drawn_numbers("seen", compared(chunked).edited("seen_query", 16))
    seen = numbers["distance seen: Changed distances"]
    np.testing.assert_array_equal(seen[:3], [0, 1, 2])
    assert len(seen) == 17
    assert np.isnan(seen[3:]).all()


def test_of_a_million_keys_some_are_drawn() -> None:
    document = compared(DistanceRemap(DualChunk(262144, 8192), 16)).edited("target_length", 1_000_001)
    numbers = drawn_numbers("seen", document)
    assert len(numbers["distance in the text"]) == MOST
    assert numbers["distance seen: Changed distances"][-1] == 262144


def test_the_panel_says_whether_the_trained_length_is_passed(qtbot) -> None:
    panel = shown(qtbot, "seen", compared(DUAL), (700, 420))
    assert "at most 12 in 40 positions, within L" in panel.figure.pointing.note()
    panel = shown(qtbot, "seen", compared(DistanceRemap(SelfExtend(4, 2), 16), DUAL), (700, 420))
    assert "A: at most 21 in 40 positions, beyond L" in panel.figure.pointing.note()
    assert "B: at most 12 in 40 positions, within L" in panel.figure.pointing.note()


def test_a_line_is_drawn_at_the_trained_length(qtbot) -> None:
    """Above the line of the distances seen, which ends at 12."""
    panel = shown(qtbot, "seen", compared(DUAL).edited("trained_length", 20), (700, 420))
    rect, area, pixels = item_rect(panel.view, panel.figure.area), panel.figure.area, pixels_of(panel.view)
    assert "L 20" in [each.text for each in painted_words(panel.view)]
    left, right = round(rect.left()) + 2, round(rect.left() + area.to_x(12.0))
    marked = [
        (pixels[round(rect.top() + area.to_y(level)), left:right] != rgb(LIGHT.paper)).any(axis=1).mean()
        for level in (20.0, 16.0)
    ]
    assert marked[0] > 0.4
    assert marked[1] < 0.1


def test_a_click_on_a_key_derives_its_seen_distance(qtbot) -> None:
    document = compared(DistanceRemap(ReRope(5), 16))
    panel = shown(qtbot, "seen", document, (700, 420))
    area = panel.figure.area
    rect = item_rect(panel.view, area)
    with qtbot.waitSignal(panel.figure.cursorMoved) as moved:
        click(panel.view, QPointF(rect.left() + area.to_x(20.0), rect.top() + area.to_y(5.0)))
    (cursor,) = moved.args
    assert cursor.position == -20
    assert cursor.subject.derivation(document).value == 5.0


@pytest.mark.parametrize("encoding", [Rotary(16), DUAL])
def test_only_changed_distances_suit(encoding) -> None:
    document = compared(encoding)
    assert ("seen" in suitable_panels(document)) == (encoding is DUAL)
    need = spec_of("seen").missing(document)
    assert (need is None) == (encoding is DUAL)
    if need is not None:
        assert need.sentence.startswith("Seen distances needs a rotation with changed distances")
