"""The families of encodings: a small table and a default document of each, and what is expected of any of them."""

import numpy as np
import pytest

from posenc_core import (
    ENCODINGS,
    Alibi,
    BinaryCode,
    Document,
    Encoding,
    IntegerIndex,
    LearnedTable,
    NoPosition,
    NormalizedIndex,
    Rotary,
    ShawRelative,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
    Yarn,
)
from posenc_core.encodings import (
    Cope,
    DistanceRemap,
    Fire,
    Fope,
    ForgetGate,
    GivenMlp,
    GrapeM,
    Kerple,
    Pope,
    RelativeBank,
    ReRope,
    RopeAxes,
    Sandwich,
    XPos,
)
from posenc_core.rope_scaling import SCALINGS

SENTENCE = "Dan loves icecream"


def formula(text: str, second: str = "", kind: str = "entry", **parameters: float) -> Encoding:
    """The encoding of a typed formula; ``parameters`` are its fields, or the names in it."""
    own = {field.name for field in ENCODINGS["formula"].FIELDS}
    given = {name if name in own else f"parameter {name}": number for name, number in parameters.items()}
    return ENCODINGS["formula"].from_parameters({"formula": text, "formula_cos": second, "formula_kind": kind, **given})


def learned() -> LearnedTable:
    """A table of 9 rows and 4 columns with numbers of both signs."""
    return LearnedTable.from_array(np.random.default_rng(4).normal(0, 3, (9, 4)), "a test's own")


MADE = {
    "none": lambda: NoPosition(4),
    "integer": lambda: IntegerIndex(4, offset=-3),
    "normalized": lambda: NormalizedIndex(12, 4),
    "binary": lambda: BinaryCode(3),
    "sinusoidal": lambda: Sinusoidal(4),
    "learned": learned,
    "shaw": lambda: ShawRelative(4, 3),
    "transformer_xl": lambda: TransformerXLRelative(4),
    "t5": lambda: T5Bias(num_buckets=8, max_distance=10, n_heads=4),
    "alibi": lambda: Alibi(4),
    "rotary": lambda: Rotary(4, scaling=Yarn(4.0, 64)),
    "kerple": lambda: Kerple("power", 0.5, 0.7, n_heads=4),
    "sandwich": lambda: Sandwich(8, n_heads=4),
    "xpos": lambda: XPos(4),
    "fope": lambda: Fope(4, 10.0),
    "pope": lambda: Pope(2),
    "grape_m": lambda: GrapeM((1.0, 2.0, 0.0, 1.0), (0.0, 1.0, 2.0, 0.0)),
    "distance_remap": lambda: DistanceRemap(ReRope(4), 4),
    "fire": lambda: Fire(mlp=GivenMlp.of([1.0, -2.0], [0.1, 0.3], [[-1.5, 0.7]], [0.05])),
    "cope": lambda: Cope(3, (4.0, -4.0, 0.0, 1.0), (0.1, -0.2, 0.4)),
    "forget_gate": lambda: ForgetGate((0.9, 0.99, 0.5, 0.8)),
    "relative_bank": lambda: RelativeBank(
        2, 4, (4.0, 3.0, 2.0, 1.0, -1.0, 1.0, -1.0, 1.0), (1.0, 0.5, -0.5, 2.0, 0.0, 1.0, 1.0, 0.0)
    ),
    "rope_axes": lambda: RopeAxes(8, grid="3x4"),
    "formula": lambda: formula("alpha / (2 + abs(p - c))", d_model=4),
}
"""By family: a function that makes a small table."""

FAMILIES = sorted(name for name, make in MADE.items() if not make().depends_on_query)
"""Families with one table for all queries."""

DEFAULTS = {name: Document().with_encoding(kind.from_parameters({})) for name, kind in ENCODINGS.items()}
"""By family: the document that choosing it makes of a new one."""

SCALED = {f"rotary {name}": DEFAULTS["rotary"].edited("scaling", name) for name in SCALINGS}
"""The same for each scaling."""

RELATIVE = [name for name in FAMILIES if MADE[name]().relative]
each_family = pytest.mark.parametrize("kind", ENCODINGS.values(), ids=ENCODINGS.keys())
"""Runs a test for the class of each family."""

PART_BY_PART = {
    "learned", "shaw", "t5", "formula", "kerple", "sandwich", "relative_bank", "xpos", "fope", "grape_m",
}  # fmt: skip
"""Tables that are read, and families whose means and bounds have no closed form."""

BOUNDED = ["binary", "learned"]
"""Families of which some of the 12 positions have no value."""


def document_of(name: str, sentence: str = SENTENCE, seq_len: int = 12) -> Document:
    return Document(sentence, seq_len=seq_len).with_encoding(MADE[name]())


def shown_positions(document: Document) -> range:
    """The positions of the axis, by the definition: all tokens, or all distances between two of seq_len tokens.

    Causal models mask the distances above 0.
    """
    first = 1 - document.seq_len if document.encoding.relative else 0
    return range(first, 1 if document.encoding.relative and document.encoding.causal else document.seq_len)


def has_value(encoding: Encoding, position: int) -> bool:
    first, last = encoding.domain
    return first <= position <= last


def value(encoding: Encoding, position: int, column: int) -> float:
    return float(encoding.values(np.array([position]), np.array([column]))[0, 0])


def limits(document: Document) -> tuple[float, float]:
    shown = shown_positions(document)
    return document.encoding.range_over(shown.start, shown.stop)
