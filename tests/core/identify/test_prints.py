"""Numbers as other programs print them: significant digits, 16 bits, prompts, and columns of row numbers."""

import zipfile

import numpy as np
import pytest

from posenc_core import Rotary, Sinusoidal, identify
from posenc_core.long_context import to_bfloat16
from posenc_core.tables import parse_numbers

TABLE = Sinusoidal(16).values(np.arange(24), np.arange(16))
RATES = 10000.0 ** (-np.arange(0, 64, 2) / 64)
LONG = 500000.0 ** (-np.arange(0, 128, 2) / 128)


def printed(table, form="{:.4f}", head="tensor(", tail=")"):
    """Rows in brackets, each number in the form."""
    return f"{head}[{', '.join(_row(row, form) for row in table)}]{tail}"


def _row(row, form):
    return f"[{', '.join(form.format(float(each)) for each in row)}]"


@pytest.mark.parametrize("base", [10000.0, 500000.0])
def test_significant_digits_are_told_from_decimals(base):
    rates = base ** (-np.arange(0, 64, 2) / 64)
    text = f"array([{', '.join(f'{each:.6g}' for each in rates)}], dtype=float32)"  # MLX
    finding = identify(text)
    assert (finding.is_right, finding.precision, finding.encoding) == (True, "6 digits", Rotary(64, base))
    assert "to 6 digits" in finding.sentences[0]
    rates[-1] *= 1.0001
    wrong = identify(f"[{', '.join(f'{each:.6g}' for each in rates)}]")
    assert [fault.places for fault in wrong.faults] == [(31,)]
    assert identify(printed(TABLE, "{:.6g}", "array(")).precision == "6 digits"


@pytest.mark.parametrize("form", ["{:.4e}", "{:.5f}", "{:.6g}"])
def test_small_frequencies_of_a_print_are_compared_by_the_digits_they_have(form):
    slow = LONG.copy()
    text = "[" + ", ".join(form.format(each) for each in slow) + "]"
    assert identify(text).is_right
    slow[40] *= 1.5 if "f" in form else 1.01
    wrong = identify("[" + ", ".join(form.format(each) for each in slow) + "]")
    assert [(fault.code, fault.places) for fault in wrong.faults] == [("cells", (40,))]


@pytest.mark.thorough
@pytest.mark.parametrize("tail", [")", ", dtype=torch.bfloat16)", ",\n       device='cuda:0', grad_fn=<MulBackward0>)"])
def test_a_print_of_16_bits_is_right_to_16_bits(tail):
    both = ((to_bfloat16(TABLE), "bfloat16"), (TABLE.astype(np.float16), "float16"))
    for stored, name in both[:1] if "bfloat16" in tail else both:
        finding = identify(printed(stored, tail=tail))
        assert (finding.is_right, finding.precision, finding.encoding) == (True, name, Sinusoidal(16))
    coarse = np.array(to_bfloat16(TABLE))
    coarse[7, 5] = 0.25
    assert [fault.places for fault in identify(printed(coarse)).faults] == [((7, 5),)]


def test_a_print_that_no_16_bits_have_is_not_right_to_16_bits():
    finding = identify(printed(np.where(np.arange(24)[:, None] % 5 == 4, TABLE * 1.002, TABLE)))
    assert (finding.is_right, finding.encoding) == (False, None)


@pytest.mark.parametrize("begin", [">>> rope.inv_freq\n", "In [3]: rope.inv_freq\nOut[3]: \n", "torch.Size([32])\n"])
def test_prompts_and_sizes_before_a_print_are_no_numbers(begin):
    finding = identify(f"{begin}tensor([{', '.join(f'{each:.4e}' for each in RATES)}])")
    assert (finding.is_right, finding.encoding) == (True, Rotary(64))


NAMES = {
    "names": "pos," + ",".join(f"d{column}" for column in range(16)),
    "pandas": "," + ",".join(map(str, range(16))),
    "none": "",
}
"""First lines of CSV by what wrote them."""


@pytest.mark.parametrize("first", [0, 5])
@pytest.mark.parametrize("names", NAMES)
def test_numbers_of_rows_and_columns_are_no_numbers_of_the_table(names, first):
    lines = [f"{first + row}," + ",".join(f"{each:.6f}" for each in TABLE[row]) for row in range(24)]
    finding = identify("\n".join([NAMES[names], *lines]))
    assert (finding.is_right, finding.encoding) == (True, Sinusoidal(16))
    spaced = "\n".join(line.replace(",", "  ") for line in [NAMES["pandas"], *lines])
    assert identify(spaced).is_right


def test_numbers_of_columns_alone_are_no_row():
    lines = [",".join(map(str, range(16))), *(",".join(f"{each:.6f}" for each in row) for row in TABLE)]
    assert identify("\n".join(lines)).encoding == Sinusoidal(16)


@pytest.mark.parametrize("delimiter", [",", "\t"])
@pytest.mark.parametrize("first", [0, 4])
def test_words_before_numbered_columns_are_labels(delimiter, first):
    """A table of pandas whose index has words."""
    words = [f'"row{delimiter} {row}"' if row % 2 else str(row % 5) for row in range(24)]
    lines = ["", *words]
    for column in range(first, 16):
        cells = [str(column), *(f"{each:.6f}" for each in TABLE[:, column])]
        lines = [f"{line}{delimiter}{cell}" for line, cell in zip(lines, cells, strict=True)]
    text = "\r\n".join(lines)
    np.testing.assert_allclose(parse_numbers(text).numbers, TABLE[:, first:], rtol=0, atol=5.1e-7)
    assert first or identify(text).encoding == Sinusoidal(16)


@pytest.mark.parametrize("row", ["a,1.0,0.0", 'a,1.0,"0.0', "a,1.0,x", "a,1.0,0.0,0.5,2"])
def test_a_bad_row_after_labels_is_one_sentence(row):
    with pytest.raises(ValueError, match=r"[a-z]") as told:
        identify(f"name,0,1,2\nb,0.1,0.2,0.3\n{row}\n")
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    "text",
    [
        repr([np.float64(each) for each in RATES]),
        repr({"inv_freq": RATES.tolist()}),
        f'{{\n  "rope.inv freq": {RATES.tolist()}\n}}\n',
        ",\n".join(f"np.float32({each!r})" for each in RATES.tolist()),
    ],
    ids=["list of numpy's numbers", "dictionary", "JSON", "lines of numpy's numbers"],
)
def test_wrapped_numbers_are_read(text):
    finding = identify(text)
    assert (finding.is_right, finding.encoding) == (True, Rotary(64))


@pytest.mark.parametrize("label", ["{row} ", "pos {row}: ", "'the', {row}: ", "row\t"])
def test_words_before_each_vector_are_labels(label):
    """A loop that prints a word or a position and its vector, which numpy wraps."""
    with np.printoptions(linewidth=40, suppress=True):
        lines = [label.format(row=row) + str(vector) for row, vector in enumerate(TABLE)]
    finding = identify("\n".join(lines))
    assert (finding.is_right, finding.encoding) == (True, Sinusoidal(16))


def test_the_last_line_of_a_pandas_print_is_no_row():
    lines = [f"{row:<3} " + " ".join(f"{each:9.6f}" for each in vector) for row, vector in enumerate(TABLE)]
    text = "\n".join(["    " + " ".join(f"{column:9}" for column in range(16)), *lines, "", "[24 rows x 16 columns]"])
    assert identify(text).encoding == Sinusoidal(16)


def test_a_file_of_torch_is_refused_with_what_to_save(tmp_path):
    with zipfile.ZipFile(tmp_path / "model.pt", "w") as archive:
        archive.writestr("archive/data.pkl", b"\x80\x02.")
        archive.writestr("archive/data/0", TABLE.tobytes())
    with pytest.raises(ValueError, match=r"torch\.save, whose objects are never unpickled; save the tensor with"):
        identify(tmp_path / "model.pt")


def test_a_batch_of_one_table_is_the_table():
    finding = identify(np.stack([TABLE] * 4))
    assert (finding.is_right, finding.encoding) == (True, Sinusoidal(16))
