"""Copied scripts make the very table that is shown, whatever the family, in a process that knows no PosEnc."""

import ast
import json
import re
from pathlib import Path

import numpy as np
import pytest
from made_families import FadingBias, LogBias, registered
from snippet_cases import (
    EVERY,
    drawn,
    expected,
    numpy_source,
    ranges,
    run_alone,
    run_together,
    same_as_by_default,
    torch_source,
)

from posenc_core import (
    ENCODINGS,
    Alibi,
    Document,
    Encoding,
    IntegerIndex,
    LearnedTable,
    NormalizedIndex,
    Rotary,
    ShawRelative,
    Sinusoidal,
    T5Bias,
)
from posenc_core.encodings import Pope
from posenc_core.explain.script import MOST_NUMBERS
from posenc_core.scripts.snippets import shown_positions
from posenc_core.session.seen import seen_document


def close(found: np.ndarray, wanted: np.ndarray) -> bool:
    return found.shape == wanted.shape and bool(np.allclose(found, wanted, rtol=1e-12, atol=1e-12))


def test_each_parameter_of_each_family_has_a_case_with_another_value_than_its_default() -> None:
    """Cases of the program's own families are written in ``LISTED``, those of other registered families are drawn."""
    assert {encoding.family for encoding in EVERY} == set(ENCODINGS)
    missing = same_as_by_default(EVERY, ENCODINGS.values())
    assert not missing, f"add encodings with other values to LISTED in snippet_cases.py: {', '.join(missing)}"


def test_a_family_without_a_case_is_named() -> None:
    others = [each for each in EVERY if not isinstance(each, Pope)]
    assert same_as_by_default([*others, Pope(5)], ENCODINGS.values()) == ["pope: rope_theta", "pope: delta"]
    assert same_as_by_default(others, [Pope]) == [f"pope: {field.name}" for field in Pope.FIELDS]


@pytest.mark.parametrize("kind", [FadingBias, LogBias])
def test_a_family_that_a_test_registers_has_drawn_cases(kind: type[Encoding], tmp_path: Path) -> None:
    with registered(kind):
        cases = drawn(20, (kind,))
        assert not same_as_by_default(cases, (kind,))
        shown = [(each, some) for each in cases for some in ranges(each)]
        tables = run_together([numpy_source(*case) for case in shown], tmp_path)
    assert all(close(table, expected(*case)) for case, table in zip(shown, tables, strict=True))


def test_scripts_of_every_family_make_the_tables(tmp_path: Path, count) -> None:
    cases = [(each, shown) for each in (*EVERY, *drawn(150)) for shown in ranges(each)]
    tables = run_together([numpy_source(*case) for case in cases], tmp_path)
    wrong = [case for case, table in zip(cases, tables, strict=True) if not close(table, expected(*case))]
    assert not wrong
    count("copied NumPy scripts run", len(cases))


@pytest.mark.one_of(4)
@pytest.mark.parametrize("family", ENCODINGS)
def test_a_script_runs_by_itself(family: str, tmp_path: Path, count) -> None:
    document = seen_document(Document().edited("family", family), 2)
    found = run_alone(numpy_source(document), tmp_path)
    assert close(found, expected(document.encoding, shown_positions(document)))
    count("copied NumPy scripts run", 1)


@pytest.mark.parametrize("source", [numpy_source, torch_source])
def test_scripts_are_short_and_say_where_they_come_from(source) -> None:
    for encoding in EVERY:
        if isinstance(encoding, LearnedTable) and "array" in encoding.parameters().get("weights", ""):
            continue
        script = source(encoding, ranges(encoding)[0])
        comments = [line for line in script.splitlines() if line.startswith("#")]
        said = re.sub(r"\n#\s+", " ", "\n".join(comments)).removeprefix("# ")
        assert said.startswith(encoding.title)
        assert encoding.citation in said
        code = [line for line in script.splitlines() if line and not line.startswith("#")]
        assert 3 <= len(code) <= 30
        assert "print" not in script
        assert all(len(line) <= 120 for line in comments)
        (defined,) = {
            node.id
            for node in ast.walk(ast.parse(script))
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == "table"
        }
        assert defined == "table"


def test_the_script_of_the_paper_reads_as_the_paper_does() -> None:
    assert numpy_source(Document()) == (
        "# Sinusoidal: Vaswani et al. 2017, Attention Is All You Need, section 3.5\n"
        "# d_model = 8, base = 10000, layout = interleaved, spacing = paper, offset = 0\n"
        "import numpy as np\n"
        "\n"
        "positions = np.arange(60)\n"
        "base, pairs = 10000.0, np.arange(4)\n"
        "frequencies = base ** (-2 * pairs / 8)  # rad per position\n"
        "angles = positions[:, None] * frequencies\n"
        "table = np.zeros((len(positions), 8))\n"
        "table[:, 0::2] = np.sin(angles)\n"
        "table[:, 1::2] = np.cos(angles)\n"
    )
    assert "torch.arange(4, dtype=torch.float64)" in torch_source(Document())


def test_simulated_numbers_are_called_so() -> None:
    assert "simulated (seed 7)" in numpy_source(T5Bias(table_seed=7), range(3))
    assert "untrained" in numpy_source(LearnedTable.untrained(9, 3), range(3))


def test_a_document_shows_its_own_positions() -> None:
    assert shown_positions(Document(seq_len=5)) == range(5)
    assert shown_positions(Document(seq_len=5, encoding=ShawRelative(4, 2))) == range(-4, 5)
    assert shown_positions(Document(seq_len=5, encoding=Alibi(2))) == range(-4, 1)
    learned = Document(seq_len=50, encoding=LearnedTable.from_array(np.ones((6, 2)), offset=-1))
    assert shown_positions(learned) == range(1, 7)
    assert "positions = np.arange(1, 7)" in numpy_source(learned)
    with pytest.raises(TypeError, match=r"^an encoding by itself shows no positions: say which$"):
        numpy_source(Alibi(2))


def test_any_positions_can_be_asked_for(tmp_path: Path) -> None:
    asked = (range(10, 50, 7), range(9, -1, -3), [3], [5, 1, 1, 30], np.array([2, 4]), (0, 7))
    encodings = (Sinusoidal(4), IntegerIndex(2), LearnedTable.untrained(60, 3), NormalizedIndex(60, 2))
    cases = [(encoding, positions) for encoding in encodings for positions in asked]
    tables = run_together([numpy_source(*case) for case in cases], tmp_path)
    for (encoding, positions), table in zip(cases, tables, strict=True):
        assert close(table, encoding.values(np.array(positions), np.arange(encoding.n_columns)))


def test_positions_that_make_no_script_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^position 60 is outside 0\.\.T-1 = 0\.\.59"):
        numpy_source(NormalizedIndex(60, 2), range(61))
    with pytest.raises(ValueError, match=r"^there is no position to write a script for$"):
        numpy_source(Alibi(2), [])
    with pytest.raises(TypeError, match=r"^positions must be integers, got float64$"):
        numpy_source(Alibi(2), [0.5])
    with pytest.raises(ValueError, match=r"^at most 20000 positions are written out, got 20002: give a range$"):
        numpy_source(Alibi(2), [0, *range(MOST_NUMBERS + 1)])


def test_numbers_that_no_formula_gives_are_written_out(tmp_path: Path) -> None:
    class Odd(Sinusoidal):
        source = Encoding.source

    script = numpy_source(Odd(6), range(4))
    assert "# the numbers themselves" in script
    assert close(run_together([script], tmp_path)[0], expected(Sinusoidal(6), range(4)))
    with pytest.raises(ValueError, match=r"^24000 numbers would have to be written out, at most 20000 are: show fewer"):
        numpy_source(Odd(6), range(4000))


def test_a_files_rows_are_read_from_the_file_again(tmp_path: Path) -> None:
    kinds = [(kind, order) for kind in ("<f4", "<f8", ">f2", "<i2") for order in "CF"]
    found = []
    for number, (kind, order) in enumerate(kinds):
        path = tmp_path / f"t'a\"b\\l e\n\u202e{number}.npy"
        np.save(path, np.asarray(np.arange(60).reshape(12, 5), kind, order))
        found.append(LearnedTable.from_file(path, offset=2))
    scripts = [numpy_source(encoding, range(1, 9)) for encoding in found]
    for script, encoding, table in zip(scripts, found, run_together(scripts, tmp_path), strict=True):
        assert close(table, expected(encoding, range(1, 9)))
        assert "allow_pickle=False" in script
        assert script.isascii()


def test_a_tensors_rows_are_read_from_the_file_again(tmp_path: Path) -> None:
    numbers = np.arange(24, dtype="<f4").reshape(8, 3) - 10
    narrow = (numbers.view("<u4") >> 16).astype("<u2")
    head = {
        "wpe": {"dtype": "F32", "shape": [8, 3], "data_offsets": [0, 96]},
        "\u202e'\nimport os": {"dtype": "BF16", "shape": [8, 3], "data_offsets": [96, 144]},
    }
    text = json.dumps(head).encode()
    content = len(text).to_bytes(8, "little") + text + numbers.tobytes() + narrow.tobytes()
    (tmp_path / "model.safetensors").write_bytes(content)
    found = [LearnedTable.from_file(tmp_path / "model.safetensors", name) for name in head]
    scripts = [numpy_source(encoding, range(8)) for encoding in found]
    for script, table in zip(scripts, run_together(scripts, tmp_path), strict=True):
        assert close(table, numbers)
        assert script.isascii()


def test_a_files_name_cannot_become_code() -> None:
    evil = 'x\nimport os; os.abort()\r\u2028#"""\''
    encoding = LearnedTable.from_array(np.ones((3, 2)), evil)
    script = numpy_source(encoding, range(3))
    assert not [line for line in script.splitlines() if line.startswith("import os")]


def test_long_scripts_of_long_tables_stay_short() -> None:
    assert len(numpy_source(Sinusoidal(65536, 0.5), range(10**6))) < 2000
    assert len(numpy_source(Rotary(65536, 1e6), range(-(10**6), 10**6))) < 2000
