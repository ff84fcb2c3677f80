"""Numbers as people's own code makes them, right or with one fault, from formulas written out here."""

import math
from random import Random
from typing import Any

import numpy as np
from msgspec import Struct

BASES = (10000.0,) * 6 + (1000.0, 5000.0, 20000.0, 12345.0, 777.0)
THETAS = (10000.0, 500000.0, 1e6, 5e6, 1e7, 150000.0, 50000.0, 25000.0, 160000.0, 8e6)
FACTORS = (2.0, 4.0, 8.0, 16.0, 32.0, 40.0, 1.5, 3.0, 2.5)
LENGTHS = (2048, 4096, 8192, 16384, 32768)

TABLE_FAULTS = (
    "", "transposed", "cosine_first", "degrees", "position_scaled", "values_scaled", "negative_sine", "sine_only",
    "cosine_only", "exponent_of_column", "exponent_unpaired", "exponent_halved", "exponent_width",
    "positions_reversed", "positions_rounded", "cells", "columns",
)  # fmt: skip
SCALINGS = ("none", "linear", "ntk", "dynamic", "llama3", "ntk_by_parts", "yarn", "proportional", "listed")
HOLDERS = ("frequencies", "halves", "repeated", "stacked", "cat", "complex", "rotation")
CACHE_FAULTS = ("", "attention_factor", "positions_rounded", "cells", "columns")
OWN_FAULTS = {
    "frequencies": ("", "wavelengths", "exponent_width", "cells"),
    "rotation": ("", "no_rotation", "cells"),
}

FINE = ("float32", "float64")
EVERY = ("float32", "float64", "float16", "bfloat16")


class Own(Struct, frozen=True):
    """Numbers with what they are: faults by code, and the places of wrong cells or columns."""

    numbers: np.ndarray
    kind: str
    family: str
    parameters: dict[str, Any]
    fault: str = ""
    places: tuple[Any, ...] = ()


def bfloat16(numbers):
    """The numbers with the 8 significant bits of bfloat16, ties to even, as float32."""
    bits = np.asarray(numbers, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32)


def stored(random: Random, numbers: np.ndarray, formats=FINE) -> np.ndarray:
    """The numbers in one of the formats."""
    name = random.choice(formats)
    if np.iscomplexobj(numbers):
        return numbers.astype(np.complex128 if name == "float64" else np.complex64)
    return bfloat16(numbers) if name == "bfloat16" else numbers.astype(name)


def own_table(random: Random, fault: str) -> Own:
    """A table of sinusoids with this fault, or none for an empty one."""
    d, n = 2 * random.randint(4, 64), 2 * random.randint(6, 100) + 1
    base, layout = random.choice(BASES), random.choice(("interleaved", "concatenated"))
    spacing, offset = random.choice(("paper", "paper", "tensor2tensor", "one_based")), random.choice((0, 0, 1, 5, 100))
    is_plain = fault in ("", "transposed", "values_scaled", "negative_sine", "cells", "columns", "cosine_first")
    if not is_plain:
        spacing, offset = "paper", 0
    if fault.startswith("exponent") or fault == "cosine_first":
        layout, base = "interleaved", 10000.0
    if fault == "positions_rounded":
        offset, n = random.randint(300, 1000), random.randint(65, 200)
    p = _positions(random, n, offset, fault)
    pairs = np.arange(d // 2)
    exponent = {"paper": 2 * pairs / d, "tensor2tensor": pairs / (d // 2 - 1), "one_based": 2 * (pairs + 1) / d}
    theta = base ** -_exponent(random, exponent[spacing], d, fault)
    table = _table(p, theta, layout, fault, d)
    if fault == "values_scaled":
        table *= random.choice((math.sqrt(d), 1 / math.sqrt(d), 0.5, 10.0, 0.02))
    places = _spoilt(random, table, fault)
    table = stored(random, table, EVERY if is_plain else FINE)
    shaped = table.T if fault == "transposed" else random.choice((table, table[None], table[:, None]))
    parameters = {"d_model": d, "base": base, "layout": layout, "spacing": spacing, "offset": offset}
    return Own(shaped, "table", "sinusoidal", parameters, fault, places)


def _positions(random: Random, n: int, offset: int, fault: str) -> np.ndarray:
    p = np.arange(n) + float(offset)
    if fault == "positions_rounded":
        return bfloat16(p).astype(float)
    if fault == "position_scaled":
        return p * random.choice((1 / n, 1 / 512, 0.5, 0.1, 0.25))
    return p[::-1] if fault == "positions_reversed" else p * math.pi / 180 if fault == "degrees" else p


def _exponent(random: Random, exponent: np.ndarray, d: int, fault: str) -> np.ndarray:
    widths = [width for width in (512, d // 2, d + 2, 768) if width not in (d, 2 * d)]
    wrong = {
        "exponent_halved": exponent / 2,
        "exponent_width": exponent * d / random.choice(widths),
        "exponent_of_column": 2 * np.arange(d) / d,
        "exponent_unpaired": np.arange(d) / d,
    }
    return wrong.get(fault, exponent)


def _table(p: np.ndarray, theta: np.ndarray, layout: str, fault: str, d: int) -> np.ndarray:
    sines, cosines = np.sin(np.outer(p, theta)), np.cos(np.outer(p, theta))
    if len(theta) == d:
        return np.where(np.arange(d) % 2 == 0, sines, cosines)
    if fault == "negative_sine":
        sines = -sines
    one, other = (cosines, sines) if fault == "cosine_first" else (sines, cosines)
    one, other = (one, one) if fault == "sine_only" else (other, other) if fault == "cosine_only" else (one, other)
    return woven(one, other) if layout == "interleaved" else np.concatenate([one, other], axis=1)


def woven(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The columns of both in turns."""
    return np.stack([one, other], axis=-1).reshape(len(one), -1)


def _spoilt(random: Random, table: np.ndarray, fault: str) -> tuple[Any, ...]:
    """The places of the cells or the column that are made wrong."""
    n, width = table.shape
    if fault == "cells":
        places = {(random.randrange(n), random.randrange(width)) for _ in range(random.choice((1, 1, 2)))}
        for place in places:
            table[place] += random.choice((0.5, -0.7, 2.0))
        return tuple(sorted(places))
    if fault == "columns":
        column = random.randrange(width)
        table[:, column] = random.choice((np.zeros(n), np.full(n, 0.3), 0.1 - table[:, column]))
        return (column,)
    return ()


def scaled(random: Random, r: int, theta: float, scaling: str) -> tuple[np.ndarray, dict[str, Any], float]:
    """The frequencies of a scaling with random parameters, what they are, and the attention factor."""
    i, factor, length = np.arange(r // 2), random.choice(FACTORS), random.choice(LENGTHS)
    w, power = theta ** (-2 * i / r), r / (r - 2)
    turns, known = length * w / (2 * math.pi), {"scaling": scaling}
    if scaling == "none":
        return w, known, 1.0
    if scaling == "linear":
        return w / factor, {**known, "factor": factor}, 1.0
    if scaling == "ntk":
        return (theta * factor**power) ** (-2 * i / r), {**known, "factor": factor}, 1.0
    if scaling == "dynamic":
        base = theta * (factor * random.choice((2, 3, 4)) - (factor - 1)) ** power
        return base ** (-2 * i / r), {"rope_theta": base}, 1.0
    if scaling == "proportional":
        turning = random.randint(3, r // 2 - 1)
        return np.where(i < turning, w, 0.0), {**known, "partial_rotary_factor": turning / (r // 2)}, 1.0
    if scaling == "listed":
        divisors = np.sort([round(random.uniform(1, 60), 2) for _ in i])
        return w / divisors, {"scaling": "listed"}, 1.0
    known |= {"factor": factor, "original_max_position_embeddings": length}
    if scaling == "yarn":
        low, high = (r * math.log(length / (end * 2 * math.pi)) / (2 * math.log(theta)) for end in (32, 1))
        kept = 1 - np.clip(
            (i - max(math.floor(low), 0)) / (min(math.ceil(high), r - 1) - max(math.floor(low), 0)), 0, 1
        )
        return w * kept + w / factor * (1 - kept), known, 0.1 * math.log(factor) + 1
    kept = np.clip((turns - 1) / {"llama3": 3, "ntk_by_parts": 31}[scaling], 0, 1)
    return w * kept + w / factor * (1 - kept), known, 1.0


def own_rotary(random: Random, holder: str, scaling: str, fault: str) -> Own:
    """Frequencies, a cache or rotated vectors, with this scaling and this fault."""
    r, theta = random.choice((32, 64, 96, 128, 256)), random.choice(THETAS)
    w, parameters, factor = scaled(random, r, theta, scaling)
    parameters = {"head_dim": r, "rope_theta": theta, **parameters}
    if fault == "exponent_width":
        wide = r * random.choice((2, 4))
        w, parameters = theta ** (-2 * np.arange(r // 2) / wide), {**parameters, "head_dim": wide, "rotary_dim": r}
    if fault == "attention_factor":
        factor = 1.0 if scaling == "yarn" else random.choice((1.25, 0.8, 1.1))
    if holder == "frequencies":
        return _own_frequencies(random, w, parameters, fault)
    if holder == "rotation":
        return _own_rotation(random, w, factor, parameters, fault)
    p = random.choice((0, 0, 1, 100)) + np.arange(random.randint(24, 300))
    if fault == "positions_rounded":
        p = bfloat16(random.randint(600, 2000) + np.arange(random.randint(100, 300))).astype(float)
    cosines, sines = factor * np.cos(np.outer(p, w)), factor * np.sin(np.outer(p, w))
    if holder in ("halves", "repeated"):
        parameters["pairing"] = "half_split" if holder == "halves" else "interleaved"
        weave = (lambda x: np.concatenate([x, x], axis=1)) if holder == "halves" else (lambda x: woven(x, x))
        cosines, sines = weave(cosines), weave(sines)
    places = _spoilt(random, cosines, fault)
    if fault == "cells":
        places = tuple((int(p[row]), column) for row, column in places)
    if holder == "complex":
        numbers = cosines + 1j * sines
    else:
        numbers = np.concatenate([cosines, sines], axis=1) if holder == "cat" else np.stack([cosines, sines])
    return Own(stored(random, numbers), "cache", "rotary", parameters, fault, places)


def _own_frequencies(random: Random, w: np.ndarray, parameters: dict[str, Any], fault: str) -> Own:
    places: tuple[int, ...] = ()
    if fault == "wavelengths":
        w = 2 * math.pi / w
    elif fault == "cells":
        places = (random.randrange(len(w)),)
        w[places[0]] = 1.5 * w[places[0]] + 0.01
    return Own(stored(random, w), "frequencies", "rotary", parameters, fault, places)


def _own_rotation(random: Random, w: np.ndarray, factor: float, parameters: dict[str, Any], fault: str) -> Own:
    n, r, pairing = random.randint(24, 300), 2 * len(w), random.choice(("half_split", "interleaved"))
    before = np.random.default_rng(random.randrange(2**32)).normal(size=(n, r)).astype(np.float32).astype(float)
    cosines, sines = (factor * wave(np.outer(np.arange(n), w)) for wave in (np.cos, np.sin))
    halves = pairing == "half_split"
    one, other = (before[:, : r // 2], before[:, r // 2 :]) if halves else (before[:, ::2], before[:, 1::2])
    sign = -1 if fault == "no_rotation" else 1
    both = one * cosines - sign * other * sines, one * sines + other * cosines
    after = np.concatenate(both, axis=1) if halves else woven(*both)
    places = _spoilt(random, after, fault)
    numbers = stored(random, np.stack([before, after]))
    return Own(numbers, "rotation", "rotary", {**parameters, "pairing": pairing}, fault, places)


def own_biases(random: Random, holder: str, fault: str) -> Own:
    """ALiBi's biases: masked with -inf or -1e9, with later keys, or the slopes alone."""
    heads, n = random.choice((3, 4, 6, 8, 12, 16, 20, 32, 40)), random.randint(8, 64)
    slopes = np.array(_slopes(heads))
    if holder == "slopes":
        return Own(stored(random, slopes), "bias", "alibi", {"n_heads": heads})
    distances = np.arange(n) - np.arange(n)[:, None]
    biases = slopes[:, None, None] * (distances if holder == "masked" else -abs(distances))
    if fault == "sign":
        biases = -biases
    if holder == "masked":
        biases = np.where(distances > 0, random.choice((-np.inf, -1e9)), biases)
    return Own(stored(random, biases), "bias", "alibi", {"n_heads": heads}, fault)


def _slopes(heads: int) -> list[float]:
    """Press et al. 2021: a power of 2 for each head, and every other one of twice as many heads for the rest."""
    whole = 1 << (heads.bit_length() - 1)
    slopes = [2.0 ** (-8 * (head + 1) / whole) for head in range(whole)]
    return slopes if heads == whole else slopes + _slopes(2 * whole)[::2][: heads - whole]
