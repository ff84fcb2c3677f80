"""A clean process that runs Matplotlib scripts, and what their pictures show."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

_RUN_ALL = """
import contextlib, io, json, sys, traceback
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

plt.show = lambda: None  # Agg has no window


def run(scripts):
    found = {}
    for number, script in enumerate(scripts):
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            exec(compile(script, f"script {number}", "exec"), {"__name__": "script"})
        assert not said.getvalue(), said.getvalue()
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
        tables = [table for axes in figure.axes for table in axes.tables]
        texts += [cell.get_text() for table in tables for cell in table.get_celld().values()]
        words = [text.get_text() for text in texts if text.get_visible() and text.get_text()]
        found[f"{number} words"] = np.array(words or [""])
        plt.close("all")
    matplotlib.rcdefaults()
    assert not [name for name in sys.modules if name.startswith("posenc")]
    return found


for line in sys.stdin:
    scripts, target = json.loads(line)
    try:
        np.savez(target, **run(scripts))
        answer = ""
    except Exception:
        answer = traceback.format_exc()
        plt.close("all")
    print(json.dumps(answer), flush=True)
"""


class PlotRunner:
    """A process without PosEnc that runs one script after another, with warnings as errors."""

    def __init__(self, folder: Path) -> None:
        self._target = folder / "found.npz"
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-W", "error", "-c", _RUN_ALL],
            cwd=folder,
            env={**os.environ, "MPLCONFIGDIR": str(Path(os.environ["XDG_CACHE_HOME"], "matplotlib"))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, scripts: list[str]) -> list[dict[str, Any]]:
        """For each script its ``pixels``, ``words``, lines, images, and ``colours``, a pixel near each cell's corner.

        Also the dots of scatters, the corners of filled areas, and the heights of bars.
        """
        self._process.stdin.write(json.dumps([scripts, str(self._target)]) + "\n")
        self._process.stdin.flush()
        problem = json.loads(self._process.stdout.readline())
        assert not problem, problem
        with np.load(self._target) as found:
            pictures: list[dict[str, Any]] = [{} for _ in scripts]
            for name in found.files:
                number, _, what = name.partition(" ")
                pictures[int(number)][what] = found[name]
        return pictures

    def end(self) -> None:
        """End the process."""
        self._process.communicate()
        assert self._process.returncode == 0
