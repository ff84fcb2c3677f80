"""Families since 2022 with drawn parameters, against their formulas as papers and libraries have them, in mpmath.

Each function draws an encoding and gives the table that its source states for some positions; nothing of the program
is used for it.
"""

import contextlib
import io
import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import mpmath
import numpy as np
import pytest
from amounts import some
from mpmath import mpf

from posenc_core import Document, Encoding, Rotary, encode, explain
from posenc_core.encodings import (
    ChunkedAttention,
    Cope,
    DistanceRemap,
    DualChunk,
    Fire,
    Fope,
    ForgetGate,
    GivenMlp,
    GrapeM,
    Kerple,
    LeakyReRope,
    Pope,
    RelativeBank,
    ReRope,
    RopeAxes,
    Sandwich,
    SelfExtend,
    XPos,
)
from posenc_core.explain import NUMPY
from posenc_core.rope_scaling import LeRope, ServedNtk, ThetaScale, YarnLog
from posenc_core.scripts import source_of

PAIRINGS = ["half_split", "interleaved"]
Drawn = tuple[Encoding, list[int], list[list[Any]]]


def some_positions(draw: Random, count: int = 5) -> list[int]:
    return sorted(draw.sample(range(3000), count))


def numbers(draw: Random, count: int, reach: float = 2.0) -> list[float]:
    return [draw.uniform(-reach, reach) for _ in range(count)]


def far_base(draw: Random) -> float:
    return math.exp(draw.uniform(0.7, 14.0))


def theta(base: float, pair: int, width: int) -> Any:
    return mpf(base) ** (-mpf(2 * pair) / width)


def waves(angles: Sequence[Any], pairing: str = "half_split") -> list[Any]:
    """Cosines and sines in their columns."""
    if pairing == "interleaved":
        return [wave(each) for each in angles for wave in (mpmath.cos, mpmath.sin)]
    return [wave(each) for wave in (mpmath.cos, mpmath.sin) for each in angles]


def kerple(draw: Random) -> Drawn:
    kernel, r1, r2 = draw.choice(["log", "power"]), math.exp(draw.uniform(-6, 4)), draw.uniform(1e-3, 2.0)
    distances = some_positions(draw)
    bias = (lambda d: mpmath.log(1 + mpf(r2) * d)) if kernel == "log" else (lambda d: mpf(d) ** mpf(r2))
    return Kerple(kernel, r1, r2, 1), [-d for d in distances], [[-mpf(r1) * bias(d)] for d in distances]


def sandwich(draw: Random) -> Drawn:
    width, base, heads = 2 * draw.randrange(1, 40), far_base(draw), draw.randrange(1, 9)
    distances = some_positions(draw)
    sums = [sum(mpmath.cos(d * theta(base, i, width)) for i in range(width // 2)) for d in distances]
    table = [[mpf(heads) / (8 * (head + 1)) * each for head in range(heads)] for each in sums]
    return Sandwich(width, base, heads), [-d for d in distances], table


def seen_keys(draw: Random, longest: int) -> tuple[int, list[int]]:
    query = draw.choice([0, draw.randrange(longest)])
    return query, sorted({0, query, *(draw.randrange(query + 1) for _ in range(6))})


def fire(draw: Random) -> Drawn:
    c, threshold, epsilon = math.exp(draw.uniform(-6, 3)), draw.randrange(1, 800), draw.random() < 0.5
    units, heads, (query, keys) = draw.randrange(1, 6), draw.randrange(1, 4), seen_keys(draw, 2000)
    w1, b1, b2 = numbers(draw, units), numbers(draw, units), numbers(draw, heads)
    w2 = [numbers(draw, units) for _ in range(heads)]
    below = mpmath.log(mpf(c) * max(threshold, query) + 1) + (mpf("1e-6") if epsilon else 0)
    shares = [mpmath.log(mpf(c) * (query - key) + 1) / below for key in keys]
    hidden = [[max(mpf(a) * x + mpf(b), mpf(0)) for a, b in zip(w1, b1, strict=True)] for x in shares]
    table = [[mpmath.fdot(row, w2[head]) + b2[head] for head in range(heads)] for row in hidden]
    encoding = Fire(c, threshold, epsilon, GivenMlp.of(w1, b1, w2, b2))
    return encoding.seen_from(query), [key - query for key in keys], table


def relative_bank(draw: Random) -> Drawn:
    profiles, extent, heads = draw.randrange(1, 6), draw.randrange(1, 12), draw.randrange(1, 4)
    bank, states = ([numbers(draw, n) for _ in range(m)] for m, n in ((profiles, extent), (heads, profiles)))
    positions = list(range(-extent - 2, 3))
    columns = {d: [bank[m][d] for m in range(profiles)] for d in range(extent)}
    table = [[mpmath.fdot(r, columns[-p]) if -p in columns else 0 for r in states] for p in positions]
    return RelativeBank.from_arrays(bank, states), positions, table


def cope(draw: Random) -> Drawn:
    p_max, query = draw.randrange(1, 8), draw.randrange(25)
    gates = [draw.choice([draw.uniform(-6, 6), 100.0, -100.0]) for _ in range(draw.randrange(1, 10))]
    logits = numbers(draw, p_max, 3.0)
    opened = [1 / (1 + mpmath.exp(-gates[token % len(gates)])) for token in range(query + 1)]
    places = [min(sum(opened[key:]), mpf(p_max - 1)) for key in range(query + 1)]
    ends = [(int(mpmath.floor(p)), int(mpmath.ceil(p)), p - mpmath.floor(p)) for p in places]
    table = [[(1 - share) * logits[low] + share * logits[high]] for low, high, share in ends]
    return Cope(p_max, tuple(gates), tuple(logits)).seen_from(query), list(range(-query, 1)), table


def forget_gate(draw: Random) -> Drawn:
    gates = [draw.choice([draw.uniform(1e-6, 1), 1.0]) for _ in range(draw.randrange(1, 10))]
    query = draw.randrange(40)
    fallen = [mpmath.log(gates[token % len(gates)]) for token in range(query + 1)]
    table = [[mpmath.fsum(fallen[key + 1 :])] for key in range(query + 1)]
    return ForgetGate(tuple(gates)).seen_from(query), list(range(-query, 1)), table


def distance_remap(draw: Random) -> Drawn:
    window, group = draw.randrange(0, 60), draw.randrange(1, 12)
    local, chunk, slope = draw.randrange(0, 50), draw.randrange(1, 60), draw.uniform(1, 30)
    wide = draw.choice([0, group + window])

    def in_chunks(i: int, j: int) -> int:
        before, within = i // chunk - j // chunk, i % chunk
        place = (within, min(within + chunk, chunk + local), min(2 * chunk - 1, chunk + local))[min(before, 2)]
        return place - j % chunk

    def in_groups(i: int, j: int) -> int:
        return i - j if i - j < wide else i // group - j // group + wide - wide // group

    rule, seen = draw.choice([
        (DualChunk(chunk + local, local), in_chunks),
        (SelfExtend(wide, group), in_groups),
        (ReRope(window), lambda i, j: min(i - j, window)),
        (LeakyReRope(window, slope), lambda i, j: min(i - j, window) + max(i - j - window, 0) / mpf(slope)),
        (ChunkedAttention(chunk), lambda i, j: i - j if i // chunk == j // chunk else None),
    ])  # fmt: skip
    query = draw.randrange(200)
    keys = [key for key in range(query + 1) if seen(query, key) is not None]
    encoding = DistanceRemap(rule, 2 * draw.randrange(1, 9), far_base(draw))
    return encoding.seen_from(query), [key - query for key in keys], [[seen(query, key)] for key in keys]


def xpos(draw: Random) -> Drawn:
    width, base, gamma = 2 * draw.randrange(1, 10), far_base(draw), math.exp(draw.uniform(-4, 2))
    scale, pairing, distances = (
        draw.randrange(1, 2000),
        draw.choice(PAIRINGS),
        some_positions(draw),
    )
    zetas = [(mpf(2 * i) / width + mpf(gamma)) / (1 + mpf(gamma)) for i in range(width // 2)]
    table = []
    for d in distances:
        row = waves([-d * theta(base, i, width) for i in range(width // 2)], pairing)
        pair_of = [c // 2 if pairing == "interleaved" else c % (width // 2) for c in range(width)]
        table.append([each * zetas[i] ** (mpf(d) / scale) for each, i in zip(row, pair_of, strict=True)])
    return XPos(width, base, gamma, scale, pairing), [-d for d in distances], table


def fope(draw: Random) -> Drawn:
    half, base, length = draw.randrange(1, 12), far_base(draw), draw.randrange(1, 5000)
    rates = [theta(base, i, 2 * half) for i in range(half)]
    long_enough = sum(1 for each in rates if each > 2 * mpmath.pi / length)
    given = draw.choice([None, draw.randrange(half + 1)])
    kept = long_enough if given is None else given
    cosines, sines = ([numbers(draw, kept) for _ in range(kept)] for _ in range(2))
    positions, table = some_positions(draw), []
    for p in positions:
        row = waves([rate * p for rate in rates])
        mixed = [mpmath.fdot(row[:kept], [c[j] for c in cosines]) for j in range(kept)] + [mpf(1)] * (half - kept)
        mixed += [mpmath.fdot(row[half : half + kept], [s[j] for s in sines]) for j in range(kept)]
        table.append(mixed + [mpf(0)] * (half - kept))
    parameters = {"head_dim": 2 * half, "rope_theta": base, "fope_length": length, "num_inv_freq": given}
    made = Fope.from_arrays(cosines, sines, **parameters) if kept else Fope(**parameters, deviation=0.0)
    return made, positions, table


def pope(draw: Random) -> Drawn:
    width, base, positions = draw.randrange(1, 12), far_base(draw), some_positions(draw)
    rates = [theta(base, c, 2 * width) for c in range(width)]
    return Pope(width, base), positions, [waves([p * rate for rate in rates]) for p in positions]


def grape_m(draw: Random) -> Drawn:
    n = draw.randrange(2, 6)
    a, b, x, omega = numbers(draw, n), numbers(draw, n), numbers(draw, n), draw.uniform(1e-3, 1)
    generator = mpmath.matrix([[mpf(a[i]) * b[j] - mpf(b[i]) * a[j] for j in range(n)] for i in range(n)])
    positions = sorted(draw.sample(range(50), 4))
    table = [list(mpmath.expm(generator * (mpf(omega) * p)) * mpmath.matrix(x)) for p in positions]
    return GrapeM(tuple(a), tuple(b), omega, tuple(x)), positions, table


def scaled(draw: Random) -> Drawn:
    half, base, factor = draw.randrange(2, 40), math.exp(draw.uniform(3, 14)), draw.uniform(1, 64)
    length, fast = draw.randrange(64, 100_000), draw.uniform(2, 64)
    slow, power = numbers(draw, 2, 0.9)
    slow, power = 1 + slow, 1 + power
    plain, alphas = [theta(base, i, 2 * half) for i in range(half)], numbers(draw, half)

    def border(turns: float) -> Any:
        return half * mpmath.log(length / (2 * mpmath.pi * turns)) / mpmath.log(base)

    low, high = max(mpmath.floor(border(fast)), 0), min(mpmath.ceil(border(slow)), 2 * half - 1)
    high += mpf("0.001") * (low == high)
    ramp = [min(max((i - low) / (high - low), 0), 1) for i in range(half)]
    by_turns = {"beta_fast": fast, "beta_slow": slow, "attention_factor": 1.0}
    exponent = mpmath.log(length * factor / (2 * mpmath.pi)) / mpmath.log(length / (2 * mpmath.pi))
    mixed = mpmath.log(factor) / mpf(half) ** power
    logs = [mpmath.log(each) - part * mpmath.log(factor) for each, part in zip(plain, ramp, strict=True)]
    blends = [each * (1 - part + part / factor) for each, part in zip(plain, ramp, strict=True)]
    slowed = [(mpf(base) * factor) ** (-mpf(i) / half) / mpf(factor) ** (mpf(1) / half) for i in range(half)]
    scaling, rates = draw.choice([
        (ServedNtk(factor), slowed),
        (ServedNtk(factor, power), [plain[i] / mpmath.exp(mixed * mpf(i + 1) ** power) for i in range(half)]),
        (YarnLog(factor, length, **by_turns), list(map(mpmath.exp, logs))),
        (ThetaScale(factor, length), [mpf(base) ** (-exponent * i / half) for i in range(half)]),
        (LeRope(factor, length, **by_turns, lerope_alpha=tuple(alphas)),
         [each * mpmath.exp(alpha) for each, alpha in zip(blends, alphas, strict=True)]),
    ])  # fmt: skip
    positions = some_positions(draw)
    return Rotary(2 * half, base, scaling=scaling), positions, [waves([p * rate for rate in rates]) for p in positions]


def rope_axes(draw: Random) -> Drawn:
    names = draw.choice(["h,w", "w,h", "t,h,w", "h,w,t", "t,h,w,l", "t"]).split(",")
    rule = draw.choice(["blocks", "shared", "even_odd", "normalised", "sections"])
    counts = [draw.randrange(1, 5) for _ in names]
    counts = counts if rule in ("blocks", "sections") else counts[:1] * len(names)
    half, base = sum(counts), far_base(draw)
    bases = [far_base(draw) for _ in names] if rule == "blocks" else [base] * len(names)
    sizes = {"t": draw.randrange(1, 4), "h": draw.choice([1, draw.randrange(1, 9)]), "w": draw.randrange(1, 9)}
    kind, pairing = draw.choice(["index", "centred", "normalised", "scaled"]), draw.choice(PAIRINGS)
    high, wide = draw.randrange(1, 50), draw.randrange(1, 50)

    def coordinate(axis: str, index: int) -> Any:
        size = sizes.get(axis, 1)
        if axis not in "hw" or (kind == "index" and rule != "normalised"):
            return mpf(index if axis in sizes else 0)
        if kind == "normalised" or rule == "normalised":
            return 2 * (index + mpf("0.5")) / size - 1
        return mpf(index - size + size // 2) if kind == "centred" else mpf(index) * {"h": high, "w": wide}[axis] / size

    def angles(place: dict[str, Any]) -> list[Any]:
        owners = [(k, j) for k, count in enumerate(counts) for j in range(count)]
        shares = {
            "blocks": [mpf(j) / counts[k] for k, j in owners],
            "even_odd": [mpf(k + len(names) * j) / half for k, j in owners],
            "sections": [mpf(i) / half for i in range(half)],
        }.get(rule, [mpf(j) / counts[0] for _, j in owners])
        factor = 2 * mpmath.pi if rule == "normalised" else 1
        rates = [factor * mpf(bases[k]) ** -share for (k, _), share in zip(owners, shares, strict=True)]
        return [place[names[k]] * rate for (k, _), rate in zip(owners, rates, strict=True)]

    places = [
        {axis: coordinate(axis, index) for axis, index in {"t": t, "h": h, "w": w, "l": 0}.items()}
        for t in range(sizes["t"]) for h in range(sizes["h"]) for w in range(sizes["w"])
    ]  # fmt: skip
    encoding = RopeAxes(
        2 * half, base, rule, ",".join(names), pairing, kind, high, wide,
        tuple(2 * count for count in counts) if rule == "blocks" else None,
        tuple(bases) if rule == "blocks" else None,
        tuple(counts) if rule == "sections" else None,
        grid="x".join(map(str, sizes.values())),
    )  # fmt: skip
    return encoding, list(range(len(places))), [waves(angles(place), pairing) for place in places]


FORMULAS: tuple[Callable[[Random], Drawn], ...] = (
    kerple, sandwich, fire, relative_bank, cope, forget_gate, distance_remap, xpos, fope, pope, grape_m, scaled,
    rope_axes,
)  # fmt: skip
CASES = [(formula.__name__, seed) for seed in range(40) for formula in FORMULAS]


@pytest.mark.parametrize(("name", "seed"), some(CASES, *CASES[: len(FORMULAS)]))
def test_numbers_are_those_of_the_formula(name: str, seed: int) -> None:
    """Values, float32 tables, derivations and their lines, scripts, and what a session keeps."""
    draw = Random(f"{name} {seed}")
    encoding, positions, table = globals()[name](draw)
    wanted = np.array(table, dtype=np.float64)
    close = {"rtol": 1e-10, "atol": 1e-10 * max(1.0, float(np.abs(wanted).max()))}
    np.testing.assert_allclose(encoding.values(np.array(positions), np.arange(wanted.shape[1])), wanted, **close)
    np.testing.assert_allclose(encode(encoding, positions), wanted, rtol=3e-7, atol=3e3 * close["atol"])
    for _ in range(3):
        row, column = draw.randrange(len(positions)), draw.randrange(wanted.shape[1])
        derivation, printed = explain(encoding, positions[row], column), io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(derivation.python, {})
        np.testing.assert_allclose([derivation.value, float(printed.getvalue())], wanted[row, column], **close)
    made: dict[str, Any] = {}
    exec(source_of(encoding, positions, NUMPY), made)
    np.testing.assert_allclose(made["table"], wanted, **close)
    document = Document(grid=encoding.parameters().get("grid", "text")).with_encoding(encoding)
    assert Document.from_json(document.to_json()) == document
    assert document.encoding.parameters() == encoding.parameters()
