"""The table that travels with the program: what its file says of it is true, and it was trained as its script says."""

import hashlib
import importlib.util
import json
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from posenc_core import LearnedTable, encode
from posenc_core.tables.field import untrained_table

ROOT = Path(__file__).parents[3]
TOLD = json.loads((ROOT / "resources" / "tables" / "trained.json").read_text(encoding="utf-8"))


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("train_table", ROOT / "tools" / "train_table.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["train_table"] = module  # where its dataclass looks its own module up
    spec.loader.exec_module(module)
    return module


TRAINING: Any = script()
TINY = TRAINING.Settings(steps=30, batch=4, n_positions=9, d_model=5, d_head=4, d_hidden=6, window=3)


def test_the_file_is_the_one_that_is_described() -> None:
    file = ROOT / "resources" / "tables" / "trained.npy"
    assert hashlib.sha256(file.read_bytes()).hexdigest() == TOLD["sha256"]
    table = np.load(file, allow_pickle=False)
    assert (list(table.shape), str(table.dtype)) == (TOLD["shape"], TOLD["dtype"])
    encoding = LearnedTable()
    assert encoding.label == f"trained here ({TOLD['what']}, seed {TOLD['settings']['seed']})"
    assert np.array_equal(encode(encoding, range(len(table))), table)
    assert encoding.warnings == ()


def test_the_table_was_trained_with_the_settings_of_the_script_until_the_task_was_solved() -> None:
    assert TRAINING.Settings(**TOLD["settings"]) == TRAINING.Settings()
    assert TOLD["what"] == TRAINING.TASK
    assert TOLD["accuracy"] > 0.999


def test_the_answers_are_the_commoner_bits() -> None:
    bits, answers = TRAINING.examples(np.random.default_rng(5), 3, TINY)
    for row, answer in zip(bits.tolist(), answers.tolist(), strict=True):
        assert answer == [int(sum(row[place - 1 : place + 2]) >= 2) for place in range(1, 8)]


@pytest.mark.parametrize("name", TRAINING.initial(TINY))
def test_the_gradients_are_those_of_finite_differences(name: str) -> None:
    weights = TRAINING.initial(TINY)
    drawn = np.random.default_rng(3)
    for each in weights:  # away from the small numbers of the beginning, where mistakes would hide
        weights[each] = weights[each] + drawn.normal(0, 0.3, weights[each].shape)
    bits, answers = TRAINING.examples(drawn, 4, TINY)
    gradient = TRAINING.loss_and_gradients(weights, bits, answers)[2][name]
    assert gradient.shape == weights[name].shape
    step, wanted = 1e-6, np.empty_like(gradient)
    for place in np.ndindex(gradient.shape):
        ends = []
        for sign in (1, -1):
            moved = {**weights, name: weights[name].copy()}
            moved[name][place] += sign * step
            ends.append(TRAINING.loss_and_gradients(moved, bits, answers)[0])
        wanted[place] = (ends[0] - ends[1]) / (2 * step)
    np.testing.assert_allclose(gradient, wanted, rtol=1e-5, atol=1e-8)


def test_training_is_the_same_each_time_and_lowers_the_loss() -> None:
    settings = replace(TINY, steps=200, learning_rate=0.02)
    told: list[tuple[int, float, float]] = []
    one = TRAINING.train(settings, lambda *words: told.append(words))
    again = TRAINING.train(settings)
    assert all(np.array_equal(one[name], again[name]) for name in one)
    assert [step for step, _, _ in told] == [1, 100, 200]
    assert told[-1][1] < 0.8 * told[0][1]
    assert TRAINING.accuracy(one, settings) > TRAINING.accuracy(TRAINING.initial(settings), settings) + 0.1


def mean_cosines(table: Any) -> list[float]:
    """The mean cosine between rows that are 0, 1, 2, ... positions apart, around the mean row."""
    around = table - table.mean(axis=0)
    around /= np.linalg.norm(around, axis=1, keepdims=True)
    return [float(np.diag(around @ around.T, apart).mean()) for apart in range(40)]


def test_near_positions_are_alike_as_in_no_untrained_table() -> None:
    trained = encode(LearnedTable(), range(64)).astype(np.float64)
    untrained = encode(LearnedTable(untrained_table(64, 32)), range(64)).astype(np.float64)
    near, far = mean_cosines(trained)[1:4], mean_cosines(trained)[10:40]
    assert min(near) > 0.4
    assert max(far) < 0.2
    assert max(abs(cosine) for cosine in mean_cosines(untrained)[1:40]) < 0.15
    assert np.abs(trained).max() > 5 * np.abs(untrained).max(), "it has moved away from where it began"
