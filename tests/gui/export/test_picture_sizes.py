"""Sizes, captions and the cursor's mark in the export dialog: preview, texts and files follow the choice."""

from functools import partial
from pathlib import Path

import pytest
from export_bench import choose, control, open_dialog, sentences, tick
from panel_bench import VECTOR_PANELS
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from posenc_core import Document, Rotary, Sinusoidal
from posenc_core.session import NamedEncoding
from posenc_gui.export.names import caption
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import PANELS, spec_of


@pytest.fixture
def opened(qtbot, tmp_path: Path):
    """A function that opens the dialog for panels, in the folder of the test."""
    return partial(open_dialog, qtbot, tmp_path)


def type_into(dialog, name: str, text: str) -> None:
    box = control(dialog, name)
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Tab)


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("size", "millimetres", "pixels"),
    [
        ("One column", "85 × ", "1,004 × "),
        ("Two columns", "174 × ", "2,055 × "),
        ("Slide", "160 × 90 mm", "1,890 × 1,063"),
    ],
)
def test_the_preview_names_the_size_and_the_file_and_has_its_proportion(
    qtbot, opened, tmp_path, size, millimetres, pixels
):
    dialog = opened("waves")
    with qtbot.waitSignal(dialog.preview.rendered):
        choose(dialog, "Size", size)
    assert control(dialog, "Scale").currentText() == "300 dpi, for print"
    promised = sentences(dialog)[0]
    assert promised.startswith(f"waves.png: {millimetres}")
    assert f" mm · {pixels}" in promised
    assert promised.endswith(" px at 300 dpi")
    shown = dialog.preview.canvas.picture_rect()
    with qtbot.waitSignal(dialog.accepted):
        QTest.keyClick(dialog, Qt.Key.Key_Return)
    image = QImage(str(tmp_path / "waves.png"))
    assert f"{image.width():,} × {image.height():,} px" in promised
    assert shown.width() / shown.height() == pytest.approx(image.width() / image.height(), rel=0.01)
    assert dialog.preview.canvas.room.width() >= shown.width() > 0.5 * dialog.preview.canvas.room.width()


def test_as_seen_is_as_large_as_the_panel(qtbot, opened, tmp_path):
    dialog = open_dialog(qtbot, tmp_path, "waves", "heatmap", sizes={"waves": (500, 260)})
    assert control(dialog, "Size").currentText() == "As seen"
    with qtbot.waitSignal(dialog.accepted):
        QTest.keyClick(dialog, Qt.Key.Key_Return)
    image = QImage(str(tmp_path / "waves.png"))
    assert image.width() == 2 * (500 + 2 * 16)
    assert QImage(str(tmp_path / "heatmap.png")).width() == 2 * (640 + 2 * 16)  # it is hidden, and has its usual size


def test_a_custom_size_is_typed_in_any_unit(qtbot, opened, tmp_path):
    dialog = opened("heatmap")
    assert not control(dialog, "Width").isVisible()
    choose(dialog, "Size", "Custom")
    type_into(dialog, "Width", "101.6")
    type_into(dialog, "Height", "76.2")
    choose(dialog, "Unit", "inches")
    assert (control(dialog, "Width").value(), control(dialog, "Height").value()) == (4, 3)
    with qtbot.waitSignal(dialog.preview.rendered):
        choose(dialog, "Unit", "pixels")
    assert (control(dialog, "Width").value(), control(dialog, "Height").value()) == (1200, 900)
    assert sentences(dialog)[0] == "heatmap.png: 101.6 × 76.2 mm · 1,200 × 900 px at 300 dpi"
    choose(dialog, "Scale", "600 dpi")
    assert dialog.message.sentence == "The width of the picture must be from 1417 to 28346 px, got 1200 px."
    choose(dialog, "Scale", "300 dpi")
    with qtbot.waitSignal(dialog.accepted):
        QTest.keyClick(dialog, Qt.Key.Key_Return)
    image = QImage(str(tmp_path / "heatmap.png"))
    assert (image.width(), image.height()) == (1200, 900)


def test_a_size_out_of_bounds_is_one_sentence_and_the_last_picture_stays(qtbot, opened, tmp_path):
    dialog = opened("waves")
    with qtbot.waitSignal(dialog.preview.rendered):
        choose(dialog, "Size", "Custom")
    before = dialog.preview.canvas.image
    type_into(dialog, "Width", "12")
    assert dialog.message.sentence == "The width of the picture must be from 60 to 1200 mm, got 12 mm."
    assert not dialog.export_button.isEnabled()
    assert dialog.preview.canvas.image == before
    with qtbot.waitSignal(dialog.preview.rendered):
        type_into(dialog, "Width", "60")
    assert dialog.message.sentence == ""
    assert dialog.export_button.isEnabled()


def test_captions_are_written_below_beside_or_not_at_all(qtbot, opened, tmp_path):
    dialog = opened("waves", "tokens")
    with qtbot.waitSignal(dialog.preview.rendered):
        choose(dialog, "Caption", "As a .txt file")
    assert sentences(dialog)[1] == "waves.png, tokens.png, waves.txt, tokens.txt"
    with qtbot.waitSignal(dialog.accepted):
        QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tokens.png", "tokens.txt", "waves.png", "waves.txt"]
    said = (tmp_path / "waves.txt").read_text(encoding="utf-8")
    rest = "base = 10,000, layout = interleaved, spacing = paper, offset = 0"
    assert said == f"Sinusoidal · d_model = 6, {rest} · “Dan loves icecream” · length 60\n"
    assert QImage(str(tmp_path / "waves.png")).height() == 2 * (440 + 2 * 16)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("panel", VECTOR_PANELS)
def test_the_cursor_is_marked_only_where_it_is_ticked(qtbot, opened, panel):
    dialog = opened(panel, cursor=Cursor(1, 2, pinned=True))
    assert not control(dialog, "Mark the cursor").isChecked()
    plain = dialog.preview.canvas.image
    with qtbot.waitSignal(dialog.preview.rendered):
        tick(dialog, "Mark the cursor")
    assert dialog.preview.canvas.image != plain


def test_a_caption_names_the_encoding_by_letter_and_name_where_there_are_several():
    document = Document(encoding=Sinusoidal(6))
    compared = document.with_encodings([*document.encodings, NamedEncoding(Sinusoidal(10))], 1)
    assert caption(compared).startswith("B: Sinusoidal · d_model = 10, base = ")
    assert caption(compared.named(name="mine")).startswith("B: Sinusoidal · mine · d_model = 10, base = ")
    assert caption(document.named(name="mine")).startswith("Sinusoidal · mine · ")


DRAWN_BESIDE = {"difference", "drift", "similarity", "shift", "scores", "spectrum", "unseen", "precision"}


def test_a_caption_has_all_parameters_of_every_encoding_that_is_drawn():
    document = Document(encoding=Rotary(16))
    several = [*document.encodings, NamedEncoding(Rotary(16, rope_theta=5e5), source="long")]
    several.append(NamedEncoding(Rotary(16, pairing="interleaved")))
    compared = document.with_encodings(several, 1)
    rest = "direction = 1, rotary_dim = none, scaling = none"
    one = f"A: Rotary (RoPE) · head_dim = 16, rope_theta = 10,000, pairing = half_split, {rest}"
    two = f"B: Rotary (RoPE) · long · head_dim = 16, rope_theta = 500,000, pairing = half_split, {rest}"
    three = f"C: Rotary (RoPE) · head_dim = 16, rope_theta = 10,000, pairing = interleaved, {rest}"
    length = "“Dan loves icecream” · length 60"
    for panel in PANELS:
        if spec_of(panel).missing(compared) is not None:
            continue
        written = picture_bytes(Picture(panel, compared), "txt", PictureOptions(size=(900, 700))).decode()
        drawn = (one, two) if panel == "difference" else (one, two, three) if panel in DRAWN_BESIDE else (two,)
        assert written.startswith(" · ".join((*drawn, length))), panel


def test_a_caption_names_the_grid_of_an_encoding_on_several_axes():
    document = Document().edited("family", "rope_axes").edited("grid", "5+3x4")
    assert ", grid = 5+3x4, " in caption(document)
    assert "grid" not in caption(document.edited("family", "rotary"))


def test_the_caption_of_the_pair_lens_has_the_parameters_of_the_table_that_it_adds():
    document = Document(encoding=Rotary(8))
    others = [NamedEncoding(Sinusoidal(16)), NamedEncoding(Sinusoidal(8, base=500.0))]
    added, unfit = (document.with_encodings([*document.encodings, *each], 0) for each in (others, others[:1]))
    one, two = "A: Rotary (RoPE) · head_dim = 8, rope_theta = 10,000, ", "C: Sinusoidal · d_model = 8, base = 500, "
    options = PictureOptions(size=(900, 700))
    written = picture_bytes(Picture("lens", added), "txt", options).decode()
    assert written.startswith(one)
    assert two in written
    assert "B: " not in written, "a table of another width is not drawn"
    assert ": Sinusoidal" not in picture_bytes(Picture("lens", unfit), "txt", options).decode()


def test_a_caption_describes_only_encodings_that_a_low_picture_draws(qapp):
    listed = [NamedEncoding(Sinusoidal(8)), NamedEncoding(Sinusoidal(16, 500.0))]
    document = Document("Dan loves icecream").with_encodings(listed, 0)
    for height, named in ((720, True), (300, False)):
        options = PictureOptions(size=(360, height))
        written = picture_bytes(Picture("similarity", document), "txt", options).decode()
        assert ("A: Sinusoidal" in written, "B: Sinusoidal" in written) == (True, named)
