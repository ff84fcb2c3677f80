"""The icon of the frozen program for Windows and macOS, opened by another program."""

import importlib.util
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def icons():
    spec = importlib.util.spec_from_file_location("icons", ROOT / "tools" / "icons.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("format", "sizes"), [("ico", (16, 24, 32, 48, 64, 128, 256)), ("icns", (16, 32, 64, 128, 256, 512, 1024))]
)
def test_each_size_is_a_picture_of_the_same_icon(qapp, icons, format, sizes):
    content = getattr(icons, format)()
    with Image.open(io.BytesIO(content)) as opened:
        assert opened.format == format.upper()
        found = {(*each, 1)[0] * (*each, 1)[2]: each for each in opened.info["sizes"]}  # of macOS with their pixels
    assert found.keys() == set(sizes)
    with Image.open(io.BytesIO(icons.icon(256))) as drawn:
        small = np.asarray(drawn.convert("RGBA").resize((16, 16))).astype(int)
    for size in sizes:
        with Image.open(io.BytesIO(content)) as opened:
            picture = getattr(opened, format).getimage(found[size])
            assert picture.size == (size, size)
            seen = np.asarray(picture.convert("RGBA").resize((16, 16))).astype(int)
        assert np.abs(seen - small).mean() < 12


@pytest.mark.one_of(3)
@pytest.mark.parametrize(("system", "name"), [("win32", "posenc.ico"), ("darwin", "posenc.icns"), ("linux", None)])
def test_the_file_of_the_system_is_written(qapp, icons, monkeypatch, tmp_path, system, name):
    monkeypatch.setattr(icons.sys, "platform", system)
    path = icons.write_icon(tmp_path)
    assert path == (None if name is None else tmp_path / name)
    assert [each.name for each in tmp_path.iterdir()] == ([] if name is None else [name])
