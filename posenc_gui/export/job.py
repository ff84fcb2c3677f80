"""The files of the export dialog: written one after the other, with progress and cancelling."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from posenc_core import Document
from posenc_core.tables import Cancelled
from posenc_gui.export.drawn_numbers import OWN_FORMAT, drawn_panels, write_drawn_numbers
from posenc_gui.export.grid import FIGURE_NAME, Grid
from posenc_gui.export.mosaic import Mosaic
from posenc_gui.export.names import CAPTION_FORMAT, NUMBERS_NAME, PICTURE_FORMATS, remove_leftovers
from posenc_gui.export.numbers import NUMBER_FORMATS, expected_bytes, size_sentence, write_numbers
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.pictures import Drawing, image_of, picture_bytes, png_bytes
from posenc_gui.files import writing
from posenc_gui.model import Cursor
from posenc_gui.plotting import Window

FileProgress = Callable[[float, Path], bool]
"""Call with the fraction done and the file at work; returns False once the user cancels."""

_POLL_SECONDS = 0.03


class ExportFile(Struct, frozen=True):
    """A file to write; ``panel`` is None for the tokens' numbers, and the figure's name for several panels in one."""

    name: str
    format: str
    panel: str | None = None


class ExportJob(Struct, frozen=True):
    """An export: the document and the part in view, the panels, the formats, and the options of pictures.

    ``sizes`` are the panels' sizes on the screen, for pictures without another size. With ``caption_files`` each
    picture's caption is written as text. With a ``grid`` the pictures are one figure.
    """

    document: Document
    cursor: Cursor | None
    windows: Mapping[str, Window | None]
    panels: tuple[str, ...]
    formats: tuple[str, ...]
    options: PictureOptions
    sizes: Mapping[str, tuple[int, int]] = {}
    caption_files: bool = False
    grid: Grid | None = None

    @property
    def drawn(self) -> tuple[str, ...]:
        """The names of the pictures: the panels', or the figure's."""
        return self.panels if self.grid is None else (FIGURE_NAME,)

    @property
    def has_pictures(self) -> bool:
        """Whether any picture is written."""
        return bool(self.panels) and any(format in PICTURE_FORMATS for format in self.formats)

    def picture(self, name: str) -> Drawing:
        """The picture of that name, each panel's of the part in view."""
        if name == FIGURE_NAME and self.grid is not None:
            return Mosaic(tuple(map(self._picture, self.panels)), self.grid)
        return self._picture(name)

    def _picture(self, panel: str) -> Picture:
        return Picture(panel, self.document, self.cursor, self.windows.get(panel))

    def options_for(self, panel: str) -> PictureOptions:
        """Options of the panel's picture: without a size on paper, as large as the panel on the screen."""
        return replace(self.options, size=self.sizes.get(panel)) if self.options.page is None else self.options

    def files(self) -> tuple[ExportFile, ...]:
        """The files in the order of writing: the pictures of each format, their captions, then the numbers."""
        pictures = [format for format in self.formats if format in PICTURE_FORMATS]
        if pictures and self.caption_files:
            pictures.append(CAPTION_FORMAT)
        numbers = [format for format in self.formats if format not in PICTURE_FORMATS]
        drawn = drawn_panels(self.panels) if OWN_FORMAT in numbers else ()
        if drawn and len(drawn) == len(self.panels):
            numbers.remove(OWN_FORMAT)
        return (
            *(ExportFile(f"{panel}.{format}", format, panel) for format in pictures for panel in self.drawn),
            *(ExportFile(f"{panel}.{OWN_FORMAT}", OWN_FORMAT, panel) for panel in drawn),
            *(ExportFile(f"{NUMBERS_NAME}.{format}", format) for format in numbers),
        )

    def large(self) -> str:
        """A sentence with the sizes of files above 1 GB; empty if there are none."""
        query = None if self.cursor is None else self.cursor.query
        numbers = [file for file in self.files() if file.panel is None]
        return size_sentence({file.name: expected_bytes(self.document, file.format, None, query) for file in numbers})

    def existing(self, folder: Path) -> tuple[Path, ...]:
        """The paths of the files that exist in the folder."""
        paths = (folder / file.name for file in self.files())
        return tuple(path for path in paths if os.path.lexists(path))


def replace_question(existing: Sequence[Path]) -> str:
    """The question whether existing files may be replaced."""
    first, others = existing[0].name, len(existing) - 1
    if not others:
        return f"{first} exists. Replace it?"
    return f"{first} and {others} other {'file' if others == 1 else 'files'} exist. Replace them?"


def write_files(job: ExportJob, folder: Path, progress: FileProgress) -> Iterator[Path]:
    """Write the files one by one and yield their paths; ends early, without a partial file, if ``progress`` cancels.

    FileError with one sentence for the first file that cannot be written.
    """
    remove_leftovers(folder)
    files = job.files()
    for index, file in enumerate(files):
        part = _Part(progress, folder / file.name, index / len(files), 1 / len(files))
        if not part(0.0):
            return
        write = _write_numbers if file.format in NUMBER_FORMATS else _write_picture
        if not write(job, file, part):
            return
        yield part.path


class _Part(Struct, frozen=True):
    """The progress of one of several files."""

    progress: FileProgress
    path: Path
    start: float
    size: float

    def __call__(self, done: float) -> bool:
        return self.progress(self.start + self.size * done, self.path)


def _write_numbers(job: ExportJob, file: ExportFile, part: _Part) -> bool:
    query = None if job.cursor is None else job.cursor.query
    if file.panel is not None:
        return write_drawn_numbers(file.panel, job.document, part.path, part, query)
    return write_numbers(job.document, part.path, file.format, progress=part, query=query)


def _write_picture(job: ExportJob, file: ExportFile, part: _Part) -> bool:
    assert file.panel is not None
    picture, options = job.picture(file.panel), job.options_for(file.panel)
    try:
        if file.format == "png":
            content = _encoded(picture, options, part)
        else:
            content = picture_bytes(picture, file.format, options, part)
    except Cancelled:
        return False
    if content is None:
        return False
    with writing(part.path) as stream:
        stream.write(content)
    return True


def _encoded(picture: Drawing, options: PictureOptions, part: _Part) -> bytes | None:
    """The content of the PNG file, None if cancelled.

    Compressing a large picture needs seconds, ten times as long as painting it, and is done in a thread; painting
    needs the main thread.
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
