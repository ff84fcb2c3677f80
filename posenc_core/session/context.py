"""The two lengths of a longer context, and the scalings that lead from one to the other."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from msgspec import Struct

from posenc_core.encodings import Encoding, HarmonicTable, Rotary
from posenc_core.fields import ChoicesField, IntegerField, optional
from posenc_core.rope_scaling import DynamicNtk, Linear, Llama3, NtkAware, NtkByParts, RopeScaling, Yarn
from posenc_core.session.model import Model

USUAL_LENGTH = 4096
"""Tokens: the trained length where neither the user nor a model nor a scaling names one, that of Llama 2."""

USUAL_FACTOR = 4
"""How many times the trained length the target is, where nothing names it."""

_LONGEST = 10**9

TRAINED_LENGTH = optional(
    IntegerField(
        name="trained_length",
        label="trained length L",
        short="L",
        help="The length that the model was trained on. None takes the opened model's, else that of the scaling, "
        f"else {USUAL_LENGTH}. Files may name more than the longest text that the model saw.",
        default=USUAL_LENGTH,
        minimum=1,
        maximum=_LONGEST,
        step=1024,
        unit="tokens",
    )
)

TARGET_LENGTH = optional(
    IntegerField(
        name="target_length",
        label="target length L′",
        short="L′",
        help="The length that the model is to be used at. None takes the opened model's, else "
        f"{USUAL_FACTOR} times the trained length.",
        default=USUAL_FACTOR * USUAL_LENGTH,
        minimum=1,
        maximum=_LONGEST,
        step=1024,
        unit="tokens",
    )
)

COMPARED_SCALINGS = ChoicesField(
    name="compared_scalings",
    label="compare",
    help="Scalings to draw beside the present encoding, each from L to L′.",
    default=("linear", "ntk", "yarn", "llama3"),
    choices=(
        ("linear", "Position interpolation"),
        ("ntk", "NTK-aware"),
        ("dynamic", "Dynamic NTK"),
        ("ntk_by_parts", "NTK-by-parts, the paper's"),
        ("yarn", "YaRN, the code's ramp"),
        ("llama3", "Llama 3"),
    ),
)


class ContextLengths(Struct, frozen=True):
    """The trained length L and the target length L', in tokens."""

    trained: int
    target: int

    @property
    def factor(self) -> float:
        """L' over L."""
        return self.target / self.trained


class Compared(Struct, frozen=True):
    """An encoding under the title of its scaling; ``name`` is the compared scaling's, ``none`` or ``present``."""

    name: str
    title: str
    encoding: HarmonicTable


class Comparison(Struct, frozen=True):
    """Encodings that differ in their scaling, the unscaled one first, and a sentence for each that cannot be."""

    encodings: tuple[Compared, ...]
    refusals: tuple[str, ...] = ()

    @property
    def present(self) -> Compared:
        """The one with the encoding's own scaling, if it has one, else the unscaled one."""
        return next((each for each in self.encodings if each.name == "present"), self.encodings[0])


def lengths_of(trained: int | None, target: int | None, model: Model | None, encoding: Encoding) -> ContextLengths:
    """The lengths that are given; a missing one is the model's, else follows from the scaling."""
    scaling = encoding.scaling if isinstance(encoding, Rotary) else None
    original = getattr(scaling, "original_max_position_embeddings", None)
    first = trained or (model.trained_length if model else None) or original or USUAL_LENGTH
    return ContextLengths(int(first), int(target or (model.target_length if model else None) or USUAL_FACTOR * first))


def compared_scaling(name: str, lengths: ContextLengths) -> RopeScaling:
    """The scaling of that name from L to L'. KeyError for an unknown name; ValueError where L' is below L."""
    factor, trained, target = lengths.factor, lengths.trained, lengths.target
    if factor < 1:
        raise ValueError(
            f"target length {target:,} is below the trained length {trained:,}: no scaling extends that; "
            "allowed is a target length from the trained one on"
        )
    made: dict[str, Callable[[], RopeScaling]] = {
        "linear": lambda: Linear(factor),
        "ntk": lambda: NtkAware(factor),
        "dynamic": lambda: DynamicNtk(factor, trained, target),
        "ntk_by_parts": lambda: NtkByParts(factor, trained),
        "yarn": lambda: Yarn(factor, trained),
        "llama3": lambda: Llama3(factor, trained),
    }
    return made[name]()


@lru_cache(maxsize=8)
def compared_encodings(encoding: HarmonicTable, names: tuple[str, ...], lengths: ContextLengths) -> Comparison:
    """The encoding without its scaling, with its own, and with each of those from L to L' that it takes.

    The encoding alone if its family has no scalings.
    """
    if not isinstance(encoding, Rotary):
        return Comparison((Compared("none", encoding.title, encoding),))
    unscaled = replace(encoding, scaling=None, notes=())
    found, refusals = [Compared("none", "as trained", unscaled)], dict[str, None]()
    if encoding.scaling is not None:
        found.append(Compared("present", f"{encoding.scaling.title}, present", encoding))
    for name in names:
        try:
            scaling = compared_scaling(name, lengths)
            found.append(Compared(name, f"{scaling.title} × {lengths.factor:.4g}", replace(unscaled, scaling=scaling)))
        except ValueError as error:
            refusals[str(error)] = None
    return Comparison(tuple(found), tuple(refusals))
