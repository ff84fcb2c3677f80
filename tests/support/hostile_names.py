"""Names and sentences that are HTML, and files with them."""

import json
from pathlib import Path

import numpy as np
from safetensors_bench import write

from posenc_core import Document, Embedding, Sinusoidal
from posenc_gui.files.session import save_session

FAT = "fat"
TAGGED = f"<b>{FAT}"
"""How every name here begins: a text that shows the second part alone was read as HTML."""

NAME = f'{TAGGED}</b><img src="/dev/zero">'
FILE_NAME = f"{TAGGED}<img src=zero>&lt; R&D"
"""As far as a file's name can be HTML: there is no slash in it."""

DOCUMENT = Document(f"{NAME} &lt;p&gt; {TAGGED}</b>", encoding=Sinusoidal(6), embedding=Embedding("simulated"))


def table_file(folder: Path, name: str = NAME) -> Path:
    """A file with enough tensors for a filter above their list; each name begins with ``name``."""
    path = folder / f"{FILE_NAME}.safetensors"
    numbers = np.linspace(-1, 1, 40, dtype=np.float32).reshape(10, 4)
    write(path, {f"{name} {number}": ("F32", numbers) for number in range(10)})
    return path


def config_file(folder: Path) -> Path:
    """A model's config.json with two types of layers."""
    path = folder / FILE_NAME / "config.json"
    path.parent.mkdir()
    rope = {"rope_type": "default", "rope_theta": 10000.0}
    model = {"model_type": "llama", "head_dim": 8, "architectures": [NAME]}
    layers = {"rope_parameters": {NAME: rope, f"{NAME} 2": rope}}
    path.write_text(json.dumps(model | layers), encoding="utf-8")
    return path


def session_file(folder: Path) -> Path:
    """A session whose sentence is HTML."""
    path = folder / f"{FILE_NAME}.posenc"
    save_session(DOCUMENT, path)
    return path
