"""Writing a film: frames of one size, painted as exported pictures are, then the file; no half-written file."""

from pathlib import Path

from msgspec.structs import replace
from PySide6.QtGui import QImage, QPainter

from posenc_core.tables import Cancelled, ProgressCallback, never_cancelled
from posenc_gui.export import Layout, Picture, PictureOptions, image_of, layout_of, png_bytes
from posenc_gui.files import FileError, writing
from posenc_gui.film.containers import content_of, format_problem
from posenc_gui.film.shots import Film

MOST_PIXELS = 300_000_000
"""Pixels of all frames together, which Pillow keeps in memory with 3 bytes each."""

_PAINTED = 0.9
"""The share of the work that paints frames."""


def write_film(
    film: Film,
    path: Path,
    format: str,
    options: PictureOptions,
    progress: ProgressCallback = never_cancelled,
) -> None:
    """Write a film as ``gif``, ``apng``, ``webp`` or ``mp4``.

    FileError with one sentence if it cannot be made, Cancelled once ``progress`` returns False; neither leaves a file.
    """
    problem = format_problem(format)
    if problem:
        raise FileError(problem)
    frames = _painted(film, options, lambda done: progress(_PAINTED * done))
    joined = 0

    def watch() -> None:
        nonlocal joined
        joined += 1
        if not progress(min(1.0, _PAINTED + (1 - _PAINTED) * joined / len(frames))):
            raise Cancelled

    content = content_of(frames, format, film.milliseconds, watch)
    with writing(path) as stream:
        stream.write(content)


def _painted(film: Film, options: PictureOptions, progress: ProgressCallback) -> list[bytes]:
    """A PNG file per frame, all of the size of the largest; errors as for exported pictures.

    Frames of one panel have one layout, so that no axis moves when a label grows. ``progress`` is called with the
    fraction done. The first frame contains the session. FileError with one sentence for a film of more than
    ``MOST_PIXELS``.
    """
    frames, sizes, count = list[bytes](), list[tuple[int, int]](), len(film.shots)
    _check_size(film, options, progress)
    layouts = _layouts(film, options, progress)
    for index, shot in enumerate(film.shots):

        def part(done: float, index: int = index) -> bool:
            return progress((index + done) / count)

        if not progress(index / count):
            raise Cancelled
        look = replace(options, mark=shot.cursor is not None)
        picture = Picture(shot.panel, shot.document, shot.cursor, layout=layouts[shot.panel])
        image = image_of(picture, look, part)
        sizes.append((image.width(), image.height()))
        frames.append(png_bytes(image))
    whole = (max(width for width, _ in sizes), max(height for _, height in sizes))
    return [
        frame if size == whole else _enlarged(frame, whole, options) for frame, size in zip(frames, sizes, strict=True)
    ]


def _layouts(film: Film, options: PictureOptions, progress: ProgressCallback) -> dict[str, Layout]:
    """For each panel the least layout that has room for all its frames."""
    layouts = dict[str, Layout]()
    for shot in film.shots:
        if not progress(0.0):
            raise Cancelled
        own = layout_of(Picture(shot.panel, shot.document, shot.cursor), options)
        layouts[shot.panel] = own.with_room_for(layouts.get(shot.panel, own))
    return layouts


def _check_size(film: Film, options: PictureOptions, progress: ProgressCallback) -> None:
    first, count = film.shots[0], len(film.shots)
    image = image_of(Picture(first.panel, first.document, first.cursor), options, lambda done: progress(0.0))
    width, height = image.width(), image.height()
    if count * width * height > MOST_PIXELS:
        raise FileError(
            f"a film has at most {MOST_PIXELS // 10**6:,} million pixels in all, {count} frames of {width} x {height} "
            f"have {count * width * height / 1e6:,.0f} million; choose fewer seconds, or a smaller size or scale"
        )


def _enlarged(frame: bytes, size: tuple[int, int], options: PictureOptions) -> bytes:
    """The frame with background below and to its right, as captions of other lengths have other heights."""
    image = QImage.fromData(frame)
    canvas = QImage(*size, image.format())
    canvas.fill(options.background_color)
    painter = QPainter(canvas)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
    painter.drawImage(0, 0, image)
    painter.end()
    for key in image.textKeys():
        canvas.setText(key, image.text(key))
    return png_bytes(canvas)
