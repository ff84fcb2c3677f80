"""The numbers in the answers to questions, computed a second time from the definitions, without the program."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Values = dict[str, Any]

Q, K = np.arange(1.0, 9.0), np.arange(8.0, 0.0, -1.0)
"""The query and the key of the view at first."""

ONES = np.array([1.0, 0.0] * 4)
"""The query of question 10: 1 in the first column of each pair."""


def theta(width: int, base: float = 10000.0) -> Floats:
    return base ** (-2.0 * np.arange(width // 2) / width)


def turned(x: Floats, position: int) -> Floats:
    """Neighbours as complex numbers, each turned by its angle."""
    pairs = (x[0::2] + 1j * x[1::2]) * np.exp(1j * position * theta(len(x)))
    return np.stack([pairs.real, pairs.imag], axis=1).ravel()


def turned_in_halves(x: Floats, position: int) -> Floats:
    pairs = (x[:4] + 1j * x[4:]) * np.exp(1j * position * theta(8))
    return np.concatenate([pairs.real, pairs.imag])


def broken(x: Floats, position: int) -> Floats:
    """Cosines and sines laid out for neighbours, halves turned against each other."""
    angles = np.repeat(position * theta(8), 2)
    return x * np.cos(angles) + np.concatenate([-x[4:], x[:4]]) * np.sin(angles)


def score(way: Any, shift: int = 0) -> float:
    return float(way(Q, 5 + shift) @ way(K, 2 + shift))


def unseen(scaled: Floats, trained: Floats, length: int, target: int) -> tuple[int, int]:
    """Pairs without a full turn that pass their trained arc below the target, and the first position at which."""
    positions = np.arange(length, target)
    is_past = (trained * length < 2 * math.pi) & (positions[:, None] * scaled > trained * length * (1 + 1e-9))
    found = np.flatnonzero(is_past.any(axis=1))
    return int(is_past.any(axis=0).sum()), int(positions[found[0]]) if len(found) else -1


def dynamic_base(width: int, factor: float, length: int, original: int) -> float:
    if length <= original:
        return 10000.0
    return 10000.0 * (factor * length / original - (factor - 1)) ** (width / (width - 2))


def yarn(width: int, factor: float, original: int) -> Floats:
    """The released code: a ramp over the index of the pair, from beta 32 to beta 1."""
    rates = theta(width)
    low, high = (width * math.log(original / (beta * 2 * math.pi)) / (2 * math.log(10000.0)) for beta in (32, 1))
    first, last = max(math.floor(low), 0), min(math.ceil(high), width - 1)
    share = np.clip((np.arange(width // 2) - first) / (last - first), 0, 1)
    return rates / factor * share + rates * (1 - share)


def by_parts(width: int, factor: float, original: int) -> Floats:
    """The paper, equation 18: a ramp over the number of turns, from 1 to 32."""
    rates = theta(width)
    kept = np.clip((original * rates / (2 * math.pi) - 1) / 31, 0, 1)
    return rates / factor * (1 - kept) + rates * kept


def llama3(width: int, base: float, factor: float, original: int) -> Floats:
    rates = theta(width, base)
    kept = np.clip((original * rates / (2 * math.pi) - 1) / 3, 0, 1)
    return rates / factor * (1 - kept) + rates * kept


def off(one: Floats, other: Floats, position: int) -> NDArray[np.bool_]:
    return np.abs(one - other) * position > math.pi / 4


def first_off(one: Floats, other: Floats) -> tuple[int, int]:
    """The first position at which a pair is off by more than 45 degrees, and the lowest such pair."""
    position = next(p for p in range(1, 100_000) if off(one, other, p).any())
    return position, int(np.argmax(off(one, other, position)))


def bfloat16(x: Any) -> NDArray[np.float32]:
    """Rounded to eight bits, ties to even."""
    mantissa, exponent = np.frexp(np.asarray(x, np.float64))
    return np.ldexp(np.round(mantissa * 256), exponent - 8).astype(np.float32)


def worst_entry(angles: Floats, exact: Floats, form: Any) -> float:
    found = [np.abs(form(each(angles.astype(np.float64))) - each(exact)).max() for each in (np.cos, np.sin)]
    return float(max(found))


def without_cosines() -> float:
    """The largest error of the best map of two sines to those one position on, in 50 rows."""
    positions = np.arange(50)[:, None]
    before, after = np.sin(positions * theta(4, 100.0)), np.sin((positions + 1) * theta(4, 100.0))
    return float(np.abs(before @ np.linalg.lstsq(before, after, rcond=None)[0] - after).max())


def _of_scalings() -> dict[int, Values]:
    plain, wrong = theta(128), theta(128, 500000.0)
    ntk = theta(128, 10000.0 * 4 ** (128 / 126))
    dynamic = theta(128, dynamic_base(128, 4, 16384, 4096))
    of_llama = llama3(128, 500000.0, 8, 8192)
    parts = yarn(64, 4, 2048) / by_parts(64, 4, 2048)
    at_8192, at_5005 = (theta(128, dynamic_base(128, 2, length, 4096)) for length in (8192, 5005))
    stale = np.angle(np.exp(1j * 5004 * (at_5005 - at_8192)))
    wrong_base, short = first_off(wrong, plain), first_off(plain, yarn(128, 4, 4096))
    count = unseen(plain, plain, 4096, 16384)
    return {
        11: {
            "keys": '{ "rope_theta": 10000.0, "rope_scaling": { "rope_type": "yarn", "factor": 4.0, '
            '"original_max_position_embeddings": 4096, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": true } }',
            "factor": 4, "none": count[0], "pairs": 64, "ntk": unseen(ntk, plain, 4096, 16384)[0],
            "linear": unseen(plain / 4, plain, 4096, 16384)[0], "dynamic": unseen(dynamic, plain, 4096, 16384)[0],
            "yarn": unseen(yarn(128, 4, 4096), plain, 4096, 16384)[0], "step": 1, "linear_step": 0.25,
            "kept": int(np.isclose(yarn(128, 4, 4096), plain, rtol=1e-9).sum()),
        },
        12: {
            "trained": 8192, "target": 131072, "factor": 8, "product": 65536, "pairs": 64,
            "within": unseen(of_llama, wrong, 8192, 65536)[0], "beyond": unseen(of_llama, wrong, 8192, 131072)[0],
        },
        13: {
            "pair": int(np.argmax(parts)), "part": 100 * parts.max() - 100, "pairs": 32,
            "equal": int(np.isclose(parts, 1, rtol=1e-9).sum()),
        },
        15: {
            "trained": 4096, "complete": int((4096 * plain >= 2 * math.pi).sum()), "pairs": 64, "unseen": count[0],
            "first": count[1], "other": unseen(wrong, wrong, 8192, 32768)[0],
        },
        17: {
            "pair": wrong_base[1], "degrees": 45, "first": wrong_base[0], "pairs": 64,
            "off": int(off(wrong, plain, 64).sum()),
        },
        18: {
            **{name: dynamic_base(128, 2, n, 4096) for name, n in (("base", 4096), ("middle", 5005), ("now", 8192))},
            "stale": int((np.abs(stale) > math.pi / 4).sum()), "pairs": 64,
        },
        19: {
            "score": (0.1 * math.log(4) + 1) ** 2, "factor": 0.1 * math.log(4) + 1, "pairs": 64, "degrees": 45,
            "kept": int(np.isclose(yarn(128, 4, 4096), plain, rtol=1e-9).sum()), "first": short[0],
        },
    }  # fmt: skip


def _of_tables() -> dict[int, Values]:
    waves = 2 * math.pi / theta(128)
    return {
        2: {"tokens": 3, "still": int((np.sin(2 * theta(512)) < 0.01).sum()), "pairs": 256},
        25: {
            "position": 1, "column": 1, "wrong": math.cos(10000 ** (-2 / 16)), "right": math.cos(1),
            "mistake": "the exponent is 2c/d",
        },
        3: {"both": 0.0, "sines": without_cosines()},
        4: {
            "pairs": 64, "first": 2 * math.pi, "last_a": waves[-1], "last_b": 2 * math.pi * 500000.0 ** (126 / 128),
            "base_a": 10000, "base_b": 500000,
        },
        5: {"pair": 2, "pairs": 4, "exponent": 0.5, "wavelength": 200 * math.pi, "entry": math.cos(0.03)},
        6: {"positions": 60, "still": int((60 / waves < 0.01).sum()), "pairs": 64, "wavelength": waves[-1]},
        7: {
            "columns": 7, "pairs": 3,
            "refusal": "RoPE rotates pairs: rotary dimension must be even, got 7 (head_dim 7 x "
            "partial_rotary_factor 1.0)",
        },
        8: {"rows": 1024, "columns": 768, "entries": 1024 * 768, "beyond": 1024, "fixed": np.cos(theta(768)).mean()},
        21: {"positions": 60, "columns": 128},
        22: {
            "positions": 64, "mean": 531.5, "deviation": np.arange(64).std(), "cosine": 1,
            "distinct": len(np.unique(bfloat16(np.arange(4096)))),
        },
    }  # fmt: skip


def _of_rotations() -> dict[int, Values]:
    row = np.stack([np.sin(5 * theta(8)), np.cos(5 * theta(8))], axis=1).ravel()
    rates, ones = theta(128), 2 * np.cos(np.arange(3000)[:, None] * theta(128)).sum(axis=1)
    exact, single = 3969 * rates, np.float32(3969) * rates.astype(np.float32)
    half = bfloat16(bfloat16(3969) * bfloat16(rates))
    kept = {"before": Q @ Q, "after": turned(Q, 5) @ turned(Q, 5)}
    return {
        1: {
            "right": score(turned), "other": score(turned_in_halves), "mixed": score(broken),
            "moved": score(broken, 100),
        },
        9: {
            "both": score(turned), "later": score(turned, 10), "query": turned(Q, 5) @ K,
            "query_later": turned(Q, 15) @ K,
        },
        10: {"rope": 0.5, "sines": 0.5, "before": 4.0, "after": 4.0, "sum": (ONES + row) @ (ONES + row)},
        14: {
            "positions": 4096, "distinct": len(np.unique(bfloat16(np.arange(4096)))), "kept": 4096,
            "rounded": worst_entry(half, exact, bfloat16), "single": worst_entry(single, exact, np.float32),
        },
        16: {
            "near": math.sqrt(128), "far": math.sqrt(128), "zero": 128, "hundred": ones[100],
            "negative": int(np.argmax(ones < 0)),
        },
        20: {
            "head": 96, "turning": 24, "passing": 72, "right": 10000 ** (-2 / 24), "wrong": 10000 ** (-2 / 96),
        },
        24: {"layers": 36, "still": 9},
        23: {"fast": 5, "slow": 0.005, **kept},
    }  # fmt: skip


def expected_values() -> dict[int, Values]:
    """The numbers by question and name."""
    return {**_of_tables(), **_of_rotations(), **_of_scalings()}
