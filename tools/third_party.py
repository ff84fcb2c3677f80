"""The licences of all parts of the one-folder program, in its folder THIRD-PARTY."""

import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import Distribution, PackagePath, distribution
from pathlib import Path

HERE = Path(__file__).parent
BUILDER = "pyinstaller"
_DOCUMENTS = Path("/usr/share/doc")
_LICENCE = re.compile(r"(.*/)?(licen[sc]e|copying|notice)[^/]*", re.IGNORECASE)
_NAME = re.compile(r"[\w.-]+")


def write_licences(program: Path) -> None:
    """Write the folder THIRD-PARTY into that of the program: a folder of licences per library, and a list of them."""
    folder = program / "THIRD-PARTY"
    shutil.copytree(HERE / "licences", folder)
    _copy([Path(sysconfig.get_path("stdlib"), "LICENSE.txt"), Path(sys.base_prefix, "LICENSE.txt")], folder / "Python")
    _copy([HERE.parent / "resources" / "fonts" / "LICENSE-Inter.txt"], folder / "Inter")
    lines = [f"Python {sys.version.split()[0]}: PSF-2.0", "Inter, the font: OFL-1.1"]
    for each in sorted(distributions("posenc"), key=lambda each: each.name.lower()):
        for text in _texts(each):  # several have one name, as numpy's own and those of what is in it
            _copy([Path(str(each.locate_file(text)))], folder / each.name / Path(*text.parts[1:]).parent)
        lines.append(f"{each.name} {each.version}: {licence_of(each)}")
    for package in sorted(_debian_packages(program / "lib")):
        _copy([_DOCUMENTS / package / "copyright"], folder / "Debian" / package)
        lines.append(f"Debian package {package}: THIRD-PARTY/Debian/{package}/copyright")
    (folder / "LIST.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def distributions(root: str) -> Iterator[Distribution]:
    """The installed distributions that the program needs, itself and extras left out, and PyInstaller's own."""
    names, seen = [root, BUILDER], set[str]()
    while names:
        each = distribution(names.pop())
        if each.name.lower() in seen:
            continue
        seen.add(each.name.lower())
        if each.name not in ("posenc", "posenc-core"):
            yield each
        if each.name != BUILDER:  # of which only the loader comes into the program
            names += [_NAME.match(need)[0] for need in each.requires or () if ";" not in need]


def licence_of(each: Distribution) -> str:
    """The licence that a distribution names: an expression, a short text or its classifiers."""
    named = each.metadata["License-Expression"] or (each.metadata["License"] or "").strip().partition("\n")[0]
    classes = [text for text in each.metadata.get_all("Classifier") or () if text.startswith("License ::")]
    return named or "; ".join(text.rpartition(" :: ")[2] for text in classes) or f"see {each.metadata['Home-page']}"


def _texts(each: Distribution) -> list[PackagePath]:
    """The licence files of a distribution, or its METADATA, which names the licence, if there are none."""
    described = [file for file in each.files or () if file.parts[0].endswith(".dist-info")]
    named = [file for file in described if _LICENCE.fullmatch(str(file))]
    return named or [file for file in described if file.name == "METADATA"]


def _copy(files: list[Path], folder: Path) -> None:
    for file in filter(Path.is_file, files):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, folder / file.name)


def _debian_packages(libraries: Path) -> set[str]:
    """The packages of the building machine that libraries in the folder come from; none where there is no dpkg."""
    names = [f"*/{file.name}" for file in libraries.glob("*.so*") if not file.is_symlink()]
    if not names or shutil.which("dpkg") is None:
        return set()
    found = subprocess.run(["dpkg", "--search", *names], capture_output=True, text=True, check=False).stdout
    lines = [line.split(": ") for line in found.splitlines() if not line.startswith("diversion")]
    return {owner.partition(":")[0] for owners, *_ in lines for owner in owners.split(", ")}
