"""An MP4, by the programs that make and read one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from desktop import ROOT

pytestmark = pytest.mark.real_window


def test_a_sweep_as_mp4_has_all_frames_at_their_time_and_is_the_same_twice(tmp_path: Path) -> None:
    contents = []
    for folder in ("one", "two"):
        words = ["--film", "sweep:base=10..1e4", "--seconds", "1", "--panel", "waves", "--format", "mp4"]
        command = [sys.executable, str(ROOT / "main.py"), "export", *words, "--size", "301x201", "--scale", "1"]
        subprocess.run([*command, "--out", folder], cwd=tmp_path, check=True, capture_output=True)
        contents.append((tmp_path / folder / "waves.mp4").read_bytes())
    assert contents[0] == contents[1]
    asked = "stream=nb_read_frames,width,height,pix_fmt,codec_name,duration"
    told = subprocess.run(
        ["ffprobe", "-v", "error", "-count_frames", "-show_entries", asked, "-of", "json", "one/waves.mp4"],
        cwd=tmp_path, check=True, capture_output=True,
    )  # fmt: skip
    (stream,) = json.loads(told.stdout)["streams"]
    assert (stream["codec_name"], stream["pix_fmt"], stream["nb_read_frames"]) == ("h264", "yuv420p", "20")
    assert float(stream["duration"]) == pytest.approx(1)
    assert (stream["width"] % 2, stream["height"] % 2) == (0, 0)
