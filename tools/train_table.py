"""Trains the table of positions that the program shows, and writes it to ``resources/tables``.

    python tools/train_table.py [FOLDER]

A Transformer of one block learns, in numpy alone and in one or two minutes, to say of every place in a row of random
bits whether most of the seven bits around it are ones. The bits themselves say nothing of where they stand, so the
block must learn from its table of positions which places lie near each other. The numbers that it starts from are
those of any new model, normal with deviation 0.02. With the same seed, numpy and processor it comes to the same table.
"""

import hashlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Parameters = dict[str, Array]

TASK = "the majority of the 7 bits around each place"


@dataclass(frozen=True)
class Settings:
    """Settings of the training, which with numpy and the processor determine the result."""

    seed: int = 0
    steps: int = 4000
    batch: int = 16
    n_positions: int = 64
    d_model: int = 32
    d_head: int = 32
    d_hidden: int = 64
    window: int = 7
    learning_rate: float = 5e-3
    weight_decay: float = 0.01
    deviation: float = 0.02


def initial(settings: Settings) -> Parameters:
    """The weights before training, by name: ``positions`` is the table."""
    drawn = np.random.default_rng(settings.seed)
    d, head, hidden = settings.d_model, settings.d_head, settings.d_hidden

    def matrix(rows: int, columns: int) -> Array:
        return drawn.normal(0, rows**-0.5, (rows, columns))

    return {
        "positions": drawn.normal(0, settings.deviation, (settings.n_positions, d)),
        "tokens": drawn.normal(0, settings.deviation, (2, d)),
        "query": matrix(d, head),
        "key": matrix(d, head),
        "value": matrix(d, head),
        "out": matrix(head, d),
        "up": matrix(d, hidden),
        "up_bias": np.zeros(hidden),
        "down": matrix(hidden, d),
        "read": matrix(d, 2),
    }


def examples(drawn: np.random.Generator, count: int, settings: Settings) -> tuple[npt.NDArray[np.int64], ...]:
    """Rows of random bits, and for each place that has a whole window around it which bit is the commoner one."""
    bits = drawn.integers(0, 2, (count, settings.n_positions))
    around = np.lib.stride_tricks.sliding_window_view(bits, settings.window, axis=1)
    return bits, (2 * around.sum(axis=2) > settings.window).astype(np.int64)


def loss_and_gradients(
    weights: Parameters, bits: npt.NDArray[np.int64], answers: npt.NDArray[np.int64]
) -> tuple[float, float, Parameters]:
    """The mean cross-entropy in nats, the share of right answers, and the gradient of the first for every weight."""
    w, edge = weights, (bits.shape[1] - answers.shape[1]) // 2
    x = w["tokens"][bits] + w["positions"]
    query, key, value = x @ w["query"], x @ w["key"], x @ w["value"]
    scale = query.shape[-1] ** -0.5
    attention = _softmax(query @ key.swapaxes(1, 2) * scale)
    mixed = attention @ value
    middle = x + mixed @ w["out"]
    before = middle @ w["up"] + w["up_bias"]
    hidden = np.maximum(before, 0)
    last = middle + hidden @ w["down"]
    shares = _softmax((last @ w["read"])[:, edge : edge + answers.shape[1]])
    chosen = np.take_along_axis(shares, answers[..., None], axis=2)
    right = float((shares.argmax(axis=2) == answers).mean())

    d_scores = shares.copy()
    np.put_along_axis(d_scores, answers[..., None], chosen - 1, axis=2)
    d_logits = np.zeros((*bits.shape, 2))
    d_logits[:, edge : edge + answers.shape[1]] = d_scores / answers.size
    d_last = d_logits @ w["read"].T
    d_before = (d_last @ w["down"].T) * (before > 0)
    d_middle = d_last + d_before @ w["up"].T
    d_mixed = d_middle @ w["out"].T
    d_attention = d_mixed @ value.swapaxes(1, 2)
    d_products = attention * (d_attention - (d_attention * attention).sum(axis=2, keepdims=True)) * scale
    d_query, d_key = d_products @ key, d_products.swapaxes(1, 2) @ query
    d_value = attention.swapaxes(1, 2) @ d_mixed
    d_x = d_middle + d_query @ w["query"].T + d_key @ w["key"].T + d_value @ w["value"].T
    d_tokens = np.stack([d_x[bits == bit].sum(axis=0) for bit in (0, 1)])
    gradients = {
        "positions": d_x.sum(axis=0),
        "tokens": d_tokens,
        "query": _weight(x, d_query),
        "key": _weight(x, d_key),
        "value": _weight(x, d_value),
        "out": _weight(mixed, d_middle),
        "up": _weight(middle, d_before),
        "up_bias": d_before.sum(axis=(0, 1)),
        "down": _weight(hidden, d_last),
        "read": _weight(last, d_logits),
    }
    return float(-np.log(chosen).mean()), right, gradients


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def _weight(entered: Array, left: Array) -> Array:
    """The gradient of a matrix that ``entered`` was multiplied with, from the gradient of what ``left`` it."""
    return entered.reshape(-1, entered.shape[-1]).T @ left.reshape(-1, left.shape[-1])


def train(settings: Settings, report: Callable[[int, float, float], None] | None = None) -> Parameters:
    """The weights after all steps of Adam with decoupled weight decay, the learning rate falling along a cosine.

    ``report`` is told the step, the loss and the share of right answers every hundredth step.
    """
    weights, drawn = initial(settings), np.random.default_rng([settings.seed, 1])
    first = {name: np.zeros_like(value) for name, value in weights.items()}
    second = {name: np.zeros_like(value) for name, value in weights.items()}
    for step in range(1, settings.steps + 1):
        loss, right, gradients = loss_and_gradients(weights, *examples(drawn, settings.batch, settings))
        rate = settings.learning_rate * (1 + np.cos(np.pi * step / settings.steps)) / 2
        for name, gradient in gradients.items():
            first[name] += 0.1 * (gradient - first[name])
            second[name] += 0.01 * (gradient**2 - second[name])
            change = first[name] / (1 - 0.9**step) / (np.sqrt(second[name] / (1 - 0.99**step)) + 1e-8)
            weights[name] -= rate * (change + settings.weight_decay * weights[name])
        if report is not None and (step % 100 == 0 or step == 1):
            report(step, loss, right)
    return weights


def accuracy(weights: Parameters, settings: Settings, count: int = 512) -> float:
    """The share of right answers on rows that training has not seen."""
    examined = examples(np.random.default_rng([settings.seed, 2]), count, settings)
    return loss_and_gradients(weights, *examined)[1]


def main(folder: Path) -> None:
    """Train, and write the table and what it is."""
    settings, started = Settings(), time.perf_counter()
    weights = train(settings, lambda *told: _say("step {}: loss {:.4f}, right {:.4f}".format(*told)))
    table = np.ascontiguousarray(weights["positions"], np.float32)
    reached = accuracy(weights, settings)
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "trained.npy", table)
    told = {
        "what": TASK,
        "settings": asdict(settings),
        "loss": "mean cross-entropy, Adam with weight decay",
        "accuracy": round(reached, 5),
        "shape": list(table.shape),
        "dtype": "float32",
        "sha256": hashlib.sha256((folder / "trained.npy").read_bytes()).hexdigest(),
        "numpy": np.__version__,
        "made_by": "tools/train_table.py",
    }
    (folder / "trained.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    _say(f"right on unseen rows: {reached:.5f}; {time.perf_counter() - started:.0f} s")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "resources" / "tables")
