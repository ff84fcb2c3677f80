"""The error of a file that cannot be read or written, as one sentence that names the file and the reason."""

import errno
import os
from pathlib import Path

from posenc_core.fields import one_line


class FileError(Exception):
    """A file cannot be read or written; the message is one sentence that names the file and the reason."""


def sentence(verb: str, path: Path, error: OSError | ValueError) -> str:
    """One sentence: the failed action, the file, and the reason."""
    return f"cannot {verb} {shown(path)}: {reason(verb, path, error)}"


def shown(path: Path | str) -> str:
    """The path in at most 240 characters of one line: unprintable characters escaped, the middle omitted."""
    text = one_line(str(path))
    return text if len(text) <= 240 else f"{text[:120]}...{text[-80:]}"


_REASONS = {
    errno.EACCES: "permission is denied",
    errno.EPERM: "permission is denied",
    errno.EROFS: "the disk is read-only",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk space allotted to you is used up",
    errno.EFBIG: "the file would be larger than the system allows",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EEXIST: "this disk cannot replace a file; use another name",
    errno.EISDIR: "it is a folder",
    errno.ELOOP: "its symbolic links lead in a circle",
}


def reason(verb: str, path: Path, error: OSError | ValueError) -> str:
    """Why the file cannot be used, without its name, in one line."""
    if not isinstance(error, OSError):
        impossible = isinstance(error, UnicodeError) or "embedded null" in str(error)
        return "the name contains a character that no file name can have" if impossible else one_line(str(error))
    if error.errno == errno.ENOENT:
        return _missing(verb, path)
    if error.errno == errno.ENOTDIR:
        file = next((parent for parent in path.parents if parent.is_file()), path.parent)
        return f"{shown(file)} is not a folder"
    words = error.strerror or str(error)
    return _REASONS.get(error.errno or 0, one_line(words[:1].lower() + words[1:]))


def _missing(verb: str, path: Path) -> str:
    """The missing part of a path: a folder, the file, or the current folder. A folder as /proc accepts no files."""
    try:
        real = Path(os.path.realpath(path))
    except FileNotFoundError:  # only of a relative path
        return "the current folder was deleted"
    for parent in (path.parent, real.parent):
        if not os.path.exists(parent):  # noqa: PTH110 - Path.exists raises where a folder may not be searched
            return f"the folder {shown(parent)} does not exist"
    return "there is no such file" if verb == "open" else f"the folder {shown(path.parent)} accepts no files"
