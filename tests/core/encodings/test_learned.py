import json
import os
import pickle
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from family_checks import check_explained, check_tiles, check_traces, rows, sentence
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import LearnedTable, encode, explain, frequencies, tile

SMALL = np.arange(24.0).reshape(8, 3) - 10


def test_a_learned_table_describes_itself() -> None:
    encoding = LearnedTable.from_array(SMALL, "a table made by hand")
    assert encoding.label == "a table made by hand"
    assert encoding.range_over(0, 60) == (-13.0, 13.0)
    assert encoding.domain == (0, 7)
    assert len(frequencies(encoding)) == 0
    assert encoding.warnings == ()
    assert LearnedTable.untrained(4, 3, seed=2).label == "untrained (seed 2)"
    assert LearnedTable().label.startswith("trained here (")
    assert LearnedTable() == LearnedTable("trained") == LearnedTable.from_parameters({}) != LearnedTable("untrained")


def test_parameters_make_it_again() -> None:
    for encoding in (LearnedTable(), LearnedTable(offset=-2), LearnedTable.untrained(9, 5, 3, 1)):
        again = LearnedTable.from_parameters(json.loads(json.dumps(encoding.parameters())))
        assert (again, hash(again)) == (encoding, hash(encoding))
    assert LearnedTable.untrained(9, 5, 3, 1).parameters() == {
        "weights": "untrained", "n_rows": 9, "d_model": 5, "table_seed": 3, "offset": 1,
    }  # fmt: skip


def test_kinds_and_sizes_are_edited() -> None:
    encoding = LearnedTable().edited("weights", "untrained")
    assert [field.name for field in encoding.fields] == ["weights", "n_rows", "d_model", "table_seed", "offset"]
    assert encoding.table.shape == LearnedTable().table.shape, "the same size, to compare"
    wider = encoding.edited("d_model", 6).edited("n_rows", 100).edited("table_seed", 4)
    assert wider == LearnedTable.untrained(100, 6, 4)
    assert wider.edited("weights", "trained") == LearnedTable()
    assert [field.name for field in LearnedTable().fields] == ["weights", "offset"]
    with pytest.raises(ValueError, match="no file's table is open; open one with File > Open table, or with --table"):
        encoding.edited("weights", "file")
    with pytest.raises(ValueError, match="weights must be trained, untrained or file, got 'drawn'"):
        encoding.edited("weights", "drawn")


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint16", ">f4"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_file_is_opened_and_read_by_rows(tmp_path: Path, dtype: str, order: str) -> None:
    file = tmp_path / "table.npy"
    wanted = np.abs(SMALL)
    np.save(file, np.asarray(wanted, dtype, order=order))
    encoding = LearnedTable(str(file))
    assert isinstance(encoding.table.entries, np.memmap)  # type: ignore[attr-defined]
    assert encode(encoding, [5, 0], [2, 1]).tolist() == wanted[np.ix_([5, 0], [2, 1])].tolist()
    assert encoding.label == "table.npy"
    assert encoding == LearnedTable(str(file)) == LearnedTable.from_file(file)
    assert hash(encoding) == hash(LearnedTable.from_file(file))
    assert encoding == LearnedTable.from_parameters(encoding.parameters())


def test_a_huge_file_is_opened_and_not_read(tmp_path: Path) -> None:
    file = tmp_path / "huge.npy"
    with file.open("wb") as opened:
        header = {"descr": "<f4", "fortran_order": False, "shape": (10_000_000, 256)}
        np.lib.format.write_array_header_1_0(opened, header)
        start = opened.tell()
        opened.truncate(start + 10_000_000 * 256 * 4)  # a hole: it takes no room on the disk
        opened.seek(start + (9_999_999 * 256 + 3) * 4)
        opened.write(np.float32(2.5).tobytes())
    encoding = LearnedTable(str(file))
    assert encode(encoding, [0, 9_999_999], [3]).tolist() == [[0.0], [2.5]]
    assert tile(encoding, (9_999_990, 10_000_000), (0, 4), (1, 4)).tolist() == [[0, 0, 0, 0.25]]
    assert encoding.warnings == ("the colours are scaled by 1,024 of the 10,000,000 rows: others may exceed them",)


def test_an_array_is_copied_and_compared_by_its_numbers() -> None:
    array = SMALL.copy()
    encoding = LearnedTable.from_array(array)
    array[:] = 0
    assert encode(encoding, [1])[0].tolist() == [-7, -6, -5]
    assert encoding == LearnedTable(SMALL)
    assert encoding != LearnedTable.from_array(array)
    assert encoding.label == "an array of 8 x 3 numbers"


def test_the_offset_chooses_the_row() -> None:
    encoding = replace(LearnedTable.from_array(SMALL, "mine"), offset=2)
    assert encode(encoding, [0, 5])[:, 0].tolist() == [-4, 11]
    assert encoding.domain == (0, 5)
    assert LearnedTable.from_array(SMALL, offset=-3).domain == (3, 10)
    assert encode(LearnedTable.from_array(SMALL, offset=-3), [3])[0].tolist() == [-10, -9, -8]


@given(st.integers(1, 60), st.integers(1, 9), st.integers(0, 99), st.integers(-5, 5))
def test_tiles_are_means(n_rows: int, d_model: int, seed: int, offset: int) -> None:
    check_tiles(LearnedTable.untrained(n_rows, d_model, seed, min(offset, n_rows - 1)))


@given(st.integers(1, 10**6), st.integers(1, 300), st.integers(0, 3), st.integers(0, 10**6))
def test_the_derivation_is_the_entry(n_rows: int, d_model: int, seed: int, position: int) -> None:
    check_explained(LearnedTable.untrained(n_rows, d_model, seed), position % n_rows, position % d_model)


def test_a_source_of_several_lines_stays_a_comment() -> None:
    encoding = LearnedTable.from_array(SMALL, "mine\nraise SystemExit")
    check_explained(encoding, 3, 1)
    assert "row 3 + 0 = 3 of 8 rows" in explain(encoding, 3, 1).to_text()


@pytest.mark.parametrize(("window", "pixels"), [((0, 511), 4000), ((0, 511), 60), ((-90, 900), 120), ((3.2, 3.4), 50)])
def test_curves_meet_the_entries_and_end_with_the_table(window: tuple[float, float], pixels: int) -> None:
    check_traces(LearnedTable.untrained(512, 3), window, pixels)


def test_an_untrained_table_says_so_and_is_as_random_as_a_new_model() -> None:
    encoding = LearnedTable.untrained(400, 768, seed=7)
    assert encoding.label == "untrained (seed 7)"
    assert encoding.warnings == ("this table is untrained: random numbers, without any structure of distance",)
    table = encode(encoding, range(400)).astype(np.float64)
    lengths = np.linalg.norm(table, axis=1)
    expected = {row["what"]: row["value"] for row in rows("learned") if "what" in row}
    assert np.sqrt((lengths**2).mean()) == pytest.approx(
        expected["sqrt(E|W_p|^2) of an untrained N(0,0.02^2) row"], rel=0.01
    )
    cosines = (table @ table.T / np.outer(lengths, lengths))[np.triu_indices(400, 1)]
    (spread,) = (value for what, value in expected.items() if what.startswith("std of the cosine"))
    assert cosines.std() == pytest.approx(spread, rel=0.02)
    longer = LearnedTable.untrained(800, 768, seed=7)
    assert np.array_equal(encode(longer, range(400)), encode(encoding, range(400)))


def test_resizing_is_linear_along_the_positions() -> None:
    for row in (row for row in rows("learned") if "resize_to" in row["params"]):
        p = row["params"]
        encoding = LearnedTable.from_array(np.array(p["table"])[:, None])
        resized = encoding.resized(p["resize_to"], align_corners=p["mode"].endswith("True"))
        assert encode(resized, [row["pos"]], [row["dim"]])[0, 0] == pytest.approx(row["value"])
        assert resized.domain == (0, p["resize_to"] - 1)
        assert "resized to" in resized.label
    assert np.array_equal(encode(LearnedTable.from_array(SMALL).resized(8, False), range(8)), SMALL)
    with pytest.raises(ValueError, match="too large to be resized"):
        LearnedTable.untrained(4, 65536).resized(10_000, True)


def test_positions_out_of_range_are_refused() -> None:
    encoding = LearnedTable.from_array(SMALL)
    message = re.escape(sentence("learned", max_len=8, seq_len=9))
    with pytest.raises(ValueError, match=message):
        encode(encoding, range(9))
    with pytest.raises(ValueError, match=message):
        explain(encoding, 8, 0)
    with pytest.raises(ValueError, match=message):
        tile(encoding, (0, 9), (0, 3), (9, 3))
    with pytest.raises(ValueError, match="position -1 is out of range"):
        encode(encoding, [-1])
    with pytest.raises(ValueError, match="position 6 is out of range for a learned table of 8 rows"):
        encode(LearnedTable.from_array(SMALL, offset=2), [5, 6])


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((0, 4)), "at least one row and 1 to 65536 columns, got the shape (0, 4)"),
        (np.zeros((4, 0)), "at least one row"),
        (np.zeros((2, 70_000), np.int8), "1 to 65536 columns"),
        (np.zeros(5), "must have two axes, rows and columns, got the shape (5,)"),
        (np.zeros((2, 2, 2)), "must have two axes"),
        (np.zeros((2, 2), complex), "must contain real numbers, got 'complex128'"),
        (np.zeros((2, 2), bool), "must contain real numbers, got 'bool'"),
        (np.zeros((2, 2), "V2"), "perhaps bfloat16"),
        (np.array([[None, 1]]), "plain numbers, not Python objects"),
        ([[1, 2], [3]], "rows of one length"),
        (np.array([[1.0, 2.0], [3.0, np.nan]]), "the table has nan in row 1, column 1"),
        (np.array([[1.0, -np.inf]]), "the table has -inf in row 0, column 1"),
        (np.array([[1e300]]), "that float32 can represent"),
    ],
)
def test_a_value_that_is_no_table_gets_a_sentence(array: object, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        LearnedTable.from_array(array)


def test_a_nan_in_a_file_is_told_when_it_is_opened(tmp_path: Path) -> None:
    np.save(tmp_path / "nan.npy", np.array([[1.0, np.nan]]))
    with pytest.raises(ValueError, match="the table has nan in row 0, column 1"):
        LearnedTable.from_file(tmp_path / "nan.npy")


def refusal(path: Path) -> str:
    with pytest.raises(ValueError, match="cannot be opened: ") as caught:
        LearnedTable(str(path))
    return str(caught.value).partition("cannot be opened: ")[2]


def test_a_file_that_cannot_be_used_gets_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "table.npy"
    assert refusal(file) == "there is no such file"
    assert refusal(tmp_path) == "it is a folder"
    for content in (b"", b"\x93NUMPY", b"{}", b"PK\x03\x04", b"\x93NUMPY\x01\x00\x10\x00(((((((((((((((("):
        file.write_bytes(content)
        assert refusal(file) == "it is not a readable .npy or .safetensors file"
    np.save(file, SMALL)
    file.write_bytes(file.read_bytes()[:-8])
    assert refusal(file) == "it is cut off: 320 bytes are announced, 312 are there"
    np.save(file, np.zeros((2, 2), complex))
    assert refusal(file) == "a table must contain real numbers, got 'complex128'"
    with file.open("wb") as opened:
        np.lib.format.write_array_header_1_0(opened, {"descr": "<f4", "fortran_order": False, "shape": (-2, -2)})
    assert refusal(file) == "its shape must be of whole numbers, got (-2, -2)"


@contextmanager
def who_may_not_read_everything() -> Iterator[None]:
    """Root is refused nothing, so it acts as somebody else for a while."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.mark.skipif(os.name == "nt", reason="modes of files are POSIX's")
def test_a_file_that_may_not_be_read_gets_a_sentence() -> None:
    with tempfile.TemporaryDirectory() as folder:  # pytest's own may be entered by nobody else
        Path(folder).chmod(0o755)
        file = Path(folder) / "table.npy"
        np.save(file, SMALL)
        file.chmod(0)
        with who_may_not_read_everything():
            assert refusal(file) == "permission denied"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.npy")
    assert refusal(tmp_path / "pipe.npy") == "it is a device or a pipe, not a file"


def test_a_file_that_is_cut_off_later_gets_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "table.npy"
    np.save(file, np.zeros((5000, 64)))
    encoding = LearnedTable(str(file))
    os.truncate(file, 4096)
    with pytest.raises(ValueError, match=re.escape("the file 'table.npy' was cut off after its table was opened")):
        encode(encoding, [4999])
    assert not encoding.has_value(3)
    assert encoding.no_value(3) == "the file 'table.npy' was cut off after its table was opened"


def test_pickled_objects_are_never_loaded(tmp_path: Path) -> None:
    file = tmp_path / "objects.npy"
    np.save(file, np.array([[Trap()]]), allow_pickle=True)
    assert refusal(file) == "a table must contain plain numbers, not Python objects"
    file.write_bytes(pickle.dumps(Trap()))
    assert refusal(file) == "it is not a readable .npy or .safetensors file"


class Trap:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return pytest.fail, ("a pickle was loaded",)


def test_a_wrong_size_or_path_gets_a_sentence() -> None:
    for wrong, message in (
        ((0, 4, 0), "n_rows must be an integer >= 1, got 0"),
        ((4, 0, 0), sentence("any", d_model=0)),
        ((4, 4, 99999999999), "table_seed must be an integer <= 4294967295"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            LearnedTable.untrained(*wrong)
    for path in ("", "\0", "no such/file"):
        with pytest.raises(ValueError, match="cannot be opened: "):
            LearnedTable(path)


def test_an_offset_that_leaves_no_row_is_refused() -> None:
    with pytest.raises(ValueError, match="offset 8 leaves no row of a learned table of 8 rows"):
        LearnedTable.from_array(SMALL, offset=8)


@pytest.mark.parametrize("positions", [range(2, 6), [5, 2, 2], [7], []])
@pytest.mark.parametrize("columns", [None, [2, 0], [1], []])
def test_any_rows_and_columns_can_be_asked_for(positions: list[int], columns: list[int] | None) -> None:
    wanted = range(3) if columns is None else columns
    found = encode(LearnedTable.from_array(SMALL), positions, columns)
    assert found.tolist() == [[SMALL[position, column] for column in wanted] for position in positions]
    assert found.flags.owndata


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_a_row_without_numbers_in_a_large_table_has_no_value_and_says_why(dtype, wrong):
    table = np.ones((20_000, 32), dtype)
    table[7_101, 5] = wrong
    encoding = LearnedTable.from_array(table, offset=2)
    assert encoding.has_value(7_098)
    assert not encoding.has_value(7_099)
    sentence = (
        f"the table has {wrong} in row 7101, column 5; every entry must be a finite number that float32 can represent"
    )
    assert encoding.no_value(7_099) == sentence
    assert "out of range" in encoding.no_value(20_000)
    whole = (0, 19_998), (0, 32), (50, 8)
    assert encoding.sampler.tile((0, 7_099), *whole[1:]).min() == 1
    for picture in (
        lambda: encoding.sampler.tile(*whole),
        lambda: encoding.sampler.traces(np.arange(4, 7), (0.0, 19_997.0), 300),
        lambda: encoding.values(np.array([7_099]), np.arange(32)),
    ):
        with pytest.raises(ValueError, match=re.escape(sentence)):
            picture()
