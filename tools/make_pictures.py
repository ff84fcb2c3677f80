"""Makes the README's pictures with the program's window and export command: python tools/make_pictures.py [FOLDER]."""

import contextlib
import os
import runpy
import shlex
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

WINDOWS = {
    "window.png": ("vectors",),
    "rotation.png": ("rotation", "gpt-j-6b"),
    "long-context.png": ("long_context", "yarn-llama-2-64k"),
    "story.png": ("story",),
    "lesson.png": ("vectors", "", "04-waves-instead-of-switches"),
}
"""The workspace, the preset and the lesson of each picture of the whole window."""

EXPORTED = {
    "waves.png": "--panel waves --d-model 8 --seq-len 24 --cursor 1,2 --size 960x400",
    "heatmap.png": "--panel heatmap --preset paper --d-model 128 --seq-len 128 --size 720x480",
    "tokens.png": "--panel tokens --d-model 6 --embedding simulated --cursor 1,2",
    "binary.png": "--panel waves --family binary --n-bits 5 --order lsb --seq-len 32 --cursor 2,1 --size 960x300",
    "alibi.png": "--panel pairs --family alibi --sentence 'The quick brown fox jumps' --cursor=-2,1 --size 560x340",
    "rotary.png": "--panel tokens --family rotary --head-dim 8 --embedding simulated --cursor 1,4",
    "spectrum.png": "--panel spectrum --preset llama-3.1-8b --size 800x480",
    "yarn.png": "--panel heatmap --preset yarn-llama-2-64k --seq-len 4096 --angles --size 720x420",
}
"""Arguments of the export command per picture; the sentence is the program's first sentence unless given."""

PICTURES = (*WINDOWS, *EXPORTED)


def make(name: str, folder: Path) -> Path:
    """The path of the picture of that name, written into the folder; RuntimeError if it cannot be made."""
    target = folder / name
    if name in WINDOWS:
        runpy.run_path(str(Path(__file__).with_name("window_picture.py")))["picture"](target, *WINDOWS[name])
        return target
    from posenc_gui.cli.export_command import export

    with tempfile.TemporaryDirectory() as made:
        with contextlib.redirect_stdout(None):
            status = export([*shlex.split(EXPORTED[name]), "--out", made])
        if status:
            raise RuntimeError(f"the export command refused {name}")
        (picture,) = Path(made).iterdir()
        target.write_bytes(picture.read_bytes())
    return target


if __name__ == "__main__":
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={os.path.relpath(ROOT / 'tests' / 'screen.json')}"
    os.environ["FONTCONFIG_FILE"] = str(ROOT / "tests" / "fonts.conf")  # pictures must not depend on the machine's
    sys.path.insert(0, str(ROOT))
    target_folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures"
    target_folder.mkdir(parents=True, exist_ok=True)
    for each in PICTURES:
        make(each, target_folder)
