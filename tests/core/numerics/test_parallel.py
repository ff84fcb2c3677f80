"""Work shared out among the processors: the same numbers, errors where they belong, and forks."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from posenc_core import Encoding, Rotary, Sinusoidal, Yarn, encode
from posenc_core.numerics.parallel import n_processors, on_all_processors

FORKED = """
import os
import numpy as np
from posenc_core import Sinusoidal, encode

table = encode(Sinusoidal(1024), np.arange(4096))
child = os.fork()
if child == 0:
    again = encode(Sinusoidal(1024), np.arange(4096))
    os._exit(0 if np.array_equal(again, table) else 1)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.parametrize(
    "encoding",
    [
        Sinusoidal(1024),
        Sinusoidal(1024, layout="concatenated"),
        Rotary(1024),
        Rotary(1024, scaling=Yarn(16, 4096)),
    ],
    ids=str,
)
def test_a_table_that_is_shared_out_has_the_bits_of_one_that_is_not(encoding: Encoding) -> None:
    positions, columns = np.arange(-1000, 4096), [0, 1, 2, 511, 512, 1023]
    assert np.array_equal(encode(encoding, positions)[:, columns], encode(encoding, positions, columns))


def test_each_item_is_taken_once_and_several_at_a_time() -> None:
    another, taken = Event(), list[int]()

    def take(number: int) -> None:
        if number == 0 and n_processors() > 1:
            assert another.wait(10), "another is taken at the same time"
        another.set()
        taken.append(number)

    on_all_processors(take, range(200))
    assert sorted(taken) == list(range(200))


@pytest.mark.parametrize("wrong", [0, 1, 2, 40])
def test_an_error_of_any_item_is_raised(wrong: int) -> None:
    with pytest.raises(IndexError, match="too far"):
        on_all_processors(partial(_refuse, wrong), range(50))


def test_after_an_error_no_other_item_is_begun() -> None:
    begun: list[int] = []

    def refuse(number: int) -> None:
        begun.append(number)
        raise ValueError(number)

    with pytest.raises(ValueError, match=r"\d"):
        on_all_processors(refuse, range(1000))
    assert len(begun) <= n_processors()


def _refuse(wrong: int, number: int) -> None:
    if number == wrong:
        raise IndexError("too far")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_makes_tables_too() -> None:
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", FORKED], cwd=root, check=True)
