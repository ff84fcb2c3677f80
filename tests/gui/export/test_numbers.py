"""The exported numbers are those of the table, read back with the usual tools."""

import json
import locale
import math
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from families import FAMILIES, document_of
from numbers_read import read_csv, tokens_read
from PySide6.QtCore import QLocale

from posenc_core import Document, Embedding, Rotary, Sinusoidal, Yarn, encode
from posenc_core.encodings import RopeAxes
from posenc_gui.export.numbers import NO_TOKEN, write_numbers
from posenc_gui.files.errors import FileError

FOUR_COLUMNS = Document(sentence="Dan loves icecream", encoding=Sinusoidal(4))
WIDE = Document(sentence="a b " * 500, encoding=Sinusoidal(4096), embedding=Embedding("simulated"))
NARROWER = Document(sentence="a b " * 500, encoding=Sinusoidal(256))
SIMULATED = Document(sentence="a b a", embedding=Embedding("simulated", seed=3, scale_by_sqrt_d=True))


def test_csv_holds_the_table_of_the_tutorials_to_the_last_bit(tmp_path: Path) -> None:
    assert write_numbers(FOUR_COLUMNS, tmp_path / "vectors.csv", "csv")
    header, *rows = read_csv(tmp_path / "vectors.csv")
    assert header == ["token", "position", "0", "1", "2", "3"]
    assert [row[:2] for row in rows] == [["Dan", "0"], ["loves", "1"], ["icecream", "2"]]
    for position, row in enumerate(rows):
        slow = position / 100
        exact = [math.sin(position), math.cos(position), math.sin(slow), math.cos(slow)]
        assert list(map(float, row[2:])) == exact
    assert rows[0][2:] == ["0.0", "1.0", "0.0", "1.0"]
    assert rows[1][2].startswith("0.84147098")
    assert rows[2][3].startswith("-0.41614683")


def test_csv_is_the_same_bytes_everywhere(tmp_path: Path) -> None:
    write_numbers(FOUR_COLUMNS, tmp_path / "vectors.csv", "csv")
    content = (tmp_path / "vectors.csv").read_bytes()
    assert content.startswith(b"token,position,0,1,2,3\nDan,0,0.0,1.0,0.0,1.0\nloves,1,")
    assert b"\r" not in content
    assert content.endswith(b"\n")


@pytest.mark.parametrize("family", FAMILIES)
def test_csv_gives_every_number_of_every_family_back_bit_for_bit(tmp_path: Path, family: str) -> None:
    document = document_of(family)
    write_numbers(document, tmp_path / "vectors.csv", "csv")
    rows = read_csv(tmp_path / "vectors.csv")[1:]
    positions = np.array([int(row[1]) for row in rows])
    exact = document.encoding.values(positions, np.arange(document.encoding.n_columns)) + 0.0
    assert np.array([list(map(float, row[2:])) for row in rows]).tobytes() == exact.tobytes()


def test_csv_does_not_depend_on_the_locale(tmp_path: Path) -> None:
    """Decimal commas and dots between thousands are neither Qt's nor C's choice here."""
    document = Document(encoding=Sinusoidal(4, base=1e9, offset=123456))
    write_numbers(document, tmp_path / "here.csv", "csv")
    before, qt_before = locale.setlocale(locale.LC_ALL), QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German))
    try:
        with suppress(locale.Error):  # not every machine has it
            locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
        write_numbers(document, tmp_path / "there.csv", "csv")
    finally:
        locale.setlocale(locale.LC_ALL, before)
        QLocale.setDefault(qt_before)
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()


@pytest.mark.parametrize(
    "sentence",
    ['say "hi", all', "comma,comma", "שלום عالم", "😀 👨‍👩‍👧 é", "bell\x07inside", "=1+1 -2 @x", "a\x85b \u2028 c\x1f"],
)
@pytest.mark.parametrize("tokens", ["words", "characters", "bytes"])
def test_csv_gives_every_token_back(tmp_path: Path, sentence: str, tokens: str) -> None:
    document = Document(sentence=sentence, tokens=tokens)
    write_numbers(document, tmp_path / "vectors.csv", "csv")
    assert tokens_read(tmp_path / "vectors.csv") == [token.text for token in document.token_list]


def test_csv_keeps_tokens_of_white_space(tmp_path: Path) -> None:
    document = Document(sentence=" \t\r\n\n", tokens="characters")
    write_numbers(document, tmp_path / "vectors.csv", "csv")
    assert tokens_read(tmp_path / "vectors.csv") == [" ", "\t", "\r\n", "\n"]


def test_csv_writes_no_minus_zero(tmp_path: Path) -> None:
    padded = Document(sentence="a b c d e f", encoding=Sinusoidal(5, spacing="tensor2tensor"))
    write_numbers(padded, tmp_path / "vectors.csv", "csv")
    assert {row[-1] for row in read_csv(tmp_path / "vectors.csv")[1:]} == {"0.0"}


def test_npy_is_the_position_part(tmp_path: Path) -> None:
    write_numbers(SIMULATED, tmp_path / "vectors.npy", "npy")
    table = np.load(tmp_path / "vectors.npy", allow_pickle=False)
    assert table.dtype == np.float32
    assert np.array_equal(table, encode(SIMULATED.encoding, range(3)))


def test_npz_holds_everything_and_the_session(tmp_path: Path) -> None:
    write_numbers(SIMULATED, tmp_path / "vectors.npz", "npz")
    with np.load(tmp_path / "vectors.npz", allow_pickle=False) as numbers:
        assert sorted(numbers) == ["embedding", "encoding", "parameters", "positions", "sum", "tokens"]
        assert numbers["tokens"].tolist() == ["a", "b", "a"]
        assert numbers["positions"].dtype == np.int64
        assert numbers["positions"].tolist() == [0, 1, 2]
        assert np.array_equal(numbers["encoding"], encode(SIMULATED.encoding, range(3)))
        vectors = SIMULATED.embedding.vectors("aba", 8)
        assert vectors is not None
        assert np.array_equal(numbers["embedding"], vectors.astype(np.float32))
        exact = vectors + SIMULATED.encoding.values(np.arange(3), np.arange(8))
        assert np.array_equal(numbers["sum"], exact.astype(np.float32))
        assert all(numbers[name].dtype == np.float32 for name in ("encoding", "embedding", "sum"))
        assert numbers["parameters"].shape == ()
        assert Document.from_json(numbers["parameters"].item()) == SIMULATED
        assert json.loads(numbers["parameters"].item())["embedding"]["seed"] == 3


def test_npz_without_an_embedding_has_no_sum(tmp_path: Path) -> None:
    write_numbers(FOUR_COLUMNS, tmp_path / "vectors.npz", "npz")
    with np.load(tmp_path / "vectors.npz", allow_pickle=False) as numbers:
        assert sorted(numbers) == ["encoding", "parameters", "positions", "tokens"]


@pytest.mark.parametrize("format", ["csv", "npy", "npz"])
def test_the_same_document_gives_the_same_file(tmp_path: Path, format: str) -> None:
    for name in ("first", "second"):
        write_numbers(SIMULATED, tmp_path / name, format)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_chosen_columns_keep_their_indices(tmp_path: Path) -> None:
    write_numbers(SIMULATED, tmp_path / "vectors.csv", "csv", columns=range(2, 5))
    header, *rows = read_csv(tmp_path / "vectors.csv")
    assert header == ["token", "position", "2", "3", "4"]
    whole = SIMULATED.encoding.values(np.arange(3), np.arange(8))
    assert [list(map(float, row[2:])) for row in rows] == whole[:, 2:5].tolist()
    write_numbers(SIMULATED, tmp_path / "vectors.npz", "npz", columns=range(2, 5))
    with np.load(tmp_path / "vectors.npz", allow_pickle=False) as numbers:
        vectors = SIMULATED.embedding.vectors("aba", 8)
        assert vectors is not None
        assert np.array_equal(numbers["embedding"], vectors[:, 2:5].astype(np.float32))
        assert numbers["encoding"].shape == (3, 3)


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        (range(0, 9), "columns 0:9 reach outside the table, which has the columns 0 to 7"),
        (range(-1, 2), "columns -1:2 reach outside the table, which has the columns 0 to 7"),
        (range(3, 3), "columns 3:3 contain no column"),
    ],
)
def test_columns_outside_the_table_are_refused(tmp_path: Path, columns: range, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        write_numbers(SIMULATED, tmp_path / "vectors.csv", "csv", columns=columns)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("format", ["csv", "npy", "npz"])
@pytest.mark.parametrize("sentence", ["", " \t\n"])
def test_a_sentence_without_tokens_leaves_no_file(tmp_path: Path, sentence: str, format: str) -> None:
    with pytest.raises(FileError, match=f"^{re.escape(NO_TOKEN)}$"):
        write_numbers(Document(sentence=sentence), tmp_path / "vectors", format)
    assert not any(tmp_path.iterdir())


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^format must be csv, npy or npz, got 'xlsx'$"):
        write_numbers(SIMULATED, tmp_path / "vectors.xlsx", "xlsx")


@pytest.mark.parametrize("format", ["csv", "npy", "npz"])
def test_progress_grows_to_one(tmp_path: Path, format: str) -> None:
    seen: list[float] = []

    def watch(done: float) -> bool:
        seen.append(done)
        return True

    document = NARROWER if format == "csv" else WIDE
    assert write_numbers(document, tmp_path / "vectors", format, progress=watch)
    assert len(seen) > 3
    assert seen == sorted(seen)
    assert 0 < seen[0] < 0.5
    assert seen[-1] == 1


@pytest.mark.parametrize("format", ["csv", "npy", "npz"])
def test_cancelling_leaves_the_older_file(tmp_path: Path, format: str) -> None:
    (tmp_path / "vectors").write_bytes(b"old")
    document = NARROWER if format == "csv" else WIDE
    assert not write_numbers(document, tmp_path / "vectors", format, progress=lambda done: done < 0.5)
    assert [path.name for path in tmp_path.iterdir()] == ["vectors"]
    assert (tmp_path / "vectors").read_bytes() == b"old"


def test_the_file_does_not_depend_on_the_blocks(tmp_path: Path) -> None:
    write_numbers(WIDE, tmp_path / "vectors.npz", "npz")
    with np.load(tmp_path / "vectors.npz", allow_pickle=False) as numbers:
        written, sums = numbers["encoding"], numbers["sum"]
    vectors = WIDE.embedding.vectors(["a", "b"] * 50, 4096)
    for first in range(0, 1000, 100):  # all rows at once in float64 are 100 MB
        rows = slice(first, first + 100)
        exact = WIDE.encoding.values(np.arange(first, first + 100), np.arange(4096))
        assert np.abs(written[rows] - exact).max() < 2e-7
        assert np.array_equal(sums[rows], (vectors + exact).astype(np.float32))


def test_a_token_array_too_wide_for_numpy_is_refused_and_csv_is_not(tmp_path: Path) -> None:
    document = Document(sentence="x" * 30_000 + " y" * 10_000, encoding=Sinusoidal(2))
    with pytest.raises(FileError, match=r"10001 tokens at the length of the longest, which has 30000 characters"):
        write_numbers(document, tmp_path / "vectors.npz", "npz")
    assert write_numbers(document, tmp_path / "vectors.csv", "csv")
    assert [path.name for path in tmp_path.iterdir()] == ["vectors.csv"]


@pytest.mark.one_of(3)
@pytest.mark.parametrize("format", ["npy", "npz", "csv"])
def test_memory_does_not_grow_with_the_table(tmp_path: Path, format: str) -> None:
    """A table of 200 MB (CSV: 40 MB, 100 MB as text) is written within 32 MB more than was taken before."""
    tokens = 10_000 if format != "csv" else 1_000
    program = f"""
import resource
from pathlib import Path
from posenc_core import Document, Sinusoidal
from posenc_gui.export.numbers import write_numbers
small = Document(sentence="w " * 20, encoding=Sinusoidal(5000))
write_numbers(small, Path("small"), {format!r})  # everything is loaded now
held = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (held + 32 * 2**20,) * 2)
large = Document(sentence="w " * {tokens}, encoding=Sinusoidal(5000))
assert write_numbers(large, Path("large"), {format!r})
"""
    root = Path(__file__).parents[3]
    subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"},
        check=True,
    )
    assert (tmp_path / "large").stat().st_size > tokens * 5000 * (4 if format != "csv" else 18)
    (tmp_path / "large").unlink()  # pytest keeps the folders of the last runs


@pytest.mark.parametrize(("query", "positions"), [(None, [-2, -1, 0]), (0, [0, 1, 2]), (1, [-1, 0, 1])])
def test_distances_are_counted_from_the_query(tmp_path: Path, query: int | None, positions: list[int]) -> None:
    document = Document().edited("family", "t5")
    paths = {format: tmp_path / f"v.{format}" for format in ("csv", "npy", "npz")}
    for format, path in paths.items():
        assert write_numbers(document, path, format, query=query)
    wanted = document.encoding.values(np.array(positions), np.arange(8))
    header, *rows = read_csv(paths["csv"])
    assert header[:3] == ["token", "key - query", "0"]
    assert [row[:2] for row in rows] == [
        [token.text, str(p)] for token, p in zip(document.token_list, positions, strict=True)
    ]
    assert [[float(entry) for entry in row[2:]] for row in rows] == wanted.tolist()
    np.testing.assert_array_equal(np.load(paths["npy"]), wanted.astype(np.float32))
    with np.load(paths["npz"]) as members:
        assert members["positions"].tolist() == positions
        assert members["query"] == (2 if query is None else query)
        np.testing.assert_array_equal(members["encoding"], wanted.astype(np.float32))


def test_npz_has_no_query_if_positions_are_counted_from_the_first_token(tmp_path: Path) -> None:
    write_numbers(Document(), tmp_path / "v.npz", "npz", query=1)
    with np.load(tmp_path / "v.npz") as members:
        assert "query" not in members
        assert members["positions"].tolist() == [0, 1, 2]


def test_rotated_queries_stand_beside_what_they_were(tmp_path: Path) -> None:
    encoding = Rotary(8, rotary_dim=4)
    document = Document(encoding=encoding, embedding=Embedding("simulated"))
    write_numbers(document, tmp_path / "v.npz", "npz")
    queries = document.embedding.vectors(["Dan", "loves", "icecream"], 8)
    with np.load(tmp_path / "v.npz") as members:
        assert "sum" not in members
        assert members["encoding"].shape == (3, 4)
        np.testing.assert_array_equal(members["embedding"], np.asarray(queries, np.float32))
        np.testing.assert_array_equal(members["rotated"], encoding.rotate(queries, range(3)).astype(np.float32))


def test_chosen_columns_of_the_last_ones_are_those_of_the_head(tmp_path: Path) -> None:
    encoding = Rotary(8, rotary_dim=4, rotary_part="trailing")
    document = Document(encoding=encoding, embedding=Embedding("simulated"))
    write_numbers(document, tmp_path / "v.npz", "npz", range(1, 3))
    queries = document.embedding.vectors(["Dan", "loves", "icecream"], 8)
    with np.load(tmp_path / "v.npz") as members:
        np.testing.assert_array_equal(members["encoding"], encode(encoding, range(3), [1, 2]))
        np.testing.assert_array_equal(members["embedding"], np.asarray(queries[:, 5:7], np.float32))
        np.testing.assert_array_equal(members["rotated"], encoding.rotate(queries, range(3))[:, 5:7].astype(np.float32))


@pytest.mark.parametrize("format", ["csv", "npy", "npz"])
def test_a_position_without_a_value_leaves_no_file(tmp_path: Path, format: str) -> None:
    document = Document().edited("family", "binary").edited("n_bits", 1)
    with pytest.raises(FileError) as caught:
        write_numbers(document, tmp_path / f"v.{format}", format)
    assert str(caught.value) == document.encoding.no_value(2)
    assert not list(tmp_path.iterdir())


def turned(amplitude: float) -> Rotary:
    return Rotary(8, scaling=Yarn(2.0, 64, attention_factor=amplitude))


BEYOND = {
    "table": (Document(encoding=turned(1e39)), {"npy": "1e+39", "npz": "1e+39", "csv": None}),
    "vector": (Document(embedding=Embedding("typed", vector=(1.0, -1e100))), {"npy": None, "npz": "1e+100"}),
    "sum": (Document(embedding=Embedding("typed", vector=(3.4028235e38,))), {"npy": None, "npz": None}),
    "rotation": (
        Document(encoding=turned(1e30), embedding=Embedding("typed", vector=(1e30,))),
        {"npy": None, "npz": "1.38e+60"},
    ),
    "rotation-beyond-float64": (
        Document(encoding=turned(1e300), embedding=Embedding("typed", vector=(1e30,))),
        {"npy": "1e+300", "npz": "1e+300", "csv": None},
    ),
    "rotation-beyond-both": (
        Document(encoding=turned(1e30), embedding=Embedding("typed", vector=(1e100,))),
        {"npz": "1e+100"},
    ),
}
"""Documents, and by format the number of which the sentence speaks, None where the format holds all of them."""


@pytest.mark.parametrize("older", [True, False], ids=["over-an-older-file", "a-new-file"])
@pytest.mark.parametrize(("name", "format"), [(name, format) for name in BEYOND for format in BEYOND[name][1]])
def test_numbers_that_float32_cannot_hold_are_refused_and_leave_the_older_file(
    tmp_path: Path, name: str, format: str, older: bool
) -> None:
    document, reaches = BEYOND[name]
    path = tmp_path / f"vectors.{format}"
    if older:
        path.write_bytes(b"old")
    if reaches[format] is None:
        assert write_numbers(document, path, format)
        assert path.stat().st_size > 100
        return
    with pytest.raises(FileError) as caught:
        write_numbers(document, path, format)
    assert str(caught.value) == (
        f"cannot write {path}: {format.upper()} stores float32, which ends at 3.4e38, and the vectors reach "
        f"{reaches[format]}; make them smaller, or export the encoding as CSV"
    )
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == ([(path.name, b"old")] if older else [])


@pytest.mark.parametrize("amplitude", [5e-324, 1e-40, 1e-30, 1e30, 3.4e38])
def test_numbers_near_the_ends_of_float32_are_rounded_once(tmp_path: Path, amplitude: float) -> None:
    write_numbers(Document(encoding=turned(amplitude)), tmp_path / "v.npy", "npy")
    exact = turned(amplitude).values(np.arange(3), np.arange(8)).astype(np.float32)
    np.testing.assert_allclose(np.load(tmp_path / "v.npy", allow_pickle=False), exact, rtol=3e-7, atol=1e-37)


@pytest.mark.parametrize("amplitude", [5e-324, 1e39, 1.7976931348623157e308])
def test_csv_holds_any_float64(tmp_path: Path, amplitude: float) -> None:
    write_numbers(Document(encoding=turned(amplitude)), tmp_path / "v.csv", "csv")
    exact = turned(amplitude).values(np.arange(3), np.arange(8))
    assert [[float(each) for each in row[2:]] for row in read_csv(tmp_path / "v.csv")[1:]] == exact.tolist()


def test_a_picture_without_text_has_the_names_of_its_patches(tmp_path: Path) -> None:
    grid = "2x2"
    document = Document(grid=grid, encoding=RopeAxes(16, axes="h,w", grid=grid))
    for format in ("csv", "npz"):
        write_numbers(document, tmp_path / f"vectors.{format}", format)
    assert [row[0] for row in read_csv(tmp_path / "vectors.csv")[1:]] == ["h0 w0", "h0 w1", "h1 w0"]
    with np.load(tmp_path / "vectors.npz") as found:
        assert found["tokens"].tolist() == ["h0 w0", "h0 w1", "h1 w0"]
