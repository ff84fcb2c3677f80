"""Numbers near the ends of float32 and float64: drawn like any others, or left out, without a warning."""

from itertools import product

import numpy as np
import pytest
from amounts import some
from documents import with_values
from panel_bench import VECTOR_PANELS, shown
from pixels import area_of, inside, painted_words, pixels_of, settle
from PySide6.QtWidgets import QLabel

from posenc_core import ENCODINGS, Document, Embedding, IntegerIndex, Linear, Rotary, Sinusoidal, Yarn
from posenc_core.rope_scaling import FrequencyScale
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import WORKSPACES

EXPONENTS = (-1000, -140, -101, 101, 127, 128, 400, 1022, 1023)
"""Of two, so that every number is that of the ordinary table times exactly this."""

ENDS = (5e-324, 1e-310, 1.5e-45, 1e-38, 3.4028234e38, 1e39, 1e154, 1e300, 1.7976931348623157e308)
VECTORS = ((1e100,), (-1e100, 1e100), (1e38, 3.5e38), (1e-300,), (5e-324, -1e-320), (0.0,))


def turned(amplitude: float, width: int = 8, **parameters) -> Rotary:
    return Rotary(width, 100.0, scaling=Yarn(2.0, 64, attention_factor=amplitude), **parameters)


def documents_with(amplitude: float, vector: tuple[float, ...] | None) -> list[Document]:
    embedding = Embedding() if vector is None else Embedding("typed", vector=vector)
    tables = (turned(amplitude), turned(amplitude, 512, pairing="interleaved"))
    documents = [Document("a b c", encoding=table, embedding=embedding) for table in tables]
    return [with_values(each, transpose=turned, angles=turned) for each in documents for turned in (False, True)]


def notes(panel) -> str:
    return " ".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())


@pytest.mark.parametrize("seq_len", [60, 3000])
@pytest.mark.parametrize("name", ["waves", "heatmap"])
def test_a_table_times_any_power_of_two_is_the_same_picture(qtbot, name, seq_len):
    panel = shown(qtbot, name, Document("a b c", seq_len=seq_len, encoding=turned(1.0, 64)), (900, 480))

    size = area_of(panel).size()

    def picture(amplitude: float) -> np.ndarray:
        panel.show_document(Document("a b c", seq_len=seq_len, encoding=turned(amplitude, 64)))
        settle()
        change = size - area_of(panel).size()  # a longer number takes room from the area, a longer note too
        panel.resize(panel.width() + round(change.width()), panel.height() + round(change.height()))
        settle()
        return inside(pixels_of(panel.view), area_of(panel).adjusted(1, 1, -1, -1))

    ordinary = picture(1.0)
    for exponent in EXPONENTS:
        np.testing.assert_array_equal(picture(2.0**exponent), ordinary, err_msg=f"2^{exponent}")


@pytest.mark.one_of(3)
@pytest.mark.parametrize("name", VECTOR_PANELS)
def test_no_table_is_too_large_or_too_small_for_a_panel(qtbot, name, amount, count):
    panel = shown(qtbot, name, Document())
    for amplitude, vector in product(ENDS, (None, *VECTORS) if name == "tokens" else (None,)):
        for document in documents_with(amplitude, vector)[:: amount(3, 1)]:
            panel.show_document(document)
            panel.show_cursor(Cursor(1, 2, pinned=True))
            settle()
            assert np.ptp(pixels_of(panel.view)) > 100
            count("pictures of extreme numbers", 1)


def test_any_typed_vector_can_be_added(qtbot):
    panel = shown(qtbot, "tokens", Document())
    for vector, encoding in product(VECTORS, (Sinusoidal(8), IntegerIndex(8), IntegerIndex(512), Rotary(8))):
        panel.show_document(Document("a b c", encoding=encoding, embedding=Embedding("typed", vector=vector)))
        settle()
        assert "typed" in notes(panel)


@pytest.mark.one_of(6)
@pytest.mark.parametrize("family", some(ENCODINGS, "cope"))
def test_any_typed_vectors_can_be_shown_by_all_panels(window, family, count):
    """A typed embedding of 5e-324 ended the program, and a typed query of 1e100 printed warnings beside it."""
    encoding = ENCODINGS[family].from_parameters({})
    for query, key in ((VECTORS[0], (1.0, 2.0)), (VECTORS[1], VECTORS[1]), (VECTORS[4], VECTORS[0])):
        typed = {"embedding": "typed", "vector": query, "pair_vectors": "typed", "query_vector": query}
        document = with_values(Document("a b c", encoding=encoding), **typed, key_vector=key, score_mode="typed")
        window.store.begin(document, "try")
        for workspace in WORKSPACES:
            window.workspaces.choose(workspace)
            window.cursor_control.hold(Cursor(1, 0, pinned=True))
            settle()
            count("workspaces with extreme typed vectors", 1)
    window.store.mark_saved()


def test_an_angle_beyond_float64_is_named(qtbot):
    panel = shown(qtbot, "ways", Document(encoding=Rotary(8, scaling=FrequencyScale(1e308))))
    settle()
    assert "an angle of a pair is beyond float64" in notes(panel)


def test_a_base_near_0_has_no_unseen_angle(qtbot):
    panel = shown(qtbot, "unseen", Document(encoding=ENCODINGS["sinusoidal"](8, 1e-308, spacing="tensor2tensor")))
    settle()
    assert "0 of 4" in notes(panel)


def test_dot_products_beyond_float64_are_hatched_and_the_note_says_so(qtbot):
    panel = shown(qtbot, "pairs", Document("a b c", encoding=turned(1e150)))
    assert "hatched" not in notes(panel)
    panel.show_document(Document("a b c", encoding=turned(1e155)))
    settle()
    assert "dot product of the two positions' rows, q = k = 1 in each pair, hatched beyond float64" in notes(panel)


@pytest.mark.parametrize("factor", [1e200, 1.797e308])
def test_a_slowdown_beyond_what_an_axis_can_show_is_named(qtbot, factor):
    document = Document(encoding=Rotary(64, scaling=Linear(factor)))
    for name in ("unseen", "drift", "lens", "spectrum"):
        panel = shown(qtbot, name, document)
        panel.figure.viewport.reset()
        settle()
    assert f"pairs are slowed by up to {factor:.3g}; the largest number that the axis can show is 1e+100" in notes(
        panel
    )


def test_a_cell_writes_a_large_number_with_an_exponent(qtbot):
    panel = shown(qtbot, "heatmap", Document("a", seq_len=4, encoding=turned(1e39)))
    words = {painted.text for painted in painted_words(panel.view)}
    assert "1e39" in words
    assert max(map(len, words)) < 40


@pytest.mark.thorough
def test_the_whole_window_shows_any_table(window, count):
    for amplitude, vector in product(ENDS[::2], (None, VECTORS[1], VECTORS[3])):
        for document in documents_with(amplitude, vector)[:2]:
            window.store.begin(document, "try")
            window.cursor_control.hold(Cursor(1, 5, pinned=True))
            window.grab()
            settle()
            count("windows of extreme numbers", 1)
    window.store.mark_saved()
