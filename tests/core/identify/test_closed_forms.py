"""Families that are named from their numbers alone, at random parameters, and numbers that only look like them."""

import math
from collections.abc import Callable, Iterator
from random import Random

import numpy as np
import pytest
from own_code import woven

from posenc_core import Encoding, encoding, identify, table
from posenc_core.identify import Finding

Amount = Callable[[int, int], int]


def generators(amount: Amount, n_thorough: int, *names: object) -> Iterator[Random]:
    """Two generators in a usual run, more in a thorough one; the same ones in each."""
    return (Random(f"{names} {index}") for index in range(amount(1, n_thorough)))


def squares(cells: np.ndarray, is_masked: bool) -> np.ndarray:
    """Biases of heads ``(n_heads, n, n)`` from numbers by distance ``(n, n_heads)``, later keys masked or alike."""
    places = np.arange(len(cells))
    apart = np.abs(places - places[:, None])
    biases = cells[apart].transpose(2, 0, 1)
    return np.where(places > places[:, None], -np.inf, biases) if is_masked else biases


def has_numbers(finding: Finding, numbers: np.ndarray, family: str, near: float = 1e-6) -> bool:
    """Whether a reading of that family has the numbers ``(n_positions, n_columns)`` at the positions of the finding."""
    rows = list(finding.positions)
    readings = [each for each in (finding.encoding, *finding.also) if each is not None and each.family == family]
    return any(
        each.n_columns == numbers.shape[1] and np.allclose(table(each, rows), numbers, rtol=1e-5, atol=near)
        for each in readings
    )


def kerple(random: Random, kernel: str) -> tuple[np.ndarray, dict[str, float]]:
    """Biases ``(n, n_heads)`` by distance, and r1 and r2 of head 0."""
    n, heads = random.randint(12, 60), random.choice((1, 2, 4, 8, 12))
    r1 = np.array([round(random.uniform(0.05, 2.0), 3) for _ in range(heads)])
    r2 = np.array([round(random.uniform(0.05, 0.95), 3) for _ in range(heads)])
    d = np.arange(n)[:, None]
    return -r1 * (np.log(1 + r2 * d) if kernel == "log" else d**r2), {"r1": r1[0], "r2": r2[0]}


@pytest.mark.one_of(2)
@pytest.mark.parametrize("kernel", ["log", "power"])
@pytest.mark.parametrize("holder", ["masked", "whole", "rows", "last query"])
@pytest.mark.parametrize("stored", [np.float64, np.float32])
def test_kerple_is_named_with_the_numbers_of_each_head(kernel, holder, stored, amount):
    for random in generators(amount, 20, kernel, holder, stored.__name__):
        cells, numbers = kerple(random, kernel)
        shown = {"rows": cells, "last query": cells[::-1]}.get(holder)
        finding = identify((squares(cells, holder == "masked") if shown is None else shown).astype(stored))
        assert finding.is_right, finding.sentences
        assert (finding.kind, finding.encoding.family, finding.encoding.kernel) == ("bias", "kerple", kernel)
        found = {name: getattr(finding.encoding, name) for name in numbers}
        assert found == pytest.approx(numbers, rel=1e-4)
        exact = finding.encoding.values(-np.arange(len(cells)), np.arange(cells.shape[1]))
        np.testing.assert_allclose(exact, cells, rtol=2e-6)


def test_kerple_has_one_wrong_bias_or_the_wrong_sign():
    cells, _ = kerple(Random(3), "log")
    biases = squares(cells, True)
    biases[0, 9, 4] += 0.5
    finding = identify(biases)
    assert ([fault.code for fault in finding.faults], finding.faults[0].places) == (["cells"], ((-5, 0),))
    assert [fault.code for fault in identify(-squares(cells, False)).faults] == ["sign"]


@pytest.mark.parametrize("holder", ["masked", "whole", "rows"])
def test_sandwich_is_named_with_its_width_and_base(holder, amount):
    for random in generators(amount, 20, holder):
        n, heads, width = random.randint(8, 50), random.choice((1, 4, 8, 12)), 2 * random.randint(4, 64)
        base = random.choice((10000.0, 500.0, 1e5, 777.0))
        theta = base ** (-2 * np.arange(width // 2) / width)
        sums = np.cos(np.outer(np.arange(n), theta)).sum(axis=1)
        cells = sums[:, None] * heads / (8 * (np.arange(heads) + 1))
        finding = identify((cells if holder == "rows" else squares(cells, holder == "masked")).astype(np.float32))
        assert finding.is_right, finding.sentences
        found = next(each for each in (finding.encoding, *finding.also) if each.family == "sandwich")
        assert (found.d_bar, found.n_heads) == (width, heads)
        assert found.base == pytest.approx(base, rel=1e-3)


def fading(random: Random, n: int) -> tuple[np.ndarray, np.ndarray, dict[str, object]]:
    """Cosines and sines ``(n, n_pairs)`` of xPos by position, times the factors of queries."""
    width, base = 2 * random.randint(4, 32), random.choice((10000.0, 500000.0))
    gamma, scale = random.choice((0.4, 0.25, 1.5)), random.choice((512, 256, 40, 1000))
    pairs, p = np.arange(width // 2), np.arange(n)[:, None]
    faded = ((2 * pairs / width + gamma) / (1 + gamma)) ** (p / scale)
    angles = p * base ** (-2 * pairs / width)
    known = {"head_dim": width, "rope_theta": base, "gamma": gamma, "scale_base": scale}
    return faded * np.cos(angles), faded * np.sin(angles), known


@pytest.mark.parametrize("pairing", ["half_split", "interleaved"])
@pytest.mark.parametrize("is_by_distance", [True, False])
def test_xpos_is_named_by_distance_and_by_the_position_of_queries(pairing, is_by_distance, amount):
    for random in generators(amount, 20, pairing, is_by_distance):
        cosines, sines, known = fading(random, random.randint(40, 200))
        sines = -sines if is_by_distance else sines
        numbers = woven(cosines, sines) if pairing == "interleaved" else np.concatenate([cosines, sines], axis=1)
        finding = identify(numbers[::-1] if is_by_distance else numbers)
        assert finding.is_right, finding.sentences
        assert (finding.encoding.family, finding.kind) == ("xpos", "cache")
        found = {name: getattr(finding.encoding, name) for name in known}
        assert found == pytest.approx(known, rel=1e-6)
        assert finding.encoding.pairing == pairing


def test_a_plane_is_named_with_its_speed(amount):
    for random in generators(amount, 30):
        n = random.randint(3, 24)
        a, b, x = (np.array([random.gauss(0, 1) for _ in range(n)]) for _ in range(3))
        speed = random.uniform(0.02, 1.5)
        b = b - a * (a @ b) / (a @ a)
        a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
        angles = speed * np.arange(random.randint(20, 80))[:, None]
        inside = (x @ b) * (np.cos(angles) * b + np.sin(angles) * a) + (x @ a) * (
            np.cos(angles) * a - np.sin(angles) * b
        )
        rows = x - (x @ a) * a - (x @ b) * b + inside
        finding = identify(rows)
        assert finding.is_right, finding.sentences
        assert finding.encoding.speed == pytest.approx(speed, rel=1e-9)
        assert has_numbers(finding, rows, "grape_m")
        assert any("not a and b" in sentence for sentence in finding.sentences)


def test_pope_is_another_reading_of_a_rotation_of_twice_its_width():
    meant = encoding("pope", head_dim=12, rope_theta=500000.0)
    assert meant in identify(table(meant, range(60))).also


def vision(random: Random, rule: str) -> tuple[np.ndarray, np.ndarray, str]:
    """Cosines and sines ``(n_cells, n_pairs)`` of a picture's cells, as vision towers compute them, and the grid."""
    high, wide, n = random.randint(3, 14), random.randint(3, 14), 4 * random.randint(2, 8)
    base, row, column = random.choice((10000.0, 100.0)), *np.divmod(np.arange(high * wide), wide)
    if rule == "shared":  # Qwen2-VL: the same frequencies for both axes
        theta = base ** (-np.arange(0, n // 2) / (n // 2))
        angles = np.concatenate([np.outer(row, theta), np.outer(column, theta)], axis=1)
    elif rule == "even_odd":  # Pixtral: even entries for rows, odd ones for columns
        theta = base ** (-np.arange(n) / n)
        angles = np.concatenate([np.outer(row, theta[0::2]), np.outer(column, theta[1::2])], axis=1)
    else:  # DINOv3: coordinates from -1 to 1
        theta = 2 * math.pi * base ** (-np.arange(0, n // 2) / (n // 2))
        y, x = 2 * (row + 0.5) / high - 1, 2 * (column + 0.5) / wide - 1
        angles = np.concatenate([np.outer(y, theta), np.outer(x, theta)], axis=1)
    return np.cos(angles), np.sin(angles), f"{high}x{wide}"


@pytest.mark.parametrize("rule", ["shared", "even_odd", "normalised"])
@pytest.mark.parametrize("holder", ["cat", "stacked", "repeated"])
def test_vision_towers_are_named_with_grid_and_rule(rule, holder, amount):
    for random in generators(amount, 20, rule, holder):
        cosines, sines, grid = vision(random, rule)
        if holder == "cat":
            numbers = np.concatenate([cosines, sines], axis=1)
        else:
            doubled = [np.concatenate([each, each], axis=1) for each in (cosines, sines)]
            numbers = np.stack(doubled if holder == "repeated" else [cosines, sines])
        finding = identify(numbers.astype(np.float32))
        assert finding.is_right, (finding.sentences, rule, grid)
        assert has_numbers(finding, np.concatenate([cosines, sines], axis=1), "rope_axes"), finding.sentences
        assert grid in [each.grid for each in (finding.encoding, *finding.also) if each.family == "rope_axes"]
        assert rule in [each.rule for each in (finding.encoding, *finding.also) if each.family == "rope_axes"]


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("rule", "axes"),
    [
        ("sections", "t,h,w"),
        ("interleaved_sections", "t,h,w"),
        ("blocks", "t,h,w"),
        ("ernie_3d", "h,w,t"),
        ("mixed", "h,w"),
    ],
)
@pytest.mark.parametrize("grid", ["2x5x6", "4+5x6", "3x4"])
def test_every_rule_of_axes_is_named_from_a_picture(rule, axes, grid):
    meant: Encoding = encoding("rope_axes", head_dim=48, rope_theta=10000.0, rule=rule, axes=axes, grid=grid)
    n_cells = int(meant.domain[1]) + 1
    numbers = table(meant, range(n_cells))
    finding = identify(numbers.astype(np.float32))
    assert finding.is_right, finding.sentences
    assert has_numbers(finding, numbers, "rope_axes")
    numbers[n_cells - 4, 3] += 0.4
    wrong = identify(numbers)
    assert [fault.code for fault in wrong.faults] == ["cells"], wrong.sentences
    assert wrong.faults[0].places == ((n_cells - 4, 3),)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("grid", ["4+5x6", "2x5x6", "8+2x12x14"])
@pytest.mark.parametrize(
    "scaling",
    [
        {"scaling": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768},
        {"scaling": "linear", "factor": 4.0},
    ],
)
def test_sections_with_a_scaling_are_named(grid, scaling):
    meant: Encoding = encoding(
        "rope_axes", head_dim=128, rope_theta=1e6, rule="sections", axes="t,h,w", sections=(16, 24, 24), grid=grid,
        **scaling,
    )  # fmt: skip
    finding = identify(table(meant, range(int(meant.domain[1]) + 1)).astype(np.float32))
    assert finding.is_right, finding.sentences
    assert meant in (finding.encoding, *finding.also)


@pytest.mark.parametrize("is_masked", [True, False])
@pytest.mark.parametrize("heads", [8, 12, 16])
def test_biases_by_the_position_of_keys_are_alibi_as_in_bloom(heads, is_masked):
    slopes = np.abs(encoding("alibi", n_heads=heads).values(np.array([-1]), np.arange(heads))[0])
    cells = np.tile(slopes[:, None, None] * np.arange(20.0), (1, 20, 1))
    if is_masked:
        cells = np.where(np.tril(np.ones((20, 20), bool)), cells, -np.inf)
    finding = identify(cells.astype(np.float32))
    assert (finding.is_right, finding.encoding) == (True, encoding("alibi", n_heads=heads))
    assert any("as in Bloom" in sentence for sentence in finding.sentences)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("seed", range(6))
def test_numbers_that_only_look_like_a_family_are_none(seed):
    draw = np.random.default_rng(seed)
    falling = -np.sort(draw.exponential(1.0, (30, 4)), axis=0)
    falling -= falling[0]
    mixed = np.cos(np.outer(np.arange(40), draw.uniform(0.01, 2.0, 16))) @ draw.normal(size=(16, 12))
    walk = np.cumsum(draw.normal(size=(40, 12)), axis=0)
    trained = draw.normal(0, 0.02, (8, 24, 24))
    for numbers in (falling, squares(falling, True), mixed, walk):
        finding = identify(numbers)
        assert (finding.encoding, finding.is_right) == (None, False), finding.sentences
    with pytest.raises(ValueError, match="are not a table"):
        identify(trained)


@pytest.mark.parametrize("rule", ["shared", "even_odd"])
@pytest.mark.parametrize(("missing", "grid"), [(1, "6x7"), (6, "6x7"), (13, "5x7")])
@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16])
def test_the_first_cells_of_a_picture_are_named_with_its_row_length(rule, missing, grid, kind):
    row, column = np.divmod(np.arange(42 - missing), 7)
    theta = 1e4 ** (-np.arange(32) / 32)
    if rule == "shared":
        angles = np.concatenate([np.outer(row, theta[0::2]), np.outer(column, theta[0::2])], axis=1)
    else:
        angles = np.concatenate([np.outer(row, theta[0::2]), np.outer(column, theta[1::2])], axis=1)
    finding = identify(np.concatenate([np.cos(angles), np.sin(angles)], axis=1).astype(kind))
    assert finding.is_right, finding.sentences
    assert (finding.encoding.family, finding.encoding.grid) == ("rope_axes", grid)
    assert "The last row of the grid is not complete: the grid may have more rows." in finding.sentences


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16])
@pytest.mark.parametrize("repeats", [1, 2])
def test_fading_cosines_and_sines_in_two_arrays_are_named(kind, repeats):
    """As TorchScale returns the factors of queries: each array times its scale."""
    pairs, rows = np.arange(32), np.arange(300)
    scale = ((2 * pairs / 64 + 0.4) / 1.4) ** (rows[:, None] / 512)
    angles = np.outer(rows, 1e4 ** (-pairs / 32))
    numbers = [np.tile(wave(angles) * scale, repeats).astype(kind) for wave in (np.cos, np.sin)]
    finding = identify((numbers[0], numbers[1]))
    assert (finding.is_right, finding.encoding.family) == (True, "xpos"), finding.sentences
    assert (finding.encoding.gamma, finding.encoding.scale_base) == (0.4, 512)
