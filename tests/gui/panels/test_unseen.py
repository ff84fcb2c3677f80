"""UNSEEN ANGLES: three colours from thresholds, counts and first positions, one axis for all, and what it needs."""

import math
from pathlib import Path

import numpy as np
import pytest
from documents import with_values
from panel_bench import shown
from pixels import click, drag, hover, item_rect, painted_words, pixels_of, rgb, settle, texts
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from window_bench import control, says, type_number

from posenc_core import (
    Alibi,
    Document,
    DynamicNtk,
    Linear,
    Llama3,
    NtkAware,
    Rotary,
    Sinusoidal,
    View,
    Yarn,
    open_model,
    unseen_angles,
)
from posenc_core.gallery import Scorecard
from posenc_core.gallery.measures import share_unseen
from posenc_core.long_context import UnseenAngles
from posenc_core.session import NamedEncoding
from posenc_gui.export.drawn_numbers import write_drawn_numbers
from posenc_gui.export.pictures import Picture, PictureOptions, picture_bytes
from posenc_gui.files.errors import FileError
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import drawn_numbers
from posenc_gui.panels.spectrum.plots import plots
from posenc_gui.panels.unseen.numbers import Rows, UnseenMaps
from posenc_gui.panels.unseen.painter import unseen_colours

CONFIGS = Path(__file__).parents[2] / "data" / "model_configs"
ROPE = Document(encoding=Rotary(128))
SIZE = (900, 700)


def placed(panel):
    """The places of the maps, and that of the picture's upper left corner in the pixels of the view."""
    figure = panel.figure
    return figure.view().layout(figure.view().maps), item_rect(panel.view, figure.childItems()[0]).topLeft()


def place(panel, index, pair, position):
    """Where a position of a pair is in a map, in the pixels of the view."""
    layout, corner = placed(panel)
    plot = layout.plots[index]
    return corner + QPointF(layout.x(plot, position), layout.y(plot, pair + 0.5))


def titles(panel):
    return [each.title for each in panel.figure.view().maps.maps]


def kind_of(frequency, trained, position):
    """0 for a pair that saw the full circle, 1 within its arc, 2 outside: the angles themselves, one by one."""
    if trained[0] * trained[1] >= 2 * math.pi:
        return 0
    return 2 if frequency * position > trained[0] * trained[1] * (1 + 1e-9) else 1


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("logarithmic", [False, True], ids=["linear", "logarithmic"])
def test_each_place_has_the_colour_of_its_angle(qtbot, style, logarithmic):
    view = View(compared_scalings=("linear", "ntk"), logarithmic=logarithmic)
    panel = shown(qtbot, "unseen", Document(encoding=Rotary(128), view=view), SIZE, style)
    pixels, colours = pixels_of(panel.view), unseen_colours(style)
    seen = set()
    for index, base in enumerate((1.0, 4.0, None)):
        for pair in (10, 44, 47, 54, 60, 62):
            theta = 10000 ** (-pair / 64)
            scaled = (10000 * 4 ** (64 / 63)) ** (-pair / 64) if base is None else theta / base
            for position in (900, 3000, 6000, 9000, 15500):
                kind = kind_of(scaled, (theta, 4096), position)
                at = place(panel, index, pair, position)
                assert np.abs(pixels[int(at.y()), int(at.x())] - rgb(colours[kind])).max() <= 1, (index, pair, position)
                seen.add((index, kind))
    assert seen == {(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)}


def test_counts_stand_over_the_maps(qtbot):
    view = View(compared_scalings=("linear", "ntk", "dynamic", "yarn", "llama3"))
    panel = shown(qtbot, "unseen", Document(encoding=Rotary(128), view=view), (1300, 800))
    written = texts(panel.view)
    assert "18 of 64 pairs unseen at 16,384" in written
    assert "17 of 64 pairs unseen at 16,384" in written
    assert written.count("0 of 64 pairs unseen at 16,384") == 4
    assert titles(panel) == ["as trained", "Position interpolation ×4", "NTK-aware ×4", "Dynamic NTK ×4", "YaRN ×4",
                             "Llama 3 ×4"]  # fmt: skip
    assert {"never seen", "inside the trained arc", "full circle seen in training", "position", "pair"} <= set(written)


def test_an_opened_phi_3_5_has_the_long_list_at_the_target_length_whatever_rows_are_in_view(qtbot):
    model = open_model(CONFIGS / "phi-3_5.json")
    for seq_len in (60, 5000):
        document = Document(seq_len=seq_len).with_model(model)
        assert (document.lengths.trained, document.lengths.target) == (4096, 131_072)
        panel = shown(qtbot, "unseen", document, (1300, 800))
        counts = {each.title: each.angles.count for each in panel.figure.view().maps.maps}
        assert (counts["as trained"], counts["LongRoPE, present"]) == (14, 0)
        assert "LongRoPE, present: 0 of 48 pairs unseen at 131,072" in panel.figure.pointing.note()
        slowest = 2 * math.pi * 10_000 ** (94 / 96) * document.encoding.parameters()["long_factor"][47]
        (line,) = [each for each in plots(document)[0].lines if each.name == "LongRoPE, present"]
        assert line.y[47] == pytest.approx(slowest, rel=1e-12)
        assert not plots(document)[1].bands  # each pair has a divisor of its own: nothing is blended
        assert share_unseen(document.encoding, Scorecard.of(document).setting) == 0


def test_a_low_and_narrow_map_shortens_its_title_and_keeps_its_count(qtbot):
    panel = shown(qtbot, "unseen", Document().with_model(open_model(CONFIGS / "phi-3_5.json")), (240, 210))
    heads = [text for text in texts(panel.view) if text.endswith("/48")]
    assert [text.partition(": ")[2] for text in heads] == ["14/48", "0/48"]
    assert any("…: 0/48" in text for text in heads)


def test_an_opened_dynamic_ntk_has_the_base_of_the_target_length(qtbot):
    encoding = Rotary(128, scaling=DynamicNtk(4.0, 4096, 60))
    panel = shown(qtbot, "unseen", Document(encoding=encoding), (1300, 800))
    counts = {each.title: each.angles.count for each in panel.figure.view().maps.maps}
    grown = Rotary(128, scaling=DynamicNtk(4.0, 4096, 16_384))
    assert counts["Dynamic NTK, present"] == unseen_angles(grown, 4096, 16_384).count == 0
    assert unseen_angles(encoding, 4096, 16_384).count == 18


def test_narrow_maps_have_shorter_titles_that_are_whole(qtbot):
    panel = shown(qtbot, "unseen", ROPE, (500, 320))
    written = texts(panel.view)
    assert {"as trained", "PI", "NTK-aware"} <= set(written)
    assert not any("…" in text for text in written)
    assert {"18 of 64", "17 of 64", "0 of 64"} <= set(written)


def test_a_small_figure_shows_fewer_maps_and_says_so(qtbot):
    panel = shown(qtbot, "unseen", Document(encoding=Rotary(128, scaling=Yarn(4, 4096))), (300, 260))
    assert titles(panel) == ["as trained", "YaRN, present"]
    assert panel.figure.pointing.note().startswith("2 of 5 maps: the others need more room · YaRN, present: 0 of 64")
    assert "YaRN ×4: the same as YaRN, present" in panel.figure.pointing.note()
    for plot in placed(panel)[0].plots:
        assert plot.width() >= 72
        assert plot.height() >= 80
    panel.resize(450, 260)
    settle()
    assert panel.figure.pointing.note().startswith("4 of 5 maps: the other needs more room · ")
    panel.resize(900, 700)
    settle()
    assert len(titles(panel)) == 5
    assert "more room" not in panel.figure.pointing.note()


def test_a_model_without_a_longer_target_has_one_map_and_one_curve(qtbot):
    unscaled = ROPE.edited("trained_length", 4096).edited("target_length", 4096)
    panel = shown(qtbot, "unseen", unscaled, SIZE)
    assert titles(panel) == ["as trained"]
    same = "Position interpolation ×1, NTK-aware ×1, YaRN ×1, Llama 3 ×1: the same as trained"
    assert same in panel.figure.pointing.note()
    assert [len(plot.lines) for plot in plots(unscaled)] == [1]


def test_the_note_counts_the_maps_of_the_room_that_is_there(long_context):
    panel = long_context.panels["unseen"]
    long_context.store.edit("scaling", "yarn")
    long_context.resize(1024, 700)
    settle()
    header = "".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())
    n_shown, n_maps = len(titles(panel)), len(panel.figure.view().all_maps.maps)
    assert n_shown < n_maps
    assert f"{n_shown} of {n_maps} maps" in header


@pytest.mark.parametrize("target", [8192, 16384, 32768])
def test_the_counts_are_those_of_the_check_values(target):
    document = ROPE.edited("target_length", target).edited("compared_scalings", ("linear", "ntk", "yarn"))
    assert [each.angles.count for each in UnseenMaps.of(document).maps] == [18, 0, 17, 0]


def test_the_cursors_pair_is_marked_with_its_first_unseen_position_in_each_map(qtbot):
    document = ROPE.edited("compared_scalings", ("linear", "ntk"))
    panel = shown(qtbot, "unseen", document, SIZE)
    panel.show_cursor(Cursor(0, 54, pinned=True))
    written = texts(panel.view)
    assert {"unseen from 4,097", "unseen from 13,441", "always within range"} <= set(written)
    assert "pair 54: unseen from 4,097" in panel.figure.pointing.note()
    assert panel.figure.pointing.number() == 4097
    panel.show_cursor(Cursor(0, 3))
    assert texts(panel.view).count("full circle seen") == 3
    assert panel.figure.pointing.number() is None


def test_the_attention_factor_and_its_square_are_read_out(qtbot):
    panel = shown(qtbot, "unseen", Document(encoding=Rotary(128, scaling=Yarn(4.0, 4096))), SIZE)
    factor = 0.1 * math.log(4) + 1
    assert f"attention factor {factor:.4g}, {factor**2:.4g} on scores" in panel.figure.pointing.note()
    assert "YaRN, present: 0 of 64 pairs unseen at 16,384" in panel.figure.pointing.note()
    assert "says nothing about quality" in panel.figure.pointing.note()


def test_the_encodings_a_to_d_have_maps_on_the_same_axes(qtbot):
    others = (NamedEncoding(Rotary(128)), NamedEncoding(Rotary(64), "half"), NamedEncoding(Alibi(8)))
    document = Document(encoding=Rotary(128), encodings=others, view=View(compared_scalings=()))
    panel = shown(qtbot, "unseen", document, SIZE)
    assert titles(panel) == ["A Rotary (RoPE), head_dim 128", "B half"]
    assert "C has no pairs that turn" in panel.figure.pointing.note()
    pixels, colours = pixels_of(panel.view), unseen_colours(LIGHT)
    outside = place(panel, 1, 30, 12000)
    assert (pixels[int(outside.y()), int(outside.x())] == rgb(colours[2])).all()
    beyond = place(panel, 1, 40, 12000)
    assert (pixels[int(beyond.y()), int(beyond.x())] == rgb(LIGHT.paper)).all(), "B has 32 pairs"
    numbers = drawn_numbers("unseen", document)
    assert np.isnan(numbers["first unseen position: B half"][32:]).all()


def test_a_scaling_that_is_also_b_is_drawn_once(qtbot):
    others = (NamedEncoding(Rotary(64, scaling=Llama3(4.0, 4096))), NamedEncoding(Rotary(64, scaling=Linear(4.0))))
    document = Document(encoding=Rotary(64), encodings=(NamedEncoding(Rotary(64)), *others))
    panel = shown(qtbot, "unseen", document, (1400, 700))
    assert titles(panel) == ["A as trained", "NTK-aware ×4", "YaRN ×4", "B Llama 3 ×4", "C Position interpolation ×4"]
    note = panel.figure.pointing.note()
    assert "Llama 3 ×4: the same as B Llama 3 ×4" in note
    assert "Position interpolation ×4: the same as C Position interpolation ×4" in note
    lines = [line.name for line in shown(qtbot, "spectrum", document, (540, 260)).figure.view().plots[0].lines]
    assert lines == titles(panel)


def test_the_letter_of_the_trained_length_is_clear_of_the_marked_pair(qtbot):
    document = Document(encoding=Rotary(64, scaling=Yarn(4.0, 4096)))
    panel = shown(qtbot, "unseen", document, (285, 263))
    for pair in (0, 2, 4, 6, 12):
        panel.show_cursor(Cursor(1, pair, True))
        settle()
        letters = [each for each in painted_words(panel.view) if each.text == "L"]
        layout, corner = placed(panel)
        assert len(letters) == len(layout.plots)
        for letter, plot in zip(letters, layout.plots, strict=True):
            line = corner.y() + layout.y(plot, pair + 0.5)
            assert not letter.y - 9 <= line <= letter.y + 1, pair


def test_sinusoids_leave_their_arcs_at_the_trained_length(qtbot):
    panel = shown(qtbot, "unseen", Document(encoding=Sinusoidal(512)), SIZE)
    slow = sum(10000 ** (-pair / 256) * 4096 < 2 * math.pi for pair in range(256))
    assert f"Sinusoidal: {slow} of 256 pairs unseen at 16,384" in panel.figure.pointing.note()


def test_of_many_pairs_a_row_shows_the_first_to_leave_and_says_so(qtbot):
    panel = shown(qtbot, "unseen", Document(encoding=Rotary(65536), view=View(compared_scalings=())), SIZE)
    assert "each row of pixels shows its first pair to leave" in panel.figure.pointing.note()
    first = np.array([-1, 40, 30, -1, 9, 8, 7])
    rows = Rows.of(UnseenAngles(first, np.array([True, False, False, True, False, False, False])), 3)
    assert rows.edges.tolist() == [0, 2, 4, 7]
    assert rows.first.tolist() == [40, 30, 7]
    assert rows.is_complete.tolist() == [False, False, False]


@pytest.fixture
def long_context(window):
    """The window with the workspace of long contexts and a rotary encoding of 64 pairs."""
    window.store.edit("family", "rotary")
    window.store.edit("head_dim", 128)
    window.workspaces.choose("long_context")
    settle()
    return window


def test_pointing_marks_the_pair_everywhere_and_a_click_holds_it(long_context):
    panel = long_context.panels["unseen"]
    hover(panel.view, place(panel, 0, 50, 9000))
    settle()
    assert long_context.cursor_control.cursor.column == 50
    assert not long_context.cursor_control.cursor.pinned
    click(panel.view, place(panel, 2, 60, 9000))
    settle()
    assert long_context.cursor_control.cursor.column == 60
    assert long_context.cursor_control.cursor.pinned
    assert says(long_context, "Pair 60 makes")
    assert says(long_context, "pair 60: unseen from 4,097")
    QTest.keyClick(panel, Qt.Key.Key_Up)
    assert long_context.cursor_control.cursor.column == 59


def test_the_trained_length_is_dragged_as_one_step_of_undo(long_context):
    panel, before = long_context.panels["unseen"], long_context.store.history.index
    drag(panel.view, place(panel, 0, 20, 4096), place(panel, 0, 20, 8000))
    settle()
    assert long_context.store.document.lengths.trained == pytest.approx(8000, rel=0.05)
    assert long_context.store.history.index == before + 1
    assert panel.figure.view().maps.across.last == long_context.store.document.lengths.target
    long_context.store.undo()
    assert long_context.store.document.view.trained_length is None


def test_both_lengths_are_typed_in_the_panel_itself(long_context):
    panel = long_context.panels["unseen"]
    long_context.workspaces.maximise(panel)
    settle()
    assert control(long_context, "trained length L").placeholderText() == "4,096"
    assert control(long_context, "target length L′").placeholderText() == "16,384"
    type_number(long_context, "trained length L", "8192")
    assert "pairs unseen at 32,768" in panel.figure.pointing.note()
    type_number(long_context, "target length L′", "10000")
    assert "pairs unseen at 10,000" in panel.figure.pointing.note()
    assert (panel.figure.view().maps.lengths.trained, panel.figure.view().maps.lengths.target) == (8192, 10000)
    type_number(long_context, "trained length L", "0")
    assert says(long_context, "trained_length")
    assert panel.figure.view().maps.lengths.trained == 8192, "the last one stays"
    type_number(long_context, "trained length L", "")
    assert long_context.store.document.view.trained_length is None


def test_a_switch_makes_the_axis_logarithmic_and_undo_takes_it_back(long_context):
    panel = long_context.panels["unseen"]
    QTest.mouseClick(control(long_context, "Unseen angles: Log"), Qt.MouseButton.LeftButton)
    settle()
    assert long_context.store.document.view.logarithmic
    layout, _ = placed(panel)
    plot = layout.plots[0]
    assert layout.x(plot, 128) == pytest.approx(plot.left() + plot.width() * math.log(128) / math.log(16384))
    assert control(long_context, "Unseen angles: Log").isChecked()
    long_context.store.undo()
    settle()
    layout, _ = placed(panel)
    assert layout.x(plot, 8192) == pytest.approx(plot.center().x(), abs=1)


def test_a_target_below_the_trained_length_is_one_sentence_and_the_last_picture_stays(long_context):
    panel = long_context.panels["unseen"]
    type_number(long_context.panels["unseen"], "target length L′", "100")
    settle()
    assert "target_length must be at least trained_length = 4096, got 100" in panel.figure.pointing.note()
    assert [each.angles.count for each in panel.figure.view().maps.maps][:3] == [18, 0, 17]
    assert (pixels_of(panel.view) == rgb(unseen_colours(panel.figure.style)[2])).all(axis=2).sum() > 100
    type_number(long_context.panels["unseen"], "target length L′", "8192")
    settle()
    assert "18 of 64 pairs unseen at 8,192" in panel.figure.pointing.note()


def test_a_family_without_pairs_is_told_what_is_missing(window):
    window.store.edit("family", "alibi")
    window.workspaces.choose("long_context")
    settle()
    assert says(window, "Unseen angles needs pairs that turn with the position.")
    assert not window.panels["unseen"].view.isVisible()


def test_the_numbers_are_the_first_unseen_positions(tmp_path):
    document = ROPE.edited("compared_scalings", ("ntk",))
    path = tmp_path / "unseen.csv"
    write_drawn_numbers("unseen", document, path)
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    assert head == "pair,first unseen position: as trained,first unseen position: NTK-aware ×4"
    assert [lines[pair] for pair in (45, 46, 54, 62, 63)] == [
        "45,-1,-1", "46,4097,11271", "54,4097,13441", "62,4097,16028", "63,4097,-1",
    ]  # fmt: skip
    with pytest.raises(FileError, match="target_length must be at least trained_length = 4096, got 100"):
        write_drawn_numbers("unseen", document.edited("target_length", 100), path)
    assert path.read_text(encoding="utf-8").startswith(head)


@pytest.mark.parametrize("format", ["png", "svg", "pdf"])
def test_the_panel_is_drawn_in_files(qapp, format):
    picture = Picture("unseen", ROPE)
    assert len(picture_bytes(picture, format, PictureOptions())) > 2000


@pytest.mark.parametrize(
    "encoding",
    [Rotary(2), Rotary(4, scaling=Linear(1.0)), Rotary(128, rope_theta=1.0), Rotary(128, scaling=NtkAware(4.0)),
     Sinusoidal(7)],
    ids=repr,
)  # fmt: skip
@pytest.mark.parametrize("lengths", [(1, 1), (4096, 4096), (1, 10**9)])
def test_the_smallest_and_the_largest_are_drawn(qtbot, encoding, lengths):
    view = View(trained_length=lengths[0], target_length=lengths[1], logarithmic=lengths[1] > 4096)
    panel = shown(qtbot, "unseen", Document(encoding=encoding, view=view), (300, 240))
    maps = panel.figure.view().maps
    assert pixels_of(panel.view).std() > 5
    assert f"{maps.maps[maps.chosen].n_pairs} pairs unseen" in panel.figure.pointing.note()


@pytest.mark.parametrize("format", ["png", "svg"])
def test_a_document_without_maps_leaves_no_picture(format):
    document = Document(encoding=Rotary(8)).edited("trained_length", 4096).edited("target_length", 100)
    with pytest.raises(FileError, match="target_length must be at least trained_length = 4096, got 100"):
        picture_bytes(Picture("unseen", document), format, PictureOptions())


def test_narrow_maps_have_at_least_two_numbers_below_them(qtbot):
    document = with_values(Document(encoding=Rotary(8)), trained_length=4096, target_length=46341)
    panel = shown(qtbot, "unseen", document, (430, 320))
    words = painted_words(panel.view)
    axis = max(word.y for word in words if word.text == "0")
    below = [word.text for word in words if abs(word.y - axis) < 2]
    assert below.count("20,000") == below.count("0") > 1
