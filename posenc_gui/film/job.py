"""Writing a film: its frames, then the file, with progress and cancelling; no half-written file."""

from pathlib import Path

from posenc_core.tables import Cancelled, ProgressCallback, never_cancelled
from posenc_gui.export import PictureOptions
from posenc_gui.files import FileError, writing
from posenc_gui.film.containers import content_of, format_problem
from posenc_gui.film.frames import painted
from posenc_gui.film.shots import Film

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
    frames = painted(film, options, lambda done: progress(_PAINTED * done))
    joined = 0

    def watch() -> None:
        nonlocal joined
        joined += 1
        if not progress(min(1.0, _PAINTED + (1 - _PAINTED) * joined / len(frames))):
            raise Cancelled

    content = content_of(frames, format, film.milliseconds, watch)
    with writing(path) as stream:
        stream.write(content)
