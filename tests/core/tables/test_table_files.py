"""Tables in files: which tensor, in which type, and one sentence for each that cannot be opened."""

import json
import re
import struct
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from safetensors_bench import bfloat16_bits, write, write_raw

from posenc_core import LearnedTable, encode, tile
from posenc_core.tables.array_table import ArrayTable
from posenc_core.tables.table_files import open_table, tables_in

NUMBERS = (np.arange(24.0).reshape(8, 3) - 10) / 4
"""Numbers that every type holds exactly."""

TYPES = [("F64", "<f8"), ("F32", "<f4"), ("F16", "<f2")]


def refusal(path: Path, tensor: str | None = None) -> str:
    with pytest.raises(ValueError, match="cannot be opened: ") as caught:
        open_table(path, tensor)
    return str(caught.value).partition("cannot be opened: ")[2]


def all_of(table: ArrayTable) -> list[list[float]]:
    height, width = table.shape
    found: list[list[float]] = table.read(np.arange(height), np.arange(width)).tolist()
    return found


@pytest.mark.parametrize(("dtype", "numpy_type"), TYPES)
def test_each_type_is_read(tmp_path: Path, dtype: str, numpy_type: str) -> None:
    write(tmp_path / "model.safetensors", {"wpe.weight": (dtype, NUMBERS.astype(numpy_type))}, {"format": "pt"})
    table = open_table(tmp_path / "model.safetensors", "wpe.weight")
    assert isinstance(table.entries, np.memmap)
    assert all_of(table) == NUMBERS.tolist()
    assert table.label == "model.safetensors: wpe.weight"


def test_bfloat16_are_the_upper_halves_of_float32(tmp_path: Path) -> None:
    bits = bfloat16_bits(NUMBERS)
    assert bits[0, 0] == 0xC020, "-2.5 is 1 10000000 0100000"
    write(tmp_path / "model.safetensors", {"w": ("BF16", bits)})
    encoding = LearnedTable.from_file(tmp_path / "model.safetensors")
    assert encode(encoding, range(8)).tolist() == NUMBERS.tolist()
    assert encode(encoding, [7, 2], [1]).tolist() == [[3.0], [-0.75]]
    assert tile(encoding, (0, 8), (0, 3), (1, 1))[0, 0] == pytest.approx(NUMBERS.mean())
    assert encoding.range_over(0, 60) == (-3.25, 3.25)


def test_a_tensor_is_read_from_its_own_place(tmp_path: Path) -> None:
    """Also where the header's length leaves it at an odd byte."""
    for filler in range(8):
        tensors = {"x" * (filler + 1): ("U8", np.zeros(3, np.uint8)), "w": ("F32", NUMBERS.astype("<f4"))}
        write(tmp_path / "model.safetensors", tensors)
        assert all_of(open_table(tmp_path / "model.safetensors", "w")) == NUMBERS.tolist()
        assert [tensor.name for tensor in tables_in(tmp_path / "model.safetensors")] == ["w"]


def test_tables_are_listed_with_likely_positions_first(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    table, line = np.zeros((4, 2), "<f4"), np.zeros(4, "<f4")
    write(
        file,
        {
            "transformer.wte.weight": ("F32", table),
            "transformer.h.0.ln.bias": ("F32", line),
            "ids": ("I64", np.zeros((2, 2), np.int64)),
            "transformer.wpe.weight": ("F32", table),
            "decoder.embed_positions.weight": ("F16", table.astype("<f2")),
            "bert.embeddings.position_embeddings.weight": ("F32", table),
            "h.attn.bias": ("F32", np.stack([table, table])),
            "none": ("F32", np.zeros((0, 4), "<f4")),
        },
    )
    found = tables_in(file)
    assert [tensor.name for tensor in found] == [
        "transformer.wpe.weight",
        "decoder.embed_positions.weight",
        "bert.embeddings.position_embeddings.weight",
        "transformer.wte.weight",
    ]
    assert [tensor.is_positional for tensor in found] == [True, True, True, False]
    assert (found[1].dtype, found[1].shape) == ("F16", (4, 2))
    assert refusal(file).startswith("it contains 4 tables ('transformer.wpe.weight', ")
    assert refusal(file).endswith(" and 1 more); say which")
    assert refusal(file, "h.attn.bias").startswith("a table must have two axes")
    assert refusal(file, "none") == "a table must have at least one row and 1 to 65536 columns, got the shape (0, 4)"
    assert refusal(file, "ids") == "its tensor 'ids' is of type 'I64'; readable types are F64, F32, F16, BF16"
    assert refusal(file, "no").startswith("it contains no tensor 'no'; it has 'transformer.wte.weight', ")
    np.save(tmp_path / "table.npy", table)
    assert tables_in(tmp_path / "table.npy") == ()
    assert "it is not a .safetensors file" in refusal(tmp_path / "table.npy", "w")


GOOD = {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}

DAMAGED: list[tuple[Any, bytes, str]] = [
    ("{", b"", "its header ends too early"),
    ("{a", b"", "its header is not valid JSON ("),
    ("{}", b"", "it contains no table: none of its 0 tensors has rows and columns of real numbers"),
    ('{"a":' + "[" * 100_000, b"", "its header is nested too deeply"),
    ('{"a": ' + "9" * 5000 + "}", b"", "its header contains a number that is out of range"),
    (
        '{"a": {"dtype": "F32", "shape": [1' + "0" * 400 + "]}}",
        b"",
        "its header contains a number that is out of range",
    ),
    ("{" + "," * 2_000_001, b"", "its header lists too many tensors to be read"),
    ('{"a": {}, "a": {}}', b"", "its header has 'a' twice"),
    ('{"a": {"dtype": "F32", "dtype": "F16"}}', b"", "its header has 'dtype' twice"),
    ({"a": 3}, b"", "its tensor 'a' is damaged: it has no dtype"),
    ({"a": {**GOOD, "shape": [2, -2]}}, b"", "its tensor 'a' is damaged: its shape is [2, -2]"),
    ({"a": {**GOOD, "shape": [2, True]}}, b"", "its tensor 'a' is damaged: its shape is [2, True]"),
    ({"a": {**GOOD, "shape": "4"}}, b"", "its tensor 'a' is damaged: its shape is '4'"),
    ({"a": {**GOOD, "shape": [1] * 40}}, b"", "its tensor 'a' is damaged: its shape is [1, 1, 1"),
    ({"a": {**GOOD, "data_offsets": [16, 0]}}, b"", "its tensor 'a' is damaged: its data_offsets are [16, 0]"),
    ({"a": {**GOOD, "data_offsets": [0]}}, b"", "its tensor 'a' is damaged: its data_offsets are [0]"),
    ({"a": {**GOOD, "data_offsets": [0, 2**63]}}, b"", "its tensor 'a' is damaged: its data_offsets are [0, 922"),
    ({"a": {**GOOD, "shape": [2, 3]}}, bytes(16), "its tensor 'a' is damaged: (2, 3) of F32 do not take 16 bytes"),
    ({"a": {**GOOD, "shape": [2**40, 2**40]}}, bytes(16), "its tensor 'a' is damaged: (1099511627776, "),
    ({"a": GOOD, "b": {**GOOD, "data_offsets": [12, 28]}}, bytes(28), "its tensors 'a' and 'b' overlap"),
    ({"a": GOOD, "b": GOOD}, bytes(16), "its tensors 'a' and 'b' overlap"),
    ({"a": {"dtype": "F128", "shape": [2, 2], "data_offsets": [0, 8]}}, bytes(8), "it contains no table"),
    ({"a": GOOD}, bytes(15), "it is cut off: "),
]


@pytest.mark.parametrize(("header", "data", "reason"), DAMAGED, ids=[str(k) for k in range(len(DAMAGED))])
def test_a_damaged_header_gets_a_sentence(tmp_path: Path, header: Any, data: bytes, reason: str) -> None:
    write_raw(tmp_path / "model.safetensors", header, data)
    assert refusal(tmp_path / "model.safetensors").startswith(reason)
    with pytest.raises(ValueError, match=re.escape(reason)):
        tables_in(tmp_path / "model.safetensors")


def test_a_header_that_is_cut_off_gets_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    file.write_bytes(struct.pack("<Q", 1000) + b'{"a": ')
    assert refusal(file) == "it is cut off in its header: 1008 bytes are announced, 14 are there"
    file.write_bytes(struct.pack("<Q", 100_000_001) + b'{"a": ')
    assert refusal(file) == "it is not a readable .npy or .safetensors file"


def test_numbers_that_are_none_are_told_when_the_file_is_opened(tmp_path: Path) -> None:
    nan = np.array([[1, 0x7FC0], [0x7F80, 2]], "<u2")
    write(tmp_path / "model.safetensors", {"w": ("BF16", nan)})
    with pytest.raises(ValueError, match="the table has nan in row 0, column 1"):
        LearnedTable.from_file(tmp_path / "model.safetensors")


def test_a_header_of_many_tensors_needs_little_memory(tmp_path: Path) -> None:
    """The worst header that is looked at: a hundred megabytes of it are refused by their commas."""
    pytest.importorskip("resource")
    script = (
        "import resource, sys; from posenc_core.tables.table_files import tables_in\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try: tables_in(sys.argv[1])\n"
        "except ValueError as error: print(str(error)[-40:])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    entry = ',"{:07d}":{{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}'
    first, last, count = b'{"a":0', b"}", 1_400_000
    size = len(first) + count * len(entry.format(0)) + len(last)
    assert 80_000_000 < size < 100_000_000
    with (tmp_path / "model.safetensors").open("wb") as file:
        file.write(size.to_bytes(8, "little") + first)
        file.writelines(entry.format(k).encode() for k in range(count))
        file.write(last)
    ran = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "model.safetensors")], capture_output=True, text=True, check=True
    )
    said, kilobytes = ran.stdout.splitlines()
    assert said == "s header lists too many tensors to be read"[-40:]
    assert int(kilobytes) < 250_000


def test_ten_gigabytes_are_opened_and_not_read(tmp_path: Path) -> None:
    """The file is one hole but for its header and its last number, and takes no room on the disk."""
    file = tmp_path / "model.safetensors"
    rows, width = 7_000_000, 768
    size = rows * width * 2
    write_raw(file, {"w": {"dtype": "F16", "shape": [rows, width], "data_offsets": [0, size]}})
    with file.open("r+b") as stream:
        stream.truncate(stream.seek(0, 2) + size)
        stream.seek(-2, 2)
        stream.write(np.float16(2.5).tobytes())
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    encoding = LearnedTable.from_file(file)
    assert encode(encoding, [0, rows - 1], [0, width - 1]).tolist() == [[0, 0], [0, 2.5]]
    assert tile(encoding, (rows - 10, rows), (0, width), (1, 768))[0, -1] == 0.25
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) < 100_000, "kilobytes"


def mutated(content: bytes, drawn: Random) -> bytes:
    """The content with some bytes changed, cut, doubled, or a number of its header replaced."""
    changed = bytearray(content)
    for _ in range(drawn.choice([1, 1, 2, 8])):
        place = drawn.randrange(len(changed)) if drawn.random() < 0.3 else drawn.randrange(min(160, len(changed)))
        kind = drawn.randrange(5)
        if kind == 0:
            changed[place] = drawn.randrange(256)
        elif kind == 1:
            changed[place] ^= 1 << drawn.randrange(8)
        elif kind == 2:
            del changed[place : place + drawn.randrange(1, 20)]
        elif kind == 3:
            changed[place:place] = changed[place : place + drawn.randrange(1, 40)]
        else:
            changed[place : place + 1] = drawn.choice([b"-1", b"1e400", b"null", b"[]", b"{}", b"9" * 30, b'"', b"O"])
        if not changed:
            return b""
    return bytes(changed)


@pytest.mark.one_of(2)
@pytest.mark.parametrize("kind", ["npy", "safetensors"])
def test_mutated_files_open_or_get_a_sentence(tmp_path: Path, kind: str) -> None:
    """A thousand files of each format, the same in every run."""
    file, drawn = tmp_path / f"table.{kind}", Random(f"mutated {kind}")
    if kind == "npy":
        np.save(file, NUMBERS)
        content = file.read_bytes()
    else:
        tensors = {
            "wpe": ("F32", NUMBERS.astype("<f4")),
            "b": ("BF16", bfloat16_bits(NUMBERS)),
            "i": ("I8", np.int8([1])),
        }
        content = write(file, tensors, {"format": "pt"})
    opened, sentences = 0, []
    for _ in range(1000):
        file.write_bytes(mutated(content, drawn))
        try:
            encoding = LearnedTable.from_file(file, "wpe" if kind == "safetensors" else None)
            encode(encoding, [0, encoding.table.shape[0] - 1])
            opened += 1
        except ValueError as error:
            sentences.append(str(error))
    assert 50 < opened < 900
    assert all("\n" not in sentence and 20 < len(sentence) < 400 for sentence in sentences)


def test_equal_tables_are_equal_and_others_are_not(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", NUMBERS)
    one, again = open_table(tmp_path / "a.npy"), open_table(tmp_path / "a.npy")
    assert one == again
    assert hash(one) == hash(again)
    other = NUMBERS.copy()
    other[5, 1] += 1
    np.save(tmp_path / "b.npy", other)
    assert open_table(tmp_path / "b.npy").digest != one.digest
    assert ArrayTable.of(NUMBERS).digest == one.digest, "what the numbers are, wherever they are kept"
    assert json.loads(json.dumps(LearnedTable(one).parameters()))["table_digest"] == one.digest


@pytest.mark.parametrize(
    "shape", ["(True, 4)", "(3, True)", "(False, 4)", "(3, -4)", f"({'9' * 401}, 4)", f"(4, {2**64})"], ids=range(6)
)
def test_a_shape_that_is_none_gets_a_sentence(tmp_path: Path, shape: str) -> None:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(4083) + b"\n"
    content = b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + np.arange(12.0).tobytes()
    (tmp_path / "table.npy").write_bytes(content)
    said = refusal(tmp_path / "table.npy")
    assert said.startswith(f"its shape must be of whole numbers, got {shape[:20]}")
    assert len(said) < 100


def test_a_table_that_cannot_be_opened_is_named_with_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "a folder of models" / "model\n.safetensors"
    with pytest.raises(ValueError, match="there is no such file") as caught:
        open_table(path)
    name = str(path).replace("\n", "\\n")
    assert str(caught.value) == f"the table '{name}' cannot be opened: there is no such file"
    with pytest.raises(ValueError, match=r"^the table '\.\.\.x+\.npy' cannot be opened: ") as caught:
        open_table(tmp_path / f"{'x' * 5000}.npy")
    assert len(str(caught.value)) < 300
