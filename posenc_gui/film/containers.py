"""Films as the content of a file: APNG joined from PNG frames, GIF and WebP by Pillow, MP4 by ffmpeg; no Qt."""

import io
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from posenc_gui.files import FileError

if TYPE_CHECKING:
    from PIL.Image import Image

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PILLOW = (
    "needs Pillow, which the program in one folder lacks; use apng, which needs nothing"
    if getattr(sys, "frozen", False)
    else 'needs Pillow: pip install "posenc[film]"; apng needs nothing'
)
_FFMPEG = "needs the program ffmpeg, which is not on the path; apng needs nothing, gif and webp need Pillow"

_POLL_SECONDS = 0.05

Watch = Callable[[], object]
"""Called before each frame; raises Cancelled to stop."""


def format_problem(format: str) -> str:
    """A sentence on missing requirements for films of the format; empty if none is missing."""
    if format == "mp4":
        return "" if shutil.which("ffmpeg") else f"mp4 {_FFMPEG}"
    if format in ("gif", "webp"):
        try:
            import PIL.Image  # noqa: F401
        except ImportError:
            return f"{format} {_PILLOW}"
    return ""


def content_of(frames: Sequence[bytes], format: str, milliseconds: float, watch: Watch) -> bytes:
    """The content of a film of PNG ``frames`` of one size, each shown for ``milliseconds``; FileError if that fails."""
    problem = format_problem(format)
    if problem:
        raise FileError(problem)
    return {"apng": _apng, "gif": _gif, "webp": _webp, "mp4": _mp4}[format](frames, milliseconds, watch)


def _apng(frames: Sequence[bytes], milliseconds: float, watch: Watch) -> bytes:
    """An animated PNG (PNG Specification, 3rd edition, "Animation information"), with all text of the first frame."""
    written, sequence = [_SIGNATURE], 0
    for index, frame in enumerate(frames):
        watch()
        chunks = list(_chunks(frame))
        header = chunks[0][1]
        if not index:
            texts = [(kind, data) for kind, data in chunks[1:] if kind not in (b"IDAT", b"IEND")]
            written += [_chunk(b"IHDR", header), _chunk(b"acTL", struct.pack(">II", len(frames), 0))]
            written += [_chunk(kind, data) for kind, data in texts]
        place = struct.pack(">IIII", *struct.unpack(">II", header[:8]), 0, 0)
        shown = struct.pack(">HHBB", round(milliseconds), 1000, 0, 0)
        written.append(_chunk(b"fcTL", struct.pack(">I", sequence) + place + shown))
        sequence += 1
        for data in (data for kind, data in chunks if kind == b"IDAT"):
            if index:
                data = struct.pack(">I", sequence) + data
                sequence += 1
            written.append(_chunk(b"fdAT" if index else b"IDAT", data))
    return b"".join([*written, _chunk(b"IEND", b"")])


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The type and the data of each chunk of a PNG file."""
    at = len(_SIGNATURE)
    while at < len(png):
        (size,) = struct.unpack_from(">I", png, at)
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        at += size + 12


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _gif(frames: Sequence[bytes], milliseconds: float, watch: Watch) -> bytes:
    """A GIF with one palette of 256 colours per frame; its clock counts hundredths of a second."""
    return _by_pillow(frames, watch, "GIF", duration=max(20, round(milliseconds / 10) * 10), optimize=False, disposal=1)


def _webp(frames: Sequence[bytes], milliseconds: float, watch: Watch) -> bytes:
    """A lossless WebP."""
    return _by_pillow(frames, watch, "WEBP", duration=round(milliseconds), lossless=True, quality=50, method=2)


def _by_pillow(frames: Sequence[bytes], watch: Watch, format: str, **options: object) -> bytes:
    from PIL import Image

    def opened(frame: bytes) -> "Image.Image":
        watch()
        with Image.open(io.BytesIO(frame)) as image:
            return image.convert("RGB")

    first, *others = frames
    buffer = io.BytesIO()
    opened(first).save(buffer, format, save_all=True, append_images=map(opened, others), loop=0, **options)
    return buffer.getvalue()


def _mp4(frames: Sequence[bytes], milliseconds: float, watch: Watch) -> bytes:
    """H.264 in MP4 as every player shows it: 4:2:0, with an even width and height.

    FileError with one sentence if the folder for temporary files has no space for the frames or the film.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for index, frame in enumerate(frames):
            watch()
            _write_frame(folder / f"{index:04}.png", frame)
        film = folder / "film.mp4"
        told = _finished([
            "ffmpeg", "-loglevel", "error", "-framerate", f"{1000 / milliseconds:.6f}", "-i", str(folder / "%04d.png"),
            "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p",
            "-movflags", "+faststart", "-fflags", "+bitexact", "-flags:v", "+bitexact", str(film),
        ], watch)  # fmt: skip
        if not film.is_file():
            raise FileError(f"ffmpeg cannot make the film: {told or 'it printed no reason'}")
        return film.read_bytes()


def _write_frame(path: Path, frame: bytes) -> None:
    try:
        path.write_bytes(frame)
    except OSError as error:
        raise FileError(f"cannot write the frames to {path.parent}: {error.strerror}") from error


def _finished(command: list[str], watch: Watch) -> str:
    """The last line that a program printed, once it has ended; it is killed once ``watch`` raises."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as run:
        try:
            while True:
                try:
                    printed, _ = run.communicate(timeout=_POLL_SECONDS)
                except subprocess.TimeoutExpired:
                    watch()
                else:
                    return (printed.decode(errors="replace").strip().splitlines() or [""])[-1]
        except BaseException:
            run.kill()
            raise
