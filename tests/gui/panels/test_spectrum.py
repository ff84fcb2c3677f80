"""SPECTRUM: lines at their wavelengths, lengths that are typed and dragged, bands, and what it needs."""

import math

import numpy as np
import pytest
from panel_bench import shown
from pixels import click, drag, hover, item_rect, painted_words, pixels_of, rgb, settle, texts
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from window_bench import control, says, type_number

from posenc_core import Alibi, Document, Linear, Rotary, Sinusoidal, View, Yarn
from posenc_core.long_context import pair_shares
from posenc_core.session import COMPARED_SCALINGS, NamedEncoding
from posenc_gui.figures.lines.line_looks import line_pen, thinned
from posenc_gui.figures.lines.line_plot import encoding_look
from posenc_gui.files.presets import preset
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import drawn_numbers
from posenc_gui.panels.spectrum.plots import plots
from posenc_gui.plotting.scale import Scale

ROPE = Document(encoding=Rotary(128))


@pytest.fixture
def panel(qtbot):
    return shown(qtbot, "spectrum", ROPE, (760, 640))


@pytest.fixture
def long_context(window):
    """The window with the workspace of long contexts and a rotary encoding of 64 pairs."""
    window.store.edit("family", "rotary")
    window.store.edit("head_dim", 128)
    window.workspaces.choose("long_context")
    settle()
    return window


def place(panel, pair, value, index=0):
    """Where a value of a pair is drawn, in the pixels of the view."""
    area = panel.figure.areas[index]
    scale = plots(panel.figure.document)[index].y_scale
    rect = item_rect(panel.view, area)
    return QPointF(rect.left() + area.to_x(float(pair)), rect.top() + area.to_y(scale.place(value)))


def is_near(pixels, at, colour, reach=2):
    """Whether a pixel of about this colour is around a place."""
    x, y = round(at.x()), round(at.y())
    around = pixels[y - reach : y + reach + 1, x - reach : x + reach + 1].reshape(-1, 3).astype(int)
    return bool((np.abs(around - rgb(colour)).max(axis=1) < 60).any())


def test_where_nothing_is_slowed_there_is_one_plot_and_no_word_under_the_cursor(qtbot):
    unscaled = ROPE.edited("trained_length", 4096).edited("target_length", 4096)
    panel = shown(qtbot, "spectrum", unscaled, (760, 400))
    assert "slowed by" not in texts(panel.view)
    assert "L = L′ 4,096" in texts(panel.view)
    first, second = panel.figure.areas
    assert not second.isVisible()
    for pair in (0, 2, 60, 63):
        panel.show_cursor(Cursor(7, pair, True))
        settle()
        (word,) = (each for each in painted_words(panel.view) if each.text.startswith("L = L′"))
        left = item_rect(panel.view, first).left()
        wide = QFontMetricsF(LIGHT.font(11)).horizontalAdvance(word.text)
        assert not word.x - 2 <= left + first.to_x(float(pair)) <= word.x + wide + 2, pair
    panel.show_document(ROPE)
    settle()
    assert {"slowed by", "L 4,096", "L′ 16,384"} <= set(texts(panel.view))
    assert first.rect().height() > second.rect().height() > 20


def test_the_names_of_bands_keep_clear_of_the_cursors_line(qtbot):
    panel = shown(qtbot, "spectrum", Document(encoding=Rotary(64, scaling=Yarn(4.0, 2048))), (700, 420))
    area = panel.figure.areas[1]
    for pair in range(32):
        panel.show_cursor(Cursor(7, pair, True))
        settle()
        at = item_rect(panel.view, area).left() + area.to_x(float(pair))
        words = [word for word in painted_words(panel.view) if word.text.split()[0] in ("kept", "blended", "slowed")]
        words = [word for word in words if word.text != "slowed by"]
        assert len(words) == 3
        for word in words:
            wide = QFontMetricsF(LIGHT.font(11)).horizontalAdvance(word.text)
            assert not word.x - 1 <= at <= word.x + wide + 1, (pair, word.text)


@pytest.mark.parametrize("size", [(540, 262), (560, 300), (810, 338)], ids=str)
@pytest.mark.parametrize("target", [8192, 16384, 16_384_000])
def test_the_names_of_bands_stand_on_no_line(qtbot, size, target):
    document = Document(encoding=Rotary(64, scaling=Yarn(4.0, 4096)), view=View(target_length=target))
    panel = shown(qtbot, "spectrum", document, size)
    panel.show_cursor(Cursor(1, 2))
    settle()
    names = [each for each in painted_words(panel.view) if each.text.split()[0] in ("kept", "blended", "slowed")]
    names = [each for each in names if each.text != "slowed by"]
    assert len(names) == 3
    (_, plot), area = panel.figure.view().plots, panel.figure.areas[1]
    rect = item_rect(panel.view, area)
    for name in names:
        wide, pairs = QFontMetricsF(LIGHT.font(11)).horizontalAdvance(name.text), plot.x
        at = rect.left() + area.to_x(pairs)
        over = (at >= name.x - 2) & (at <= name.x + wide + 2)
        assert over.any()
        for line in plot.lines:
            heights = rect.top() + area.to_y(line.y[over])
            assert not ((heights > name.y - 10) & (heights < name.y + 1)).any(), f"{line.name} behind {name.text}"


@pytest.mark.parametrize("style", [LIGHT, DARK])
def test_the_thick_line_is_at_the_wavelengths_of_the_encoding(qtbot, style):
    document = Document(encoding=Rotary(128), view=View(compared_scalings=()))
    panel = shown(qtbot, "spectrum", document, (760, 640), style)
    pixels = pixels_of(panel.view)
    for pair in (8, 16, 24, 32):
        wavelength = 2 * math.pi * 10000 ** (pair / 64)
        assert is_near(pixels, place(panel, pair, wavelength), style.ink)
        assert not is_near(pixels, place(panel, pair, 3 * wavelength), style.ink)


def test_sinusoids_have_a_spectrum_and_no_scalings(qtbot):
    document = Document(encoding=Sinusoidal(129, base=500.0), encodings=())
    panel = shown(qtbot, "spectrum", document, (760, 640))
    pixels = pixels_of(panel.view)
    for pair in (8, 16, 24, 60):  # the last sine has no cosine: 64 pairs of 129 columns
        assert is_near(pixels, place(panel, pair, 2 * math.pi * 500 ** (2 * pair / 129)), LIGHT.ink)
    assert panel.figure.spec.used_controls(document) == ("trained_length", "target_length")
    assert set(drawn_numbers("spectrum", document)) == {"pair", "wavelength: Sinusoidal"}


def test_a_compared_scaling_is_at_its_own_wavelengths_in_its_own_colour(qtbot):
    document = Document(encoding=Rotary(128), view=View(compared_scalings=("linear",)))
    panel = shown(qtbot, "spectrum", document, (760, 640))
    pixels, blue = pixels_of(panel.view), line_pen(LIGHT, 1).color()
    found = [is_near(pixels, place(panel, pair, 4 * 2 * math.pi * 10000 ** (pair / 64)), blue) for pair in range(8, 30)]
    assert sum(found) > 12, "a dashed line has gaps"


FOUR = Document(
    encoding=Rotary(64),
    encodings=(
        NamedEncoding(Rotary(64)),
        NamedEncoding(Rotary(128, rope_theta=5e5), "long"),
        NamedEncoding(Alibi(8)),
        NamedEncoding(Rotary(64, scaling=Linear(8.0)), "slow"),
    ),
    view=View(compared_scalings=()),
)


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_the_other_encodings_are_drawn_in_their_own_pens(qtbot, style):
    panel = shown(qtbot, "spectrum", FOUR, (760, 640), style)
    pixels, legend = pixels_of(panel.view), texts(panel.view)
    assert {"A Rotary (RoPE), base 10,000, no scaling", "B long", "D slow"} <= set(legend)
    for index, theta, width in ((1, 5e5, 64), (3, 10000, 32)):
        colour, factor = style.encoding_pen(index).color(), 8 if index == 3 else 1
        waves = [factor * 2 * math.pi * theta ** (pair / width) for pair in range(4, 30)]
        found = [is_near(pixels, place(panel, pair, wave), colour) for pair, wave in enumerate(waves, 4)]
        assert sum(found) > 12, "a dashed line has gaps"
    columns = drawn_numbers("spectrum", FOUR)
    assert columns["wavelength: B long"] == pytest.approx(2 * math.pi * 5e5 ** (np.arange(64) / 64))
    assert columns["slowed by: D slow"][:32] == pytest.approx(np.full(32, 8.0))
    assert np.isnan(columns["wavelength: A Rotary (RoPE), base 10,000, no scaling"][32:]).all()


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_the_chosen_encoding_has_its_own_pen_and_name_as_in_other_panels(qtbot, style):
    bases = [NamedEncoding(Sinusoidal(64, base=base)) for base in (10000.0, 5000.0, 1000.0, 100.0)]
    panel = shown(qtbot, "spectrum", Document().with_encodings(bases, 3), (760, 640), style)
    assert {"A base 10,000", "D base 100"} <= set(texts(panel.view))
    pixels = pixels_of(panel.view)
    for pen, base in ((style.encoding_pen(3), 100.0), (style.encoding_pen(0), 10000.0)):
        waves = [2 * math.pi * base ** (pair / 32) for pair in range(8, 32)]
        assert sum(is_near(pixels, place(panel, pair, wave), pen.color()) for pair, wave in enumerate(waves, 8)) > 10


def test_the_chosen_encoding_as_trained_and_with_its_scaling_have_two_pens():
    scaled = [NamedEncoding(Rotary(64, scaling=Linear(factor))) for factor in (2.0, 4.0)]
    for current in (0, 1):
        document = Document(view=View(compared_scalings=())).with_encodings(scaled, current)
        pens = [line_pen(LIGHT, line.look) for line in plots(document)[0].lines]
        assert len(pens) == len({(pen.color().name(), pen.widthF(), tuple(pen.dashPattern())) for pen in pens}) == 3


def test_a_pair_that_only_another_encoding_has_is_not_pointed_at(qtbot):
    panel = shown(qtbot, "spectrum", FOUR, (760, 640))
    with qtbot.assertNotEmitted(panel.figure.cursorMoved):
        hover(panel.view, place(panel, 50, 1000.0))
    with qtbot.waitSignal(panel.figure.cursorMoved):
        hover(panel.view, place(panel, 20, 1000.0))


def test_the_numbers_are_those_that_are_drawn():
    document = Document(encoding=Rotary(128, scaling=Linear(2.0)), view=View(compared_scalings=("yarn",)))
    columns = drawn_numbers("spectrum", document)
    trained = 2 * math.pi * 10000 ** (np.arange(64) / 64)
    assert list(columns) == [
        "pair", "wavelength: as trained", "wavelength: Position interpolation, present", "wavelength: YaRN ×4",
        "slowed by: as trained", "slowed by: Position interpolation, present", "slowed by: YaRN ×4",
    ]  # fmt: skip
    assert columns["pair"].tolist() == list(range(64))
    assert columns["wavelength: as trained"] == pytest.approx(trained)
    assert columns["wavelength: Position interpolation, present"] == pytest.approx(2 * trained)
    assert columns["slowed by: YaRN ×4"][[0, 20, 46, 63]] == pytest.approx([1, 1, 4, 4])


@pytest.mark.parametrize("scaling", [None, Yarn(4.0, 4096), Linear(2.0)])
def test_the_bands_count_the_pairs_of_the_scaling(scaling):
    document = Document(encoding=Rotary(128, scaling=scaling))
    bands = plots(document)[1].bands
    shares = pair_shares(Rotary(128, scaling=scaling or Yarn(4.0, 4096)))
    counts = {"kept": shares.kept, "blended": shares.blended, "slowed": shares.slowed}
    assert [band.text for band in bands] == [f"{kind} {count}" for kind, count in counts.items() if count]
    assert bands[0].first == -0.5
    assert bands[-1].last == 63.5


def test_pointing_at_a_pair_moves_the_cursor_to_it_and_a_click_holds_it(long_context):
    panel = long_context.panels["spectrum"]
    hover(panel.view, place(panel, 46, 100.0))
    settle()
    assert long_context.cursor_control.cursor.column == 46
    assert not long_context.cursor_control.cursor.pinned
    click(panel.view, place(panel, 40, 100.0))
    settle()
    assert long_context.cursor_control.cursor.column == 40
    assert long_context.cursor_control.cursor.pinned
    assert says(long_context, "Pair 40 makes 2.06 turns within L, 8.25 within L′")
    long_context.commands.output.copy_number()
    assert panel.figure.pointing.number() == pytest.approx(2 * math.pi * 10000 ** (40 / 64))


def test_arrow_keys_go_from_pair_to_pair(long_context):
    panel = long_context.panels["spectrum"]
    click(panel.view, place(panel, 40, 100.0))
    QTest.keyClick(panel, Qt.Key.Key_Right)
    assert long_context.cursor_control.cursor.column == 41
    QTest.keyClick(panel, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert long_context.cursor_control.cursor.column == 31


def test_a_length_is_dragged_as_one_step_of_undo(long_context):
    panel, before = long_context.panels["spectrum"], long_context.store.history.index
    drag(panel.view, place(panel, 20, 16384), place(panel, 20, 60000))
    settle()
    target = long_context.store.document.lengths.target
    assert target == pytest.approx(60000, rel=0.1)
    assert long_context.store.history.index == before + 1
    drag(panel.view, place(panel, 20, 4096), place(panel, 20, 1000))
    settle()
    assert long_context.store.document.lengths.trained == pytest.approx(1000, rel=0.1)
    assert long_context.store.document.lengths.target == target
    long_context.store.undo()
    long_context.store.undo()
    assert long_context.store.document.view.target_length is None


def test_a_drag_beside_the_lengths_moves_the_picture(long_context):
    panel = long_context.panels["spectrum"]
    panel.figure.areas[0].show_window((10, 40), (1.5, 3.0))
    settle()
    drag(panel.view, place(panel, 20, 100), place(panel, 25, 100))
    settle()
    assert panel.figure.areas[0].across[0] == pytest.approx(5, abs=0.7)
    assert panel.figure.areas[1].across == panel.figure.areas[0].across
    assert long_context.store.document.view.target_length is None


def test_lengths_are_typed_and_wrong_ones_are_explained_where_they_stand(long_context):
    type_number(long_context.panels["spectrum"], "target length L′", "32768")
    assert long_context.store.document.lengths.target == 32768
    type_number(long_context.panels["spectrum"], "trained length L", "0")
    assert says(long_context, "trained_length must be an integer >= 1, got 0")
    assert long_context.store.document.lengths.trained == 4096


def test_a_target_below_the_trained_length_is_one_sentence_and_what_has_no_target_stays(long_context):
    panel = long_context.panels["spectrum"]
    type_number(long_context.panels["spectrum"], "target length L′", "100")
    settle()
    assert says(long_context, "target length 100 is below the trained length 4,096: a scaling needs")
    assert is_near(pixels_of(panel.view), place(panel, 32, 2 * math.pi * 100), LIGHT.ink)
    type_number(long_context.panels["spectrum"], "target length L′", "")
    settle()
    assert not says(long_context, "is below the trained length")


def test_scalings_are_ticked_in_a_menu(long_context):
    button, count = control(long_context, "compare"), len(COMPARED_SCALINGS.values)
    assert button.text() == f"4 of {count}"
    (action,) = [each for each in button.menu().actions() if each.text() == "Dynamic NTK"]
    action.trigger()
    settle()
    assert long_context.store.document.view.compared_scalings == ("linear", "ntk", "dynamic", "yarn", "llama3")
    assert button.text() == f"5 of {count}"


def test_another_family_is_told_what_is_missing_and_a_button_brings_it(window):
    window.store.edit("family", "alibi")
    window.workspaces.choose("long_context")
    settle()
    panel = window.panels["spectrum"]
    assert says(window, "Spectrum needs pairs that turn with the position.")
    assert not panel.view.isVisible()
    (button,) = [each for each in panel.findChildren(QPushButton) if each.text() == "Show RoPE"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    assert window.store.document.encoding.family == "rotary"
    assert panel.view.isVisible()
    assert not says(window, "Spectrum needs")


@pytest.mark.parametrize(
    "encoding", [Rotary(2), Rotary(4, scaling=Linear(1.0)), Rotary(65536), Rotary(128, rope_theta=1.0)]
)
def test_the_smallest_and_the_largest_encodings_are_drawn(qtbot, encoding):
    panel = shown(qtbot, "spectrum", Document(encoding=encoding), (520, 420))
    rect = item_rect(panel.view, panel.figure.area)
    picture = pixels_of(panel.view)[int(rect.top()) : int(rect.bottom()), int(rect.left()) : int(rect.right())]
    assert (np.abs(picture.astype(int) - rgb(LIGHT.paper)).max(axis=2) > 40).sum() > 200


def test_a_long_line_keeps_its_extremes_where_it_is_thinned():
    x = np.arange(100_000.0)
    y = np.sin(x / 50_000)
    y[77_777] = 40.0
    thin_x, thin_y = thinned(x, y, 1000)
    assert len(thin_x) == len(thin_y) <= 1000
    assert thin_y.max() == 40.0
    assert (np.diff(thin_x) >= 0).all()
    assert thinned(x[:50], y[:50], 1000)[1] is not None


@pytest.mark.parametrize(
    ("scale", "shown_range", "length", "labels"),
    [
        (Scale("", 0, 63, whole=True), (-0.5, 63.5), 640, ["0", "10", "20", "30", "40", "50", "60"]),
        (Scale("", 0, 1, whole=True), (-0.5, 1.5), 640, ["0", "1"]),
        (Scale("", 0, 1), (0.0, 1.0), 320, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (Scale("", 1, 1e5, logarithmic=True), (0.0, 5.0), 400, ["1", "10", "100", "1,000", "10⁴", "10⁵"]),
        (Scale("", 10, 90, logarithmic=True), (1.0, 1.95), 400, ["10", "20", "50"]),
    ],
)
def test_ticks_are_round_numbers(scale, shown_range, length, labels):
    ticks = scale.ticks(shown_range, length, upright=False)
    assert [text for _, text in ticks if text] == labels
    for at, text in ticks:
        if text and "⁴" not in text and "⁵" not in text:
            assert scale.value(at) == pytest.approx(float(text.replace(",", "")), abs=1e-9)


def test_the_axis_counts_cells_for_a_grid_and_tokens_for_a_text():
    grid = Document().edited("family", "rope_axes")
    both = grid.with_encodings([*grid.encodings, NamedEncoding(Rotary(128))], 0)
    titles = [plots(each)[0].y_scale.title for each in (grid, both, Document(encoding=Rotary(128)))]
    assert titles == ["wavelength, cells", "wavelength, cells or tokens", "wavelength, tokens"]


@pytest.mark.parametrize("current", [0, 1])
def test_a_thin_line_stays_visible_on_an_equal_thick_one(qtbot, current):
    scaled, plain = Yarn(4.0, 4096), Rotary(128)
    document = ROPE.with_encodings((NamedEncoding(Rotary(128, scaling=scaled)), NamedEncoding(plain)), current)
    panel = shown(qtbot, "spectrum", document, (760, 640))
    pixels, other = pixels_of(panel.view), document.encodings[1 - current].encoding
    colour = line_pen(LIGHT, encoding_look(1 - current)).color()
    wavelengths = 2 * math.pi / other.frequencies()
    seen = [is_near(pixels, place(panel, pair, wavelengths[pair]), colour, 3) for pair in range(2, 20)]
    assert sum(seen) > len(seen) / 3


@pytest.mark.parametrize("style", [LIGHT, DARK])
def test_the_name_of_a_band_has_the_ground_of_its_band(qtbot, style):
    document = Document(encoding=Rotary(128, scaling=Yarn(16.0, 4096)))
    panel = shown(qtbot, "spectrum", document, (760, 640), style)
    pixels, (word,) = pixels_of(panel.view), [each for each in painted_words(panel.view) if "slowed 18" in each.text]
    band = item_rect(panel.view, panel.figure.areas[1])
    y = round(word.y) - 4
    assert pixels[y, round(word.x) - 2].tolist() == pixels[y, round(band.right()) - 3].tolist()


def test_the_names_of_both_lengths_are_above_their_lines(qtbot):
    panel = shown(qtbot, "spectrum", Document(), (840, 330))
    words = {word.text: word.y for word in painted_words(panel.view)}
    for name, length in (("L 4,096", 4096), ("L′ 16,384", 16384)):
        line = place(panel, 0, length).y()
        assert 0 < line - words[name] < 12


def test_no_name_of_a_length_is_between_its_line_and_the_line_of_another(qtbot):
    panel = shown(qtbot, "spectrum", Document(encoding=Rotary(8)), (840, 320))
    words = {word.text: word.y for word in painted_words(panel.view)}
    target, trained = place(panel, 0, 16384).y(), place(panel, 0, 4096).y()
    assert target < words["L 4,096"] < trained
    assert abs(words["L′ 16,384"] - 4 - target) < 4  # on its line


def test_the_axis_calls_pairs_fast_to_slow_only_where_they_are():
    assert plots(preset("llama-3.1-8b"))[0].x_scale.title == "pair, fast to slow"
    assert plots(preset("flux-1"))[0].x_scale.title == "pair", "each axis begins with a fast pair"
