"""JSON of any origin becomes an object or one sentence."""

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc_core.fields import decode_json, is_deeper

LOOSE: list[dict[str, bool]] = [{"non_finite": True}, {"unique_names": True}]
STRICT: dict[str, bool] = {}


@pytest.mark.parametrize("how", [STRICT, *LOOSE], ids=str)
def test_an_object_is_decoded_from_bytes_and_text(how: dict[str, bool]) -> None:
    text = '{"a": [1, 2.5, null, true, "\\u00e9é"], "b": {"c": 100000000000000000000}}'
    wanted = {"a": [1, 2.5, None, True, "éé"], "b": {"c": 10**20}}
    assert decode_json(text, "it", **how) == decode_json(text.encode(), "it", **how) == wanted


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "the file ends too early, or is empty"),
        (b'{"a": ', "the file ends too early, or is empty"),
        (b'{"a": "b', "the file ends too early, or is empty"),
        (b'{"a": 1}x', "the file is not valid JSON (extra data in line 1)"),
        (b'{"a":\n "\n"}', "the file is not valid JSON (invalid control character in line 2)"),
        (b'{"a": NaN}', "the file contains NaN, which is not a number"),
        (b'{"a": -Infinity}', "the file contains -Infinity, which is not a number"),
        (b'{"a": "\xff"}', "the file is not UTF-8 text"),
        ('{"a": 3}'.encode("utf-16"), "the file is not UTF-8 text"),
        (b'{"a":' * 100_000, "the file is nested too deeply"),
        (b"[" * 100_000, "the file is nested too deeply"),
        (b"3", "the file contains no object with names and values"),
    ],
    ids=range(12),
)
def test_a_text_that_is_no_object_is_refused_in_a_sentence(data: bytes | str, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"\S") as caught:
        decode_json(data, "the file")
    assert (type(caught.value), str(caught.value)) == (ValueError, sentence)


BEYOND = ["1e400", "-1e400", "9" * 309, "-" + "9" * 401, "9" * 5000, "2" + "0" * 308, "1797693134862316e293"]
"""Numbers that float64 cannot hold."""


@pytest.mark.parametrize("how", [STRICT, *LOOSE], ids=str)
@pytest.mark.parametrize("number", BEYOND, ids=len)
@pytest.mark.parametrize("place", ['{{"a": {}}}', '{{"a": [1, {{"b": [2.5, {}]}}]}}'])
def test_a_number_beyond_all_numbers_is_refused_wherever_it_stands(
    place: str, number: str, how: dict[str, bool]
) -> None:
    text = place.format(number)
    if "non_finite" in how and "e" in number:
        assert "inf" in str(decode_json(text, "it", **how))
        return
    with pytest.raises(ValueError, match=r"^it contains a number that is out of range$"):
        decode_json(text, "it", **how)


@pytest.mark.parametrize("how", [STRICT, *LOOSE], ids=str)
def test_the_largest_numbers_and_the_smallest_are_decoded(how: dict[str, bool]) -> None:
    text = f'{{"a": [{int(sys.float_info.max)}, -{int(sys.float_info.max)}, 1.7976931348623157e308, 5e-324, 1e-400]}}'
    largest = int(sys.float_info.max)
    assert decode_json(text, "it", **how) == {"a": [largest, -largest, sys.float_info.max, 5e-324, 0.0]}


def test_half_a_character_is_left_to_the_field_that_holds_it() -> None:
    assert decode_json(rb'{"a": "\ud800"}', "it") == {"a": "\ud800"}


def test_a_mark_before_the_text_is_no_part_of_it() -> None:
    assert decode_json(b'\xef\xbb\xbf{"a": 1}', "it") == {"a": 1}


@given(data=st.binary(max_size=60) | st.text(max_size=60), how=st.sampled_from([STRICT, *LOOSE]))
def test_any_other_file_is_refused_in_one_line(data: bytes | str, how: dict[str, bool]) -> None:
    refusal: Exception | None = None
    try:
        assert isinstance(decode_json(data, "it", **how), dict)
    except ValueError as error:
        refusal = error
    if refusal is not None:
        assert type(refusal) is ValueError
        assert str(refusal).startswith("it ")
        assert str(refusal).isprintable()


def test_a_name_that_stands_twice_is_refused_on_request() -> None:
    text = '{"a": {"b": 1, "b": 2}}'
    assert decode_json(text, "it") == decode_json(text, "it", non_finite=True) == {"a": {"b": 2}}
    with pytest.raises(ValueError, match=r"^it has 'b' twice$"):
        decode_json(text, "it", unique_names=True)


def test_pythons_infinity_is_decoded_on_request() -> None:
    assert decode_json('{"a": [-Infinity, 1e400]}', "it", non_finite=True) == {"a": [float("-inf"), float("inf")]}


@given(st.integers(0, 40), st.integers(0, 40))
def test_depth_is_counted_in_objects_and_lists(depth: int, limit: int) -> None:
    value: Any = 1
    for level in range(depth):
        value = {"a": value, "b": 0} if level % 2 else [0, value]
    assert is_deeper(value, limit) == (depth > limit)
