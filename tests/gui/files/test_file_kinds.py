"""The content of a file decides what it is opened as."""

import json
import os

import numpy as np
import pytest

from posenc_core import Document
from posenc_gui.files.file_kinds import FileKind, recognized
from posenc_gui.files.session import save_session

TENSOR = json.dumps({"w": {"dtype": "F32", "shape": [1, 1], "data_offsets": [0, 4]}}).encode()


def numpy_bytes(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((2, 2)))
    return (tmp_path / "a.npy").read_bytes()


@pytest.mark.parametrize("name", ["a.posenc", "a.json", "config.json", "a.npy", "a.png", "a"])
def test_the_content_of_a_file_decides_and_not_its_name(tmp_path, name):
    path = tmp_path / "other" / name
    path.parent.mkdir()
    save_session(Document(), path)
    assert recognized(path).kind is FileKind.SESSION
    path.write_bytes(numpy_bytes(tmp_path))
    assert recognized(path).kind is FileKind.TABLE
    path.write_bytes(len(TENSOR).to_bytes(8, "little") + TENSOR + bytes(4))
    assert recognized(path).kind is FileKind.TABLE
    for config in ({"model_type": "llama", "x": 3}, {"rope_theta": 1e4}):
        path.write_text("\n " + json.dumps(config))
        assert recognized(path).kind is FileKind.MODEL
        path.write_bytes(b"\xef\xbb\xbf" + json.dumps(config).encode())
        assert recognized(path).kind is FileKind.MODEL


@pytest.mark.parametrize("content", [b"", b"\0" * 20, b"{", b"{}", b"{" * 9000, b"MZ\x90"])
def test_a_file_of_unknown_content_goes_by_its_name(tmp_path, content):
    wanted = {"a.npy": FileKind.TABLE, "b.SafeTensors": FileKind.TABLE, "config.json": FileKind.MODEL}
    for name in (*wanted, "a.posenc", "other.json", "a"):
        (tmp_path / name).write_bytes(content)
        assert recognized(tmp_path / name).kind is wanted.get(name, FileKind.SESSION)


def test_numbers_in_text_and_archives_are_told_by_their_names_and_their_first_bytes(tmp_path):
    np.savez(tmp_path / "archive", np.arange(3))
    for name in ("list.json", "list", "table.csv", "print.TXT", "archive.npz"):
        if name != "archive.npz":
            (tmp_path / name).write_text("[1, 2]" if name.startswith("list") else "tensor([1, 2])")
        assert recognized(tmp_path / name).kind is FileKind.NUMBERS
    for name, kind in (("a.posenc", FileKind.SESSION), ("config.json", FileKind.MODEL), ("a.npy", FileKind.TABLE)):
        (tmp_path / name).write_text("[1, 2]")
        assert recognized(tmp_path / name).kind is kind


def test_an_unreadable_file_goes_by_its_name(tmp_path):
    assert recognized(tmp_path).kind is FileKind.MODEL
    assert recognized(tmp_path / "missing.npy").kind is FileKind.TABLE
    assert recognized(tmp_path / "missing").kind is FileKind.SESSION
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        assert recognized(tmp_path / "pipe").kind is FileKind.SESSION


def test_a_params_json_is_a_model(tmp_path):
    """Llama 2's and Mistral 7B's have none of the keys of a config.json."""
    path = tmp_path / "params.json"
    path.write_text(json.dumps({"dim": 4096, "n_layers": 32, "n_heads": 32, "norm_eps": 1e-5}), encoding="utf-8")
    assert recognized(path).kind is FileKind.MODEL
