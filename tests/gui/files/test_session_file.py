"""Sessions are read from files and from pictures; every other file is refused in one sentence."""

import os
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from documents import with_values
from PySide6.QtGui import QImage

from posenc_core import Document, Embedding, Sinusoidal
from posenc_core.session import FAMILY
from posenc_core.session.session_schema import MAXIMUM_BYTES, VERSION
from posenc_gui.files.errors import FileError
from posenc_gui.files.session import SESSION_KEYWORD, open_session, read_config, save_session, with_config

DOCUMENTS = [
    Document(),
    Document(sentence=""),
    Document(sentence="two  spaces\tand\r\nlines \x07 bell, 👨‍👩‍👧 שלום é 'q' \"q\" \\ \x7f"),
    Document(sentence="word " * 20_000, tokens="bytes"),
    with_values(
        Document(
            tokens="characters",
            seq_len=7,
            encoding=Sinusoidal(6, base=1.5e-3, layout="concatenated", spacing="tensor2tensor", offset=-2),
            embedding=Embedding("simulated", seed=2**32 - 1, scale_by_sqrt_d=True),
        ),
        color_map="cyclic",
        transpose=True,
    ),
]


def refusal(path: Path) -> str:
    with pytest.raises(FileError) as caught:
        open_session(path)
    message = str(caught.value)
    assert message.startswith(f"cannot open {path}: ")
    assert "\n" not in message
    return message.removeprefix(f"cannot open {path}: ")


def chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)


def png(*chunks: bytes) -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(b"\0\0"))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + pixels + chunk(b"IEND", b"")


def text_chunk(content: bytes) -> bytes:
    return chunk(b"tEXt", SESSION_KEYWORD.encode() + b"\0" + content)


def packed_chunk(packed: bytes) -> bytes:
    return chunk(b"zTXt", SESSION_KEYWORD.encode() + b"\0\0" + packed)


@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.parametrize("name", ["session.posenc", "session.json", "no suffix"])
def test_a_saved_session_comes_back(tmp_path: Path, document: Document, name: str) -> None:
    save_session(document, tmp_path / name)
    assert open_session(tmp_path / name) == document


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_picture_that_qt_wrote_brings_its_session_back(tmp_path: Path, document: Document) -> None:
    picture = QImage(40, 30, QImage.Format.Format_ARGB32)
    picture.fill(0)
    picture.setText("Title", "waves")
    picture.setText(SESSION_KEYWORD, document.to_json())
    assert picture.save(str(tmp_path / "waves.png"))
    assert open_session(tmp_path / "waves.png") == document


def test_a_picture_is_known_by_its_content(tmp_path: Path) -> None:
    (tmp_path / "picture.json").write_bytes(png(text_chunk(Document().to_json().encode())))
    assert open_session(tmp_path / "picture.json") == Document()


@pytest.mark.parametrize("packed", [False, True])
def test_international_text_is_read_too(tmp_path: Path, packed: bool) -> None:
    text = Document(sentence="café").to_json().replace("\\u00e9", "é").encode()
    flags = b"\1\0" if packed else b"\0\0"
    body = flags + b"en\0" + "clé".encode() + b"\0" + (zlib.compress(text) if packed else text)
    (tmp_path / "a.png").write_bytes(png(chunk(b"iTXt", SESSION_KEYWORD.encode() + b"\0" + body)))
    assert open_session(tmp_path / "a.png").sentence == "café"


def test_a_session_behind_the_pixels_and_after_other_texts_is_found(tmp_path: Path) -> None:
    other = chunk(b"tEXt", b"Comment\0" + b"x" * 100_000) + chunk(b"tEXt", b"posenc-sessions\0no") + chunk(b"tEXt", b"")
    pixels = chunk(b"IDAT", b"x" * 50_000)
    (tmp_path / "a.png").write_bytes(png(other, pixels, text_chunk(Document().to_json().encode())))
    assert open_session(tmp_path / "a.png") == Document()


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "notepad.json").write_bytes(b"\xef\xbb\xbf" + Document().to_json().encode())
    assert open_session(tmp_path / "notepad.json") == Document()


def test_a_missing_file_a_folder_and_a_device_are_named(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.json") == "there is no such file"
    assert refusal(tmp_path / "no" / "none.json") == f"the folder {tmp_path / 'no'} does not exist"
    assert refusal(tmp_path) == "it is a folder"
    assert refusal(Path(os.devnull)) == "it is a device or a pipe, not a file"
    (tmp_path / "file").write_bytes(b"")
    assert refusal(tmp_path / "file") == "the file is empty"
    assert refusal(tmp_path / "file" / "none.json") == f"{tmp_path / 'file'} is not a folder"


@pytest.mark.parametrize("path", ["/proc/1/mem", "/proc/self/mem"] if sys.platform == "linux" else [])
def test_a_file_that_cannot_be_read_is_named(path: str) -> None:
    """Files of the kernel that not even root can read from the start."""
    assert refusal(Path(path)) in ("permission is denied", "input/output error")


def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe") == "it is a device or a pipe, not a file"


@pytest.mark.parametrize(
    "content",
    [b"\0", b"hello", b"[]", b"{}", b'{"format": "another"}', b"\xff\xd8\xff\xe0 a JPEG", b"[" * 100_000],
)
def test_a_foreign_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "foreign").write_bytes(content)
    assert refusal(tmp_path / "foreign").startswith(("this is no PosEnc session: ", "this session is damaged: "))


def test_a_file_too_large_for_a_session_is_not_read_to_its_end(tmp_path: Path) -> None:
    with (tmp_path / "huge.json").open("wb") as stream:
        stream.truncate(2**40)  # sparse: nobody has a terabyte to spare
    assert refusal(tmp_path / "huge.json") == "this is no PosEnc session: it is larger than 32 MB"


def test_every_truncation_is_refused(tmp_path: Path, amount: Callable[[int, int], int]) -> None:
    whole = Document().to_json().encode()
    for length in range(1, len(whole) - 2, amount(7, 1)):
        (tmp_path / "half.json").write_bytes(whole[:length])
        refusal(tmp_path / "half.json")
    picture = png(packed_chunk(zlib.compress(whole)))
    start = picture.index(b"IDAT") - 4  # from here on the session is complete
    for length in range(8, start, amount(7, 1)):
        (tmp_path / "half.png").write_bytes(picture[:length])
        assert "truncated" in refusal(tmp_path / "half.png")


def test_a_newer_session_says_to_update(tmp_path: Path) -> None:
    newer = Document().to_json().replace(f'"version": {VERSION}', '"version": 99').encode()
    (tmp_path / "newer.json").write_bytes(newer)
    (tmp_path / "newer.png").write_bytes(png(text_chunk(newer)))
    for name in ("newer.json", "newer.png"):
        assert "newer PosEnc" in refusal(tmp_path / name)
        assert "update" in refusal(tmp_path / name)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"d_model": 8', '"d_model": 0', "d_model must be an integer >= 1, got 0"),
        ('"d_model": 8', '"d_model": 1000000000000', "d_model must be an integer <= 65536, got 1000000000000"),
        ('"base": 10000.0', '"base": -1', r"base (rope_theta) must be a finite number > 0, got -1"),
        (
            '"family": "sinusoidal"',
            '"family": 5',
            f"family must be {FAMILY.allowed}, got 5",
        ),
    ],
)
def test_a_damaged_session_says_what_is_wrong(tmp_path: Path, old: str, new: str, reason: str) -> None:
    damaged = Document().to_json().replace(old, new)
    (tmp_path / "damaged.json").write_text(damaged)
    assert refusal(tmp_path / "damaged.json") == f"this session is damaged: {reason}"


def test_a_session_of_an_encoding_that_is_not_installed_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "magic.json").write_text(Document().to_json().replace('"sinusoidal"', '"magic"'))
    assert refusal(tmp_path / "magic.json") == (
        "this session shows the encoding 'magic', which is not installed: install its package, or open its file with "
        "File > Open encoding (Python) or --plugin FILE"
    )


def test_a_picture_without_a_session_says_so(tmp_path: Path) -> None:
    (tmp_path / "photo.png").write_bytes(png(chunk(b"tEXt", b"Comment\0hello")))
    assert "carries no PosEnc session" in refusal(tmp_path / "photo.png")


def test_a_compression_bomb_is_not_unpacked(tmp_path: Path) -> None:
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(b" " * 2**20) for _ in range(256)) + packer.flush()
    assert len(packed) < 2**20
    (tmp_path / "bomb.png").write_bytes(png(packed_chunk(packed)))
    assert refusal(tmp_path / "bomb.png") == "the session in this picture is larger than 32 MB"


def test_a_chunk_that_claims_gigabytes_is_not_read(tmp_path: Path) -> None:
    content = SESSION_KEYWORD.encode() + b"\0"
    claimed = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4s", 2**31 - 1, b"tEXt") + content
    with (tmp_path / "claim.png").open("wb") as stream:
        stream.write(claimed)
        stream.truncate(2**32)
    assert refusal(tmp_path / "claim.png") == "the session in this picture is larger than 32 MB"


def test_millions_of_empty_chunks_are_not_all_read(tmp_path: Path) -> None:
    with (tmp_path / "many.png").open("wb") as stream:
        stream.write(b"\x89PNG\r\n\x1a\n" + chunk(b"teSt", b"") * 300_000)
    assert "too many chunks" in refusal(tmp_path / "many.png")


@pytest.mark.parametrize(
    "session",
    [
        packed_chunk(b"no deflate"),
        packed_chunk(zlib.compress(Document().to_json().encode())[:-8]),
        chunk(b"zTXt", SESSION_KEYWORD.encode() + b"\0"),
        chunk(b"zTXt", SESSION_KEYWORD.encode() + b"\0\7x"),
        chunk(b"iTXt", SESSION_KEYWORD.encode() + b"\0"),
        chunk(b"iTXt", SESSION_KEYWORD.encode() + b"\0\0\0no end"),
        text_chunk(Document().to_json().encode())[:-4] + b"\0\0\0\0",
    ],
)
def test_a_damaged_chunk_is_refused(tmp_path: Path, session: bytes) -> None:
    (tmp_path / "damaged.png").write_bytes(png(session))
    assert refusal(tmp_path / "damaged.png") == "the session in this picture is damaged"


def test_saving_where_nothing_can_be_written_keeps_the_older_session(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"^cannot write .*: the folder .* does not exist$"):
        save_session(Document(), tmp_path / "no" / "session.json")
    with pytest.raises(FileError, match=r": it is a folder$"):
        save_session(Document(), tmp_path)


def test_a_config_is_opened_and_its_file_named(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "marian", "d_model": 512}')
    path = tmp_path / "config.json"
    opened = with_config(Document(sentence="kept"), read_config(path), path)
    assert opened == Document(sentence="kept", encoding=Sinusoidal(512, layout="concatenated"))
    (tmp_path / "config.json").write_text('{"model_type": "marian", "d_model": 0}')
    config = read_config(path)
    with pytest.raises(FileError) as caught:
        with_config(Document(), config, path)
    assert str(caught.value) == (f"cannot open {tmp_path / 'config.json'}: d_model must be an integer >= 1, got 0")
    with (tmp_path / "config.json").open("wb") as stream:
        stream.truncate(2**40)
    with pytest.raises(FileError, match=r"larger than 4 MB$"):
        read_config(path)


def test_the_bound_is_the_sessions_own() -> None:
    assert MAXIMUM_BYTES == 32 * 2**20  # the sentences above say 32 MB
