"""Files of a release beside the archives: wheels, a bill of materials, and the sums of all files.

    python tools/release.py wheels --out dist      the wheels of posenc and posenc-core (needs pip alone)
    python tools/release.py sbom --out dist        sbom.cdx.json of what they install (pip install cyclonedx-bom)
    python tools/release.py metainfo --out dist    the AppStream file with the release and pictures of its tag
    python tools/release.py sums --out dist        SHA256SUMS over all files in the folder

Each step runs on any machine as in the release workflow.
"""

import argparse
import datetime
import hashlib
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).parents[1]
SUMS = "SHA256SUMS"
SCREENSHOTS = {
    "window.png": "The encoding of a sentence as waves, colours and vectors, and how one number comes about",
    "long-context.png": "Wavelengths under six scalings, and the angles that training never showed",
}
"""The captions of pictures in docs/pictures."""


def wheels(out: Path) -> None:
    """Build the wheels of both distributions into the folder."""
    command = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", out)
    subprocess.run([*command, ROOT, ROOT / "tools" / "posenc-core"], check=True)


def sbom(out: Path) -> None:
    """Write a CycloneDX bill of materials of the folder's wheels and the libraries that are installed with them."""
    with tempfile.TemporaryDirectory() as fresh:  # without pip, and without what this step itself needs
        venv.create(fresh, symlinks=sys.platform != "win32")
        install = (sys.executable, "-m", "pip", "--python", fresh, "install", "--quiet", *sorted(out.glob("*.whl")))
        subprocess.run(install, check=True)
        options = ("--output-reproducible", "--output-format", "JSON", "--pyproject", ROOT / "pyproject.toml")
        command = (sys.executable, "-m", "cyclonedx_py", "environment", *options)
        subprocess.run((*command, "--output-file", out / "sbom.cdx.json", fresh), check=True)


def metainfo(out: Path) -> None:
    """Write the AppStream file of this version's release: validators take screenshots from the network alone.

    Variables of the release workflow name the address and the tag at which the pictures can be read.
    """
    sys.path.insert(0, str(ROOT))
    from posenc_core import __version__
    from posenc_gui.look.resources import DESKTOP_ID, resource

    try:
        address = "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/raw/{GITHUB_REF_NAME}".format_map(os.environ)
    except KeyError as error:
        sys.exit(f"{error.args[0]} is not set: the release workflow names the address of the pictures")
    shots = "".join(
        f"    <screenshot{kind}>\n      <caption>{caption}</caption>\n"
        f"      <image>{escape(address)}/docs/pictures/{name}</image>\n    </screenshot>\n"
        for kind, (name, caption) in zip((' type="default"', ""), SCREENSHOTS.items(), strict=True)
    )
    release = f'<release version="{__version__}" date="{datetime.datetime.now(datetime.UTC).date()}"/>'
    added = f"  <screenshots>\n{shots}  </screenshots>\n  <releases>{release}</releases>\n"
    text = resource("desktop", "metainfo.xml").read_text("utf-8").replace("{id}", DESKTOP_ID)
    before, mark, after = text.partition("  <content_rating")
    (out / f"{DESKTOP_ID}.metainfo.xml").write_text(before + added + mark + after, encoding="utf-8", newline="\n")


def sums(out: Path) -> None:
    """Write the SHA-256 sums of all files in the folder, in the form that ``sha256sum --check`` reads."""
    files = sorted(path for path in out.iterdir() if path.is_file() and path.name != SUMS)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (out / SUMS).write_text("".join(lines), encoding="utf-8", newline="\n")


def main() -> None:
    """Run the step that the arguments name."""
    steps = {"wheels": wheels, "sbom": sbom, "metainfo": metainfo, "sums": sums}
    parser = argparse.ArgumentParser(description="Make the parts of a release.")
    parser.add_argument("step", choices=steps)
    parser.add_argument("--out", type=Path, default=Path("dist"), help="folder of the release (default dist)")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    steps[arguments.step](arguments.out.resolve())


if __name__ == "__main__":
    main()
