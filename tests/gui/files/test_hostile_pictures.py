"""Pictures, dropped files, presets and settings, damaged or made up: each opens, or is refused in a sentence."""

import json
import struct
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import pytest
from dialogs import dismiss
from hostile import mutated_bytes, mutated_json, opened, rewrite
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow
from window_bench import open_menus

from posenc_core import Document
from posenc_gui.files import presets
from posenc_gui.files.errors import FileError
from posenc_gui.files.file_kinds import FileKind, recognized
from posenc_gui.files.presets import preset, preset_groups, preset_names, preset_title
from posenc_gui.files.session import SESSION_KEYWORD, open_session, read_config, with_config
from posenc_gui.files.settings import Settings
from posenc_gui.look.resources import resource

EACH = 1200
MEGABYTE = 2**20
KEY = SESSION_KEYWORD.encode()


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(*chunks: bytes) -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + chunk(b"IEND", b"")


def carrying(session: bytes) -> list[bytes]:
    """The session as every kind of text that a picture can hold."""
    packed = zlib.compress(session)
    return [
        chunk(b"tEXt", KEY + b"\0" + session),
        chunk(b"zTXt", KEY + b"\0\0" + packed),
        chunk(b"iTXt", KEY + b"\0\0\0en\0key\0" + session),
        chunk(b"iTXt", KEY + b"\0\1\0\0\0" + packed),
    ]


def reason(path: Path, read: Any) -> Any:
    """Result of ``read``, or None if the file was refused in a plain sentence; the check omits the file's name."""

    def without_name() -> Any:
        try:
            return read(path)
        except FileError as error:
            told = str(error)
        assert told.startswith(f"cannot open {path}: ")
        raise ValueError(told.removeprefix(f"cannot open {path}: "))

    return opened(without_name)


def test_damaged_pictures_open_or_are_refused_in_a_sentence(tmp_path: Path, count: Any) -> None:
    session = Document(sentence="Ann sees 😀").to_json().encode()
    seeds = [png(each) for each in carrying(session)]
    seeds += [png(chunk(b"tEXt", b"Comment\0x"), chunk(b"IDAT", b"x" * 300), each) for each in carrying(session)]
    path = tmp_path / "picture.png"
    read = 0
    for data in mutated_bytes(seeds, EACH, 6):
        rewrite(path, data)
        read += reason(path, open_session) is not None
        assert recognized(path).kind in FileKind
    assert EACH > read > 10
    count("hostile pictures tried", EACH)


def test_pictures_with_damaged_sessions_open_or_are_refused_in_a_sentence(tmp_path: Path, count: Any) -> None:
    """Whose checksums are right: what is in them is damaged."""
    session = Document(sentence="Ann sees 😀").to_json().encode()
    path = tmp_path / "picture.png"
    read = 0
    for number, data in enumerate(mutated_bytes([session], EACH, 7)):
        rewrite(path, png(carrying(data)[number % 4]))
        read += reason(path, open_session) is not None
    for data in mutated_bytes([zlib.compress(session)], EACH // 2, 8):
        rewrite(path, png(chunk(b"zTXt", KEY + b"\0\0" + data)))
        read += reason(path, open_session) is not None
    assert EACH > read > 10
    count("hostile pictures tried", EACH + EACH // 2)


@pytest.mark.one_of(2)
@pytest.mark.parametrize("filling", [b" ", b'{"format":"posenc session","version":2,"x":"' + b"a" * 40])
def test_compression_bombs_are_not_unpacked(tmp_path: Path, filling: bytes) -> None:
    """A little that stands for a quarter of a gigabyte: never much more than the largest session is in memory."""
    packer, block = zlib.compressobj(1), filling * (MEGABYTE // len(filling))
    packed = b"".join(packer.compress(block) for _ in range(256)) + packer.flush()
    path = tmp_path / "bomb.png"
    for kind, head in ((b"zTXt", b"\0"), (b"iTXt", b"\1\0\0\0")):
        rewrite(path, png(*(chunk(kind, KEY + b"\0" + head + packed) for _ in range(3))))
        tracemalloc.start()
        assert reason(path, open_session) is None
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 160 * MEGABYTE, f"{peak / MEGABYTE:.0f} MB"


@pytest.mark.thorough
def test_damaged_files_of_any_kind_are_recognised(tmp_path: Path, count: Any) -> None:
    config = b'\xef\xbb\xbf {"model_type": "llama", "head_dim": 8, "rope_theta": 1e4}'
    array = (
        b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }"
        + b" " * 58
        + b"\n"
        + b"\0" * 16
    )
    tensors = json.dumps({"wpe": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}}).encode()
    tensors = len(tensors).to_bytes(8, "little") + tensors + b"\0" * 16
    seeds = [config, array, tensors, Document().to_json().encode(), png(*carrying(b"{}"))]
    path = tmp_path / "dropped"
    for data in mutated_bytes(seeds, 2 * EACH, 9):
        rewrite(path, data)
        if recognized(path).kind is FileKind.MODEL:
            reason(path, lambda each: read_config(each).layer_types)
            reason(path, lambda each: with_config(Document(), read_config(each), each))
        elif recognized(path).kind is FileKind.SESSION:
            reason(path, open_session)
    count("hostile dropped files tried", 2 * EACH)


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts one file into a folder of presets of its own, in place of those that travel with the program."""
    folder = tmp_path / "presets"
    folder.mkdir()
    monkeypatch.setattr(presets, "resource", lambda *parts: tmp_path.joinpath(*parts))

    def put(data: bytes) -> None:
        rewrite(folder / "one.json", data)
        presets._read.cache_clear()

    yield put
    presets._read.cache_clear()


@pytest.mark.thorough
def test_damaged_presets_open_or_are_refused_in_a_sentence(damaged: Any, amount: Any, count: Any) -> None:
    each = amount(EACH // 3, EACH)
    texts = [resource("presets", f"{name}.json").read_bytes() for name in preset_names_of_the_program()]
    made = (json.dumps(value).encode() for value in mutated_json([json.loads(text) for text in texts], each, 11))
    read = 0
    for data in (*mutated_bytes(texts, each, 10), *made):
        damaged(data)
        assert preset_names() == ("one",)
        for ask in (preset_title, preset):
            found = opened(lambda ask=ask: ask("one"))
        read += found is not None
        groups = preset_groups()
        assert sum(groups.values(), ()) in ((), ("one",))
    assert 2 * each > read > each // 12
    count("hostile presets tried", 2 * each)


def preset_names_of_the_program() -> list[str]:
    return sorted(path.stem for path in (Path(__file__).parents[3] / "resources" / "presets").glob("*.json"))


def test_choosing_a_damaged_preset_is_one_sentence(window: Any, answers: Any, damaged: Any) -> None:
    damaged(resource("presets", "paper.json").read_bytes())
    open_menus(window)
    (entry,) = (each for each in window.findChildren(QAction) if each.data() == "one")
    damaged(b"{")
    answers.expect(dismiss)
    entry.trigger()
    assert answers.seen == ["Cannot open: The preset 'one' is damaged: it ends too early, or is empty"]
    assert window.store.document == Document()


@pytest.mark.thorough
def test_damaged_settings_open_or_are_set_aside(qtbot: Any, tmp_path: Path, count: Any) -> None:
    """They are refused with a reason, or give what every part of the program can use."""
    window = QMainWindow()
    qtbot.addWidget(window)
    path, layout = tmp_path / "settings.json", window.saveState(1)
    settings = Settings(path)
    settings.change(theme="dark")
    settings.add_recent_file(tmp_path / "a.posenc")
    settings.set_folder("exports", tmp_path)
    settings.set_bytes("layout_docks", layout)
    settings.write_layout()
    good = path.read_bytes()
    made = (json.dumps(each).encode() for each in mutated_json([json.loads(good)], EACH, 13))
    for number, data in enumerate((*mutated_bytes([good], EACH, 12), *made)):
        rewrite(path, data)
        settings = Settings(path)
        assert settings.problem.isprintable()
        assert len(settings.problem) < 500
        if number % 100 == 0:  # the disk is slow
            settings.add_recent_file(tmp_path / "b.posenc")
            assert Settings(path).now.recent_files[0] == str(tmp_path / "b.posenc")
        assert settings.now.theme in ("system", "light", "dark")
        assert all(isinstance(each, str) for each in settings.now.recent_files)
        assert settings.folder("exports").is_dir()
        assert settings.bytes("layout_docks") in (b"", layout), "Qt cannot be given damaged layouts"
    count("hostile settings tried", 2 * EACH)
