"""What the export dialog writes: files by their names, one by one, watched and cancelled from outside."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

from msgspec import Struct

from posenc_core import Document
from posenc_core.fields import one_line
from posenc_core.tables import Cancelled
from posenc_gui.export.numbers import expected_bytes, size_sentence, write_numbers
from posenc_gui.export.pictures import PICTURE_FORMATS, Picture, PictureOptions, image_of, picture_bytes, png_bytes
from posenc_gui.figures.figure import Window
from posenc_gui.files.atomic import make_folder, writing
from posenc_gui.files.errors import FileError
from posenc_gui.model.cursor import Cursor

FileProgress = Callable[[float, Path], bool]
"""Call with the fraction done and the file at work; returns False once the user cancels."""

NUMBERS_NAME = "vectors"

_POLL_SECONDS = 0.03


class ExportFile(Struct, frozen=True):
    """One file to write; ``panel`` is None for numbers."""

    name: str
    format: str
    panel: str | None = None


class ExportJob(Struct, frozen=True):
    """Everything that decides what is written: what is shown, which panels, which formats, and how they look."""

    document: Document
    cursor: Cursor | None
    windows: Mapping[str, Window | None]
    panels: tuple[str, ...]
    formats: tuple[str, ...]
    options: PictureOptions

    @property
    def has_pictures(self) -> bool:
        """Whether any picture is written."""
        return bool(self.panels) and any(format in PICTURE_FORMATS for format in self.formats)

    def picture(self, panel: str) -> Picture:
        """The panel's picture, of the part that is in view."""
        return Picture(panel, self.document, self.cursor, self.windows.get(panel))

    def files(self) -> tuple[ExportFile, ...]:
        """The files in the order in which they are written: each format's pictures, then the numbers."""
        pictures = [format for format in self.formats if format in PICTURE_FORMATS]
        numbers = [format for format in self.formats if format not in PICTURE_FORMATS]
        return (
            *(ExportFile(f"{panel}.{format}", format, panel) for format in pictures for panel in self.panels),
            *(ExportFile(f"{NUMBERS_NAME}.{format}", format) for format in numbers),
        )

    def large(self) -> str:
        """What files of more than 1 GB will take, in a sentence; empty where there are none."""
        query = None if self.cursor is None else self.cursor.query
        numbers = [file for file in self.files() if file.panel is None]
        return size_sentence({file.name: expected_bytes(self.document, file.format, None, query) for file in numbers})

    def existing(self, folder: Path) -> tuple[Path, ...]:
        """Which of the files are in the folder already."""
        paths = (folder / file.name for file in self.files())
        return tuple(path for path in paths if os.path.lexists(path))


def prepared_folder(text: str, base: Path) -> Path:
    """The folder that was typed, its last level created if need be; ``base`` is what a relative one begins in.

    FileError with one sentence where there is no such folder and none can be made.
    """
    if not text.strip():
        raise FileError("there is no folder to write to; type one")
    try:
        folder = base / Path(text.strip()).expanduser()
    except RuntimeError as error:  # ~somebody, where there is no such person
        raise FileError(f"cannot find the folder {one_line(text.strip())}: there is no such user") from error
    make_folder(folder)
    return folder


def replace_question(existing: Sequence[Path]) -> str:
    """The question whether files that are there may be replaced, in two short sentences."""
    first, others = existing[0].name, len(existing) - 1
    if not others:
        return f"{first} exists. Replace it?"
    return f"{first} and {others} other {'file' if others == 1 else 'files'} exist. Replace them?"


def write_files(job: ExportJob, folder: Path, progress: FileProgress) -> Iterator[Path]:
    """Each path, once its file is written; ends early once ``progress`` returns False, which leaves no half file.

    FileError with one sentence for the first file that cannot be written.
    """
    files = job.files()
    for index, file in enumerate(files):
        part = _Part(progress, folder / file.name, index / len(files), 1 / len(files))
        if not part(0.0):
            return
        write = _write_numbers if file.panel is None else _write_picture
        if not write(job, file, part):
            return
        yield part.path


class _Part(Struct, frozen=True):
    """The progress of one file among all."""

    progress: FileProgress
    path: Path
    start: float
    size: float

    def __call__(self, done: float) -> bool:
        return self.progress(self.start + self.size * done, self.path)


def _write_numbers(job: ExportJob, file: ExportFile, part: _Part) -> bool:
    query = None if job.cursor is None else job.cursor.query
    return write_numbers(job.document, part.path, file.format, progress=part, query=query)


def _write_picture(job: ExportJob, file: ExportFile, part: _Part) -> bool:
    assert file.panel is not None
    picture = job.picture(file.panel)
    try:
        if file.format == "png":
            content = _encoded(picture, job.options, part)
        else:
            content = picture_bytes(picture, file.format, job.options, part)
    except Cancelled:
        return False
    if content is None:
        return False
    with writing(part.path) as stream:
        stream.write(content)
    return True


def _encoded(picture: Picture, options: PictureOptions, part: _Part) -> bytes | None:
    """The PNG file's content, None where it is not wanted any more.

    Packing a large picture takes seconds, painting it a tenth of that: the one needs no window and is done in a
    thread, while the other must stay here.
    """
    image = image_of(picture, options, lambda done: part(done / 2))
    pool = ThreadPoolExecutor(max_workers=1)
    try:
        packed = pool.submit(png_bytes, image)
        while not wait([packed], _POLL_SECONDS).done:
            if not part(0.5):
                return None
        return packed.result()
    finally:
        pool.shutdown(wait=False)
