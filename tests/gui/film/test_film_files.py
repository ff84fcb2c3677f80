"""Films in files, opened by another program: frames, size, time, session; the same twice; nothing half-written."""

import io
import json
from functools import reduce

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image

from posenc_core import Alibi, Document, IntegerIndex, Rotary, Sinusoidal, Yarn
from posenc_core.encodings.formula.entry import EntryFormula
from posenc_core.tables import Cancelled
from posenc_gui.export import Layout, Picture, PictureOptions, image_of, layout_of, png_bytes
from posenc_gui.files import FileError, open_session
from posenc_gui.film import film_of, write_film
from posenc_gui.model import Cursor

DOCUMENT = Document("Dan loves icecream", encoding=Sinusoidal(8), seq_len=40)
LOOK = PictureOptions(scale=1.0, size=(320, 200))
BY_PILLOW = {"apng": "PNG", "gif": "GIF", "webp": "WEBP"}


@pytest.fixture
def film():
    return film_of("sweep:offset=0..5", "waves", DOCUMENT, None, 0.3)


def pixels(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("format", BY_PILLOW)
def test_every_frame_is_the_exported_picture(qapp, film, tmp_path, format):
    path = tmp_path / f"waves.{format}"
    write_film(film, path, format, LOOK)
    with Image.open(path) as opened:
        assert (opened.format, opened.n_frames, opened.info["loop"]) == (BY_PILLOW[format], 6, 0)
        for index, shot in enumerate(film.shots):
            opened.seek(index)
            seen = np.asarray(opened.convert("RGB")).astype(int)
            exact = pixels(png_bytes(image_of(Picture("waves", shot.document), LOOK)))
            if format == "gif":  # 256 colours
                assert np.abs(seen - exact).mean() < 2
            else:
                assert np.array_equal(seen, exact)
            assert opened.info["duration"] == 50
    assert not np.array_equal(pixels(png_bytes(image_of(Picture("waves", film.shots[0].document), LOOK))), exact)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("format", BY_PILLOW)
def test_the_same_film_twice_is_the_same_file(qapp, film, tmp_path, format):
    contents = []
    for name in ("one", "two"):
        write_film(film, tmp_path / name, format, LOOK)
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1]


def test_an_apng_carries_the_session_of_its_first_frame(qapp, film, tmp_path):
    path = tmp_path / "waves.apng"
    write_film(film, path, "apng", LOOK)
    assert open_session(path).encoding == film.shots[0].document.encoding
    with Image.open(path) as opened:
        assert json.loads(opened.info["posenc-session"])["sentence"] == "Dan loves icecream"


def axis_begin(picture):
    """Where the axis of positions begins: no other line runs across."""
    ink = np.abs(picture - picture[0, 0]).sum(axis=2) > 20
    lines = np.lib.stride_tricks.sliding_window_view(ink, 60, axis=1).all(axis=2)
    return int(lines.any(axis=0).argmax())


@pytest.mark.parametrize("sweep", ["sweep:base=10..1000000", "sweep:d_model=2..300"])
def test_axes_stay_where_they_are_while_labels_grow_and_bars_appear(qapp, tmp_path, sweep):
    film = film_of(sweep, "waves", DOCUMENT, None, 0.3)
    alone = [pixels(png_bytes(image_of(Picture("waves", shot.document), LOOK))) for shot in film.shots]
    assert len(set(map(axis_begin, alone))) > 1, "longer labels take more room in a picture of its own"
    write_film(film, tmp_path / "waves.apng", "apng", LOOK)
    with Image.open(tmp_path / "waves.apng") as opened:
        begins = []
        for index in range(opened.n_frames):
            opened.seek(index)
            begins.append(axis_begin(np.asarray(opened.convert("RGB")).astype(int)))
    assert begins == [begins[0]] * 6
    assert begins[0] >= max(map(axis_begin, alone))


def frames_of(path):
    with Image.open(path) as opened:
        for index in range(opened.n_frames):
            opened.seek(index)
            yield np.asarray(opened.convert("RGB")).astype(int)


def test_a_number_that_grows_is_seen_to_grow_for_all_frames_have_one_scale(qapp, tmp_path):
    document = DOCUMENT.with_encoding(EntryFormula("alpha*p", parameter=(("alpha", 0.5),), d_model=2))
    film = film_of("sweep:alpha=0.1..1", "waves", document, None, 0.3)
    write_film(film, tmp_path / "waves.apng", "apng", LOOK)
    curves = [each[40:130, 120:240] for each in frames_of(tmp_path / "waves.apng")]
    assert len({each.tobytes() for each in curves}) == len(curves) == 6


FACTOR = Rotary(32, scaling=Yarn(2.0, 64))


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("panel", "sweep", "encoding"),
    [
        ("spectrum", "sweep:factor=1..8", FACTOR),
        ("scores", "sweep:n_heads=1..16", Alibi(8)),
        ("similarity", "sweep:offset=0..20", IntegerIndex(4)),
        ("heatmap", "sweep:n_heads=1..16", Alibi(8)),
        ("tokens", "sweep:n_heads=1..16", Alibi(8)),
        ("pairs", "sweep:n_heads=1..16", Alibi(8)),
        ("shift", "sweep:base=2..1000000", Sinusoidal(8)),
    ],
)
def test_axes_and_colours_of_all_frames_have_one_scale(qapp, panel, sweep, encoding):
    film = film_of(sweep, panel, DOCUMENT.with_encoding(encoding), None, 0.3)
    pictures = [Picture(panel, shot.document) for shot in film.shots]
    layouts = [layout_of(each, LOOK) for each in pictures]
    common = reduce(Layout.with_room_for, layouts)
    found = [layout_of(replace(each, layout=common), LOOK).scales for each in pictures]
    assert all(each == common.scales for each in found)
    assert panel == "similarity" or any(each.scales != common.scales for each in layouts)
    assert found[0]


def heights(film, look):
    return {image_of(Picture("waves", shot.document), look).height() for shot in film.shots}


def test_frames_with_longer_captions_are_all_of_one_size(qapp, tmp_path):
    document = Document("Dan loves icecream " * 4, encoding=Sinusoidal(8), seq_len=40)
    film = film_of("sweep:base=1..1000000000000000", "waves", document, None, 0.3)
    looks = (PictureOptions(scale=1.0, size=(width, 120)) for width in range(200, 400, 10))
    look = next(each for each in looks if len(heights(film, each)) > 1)
    write_film(film, tmp_path / "waves.apng", "apng", look)
    with Image.open(tmp_path / "waves.apng") as opened:
        assert opened.size[1] == max(heights(film, look))
        assert opened.n_frames == 6


def test_a_play_marks_the_cell_that_moves(qapp, tmp_path):
    film = film_of("play:tokens", "heatmap", DOCUMENT, Cursor(0, 2))
    path = tmp_path / "heatmap.apng"
    write_film(film, path, "apng", LOOK)
    with Image.open(path) as opened:
        frames = []
        for index in range(3):
            opened.seek(index)
            frames.append(np.asarray(opened.convert("RGB")).astype(int))
    changed = [np.argwhere(np.abs(after - frames[0]).sum(axis=2) > 60)[:, 0].mean() for after in frames[1:]]
    assert changed[0] != changed[1]


@pytest.mark.parametrize("stop", [0.0, 0.5, 0.95])
@pytest.mark.parametrize("format", BY_PILLOW)
def test_a_cancelled_film_leaves_the_file_as_it_was(qapp, film, tmp_path, format, stop):
    path = tmp_path / "waves.film"
    path.write_text("older")
    told = []

    def watch(done):
        told.append(done)
        return done < stop

    with pytest.raises(Cancelled):
        write_film(film, path, format, LOOK, watch)
    assert told == sorted(told)
    assert [each.name for each in tmp_path.iterdir()] == ["waves.film"]
    assert path.read_text() == "older"


def test_a_film_that_is_too_large_is_refused_before_its_second_frame(qapp, tmp_path):
    film = film_of("sweep:base=10..10000", "waves", DOCUMENT, None, 30.0)
    painted = []
    with pytest.raises(FileError, match="at most 300 million pixels in all, 600 frames of 1032 x 856 have 530 million"):
        write_film(
            film, tmp_path / "waves.gif", "gif", PictureOptions(scale=1.0, size=(1000, 800)),
            lambda done: painted.append(done) or True,
        )  # fmt: skip
    assert max(painted, default=0) <= 1 / 600
    assert not list(tmp_path.iterdir())


def test_without_ffmpeg_an_mp4_is_refused_with_what_else_there_is(qapp, film, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileError) as refused:
        write_film(film, tmp_path / "waves.mp4", "mp4", LOOK)
    assert str(refused.value) == (
        "mp4 needs the program ffmpeg, which is not on the path; apng needs nothing, gif and webp need Pillow"
    )


@pytest.mark.parametrize("format", ["gif", "webp"])
def test_without_pillow_a_film_is_refused_with_what_else_there_is(qapp, film, tmp_path, monkeypatch, format):
    monkeypatch.setitem(__import__("sys").modules, "PIL.Image", None)
    with pytest.raises(FileError, match=rf"{format} needs Pillow: pip install \"posenc\[film\]\"; apng needs nothing"):
        write_film(film, tmp_path / f"waves.{format}", format, LOOK)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_named(qapp, film, tmp_path):
    with pytest.raises(FileError, match="cannot write"):
        write_film(film, tmp_path / "none" / "waves.apng", "apng", LOOK)


def test_the_film_of_a_lesson_has_the_panels_of_its_steps_in_one_size(qapp, tmp_path):
    film = film_of("lesson:1", "", DOCUMENT, None)
    assert {shot.panel for shot in film.shots} == {"waves", "tokens", "similarity"}
    write_film(film, tmp_path / "lesson.apng", "apng", LOOK)
    layouts = {}
    for shot in film.shots:
        own = layout_of(Picture(shot.panel, shot.document, shot.cursor), LOOK)
        layouts[shot.panel] = own.with_room_for(layouts.get(shot.panel, own))
    with Image.open(tmp_path / "lesson.apng") as opened:
        assert opened.n_frames == len(film.shots) == 6
        for index in (0, 3, 5):
            opened.seek(index)
            assert opened.info["duration"] == 1000
            shot = film.shots[index]
            look = replace(LOOK, mark=shot.cursor is not None)
            exact = pixels(
                png_bytes(image_of(Picture(shot.panel, shot.document, shot.cursor, layout=layouts[shot.panel]), look))
            )
            seen = np.asarray(opened.convert("RGB")).astype(int)
            assert np.array_equal(seen[: exact.shape[0], : exact.shape[1]], exact)
