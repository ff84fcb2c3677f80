"""Accepted inputs: files, printed NumPy and PyTorch arrays, positions; any other input is refused in one sentence."""

import io
import json
import pickle
import sys

import numpy as np
import pytest

from posenc_core import Alibi, Document, Llama3, Rotary, Sinusoidal, Yarn, identify
from posenc_core.tables import Cancelled

FREQUENCIES = 10000.0 ** (-np.arange(16) / 16)
TABLE = Sinusoidal(8).values(np.arange(12), np.arange(8))


@pytest.mark.parametrize("name", ["a.npy", "a.npz", "a.csv", "a.txt", "a.json"])
def test_files_are_read(name, tmp_path):
    path = tmp_path / name
    if name.endswith(".npz"):
        np.savez(path, table=TABLE)
    elif name.endswith(".npy"):
        np.save(path, TABLE)
    elif name.endswith(".json"):
        path.write_text(json.dumps(TABLE.tolist()))
    else:
        np.savetxt(path, TABLE, delimiter="," if name.endswith("csv") else " ")
    finding = identify(path)
    assert (finding.is_right, finding.encoding) == (True, Sinusoidal(8))


@pytest.mark.parametrize("wrap", ["{}", "tensor({}, dtype=torch.float64)", "array({}, dtype=float32)", "a = {}"])
def test_prints_are_read_with_their_decimals_as_precision(wrap):
    with np.printoptions(precision=4, suppress=True, threshold=sys.maxsize):
        finding = identify(wrap.format(np.array2string(TABLE, separator=", ")))
    assert (finding.is_right, finding.precision, finding.encoding) == (True, "4 decimals", Sinusoidal(8))


EXPONENTS = {
    "exponent_of_column": lambda column: 2 * column,
    "exponent_unpaired": lambda column: column,
    "sine_only": lambda column: column - column % 2,
    "cosine_only": lambda column: column - column % 2,
}


@pytest.mark.parametrize("is_scientific", [False, True])
@pytest.mark.parametrize(("height", "width"), [(12, 8), (24, 16), (12, 16)])
@pytest.mark.parametrize("code", EXPONENTS)
def test_four_decimals_tell_the_mistakes_that_leave_no_pairs(code, height, width, is_scientific):
    columns = np.arange(width)
    angles = np.outer(np.arange(height), 10000.0 ** (-EXPONENTS[code](columns) / width))
    quarters = {"sine_only": 0, "cosine_only": 1}.get(code, columns % 2)
    printed = np.array2string(
        np.sin(angles + quarters * np.pi / 2),
        precision=4,
        suppress_small=not is_scientific,
        separator=",",
        threshold=9999,
    )
    finding = identify(printed)
    assert [fault.code for fault in finding.faults] == [code]
    assert finding.encoding == Sinusoidal(width)


def test_few_numbers_do_not_tell_the_base_exactly():
    finding = identify(np.array2string(TABLE[:8], precision=3, suppress_small=True, separator=","))
    assert finding.is_right
    (fits,) = [each for each in finding.sentences if each.startswith("These numbers fit every base from ")]
    low, high = (float(each.replace(",", "")) for each in fits.rstrip(".").split(" from ")[1].split(" to "))
    assert low < 10000 < high


def test_positions_are_found_or_given():
    moved = Rotary(16).values(np.arange(5, 101, 3), np.arange(16))
    assert identify(moved).positions == range(5, 101, 3)
    assert identify(moved, positions=range(5, 101, 3)).is_right
    assert identify(TABLE, positions=range(12)).encoding == Sinusoidal(8)


def test_two_arrays_are_cosines_and_sines_or_before_and_after():
    angles = np.outer(np.arange(40), FREQUENCIES)
    assert identify((np.cos(angles), np.sin(angles))).encoding == Rotary(32)
    assert identify({"sin": np.sin(angles), "cos": np.cos(angles)}).encoding == Rotary(32)
    before = np.random.default_rng(0).normal(size=(40, 32))
    after = Rotary(32, pairing="interleaved").rotate(before, range(40))
    assert identify((before, after)).encoding == Rotary(32, pairing="interleaved")


@pytest.mark.parametrize(
    "against",
    [Rotary(32), Document(encoding=Rotary(32)), {"model_type": "llama", "hidden_size": 32, "num_attention_heads": 1}],
)
def test_numbers_that_were_asked_for_are_right(against):
    finding = identify(FREQUENCIES, against=against)
    assert (finding.is_right, finding.drift, finding.against) == (True, None, Rotary(32))


def test_other_numbers_than_asked_for_say_where_they_part():
    finding = identify(FREQUENCIES, against=Rotary(32, 500000.0))
    assert (finding.is_right, finding.faults) == (False, ())
    assert finding.sentences[0].startswith("Not what was asked for: these are the right numbers of Rotary (RoPE), ")
    assert finding.drift.position > 0
    assert finding.sentences[1].startswith("The first wrong number is at pair 1: 0.56234 in place of 0.44037")


def test_presets_are_compared_by_name():
    assert not identify(FREQUENCIES, against="llama-3.1-8b").is_right
    assert identify(Sinusoidal(512).values(np.arange(20), np.arange(512)), against="paper").kind == "table"


def test_a_session_with_the_longest_sentence_can_be_asked_for(tmp_path):
    (tmp_path / "long.posenc").write_text(Document("語" * 200_000, encoding=Rotary(32)).to_json())
    assert identify(FREQUENCIES, against=tmp_path / "long.posenc").is_right


def test_progress_can_cancel():
    shares = []
    assert identify(TABLE, progress=lambda share: not shares.append(share)).is_right
    assert shares[-1] == 1.0
    assert shares == sorted(shares)
    with pytest.raises(Cancelled):
        identify(TABLE, progress=lambda share: False)


@pytest.mark.parametrize("scaling", [Llama3(8.0, 8192), Yarn(4.0, 32768)])
def test_one_wrong_frequency_of_a_scaled_rotation_is_found_among_the_first_that_are_left_out(scaling):
    frequencies = Rotary(256, 500000.0, scaling=scaling).frequencies().astype(np.float32)
    frequencies[60] *= 1.3
    shares = []
    found = identify(frequencies, progress=lambda share: not shares.append(share))
    assert [(fault.code, fault.places) for fault in found.faults] == [("cells", (60,))]
    assert len(shares) < len(frequencies)


def test_the_search_for_one_wrong_frequency_can_be_cancelled():
    frequencies = np.sort(np.random.default_rng(0).random(128))[::-1]
    shares = []
    with pytest.raises(Cancelled):
        identify(frequencies, progress=lambda share: not shares.append(share) and len(shares) < 40)
    assert len(shares) == 40


def announced(shape) -> bytes:
    """The start of a .npy file that announces such an array."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": "<f4", "fortran_order": False, "shape": shape})
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.npy", pickle.dumps([1, 2]), "it is not a readable .npy, .npz or .safetensors file"),
        ("a.npy", announced((10**6, 10**6)), "it is cut off"),
        ("a.dat", b"1 2\n3 4", "in text are read from files named .txt, .csv, .tsv, .json, .log or .md$"),
        ("a.txt", b"\xff\xfe\xfa", "it is not UTF-8 text"),
        ("a.csv", b"a,b\n1,2\n3,x\n", "the text contains 'x', which is not a number"),
        ("a.json", b"[" * 100_000, "nested more than 7 deep"),
        ("a.txt", b"[[1, 2], [3]]", "the rows have different lengths"),
    ],
)
def test_a_bad_file_is_one_sentence(name, data, words, tmp_path):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match=words):
        identify(tmp_path / name)


def test_objects_are_never_unpickled(tmp_path):
    np.save(tmp_path / "a.npy", np.array([{}], object), allow_pickle=True)
    np.savez(tmp_path / "a.npz", a=np.array([{}], object))
    for name in ("a.npy", "a.npz"):
        with pytest.raises(ValueError, match="Python objects, which are never unpickled"):
            identify(tmp_path / name)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ("tensor([[0.0, 1.0, ..., 2.0]])", r"torch.set_printoptions\(threshold=float\('inf'\)\)"),
        ("[[0.0 1.0 ... 2.0]]", r"numpy.set_printoptions\(threshold=sys.maxsize\)"),
        ("hello world", "the text contains no numbers"),
        ("[1, two]", "the text contains 'two', which is not a number"),
        ([[1, 2, 3], [1, 2]], "the rows have different lengths"),
        (np.ones((1, 1)), "one number is too few to identify"),
        ("3", "one number is too few to identify"),
        ("0,841471;0,540302\n0;1", "the numbers have decimal commas; write them with points, like 0.5"),
        ("sin\tcos\n0,5\t0,25\n1,5e-3\t-2", "the numbers have decimal commas; write them with points, like 0.5"),
        (np.ones((2, 2)), "2 x 2 numbers are too few"),
        (np.empty((0, 5)), "the array is empty"),
        (np.zeros((8, 8)), "all numbers are 0"),
        (np.full((8, 8), np.nan), "number 0, 0 is nan"),
        (np.where(np.arange(64).reshape(8, 8) == 9, np.inf, 1.0), "number 1, 1 is inf"),
        (np.full((8, 8), 1e308), "which is not a number of a positional encoding"),
        (np.array(["a"]), "there must be numbers"),
        ({}, "there are no arrays"),
        ({"a": TABLE, "b": TABLE, "c": TABLE}, "there are 3 arrays"),
        ((TABLE, TABLE[1:]), "the two arrays have different shapes"),
    ],
)
def test_bad_numbers_are_one_sentence(numbers, words):
    with pytest.raises(ValueError, match=words):
        identify(numbers)


@pytest.mark.parametrize("separator", [",", ";", ", ", "; ", " "])
def test_commas_between_numbers_are_no_decimal_commas(separator):
    printed = "\n".join(separator.join(str(value) for value in row) for row in TABLE.tolist())
    assert identify(printed).encoding == Sinusoidal(8)


def test_bad_wishes_are_one_sentence():
    with pytest.raises(ValueError, match="7 positions are given for 8 or 12 rows"):
        identify(TABLE, positions=range(7))
    with pytest.raises(TypeError, match="against must be a configuration, a preset, a document or an encoding"):
        identify(TABLE, against=5)
    with pytest.raises(ValueError, match="there is no file, no preset and no family 'nothing'"):
        identify(TABLE, against="nothing")


def test_the_finding_is_plain_for_json():
    plain = json.loads(json.dumps(identify(TABLE).plain()))
    assert (plain["right"], plain["encoding"]["family"], plain["faults"]) == (True, "sinusoidal", [])
    assert plain["positions"] == {"first": 0, "step": 1, "count": 12}


def test_slopes_with_a_wrong_number_of_heads_are_no_alibi():
    slopes = -Alibi(8).values(np.array([-1]), np.arange(8))[0]
    assert identify(slopes).encoding == Alibi(8)
    assert identify(slopes[:7]).encoding != Alibi(7)


def test_a_rate_near_0_and_a_masked_bias_give_no_warning():
    """Warnings are errors here: a quotient overflowed, and the mean of -inf is none."""
    standing = FREQUENCIES.copy()
    standing[1] = 5e-324
    assert not identify(standing).is_right
    masked = np.ones((6, 6))
    masked[1, 1] = -np.inf
    assert identify(masked[None]).sentences[:2] == (
        "Not one of the formulas known here.",
        "Mean 1.000, standard deviation 0.",
    )


@pytest.mark.skipif(np.finfo(np.longdouble).max == np.finfo(np.float64).max, reason="no wider type here")
def test_a_number_beyond_float64_is_no_number_of_an_encoding():
    with pytest.raises(ValueError, match="all numbers must be finite"):
        identify(np.full((6, 6), np.longdouble("1e4000")))


def test_wrong_numbers_are_told_with_the_nearest_formula():
    columns = np.arange(16)
    angles = np.outer(np.arange(16), 10000.0 ** (-2 * columns / 16))
    finding = identify(np.where(columns % 2 == 0, np.sin(angles), np.cos(angles)))
    assert [fault.code for fault in finding.faults] == ["exponent_of_column"]
    assert finding.sentences[-1].startswith("Nearest formula: Sinusoidal, d_model 16, base 10,000, interleaved")
