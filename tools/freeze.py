"""The one-folder program, built with PyInstaller for the system that this runs on, and an archive of it.

    pip install -e ".[freeze]" && python tools/freeze.py --out dist

writes the folder dist/posenc and the archive dist/posenc-VERSION-SYSTEM.tar.xz, or .zip on Windows, and prints sizes.
A Linux archive runs on systems whose glibc is as new as that of the machine that built it.
"""

import argparse
import platform
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from third_party import write_licences

from posenc_core import __version__

HERE = Path(__file__).parent
MOST_MEGABYTES = 190


def build(out: Path) -> Path:
    """The folder of the program, built anew in ``out``, with the licences of all libraries in it."""
    work = out / "build"
    options = ("--noconfirm", "--log-level", "ERROR", "--distpath", out, "--workpath", work)
    subprocess.run([sys.executable, "-m", "PyInstaller", *options, HERE / "freeze.spec"], check=True)
    shutil.rmtree(work)
    program = out / "posenc"
    if sys.platform == "linux":
        _strip_python(program / "lib")
    write_licences(program)
    return program


def _strip_python(libraries: Path) -> None:
    """Remove the debugging symbols of Python's own libraries; those of wheels have none, and break when stripped."""
    for library in (*libraries.glob("libpython*"), *libraries.glob("python*/lib-dynload/*.so")):
        subprocess.run(["strip", "--strip-debug", library], check=True)


def archive_of(program: Path, name: str) -> Path:
    """The archive of the program beside its folder: ``name`` with .tar.xz, which keeps links, or .zip on Windows."""
    if sys.platform == "win32":
        path = program.with_name(f"{name}.zip")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zipped:
            for file in sorted(program.rglob("*")):
                zipped.write(file, Path(name) / file.relative_to(program))
        return path
    path = program.with_name(f"{name}.tar.xz")
    with tarfile.open(path, "w:xz", preset=6) as tar:
        tar.add(program, name)
    return path


def megabytes(path: Path) -> float:
    """The size of a file, or of all files of a folder without its links, in 10^6 bytes."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file() and not file.is_symlink()) / 1e6


def main() -> None:
    """Build the folder and the archive that the arguments ask for."""
    parser = argparse.ArgumentParser(description="Build the one-folder program and its archive.")
    parser.add_argument("--out", type=Path, default=Path("dist"), help="folder for what is built (default dist)")
    parser.add_argument("--no-archive", action="store_true", help="build the folder alone")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    program = build(arguments.out.resolve())
    built = [program]
    if not arguments.no_archive:
        built.append(archive_of(program, f"posenc-{__version__}-{sys.platform}-{platform.machine().lower()}"))
    for path in built:
        print(f"{path}: {megabytes(path):.0f} MB")  # noqa: T201
    if megabytes(program) > MOST_MEGABYTES:
        sys.exit(f"{program} has more than {MOST_MEGABYTES} MB: see with `du` what came into it")


if __name__ == "__main__":
    main()
