"""Each family's table of 4096 positions: against the same with torch, and with the formula in float64 numpy.

python tests/benchmarks/families.py [--rounds 5] [--json FILE]

Tables are 1024 columns wide, or as wide as their heads (32) or bits (32) are many. torch computes each as models
do, in float32; without torch the comparison with numpy alone is made. A table that is learned is there already: all
three look rows up. Relative families count from -2048. Rules of several axes, for 64 x 64 patches, and other closed
forms are compared with sinusoids. Errors are those of the positions that end at a million, against long double
arithmetic. Each is measured in processes of its own, which take turns, so that what else the machine does falls on
each alike.
"""

import math
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import apart
import numpy as np
import numpy.typing as npt
import report

from posenc_core import (
    Alibi,
    BinaryCode,
    Encoding,
    IntegerIndex,
    LearnedTable,
    NormalizedIndex,
    Rotary,
    ShawRelative,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
    Yarn,
    encode,
)
from posenc_core.encodings import Fope, GrapeM, Kerple, Pope, RopeAxes, Sandwich, XPos

Array = npt.NDArray[Any]
Formula = Callable[[Array], object]
Task = Callable[[], object]

WITH_TORCH = find_spec("torch") is not None

ROWS, WIDTH, HEADS, BITS, CLIP = 4096, 1024, 32, 32, 64
FAR = 10**6
RULES = {
    **dict.fromkeys(("blocks", "shared", "shared_in_turns", "even_odd", "normalised", "mixed"), "h,w"),
    **dict.fromkeys(("sections", "interleaved_sections", "ernie_3d"), "t,h,w"),
}
AXES = {rule: RopeAxes(WIDTH, rule=rule, axes=axes, grid="64x64") for rule, axes in RULES.items()}
PLANE = np.random.default_rng(1).normal(size=(2, WIDTH)) / math.sqrt(WIDTH)
CLOSED: dict[str, Encoding] = {
    **{f"rope_axes_{rule}": each for rule, each in AXES.items()},
    "xpos": XPos(WIDTH),
    "pope": Pope(WIDTH // 2),
    "fope": Fope(WIDTH),
    "kerple": Kerple(n_heads=HEADS),
    "sandwich": Sandwich(WIDTH, n_heads=HEADS),
    "grape_m": GrapeM(tuple(PLANE[0].tolist()), tuple(PLANE[1].tolist())),
}
"""Families that have a closed form; relative ones are tables of the last query's keys. FoPE's is a matrix product."""

FASTER_THAN_TORCH = ("sinusoidal", "rotary", "rotary_interleaved", "rotary_yarn")


def frequencies(kind: type[np.floating[Any]] = np.float64) -> Array:
    """``10000^(-2i/d)``."""
    return kind(10000) ** (-np.arange(0, WIDTH, 2).astype(kind) / kind(WIDTH))


def waves(first: int, second: int, kind: type[np.floating[Any]] = np.float64, halves: bool = True) -> Formula:
    """Columns of the sine (0) or cosine (1) of every angle, then the other; in halves or in turns."""
    functions = (np.sin, np.cos)

    def table(positions: Array) -> Array:
        angles = positions.astype(kind)[:, None] * frequencies(kind)
        made = np.empty((len(positions), WIDTH), kind)
        made[:, slice(0, WIDTH // 2) if halves else slice(0, None, 2)] = functions[first](angles)
        made[:, slice(WIDTH // 2, None) if halves else slice(1, None, 2)] = functions[second](angles)
        return made

    return table


def slopes() -> Array:
    """Of 32 heads."""
    return 2.0 ** (-8 * np.arange(1, HEADS + 1) / HEADS)


def buckets(distances: Array) -> Array:
    """T5's, as transformers writes them, in numpy."""
    half = 16
    far = np.abs(distances)
    large = 8 + (np.log(np.maximum(far, 1) / 8) / math.log(128 / 8) * 8).astype(int)
    return (distances > 0) * half + np.where(far < 8, far, np.minimum(large, half - 1))


def tasks(folder: Path) -> dict[str, Task]:
    """Calls that compute each family's table: ours, its formula in numpy, and its formula in torch if installed.

    Learned rows come from a file in the folder.
    """
    path = folder / "rows.npy"
    np.save(path, np.random.default_rng(0).normal(0, 0.02, (ROWS, WIDTH)).astype(np.float32))
    learned, shaw, t5 = LearnedTable(str(path)), ShawRelative(WIDTH, CLIP), T5Bias(n_heads=HEADS)
    rows, biases = np.load(path).astype(float), t5.table.read(np.arange(t5.num_buckets), np.arange(HEADS))
    clipped = shaw.values(np.arange(-CLIP, CLIP + 1), np.arange(WIDTH))
    shifts = np.arange(BITS)[::-1]
    numpys: dict[str, tuple[Encoding, Formula]] = {
        "integer": (IntegerIndex(WIDTH), lambda p: np.repeat(p.astype(float)[:, None], WIDTH, 1)),
        "normalized": (NormalizedIndex(ROWS, WIDTH), lambda p: np.repeat(p[:, None] / (ROWS - 1), WIDTH, 1)),
        "binary": (BinaryCode(BITS), lambda p: ((p[:, None] >> shifts) & 1).astype(float)),
        "sinusoidal": (Sinusoidal(WIDTH), waves(0, 1, halves=False)),
        "learned": (learned, lambda p: rows[p]),
        "shaw": (shaw, lambda p: clipped[np.clip(p, -CLIP, CLIP) + CLIP]),
        "transformer_xl": (TransformerXLRelative(WIDTH), lambda p: waves(0, 1)(-p)),
        "t5": (t5, lambda p: biases[buckets(p)]),
        "alibi": (Alibi(HEADS), lambda p: p[:, None] * slopes()),
        "rotary": (Rotary(WIDTH), waves(1, 0)),
        "rotary_interleaved": (Rotary(WIDTH, pairing="interleaved"), waves(1, 0, halves=False)),
        "rotary_yarn": (Rotary(WIDTH, scaling=Yarn(16, ROWS)), waves(1, 0)),
    }
    found: dict[str, Task] = {
        name: partial(encode, each, np.arange(ROWS) + (1 - ROWS if each.relative else 0))
        for name, each in CLOSED.items()
    }
    for name, (encoding, formula) in numpys.items():
        positions = np.arange(ROWS) - (ROWS // 2 if encoding.relative else 0)
        found[name] = partial(encode, encoding, positions)
        found[f"{name}, float64 numpy"] = partial(formula, positions)
        if WITH_TORCH:
            found[f"{name}, torch"] = TorchTask(name, positions, (rows, clipped, biases))
    return found


@dataclass(frozen=True)
class TorchTask:
    """The table as models make it with torch, which is imported where it is measured and nowhere else."""

    name: str
    positions: Array
    weights: tuple[Array, Array, Array]

    @cached_property
    def formula(self) -> Formula:
        """From integer positions to the table."""
        import with_torch

        return with_torch.formulas(*self.weights)[self.name]

    def __call__(self) -> object:
        """The table."""
        return self.formula(self.positions)


def far_errors() -> list[report.Ratio]:
    """How many times closer to the exact numbers than torch, and how close, where the positions end at a million."""
    positions = np.arange(FAR - 255, FAR + 1)
    ratios = []
    for name, encoding, exact in (
        ("sinusoidal", Sinusoidal(WIDTH), waves(0, 1, np.longdouble, halves=False)(positions)),
        ("rotary", Rotary(WIDTH), waves(1, 0, np.longdouble)(positions)),
    ):
        ours = float(np.abs(encode(encoding, positions) - exact).max())
        if WITH_TORCH:
            import with_torch

            theirs = float(np.abs(with_torch.table(name, positions) - exact).max())
            what = f"{name}: largest error of torch's over ours at position 10^6"
            ratios.append(report.Ratio(f"{name}_more_exact_than_torch", what, theirs / ours, ">= 100"))
        what = f"{name}: largest error at position 10^6, over the promised 2e-7"
        ratios.append(report.Ratio(f"{name}_error_at_a_million", what, ours / 2e-7, "<= 1"))
    return ratios


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        found = tasks(Path(folder))
        if apart.only():
            apart.measure(found[apart.only()])
            return
    parser = report.arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="processes that measure each (default 5)")
    options = parser.parse_args()
    milliseconds = apart.medians(__file__, list(found), options.rounds)
    ratios = []
    for name in [name for name in found if "," not in name]:
        for rival, goal in (("float64 numpy", ">= 1"), ("torch", ">= 3" if name in FASTER_THAN_TORCH else "")):
            if f"{name}, {rival}" in milliseconds:
                key = f"{name}_vs_{rival.split()[-1]}"
                value = milliseconds[f"{name}, {rival}"] / milliseconds[name]
                ratios.append(report.Ratio(key, f"{rival} over encode", value, goal))
    for name in CLOSED:
        value = milliseconds[name] / milliseconds["sinusoidal"]
        ratios.append(
            report.Ratio(f"{name}_over_sinusoidal", f"{name} over sinusoids", value, "" if name == "fope" else "<= 3")
        )
    report.show("Tables of each family", ratios + far_errors(), milliseconds, options.json)
    if not WITH_TORCH:
        print('\ntorch is not installed, so nothing was compared with it: pip install -e ".[reference]"')


if __name__ == "__main__":
    main()
