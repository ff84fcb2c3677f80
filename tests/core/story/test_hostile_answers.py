"""Answer functions with any arguments: an answer, or one sentence, with little work, no file and no warning."""

import random
from typing import Any

import numpy as np
import pytest
from hostile import every_value
from work import work_of

from posenc_core import Document, IntegerIndex, NormalizedIndex, Rotary, Sinusoidal
from posenc_core.session import NamedEncoding
from posenc_core.story import Call, compute
from posenc_core.story.answers import ANSWERS, check_call

MOST_WORK = 30_000_000
"""Calls, or 50 times as many numbers: some ten seconds of a slow machine."""

DOCUMENTS = (
    Document().with_encodings([NamedEncoding(Sinusoidal(8)), NamedEncoding(Rotary(8))], 0),
    Document(seq_len=10_000_000, encoding=Rotary(65536)),
    Document(seq_len=10_000_000, encoding=IntegerIndex(65536)),
    Document(encoding=NormalizedIndex(60, 8)),
)


def large_values() -> tuple[object, ...]:
    """Large values, and words of some arguments."""
    return 2**20, 2**31, 2**40, 10**15, -(10**9), 1e-300, [10**12], [0] * 10**6, "x" * 10**6, "right", "bfloat16"


def parameters(name: str) -> list[str]:
    """The parameters of a function beside the document."""
    function: Any = check_call(Call(name, dict.fromkeys(ANSWERS[name].__annotations__.keys() - {"document", "return"})))
    return [each for each in function.__annotations__ if each not in ("document", "return")]


def answer(name: str, arguments: dict[str, Any], document: Document) -> str:
    """The sentence of a refusal, empty for an answer."""
    try:
        compute(Call(name, arguments), document)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.one_of(3)
@pytest.mark.parametrize("name", ANSWERS)
def test_any_arguments_have_an_answer_or_one_sentence(name: str, amount: Any, count: Any) -> None:
    chance, values, tried = random.Random(name), [*every_value(), *large_values()], amount(3, 200)
    for _ in range(tried):
        document = chance.choice(DOCUMENTS)
        arguments = {
            each: chance.choice(values if chance.random() < 0.5 else (0, 1, 2, 5)) for each in parameters(name)
        }
        said = list[str]()
        work = work_of(lambda of=(arguments, document), said=said: said.append(answer(name, *of)))
        assert work < MOST_WORK, (arguments, document)
        assert len(said[0]) < 400
        assert said[0].isprintable()
    count("hostile calls of answer functions", tried)


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("refusal_of_config", {"config": "/etc/passwd"}, "config must be an object of names and values"),
        ("passages", {"columns": [0], "position": 1, "stop": 2**40}, "an answer takes 1 to 16,384 positions"),
        ("cosine_deviation", {"distance": 5, "stop": 2}, "no two of 2 rows are 5 apart"),
        ("is_score_kept", {"way": "right", "shifts": [0] * 1000}, "lists of at most 256 numbers, got 1,000 in shifts"),
    ],
)
def test_a_call_without_an_answer_says_why(name: str, arguments: dict[str, Any], reason: str) -> None:
    assert reason in answer(name, arguments, DOCUMENTS[0])


def test_rows_that_take_much_memory_are_refused() -> None:
    wide = Document(encoding=IntegerIndex(65536))
    assert "at most 16,777,216 entries, got 16,384 rows of 65,536" in answer(
        "distinct_in_bfloat16", {"stop": 16384}, wide
    )
    assert "rows of at most 4,096 columns, got 65,536" in answer("mean_cosine", {"distance": 1}, wide)


def test_a_power_beyond_all_numbers_is_no_warning() -> None:
    with np.errstate(all="raise"):
        assert answer("matrix_is_power", {"k": 2**60}, DOCUMENTS[0])
