"""A clean process that runs Matplotlib scripts, and what their pictures show."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

_RUN_ALL = """
import json, sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

plt.show = lambda: None  # Agg has no window
with open("scripts.json", encoding="utf-8") as stream:
    scripts = json.load(stream)
found = {}
for number, script in enumerate(scripts):
    exec(compile(script, f"script {number}", "exec"), {"__name__": "script"})
    figure = plt.gcf()
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())[..., :3]
    found[f"{number} pixels"] = pixels
    for place, axes in enumerate(figure.axes):
        for kind, artists in (("line", axes.lines), ("image", axes.images)):
            for index, artist in enumerate(artists):
                data = artist.get_xydata() if kind == "line" else np.ma.filled(artist.get_array(), np.nan)
                found[f"{number} {kind} {place} {index}"] = np.asarray(data, float)
                if kind == "image":
                    left, right, bottom, top = artist.get_extent()
                    rows, columns = data.shape
                    x = left + (np.arange(columns) + 0.15) * (right - left) / columns
                    y = top + (np.arange(rows) + 0.15) * (bottom - top) / rows
                    corners = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
                    across, up = np.moveaxis(axes.transData.transform(corners), -1, 0)
                    down = np.clip(len(pixels) - 1 - up.astype(int), 0, len(pixels) - 1)
                    colours = pixels[down, across.astype(int)].reshape(rows, columns, 3)
                    found[f"{number} colours {place} {index}"] = colours
        for index, artist in enumerate(axes.collections):
            if isinstance(artist, matplotlib.collections.PathCollection):
                found[f"{number} dots {place} {index}"] = np.asarray(artist.get_offsets(), float)
            elif artist.get_paths():
                found[f"{number} area {place} {index}"] = artist.get_paths()[0].vertices
        if axes.containers:
            found[f"{number} bars {place}"] = np.array([bar.get_height() for bar in axes.containers[0]])
    texts = figure.findobj(matplotlib.text.Text)
    texts += [cell.get_text() for axes in figure.axes for table in axes.tables for cell in table.get_celld().values()]
    words = [text.get_text() for text in texts if text.get_visible() and text.get_text()]
    found[f"{number} words"] = np.array(words or [""])
    plt.close("all")
assert not [name for name in sys.modules if name.startswith("posenc")]
np.savez("found.npz", **found)
"""


def run_plots(scripts: list[str], folder: Path) -> list[dict[str, Any]]:
    """For each script its ``pixels``, ``words``, lines, images, and ``colours``, a pixel near the corner of each cell.

    Also the dots of scatters, the corners of filled areas, and the heights of bars.

    All run in one process that knows no PosEnc, in which warnings are errors.
    """
    (folder / "scripts.json").write_text(json.dumps(scripts), encoding="utf-8")
    command = [sys.executable, "-I", "-W", "error", "-c", _RUN_ALL]
    environment = {**os.environ, "MPLCONFIGDIR": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not done.stdout
    with np.load(folder / "found.npz") as found:
        pictures: list[dict[str, Any]] = [{} for _ in scripts]
        for name in found.files:
            number, _, what = name.partition(" ")
            pictures[int(number)][what] = found[name]
    return pictures
